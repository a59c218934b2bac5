import { authorize, sellerIdOf } from '#accounts'
import { readOrderForStaff, type CustomerOrder, type SellerOrder } from '#orders'
import type { Scope } from '#platform'

export interface Sale {
  order: CustomerOrder
  part: SellerOrder
}

/** A paid seller order that this principal may see or handle, whichever site they use; otherwise undefined, as if there were none. */
export async function findSale(
  scope: Scope,
  action: 'sellerOrder.see' | 'sellerOrder.handle',
  sellerOrderId: string,
): Promise<Sale | undefined> {
  const customerOrderId = /^([A-Za-z0-9_-]{8,40})-\d{1,9}$/.exec(sellerOrderId)?.[1]
  const order =
    customerOrderId === undefined
      ? undefined
      : await readOrderForStaff(scope.db, customerOrderId, { sellerOrderId, sellerId: sellerIdOf(scope) })
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part || order.paidAt === null) return undefined
  const { principal } = scope
  return authorize({ principal, market: order.market }, action, { sellerId: part.sellerId }) ? { order, part } : undefined
}

/** The promise of the delivery the buyer chose. */
export function promiseOf({ deliveryOptions, deliveryKind }: SellerOrder): { daysMin: number; daysMax: number } | undefined {
  return deliveryOptions.find(({ kind }) => kind === deliveryKind)
}
