import type { Result } from '@purlin/contract/refusals.ts'
import { chooseCartDelivery, type DeliveryChoice } from '#cart'
import type { Scope } from '#platform'
import { findOrder } from './find-order.ts'

/** Delivery kind per seller of a draft; kept with the cart it will be sold from. */
export async function chooseDelivery(
  scope: Scope,
  customerOrderId: string,
  choices: readonly DeliveryChoice[],
): Promise<Result<{ orderId: string }>> {
  const order = await findOrder(scope, 'order.change', customerOrderId)
  if (!order) return { ok: false, reason: 'unknown-order' }
  if (order.state !== 'draft') return { ok: false, reason: 'order-not-open' }
  const chosen = await chooseCartDelivery(scope, choices)
  return chosen.ok ? { ok: true, orderId: order.id } : chosen
}
