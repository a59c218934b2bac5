import type { Db } from '#platform'
import { readVatRules } from './store.ts'
import type { VatRule } from './vat.ts'

/** Rules change with the law, not with requests; for a rule added by hand a minute is soon enough. */
const keptMs = 60_000

let kept: { rules: Promise<VatRule[]>; until: number } | undefined

/** The VAT rules of all markets, at most a minute old; no statement while they are cached. */
export function vatRules(scope: { db: Db }): Promise<readonly VatRule[]> {
  const now = Date.now()
  if (kept && kept.until > now) return kept.rules
  const asked = { rules: readVatRules(scope.db), until: now + keptMs }
  kept = asked
  const forget = (): void => {
    if (kept === asked) kept = undefined
  }
  // Neither a failure nor a database that is still being seeded may be cached.
  asked.rules.then((rules) => rules.length === 0 && forget(), forget)
  return asked.rules
}

/** Call after changing the rules in this process. */
export function forgetVatRules(): void {
  kept = undefined
}
