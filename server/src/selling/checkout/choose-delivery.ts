import type { Result } from '@purlin/contract/refusals.ts'
import { ownerOf } from '#accounts'
import { chooseCartDelivery, type DeliveryChoice } from '#cart'
import { isOrderId, readOrderOf } from '#orders'
import type { Scope } from '#platform'

/** Delivery kind per seller of a draft; kept with the cart it will be sold from. */
export async function chooseDelivery(
  scope: Scope,
  customerOrderId: string,
  choices: readonly DeliveryChoice[],
): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  const order = owner !== null && isOrderId(customerOrderId) ? await readOrderOf(scope.db, customerOrderId, owner, scope.market) : undefined
  if (!order || order.owner !== owner) return { ok: false, reason: 'unknown-order' }
  if (order.state !== 'draft') return { ok: false, reason: 'order-not-open' }
  const chosen = await chooseCartDelivery(scope, choices)
  return chosen.ok ? { ok: true, orderId: order.id } : chosen
}
