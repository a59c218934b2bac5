import { markets, type Currency } from '@purlin/contract/markets.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { companyOf, companyWithFormer, firstOfNumber, readCompany } from '#accounts'
import { flagValue } from '#flags'
import { hasCreditProvider } from '#payments'
import type { Scope } from '#platform'
import { ineligibleOrder, type Situation } from './eligibility.ts'
import { readInvoiceUse } from './invoice-use.ts'
import { lockCreditLine, readLine } from './store.ts'

/** Where the viewer's company stands with paying by invoice in this market. */
export async function situationOf(scope: Scope): Promise<Situation & { companyId: string | null; checkedAt: Date | null }> {
  const { market, mode, db } = scope
  const companyId = companyOf(scope)
  const isOn = hasCreditProvider() && (await flagValue(scope, 'pepePdpB2bBnpl'))
  const site = { isOn, market, mode, companyId }
  if (companyId === null || !isOn) return { ...site, company: null, line: null, used: 0, checkedAt: null }
  const { currency } = markets[market]
  const [company = null, line, used] = await Promise.all([
    readCompany(db, companyId),
    readLine(db, companyId, currency),
    companyWithFormer(db, companyId).then((ids) => readInvoiceUse(db, ids, currency)),
  ])
  return { ...site, company, line, used, checkedAt: line?.checkedAt ?? null }
}

/**
 * Decides whether an order of this amount may be paid by invoice, within the command that places it. The company's line stays
 * locked until the command ends: orders placed at the same time are decided one after the other and never exceed the limit. So does, before
 * it, the line of the first company of its number, since the limit is that of the number.
 */
export async function holdCredit(scope: Scope, amount: number): Promise<{ ok: true; companyId: string } | Refused> {
  const companyId = companyOf(scope)
  if (companyId === null) return { ok: false, reason: 'invoice-not-offered' }
  const currency: Currency = markets[scope.market].currency
  const first = await firstOfNumber(scope.db, companyId)
  if (first !== companyId) await lockCreditLine(scope.db, first, currency)
  const line = await lockCreditLine(scope.db, companyId, currency)
  const reason = ineligibleOrder({ ...(await situationOf(scope)), line }, amount)
  if (reason === null) return { ok: true, companyId }
  return { ok: false, reason: reason === 'limit' ? 'invoice-limit-exceeded' : 'invoice-not-offered' }
}
