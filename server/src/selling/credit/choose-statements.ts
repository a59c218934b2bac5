import { companyOf } from '#accounts'
import type { Scope } from '#platform'
import { localDay } from '#pricing'
import { ineligibleCompany } from './eligibility.ts'
import { situationOf } from './offer-invoice.ts'
import { removeCollective, writeCollective } from './statement-store.ts'

/** Chooses between one payment per month and one per invoice. Invoices issued before the day of the choice are paid one by one. */
export async function chooseStatements(scope: Scope, isOn: boolean): Promise<{ ok: boolean }> {
  const companyId = companyOf(scope)
  if (companyId === null) return { ok: false }
  if (!isOn) {
    await removeCollective(scope.db, companyId)
    return { ok: true }
  }
  const { market, origin, now } = scope
  if (ineligibleCompany(await situationOf(scope)) !== null) return { ok: false }
  await writeCollective(scope.db, { companyId, market, origin, since: localDay(market, now) })
  return { ok: true }
}
