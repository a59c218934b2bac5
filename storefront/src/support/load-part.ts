import { CustomerOrderDocument, type OrderFragment, type SellerOrderFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

export interface OwnPart {
  order: OrderFragment
  part: SellerOrderFragment
  hasAccount: boolean
}

/** The visitor's seller order of an address; null for anybody else's, and before it was placed. */
export async function loadPart(context: ShopContext): Promise<OwnPart | null> {
  const { orderId = '' } = context.params
  const id = orderId.replace(/-\d+$/, '')
  if (id === orderId) return null
  const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id })
  const part = order?.sellerOrders.find((each) => each.id === orderId)
  return order && part && order.placedAt !== null ? { order, part, hasAccount: (await context.principal()).kind !== 'guest' } : null
}
