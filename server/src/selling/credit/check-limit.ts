import { markets, type Currency } from '@purlin/contract/markets.ts'
import { creditProvider, hasCreditProvider, readDebtor } from '#payments'
import { enqueue, type JobScope, type Scope, type CallContext } from '#platform'
import { ineligibleCompany } from './eligibility.ts'
import { situationOf } from './offer-invoice.ts'
import { writeLine } from './store.ts'

export interface LimitCheck {
  companyId: string
  currency: Currency
}

/** The provider is asked at most this often about a company. */
const pauseMs = 600_000

/** Asks the worker to look up the limit of the viewer's company. */
export async function checkLimit(scope: Scope): Promise<{ ok: boolean }> {
  const situation = await situationOf(scope)
  const { companyId, checkedAt } = situation
  const reason = ineligibleCompany({ ...situation, line: null })
  if (companyId === null || reason !== null) return { ok: false }
  if (checkedAt !== null && scope.now.getTime() - checkedAt.getTime() < pauseMs) return { ok: true }
  await planCheck(scope.db, { companyId, currency: markets[scope.market].currency })
  return { ok: true }
}

export async function planCheck(db: JobScope['db'], check: LimitCheck): Promise<void> {
  if (hasCreditProvider()) await enqueue(db, { name: 'credit.check-limit', key: `${check.companyId}:${check.currency}`, payload: check })
}

export async function askLimit({ db, signal }: Pick<CallContext, 'db' | 'signal'>, { companyId, currency }: LimitCheck) {
  const debtor = await readDebtor(db, companyId)
  return debtor ? creditProvider().retrieveLimit(debtor, currency, { signal }) : null
}

export async function keepLimit(
  { db, now }: JobScope,
  { companyId, currency }: LimitCheck,
  found: Awaited<ReturnType<typeof askLimit>>,
): Promise<void> {
  if (found && found.currency === currency) await writeLine(db, { companyId, ...found, at: now })
}
