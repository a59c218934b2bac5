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
import { isCollective } from './statement-store.ts'
import { readClaims, type Claim } from './store.ts'

const maxClaims = 100

/** Paying by invoice for the viewer's company: the limit, what is used of it, and the invoices; for a buyer, their own. */
export async function showCredit(scope: Scope) {
  const situation = await situationOf(scope)
  const { companyId, line, used, company } = situation
  const reach = reachOf(scope.principal, 'invoices.list', scope.market)
  if (companyId === null || reach === null) return null
  const own = reach === 'company' ? null : customerIdOf(scope)
  const [claims, isMonthly] = await Promise.all([
    readClaims(scope.db, { companyId, market: scope.market, customerId: own, limit: maxClaims }),
    isCollective(scope.db, companyId),
  ])
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
    claims: claims.map((claim) => showClaim(scope, claim)),
  }
}

function showClaim({ market, now }: Scope, claim: Claim) {
  return {
    id: claim.id,
    number: claim.number,
    customerOrderId: claim.customerOrderId,
    sellerOrderId: claim.sellerOrderId,
    amount: showMoney(market, claim.amount),
    open: showMoney(market, openAmount(claim)),
    dueOn: claim.dueOn,
    state: claimState(claim, localDay(market, now)),
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
