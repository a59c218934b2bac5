import { reachOf } from '@purlin/contract/actions.ts'
import { customerIdOf } from '#accounts'
import { flagValue } from '#flags'
import { hasCreditProvider } from '#payments'
import type { Scope, SiteScope } from '#platform'
import { localDay, showMoney } from '#pricing'
import { claimState, openAmount } from './claim.ts'
import { ineligibleCompany, ineligibleOrder, invoiceAmounts, invoiceMarkets } from './eligibility.ts'
import { readLatestMandate } from './mandate-store.ts'
import { situationOf } from './offer-invoice.ts'
import { dueDateOf } from './statement.ts'
import { isCollective, readGatheringClaims } from './statement-store.ts'
import { readClaims, readToPay, type Claim } from './store.ts'

const maxClaims = 100

/** Paying by invoice for the viewer's company: the limit, what is used of it, and the invoices; for a buyer, their own. */
export async function showCredit(scope: Scope) {
  const situation = await situationOf(scope)
  const { companyId, line, used, company } = situation
  const reach = reachOf(scope.principal, 'invoices.list', scope.market)
  if (companyId === null || reach === null) return null
  const own = reach === 'company' ? null : customerIdOf(scope)
  const which = { companyId, market: scope.market, customerId: own }
  const [claims, toPay, isMonthly] = await Promise.all([
    readClaims(scope.db, { ...which, limit: maxClaims }),
    readToPay(scope.db, which),
    isCollective(scope.db, companyId),
  ])
  const months = isMonthly ? await statementMonths(scope, companyId, claims) : new Map<string, string>()
  const money = (amount: number) => showMoney(scope.market, amount)
  const limit = line?.isAccepted ? line.limit : null
  return {
    companyName: company?.name ?? '',
    reason: ineligibleCompany(situation),
    isChecked: situation.checkedAt !== null,
    limit: limit === null ? null : money(limit),
    used: money(used),
    available: limit === null ? null : money(Math.max(0, limit - used)),
    least: money(invoiceAmounts.least),
    most: money(invoiceAmounts.most),
    isCollective: isMonthly,
    canChooseStatements: reachOf(scope.principal, 'statement.choose', scope.market) !== null,
    toPay: money(toPay),
    claims: claims.map((claim) => showClaim(scope, claim, months.get(claim.id) ?? null)),
  }
}

/** The month of the statement that each claim waits for, by claim. */
async function statementMonths({ db, market, now }: Scope, companyId: string, claims: readonly Claim[]): Promise<Map<string, string>> {
  const waiting = await readGatheringClaims(
    db,
    companyId,
    claims.map(({ id }) => id),
  )
  const late = new Map(waiting.map(({ id, isLate }) => [id, isLate]))
  const monthOf = ({ id, issuedOn }: Claim) => (late.get(id) ? localDay(market, now) : issuedOn).slice(0, 7)
  return new Map(claims.filter(({ id }) => late.has(id)).map((claim) => [claim.id, monthOf(claim)]))
}

function showClaim({ market, now }: Scope, claim: Claim, statementMonth: string | null) {
  // An invoice that waits for a statement is due with it, not by itself.
  const dueOn = statementMonth === null ? claim.dueOn : dueDateOf(statementMonth)
  return {
    id: claim.id,
    number: claim.number,
    customerOrderId: claim.customerOrderId,
    sellerOrderId: claim.sellerOrderId,
    amount: showMoney(market, claim.amount),
    open: showMoney(market, openAmount(claim)),
    dueOn,
    statementMonth,
    state: claimState({ ...claim, dueOn }, localDay(market, now)),
  }
}

/** The least order that companies can pay by invoice on this storefront; null where it is not offered. The same for everybody. */
export async function leastByInvoice(site: SiteScope) {
  const { market, mode } = site
  const isOffered = mode === 'b2b' && invoiceMarkets.has(market) && hasCreditProvider() && (await flagValue(site, 'pepePdpB2bBnpl'))
  return isOffered ? showMoney(market, invoiceAmounts.least) : null
}

/** How the company pays its invoices. */
async function settlementOf({ db, market }: Scope, companyId: string | null): Promise<'each' | 'monthly' | 'monthly-debit'> {
  if (companyId === null || !(await isCollective(db, companyId))) return 'each'
  return (await readLatestMandate(db, companyId, market))?.state === 'active' ? 'monthly-debit' : 'monthly'
}

/** Whether an order of this amount could be paid by invoice, and how. */
export async function showInvoiceOffer(scope: Scope, amount: number) {
  const situation = await situationOf(scope)
  const reason = ineligibleOrder(situation, amount)
  const settlement = await settlementOf(scope, situation.companyId)
  return { reason, settlement, least: showMoney(scope.market, invoiceAmounts.least), most: showMoney(scope.market, invoiceAmounts.most) }
}
