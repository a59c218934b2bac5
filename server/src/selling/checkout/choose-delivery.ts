import type { Result } from '@purlin/contract/refusals.ts'
import { chooseCartDelivery, loadPricedCart, type DeliveryChoice } from '#cart'
import { readingAside, type Scope } from '#platform'
import { findOrder } from '#orders'

/** Sets a draft's delivery kind per seller; stored with the cart it will be sold from. */
export async function chooseDelivery(
  scope: Scope,
  customerOrderId: string,
  choices: readonly DeliveryChoice[],
): Promise<Result<{ orderId: string }>> {
  const aside = readingAside(scope)
  const [order, priced] = await Promise.all([findOrder(aside, 'order.change', customerOrderId), loadPricedCart(aside)])
  if (!order) return { ok: false, reason: 'unknown-order' }
  if (order.state !== 'draft') return { ok: false, reason: 'order-not-open' }
  const chosen = await chooseCartDelivery(scope, choices, priced)
  return chosen.ok ? { ok: true, orderId: order.id } : chosen
}
