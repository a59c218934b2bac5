import { markets } from '@purlin/contract/markets.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { authorize, companyOf, customerIdOf } from '#accounts'
import { checkCostCentre, requiresCostCentre } from '#companies'
import { lockOrder } from '#orders'
import type { Scope } from '#platform'
import { localDay } from '#pricing'
import { readApproved } from './approval-store.ts'
import { isValid, mayApprove, type ToApprove } from './approvers.ts'
import { exceededBy, type BudgetKind, type Exceeded } from './budget.ts'
import { lockBudgets, moveSpend, readBudgetsOf, readSpendOf, readSpent, writeSpend, type Charged, type Spend } from './budget-store.ts'
import { readOrderSite } from './order-site-store.ts'
import { readOrderReference } from './reference-store.ts'

export interface OrderToCharge {
  id: string
  amount: number
  /** The same without VAT. */
  net: number
  categories: Spend['categories']
}

/** An order beyond limits that nobody has approved. */
export interface OverBudget extends Refused {
  /** The names of the order that lead to these limits; none where the limit is the member's own. */
  overBudgetOf: string[]
}

/**
 * Charges an order to the budgets of its member, cost centre and building site, within the command that places it. The
 * budgets stay locked until the command ends, so that orders placed at the same time never exceed one together. An order
 * beyond a limit needs an approval of at least its amount.
 */
export async function holdBudget(
  scope: Scope,
  { id, amount, net, categories }: OrderToCharge,
): Promise<{ ok: true } | Refused | OverBudget> {
  // A change of cost centre or site locks the order as well, so that the charge is on the one that the order names in the end.
  if (companyOf(scope) !== null) await lockOrder(scope.db, id)
  const charged = await chargedOf(scope, id)
  if (charged === null) return { ok: true }
  if (await lacksCostCentre(scope, charged)) return { ok: false, reason: 'cost-centre-needed' }
  const budgets = await lockBudgets(scope.db, charged)
  const period = periodOf(scope)
  if (budgets.length > 0) {
    const exceeded = exceededBy({ amount, currency: period.currency }, budgets, await readSpent(scope.db, charged, period, id))
    const refused = exceeded.length > 0 ? await reasonAgainstApproval(scope, id, amount) : null
    if (refused) return { ok: false, reason: refused, overBudgetOf: fieldsOf(exceeded) }
  }
  await writeSpend(scope.db, { orderId: id, ...charged, ...period, amount, net, categories })
  return { ok: true }
}

/** The reason for which an order beyond a limit may not be placed; null if a colleague who could still do so has approved its amount. */
async function reasonAgainstApproval(scope: Scope, orderId: string, amount: number): Promise<'approval-needed' | 'approval-ended' | null> {
  const approval = await readApproved(scope.db, orderId)
  if (!approval) return 'approval-needed'
  if (!(await isValid(scope, approval))) return 'approval-ended'
  return (approval.approvedTotal ?? 0) < amount ? 'approval-needed' : null
}

/** Whether an order names no cost centre of the company's list, though its company wants one. */
async function lacksCostCentre({ db }: Scope, { companyId, costCentreId }: Charged): Promise<boolean> {
  return costCentreId === null && (await requiresCostCentre(db, companyId))
}

/** The same of an order that is about to be requested. */
export async function needsCostCentre(scope: Scope, orderId: string): Promise<boolean> {
  const charged = await chargedOf(scope, orderId)
  return charged !== null && lacksCostCentre(scope, charged)
}

/**
 * Moves the charge of a placed order to another cost centre or building site, within the command that changes its reference.
 * Away from one with limits, and beyond those of another, only colleagues who could approve the order may move it: whoever bought
 * it would empty a budget to fill it once more. An order that is not placed has no charge.
 * @param isSoldAgain whether `holdBudget` charges the order again within the same command: it then decides about the limits, by the new
 *   amount, and `beyond` says which ones the present amount would exceed
 */
