import type { PersonalAction } from '@purlin/contract/actions.ts'
import { authorize, companyOf, ownerOf, staffOf } from '#accounts'
import { isOrderId, readOrder, readOrderForStaff, readOrderOf, type CustomerOrder, type SellerOrder } from '#orders'
import type { JobScope, Scope } from '#platform'
import type { Side } from './conversation.ts'

/** A seller order as one of its parties sees it. */
export interface SeenPart {
  side: Side
  order: CustomerOrder
  part: SellerOrder
  /** The principal, for the record: the buyer's owner key, or the id of a member of staff. */
  actorKey: string
}

/** What buyers do to their own orders, and the staff of sellers and of the marketplace to those they serve. */
export type PartAction = Extract<PersonalAction, `conversation.${string}` | `dispute.${string}`>

/** The seller order with this id, if the principal may take the action on it; otherwise undefined, as for an unknown id. */
export async function findPart(scope: Scope, action: PartAction, sellerOrderId: string): Promise<SeenPart | undefined> {
  const customerOrderId = sellerOrderId.replace(/-\d+$/, '')
  if (!isOrderId(sellerOrderId) || customerOrderId === sellerOrderId) return undefined
  const staff = staffOf(scope)
  const order = await (staff
    ? readOrderForStaff(scope.db, customerOrderId, { sellerOrderId, sellerId: staff.sellerId })
    : readOwn(scope, customerOrderId))
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part || order.market !== scope.market) return undefined
  if (!authorize(scope, action, staff ? { sellerId: part.sellerId } : order)) return undefined
  if (staff) return { side: staff.sellerId === null ? 'operator' : 'seller', order, part, actorKey: staff.id }
  return { side: 'buyer', order, part, actorKey: ownerOf(scope) ?? '' }
}

function readOwn(scope: Scope, id: string): Promise<CustomerOrder | undefined> {
  const owner = ownerOf(scope)
  return owner === null
    ? Promise.resolve(undefined)
    : readOrderOf(scope.db, id, { owner, companyId: companyOf(scope), market: scope.market })
}

/** Any seller order, for the holder of the operators' key, whom the route has authorised. */
export async function operatorsPart({ db }: Pick<JobScope, 'db'>, sellerOrderId: string): Promise<SeenPart | undefined> {
  if (!isOrderId(sellerOrderId)) return undefined
  const order = await readOrder(db, sellerOrderId.replace(/-\d+$/, ''))
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  return order && part && { side: 'operator', order, part, actorKey: 'operator-key' }
}
