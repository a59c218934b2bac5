import { authorize, companyOf, customerIdOf } from '#accounts'
import { checkCostCentre, readCostCentres, readSite } from '#companies'
import { adoptDraft, canAdopt, findOrder, lockOrder, type CustomerOrder, type CustomerOrderState } from '#orders'
import { isId, type Db, type Scope } from '#platform'
import { approvalOfOrder } from './approval-store.ts'
import { readLatestCostCentre } from './budget-store.ts'
import { moveCharge, type Beyond } from './hold-budget.ts'
import { readOrderSite, setOrderSite } from './order-site-store.ts'
import { readOrderReference, writeOrderReference, type OrderReference } from './reference-store.ts'

export const longestReference = 40

export type ReferenceRefusal =
  | { ok: false; reason: 'unknown-order' | 'order-not-open' | 'awaits-approval' }
  | {
      ok: false
      reason: 'input-invalid' | 'cost-centre-unknown' | 'site-unknown' | 'approval-needed' | 'charge-kept' | 'cost-centre-needed'
      fields: string[]
    }

/** The names that a member gives an order. Without `siteId` the building site stays as it is. */
export type NamesOfOrder = OrderReference & { siteId?: string | null | undefined }

/**
 * A company's purchase-order number and cost centre on one of its orders. They can be changed until the order is over; an
 * invoice keeps what they were when it was issued. The charge of a placed order follows its cost centre
 * and the building site, whose budget is charged wherever the goods go; `moveCharge` says who may move it. What an approver sees stays as it is until the order is paid.
 * @param isSoldAgain whether the command that changes the names places the order again after that, at another amount perhaps
 */
export async function saveOrderReference(
  scope: Scope,
  customerOrderId: string,
  { siteId, ...input }: NamesOfOrder,
  { isSoldAgain = false }: { isSoldAgain?: boolean } = {},
): Promise<{ ok: true; reference: OrderReference; beyond: Beyond | null } | ReferenceRefusal> {
  const found = await findOrder(scope, 'order.refer', customerOrderId)
  const order = found && (await adoptDraft(scope, found))
  const customerId = customerIdOf(scope)
  if (!order || order.companyId === null || customerId === null) return { ok: false, reason: 'unknown-order' }
  if (isOver(order)) return { ok: false, reason: 'order-not-open' }
  const reference = { purchaseOrder: tidy(input.purchaseOrder), costCentre: tidy(input.costCentre) }
  const fields = Object.entries(reference).flatMap(([field, value]) => (value !== null && !isReference(value) ? [field] : []))
  if (fields.length > 0) return { ok: false, reason: 'input-invalid', fields }
  let costCentreId: string | null = null
  if (reference.costCentre !== null) {
    const { isAllowed, code, id } = await checkCostCentre(scope.db, order.companyId, reference.costCentre)
    // An order keeps the cost centre that it has, also one that is archived or listed no longer.
    const isKept = code === (await readOrderReference(scope.db, order.id))?.costCentre
    if (!isAllowed && !isKept) return { ok: false, reason: 'cost-centre-unknown', fields: ['costCentre'] }
    reference.costCentre = code
    costCentreId = id
  }
  const site = siteId === undefined || siteId === null ? null : isId(siteId) ? await readSite(scope.db, order.companyId, siteId) : undefined
  if (site === undefined) return { ok: false, reason: 'site-unknown', fields: ['siteId'] }
  const locked = await lockOrder(scope.db, order.id)
  if (!locked || isOver(locked)) return { ok: false, reason: 'order-not-open' }
  const now = await readCharge(scope.db, order.id, order.companyId)
  // An order keeps the building site that it has, too.
  if (site?.isArchived && site.id !== now.siteId) return { ok: false, reason: 'site-unknown', fields: ['siteId'] }
  const isSame = reference.purchaseOrder === now.purchaseOrder && reference.costCentre === now.costCentre
  if (!(isSame && (siteId === undefined || siteId === now.siteId)) && (await approvalOf(scope.db, locked)) !== null)
    return { ok: false, reason: 'awaits-approval' }
  const moved = await moveCharge(scope, order.id, { costCentreId, siteId }, { isSoldAgain })
  if (!moved.ok) return moved
  if (siteId !== undefined) await setOrderSite(scope.db, order.id, order.companyId, siteId)
  await writeOrderReference(scope.db, order.id, reference, customerId)
  return { ok: true, reference, beyond: moved.beyond }
}

/** Null for an order that the viewer may not see, and for one that is not a company's. */
export async function showOrderReference(scope: Scope, customerOrderId: string) {
  const found = await findOrder(scope, 'order.see', customerOrderId)
  const order = found && canAdopt(scope, found) ? { ...found, companyId: companyOf(scope) } : found
  if (!order || order.companyId === null) return null
  const mayChange = !isOver(order) && authorize(scope, 'order.refer', order)
  const approvalId = await approvalOf(scope.db, order)
  const canChange = mayChange && approvalId === null
  const names = await readOrderNames(scope.db, order)
  const isNew = canChange && order.paidAt === null && names.costCentre === null && names.purchaseOrder === null
  const suggestedCostCentre = isNew ? await suggestCostCentre(scope, order) : null
  return { ...names, canChange, suggestedCostCentre, approvalId: order.state === 'draft' ? approvalId : null }
}

/** Most buyers order for the same cost centre again and again: that of their latest order, as long as it is in use. */
async function suggestCostCentre(scope: Scope, { companyId }: CustomerOrder): Promise<string | null> {
  const customerId = customerIdOf(scope)
  if (companyId === null || customerId === null) return null
  const latest = await readLatestCostCentre(scope.db, companyId, customerId, scope.now)
  if (latest === null) return null
  return (await readCostCentres(scope.db, companyId)).find(({ id, isArchived }) => id === latest && !isArchived)?.code ?? null
}

export interface OrderNames extends OrderReference {
  /** Name of the building site. */
  site: string | null
  siteId: string | null
}

/** A company's own names for an order, and the building site it goes to. */
export async function readOrderNames(db: Db, { id, companyId }: { id: string; companyId: string | null }): Promise<OrderNames> {
  if (companyId === null) return { purchaseOrder: null, costCentre: null, site: null, siteId: null }
  const { siteId, ...reference } = await readCharge(db, id, companyId)
  const site = siteId === null ? undefined : await readSite(db, companyId, siteId)
  return { ...reference, site: site?.name ?? null, siteId: site?.id ?? null }
}

async function readCharge(db: Db, id: string, companyId: string): Promise<OrderReference & { siteId: string | null }> {
  const [reference = { purchaseOrder: null, costCentre: null }, siteId] = await Promise.all([
    readOrderReference(db, id),
    readOrderSite(db, id, companyId),
  ])
  return { ...reference, siteId }
}

const over: ReadonlySet<CustomerOrderState> = new Set(['delivered', 'closed', 'refunded', 'cancelled'])

/** What was delivered or paid back is accounted for. */
function isOver({ state }: CustomerOrder): boolean {
  return over.has(state)
}

/** The approval, requested or given, that holds the order as it is: whose budget it is must not change behind the approver's back. */
async function approvalOf(db: Db, { id, paidAt, companyId }: CustomerOrder): Promise<string | null> {
  return paidAt === null && companyId !== null ? approvalOfOrder(db, id, companyId) : null
}

function tidy(value: string | null): string | null {
  return value?.trim().replace(/\s+/g, ' ') || null
}

/** It is printed and travels in XML: no control characters. */
function isReference(value: string): boolean {
  return value.length <= longestReference && !/\p{Cc}/u.test(value)
}