export async function moveCharge(
  scope: Scope,
  orderId: string,
  to: ChargedTo,
  { isSoldAgain = false }: { isSoldAgain?: boolean } = {},
): Promise<{ ok: true; beyond: Beyond | null } | Beyond> {
  const spend = await readSpendOf(scope.db, orderId)
  if (!spend) return { ok: true, beyond: null }
  const { costCentreId, siteId = spend.siteId } = to
  const isNew = { 'cost-centre': spend.costCentreId !== costCentreId, site: spend.siteId !== siteId, member: false }
  if (!isNew['cost-centre'] && !isNew.site) return { ok: true, beyond: null }
  const charged = { ...spend, costCentreId, siteId }
  if (isNew['cost-centre'] && (await lacksCostCentre(scope, charged)))
    return { ok: false, reason: 'cost-centre-needed', fields: ['costCentre'] }
  const budgets = (await lockBudgets(scope.db, charged)).filter(({ kind }) => isNew[kind])
  let beyond: Beyond | null = null
  if (!(await mayExceed(scope, spend))) {
    const left = (await readBudgetsOf(scope.db, spend)).filter(({ kind }) => isNew[kind])
    if (left.length > 0) return { ok: false, reason: 'charge-kept', fields: fieldsOf(left) }
    const exceeded = exceededBy(spend, budgets, await readSpent(scope.db, charged, spend, orderId))
    if (exceeded.length > 0) beyond = { ok: false, reason: 'approval-needed', fields: fieldsOf(exceeded) }
    if (beyond && !isSoldAgain) return beyond
  }
  await moveSpend(scope.db, orderId, { costCentreId, siteId })
  return { ok: true, beyond }
}

/** Whether the viewer could approve this order, which nobody does who has bought it. */
async function mayExceed(scope: Scope, spend: ToApprove): Promise<boolean> {
  const colleague = customerIdOf(scope)
  return colleague !== null && authorize(scope, 'approval.decide', spend) && mayApprove(scope.db, spend, colleague)
}

const fieldOf = { 'cost-centre': ['costCentre'], site: ['siteId'], member: [] } satisfies Record<BudgetKind, string[]>
const fieldsOf = (limits: readonly Pick<Exceeded, 'kind'>[]): string[] => [...new Set(limits.flatMap(({ kind }) => fieldOf[kind]))]

interface ChargedTo {
  costCentreId: string | null
  /** Left out: as it is. */
  siteId?: string | null | undefined
}

export interface Beyond {
  ok: false
  reason: 'approval-needed' | 'charge-kept' | 'cost-centre-needed'
  /** The names that lead to the budgets, or the one that is missing. */
  fields: string[]
}

/** The limits an order would exceed now, without charging it. */
export async function exceededLimits(scope: Scope, { id, amount }: Pick<OrderToCharge, 'id' | 'amount'>): Promise<Exceeded[]> {
  const charged = await chargedOf(scope, id)
  if (charged === null) return []
  const period = periodOf(scope)
  const [budgets, spent] = await Promise.all([readBudgetsOf(scope.db, charged), readSpent(scope.db, charged, period, id)])
  return exceededBy({ amount, currency: period.currency }, budgets, spent)
}

/** The month that counts for the market's customers. */
export function periodOf({ market, now }: Pick<Scope, 'market' | 'now'>): { currency: string; month: string } {
  return { currency: markets[market].currency, month: `${localDay(market, now).slice(0, 7)}-01` }
}

async function chargedOf(scope: Scope, orderId: string): Promise<Charged | null> {
  const [companyId, customerId] = [companyOf(scope), customerIdOf(scope)]
  if (companyId === null || customerId === null) return null
  const [reference, siteId] = await Promise.all([readOrderReference(scope.db, orderId), readOrderSite(scope.db, orderId, companyId)])
  const code = reference?.costCentre ?? null
  const costCentreId = code === null ? null : (await checkCostCentre(scope.db, companyId, code)).id
  return { companyId, customerId, siteId, costCentreId }
}
