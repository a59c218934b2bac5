import type { Result } from '@purlin/contract/refusals.ts'
import { releaseCoupon } from '#cart'
import { releaseStock } from '#catalogue'
import { releaseQuotedPrices } from '#conditions'
import { findOrder, lockOrder, reopenPlaced, type CustomerOrder } from '#orders'
import { abandonPayment, lockPaymentOfOrder } from '#payments'
import type { JobScope, Scope } from '#platform'
import { releaseSpend } from '#purchasing'
import { emitStockChanged } from './emit-stock-changed.ts'

/** Reverts a placed order to draft: voids the requested payment and releases the stock. Only while nothing is authorised. */
export async function reopenOrder(scope: Scope, customerOrderId: string): Promise<Result<{ orderId: string }>> {
  const order = await findOrder(scope, 'order.change', customerOrderId)
  if (!order) return { ok: false, reason: 'unknown-order' }
  return reopen(scope, order.id)
}

/** The caller has checked the order's owner. */
export async function reopen(scope: JobScope, orderId: string): Promise<Result<{ orderId: string }>> {
  const order = await lockOrder(scope.db, orderId)
  if (order?.state === 'draft') return { ok: true, orderId }
  if (order?.state === 'authorised') return { ok: false, reason: 'payment-in-progress' }
  if (order?.state !== 'awaiting-payment')
    return { ok: false, reason: order?.state === 'cancelled' ? 'order-not-open' : 'order-already-paid' }
  const payment = await lockPaymentOfOrder(scope.db, orderId)
  if (payment?.state === 'authorised' || payment?.state === 'captured') return { ok: false, reason: 'payment-in-progress' }
  await giveBack(scope, order)
  if (payment) await abandonPayment(scope, payment, 'voided')
  await reopenPlaced(scope.db, orderId)
  return { ok: true, orderId }
}

/** Releases stock and coupon of an order that is not sold after all. The caller holds the lock on the order's row. */
export async function giveBack(scope: JobScope, order: CustomerOrder): Promise<void> {
  const held = new Map(order.sellerOrders.flatMap(({ lines }) => lines.map(({ offerId, quantity }) => [offerId, quantity] as const)))
  emitStockChanged(scope, await releaseStock(scope.db, order.id, [...held.keys()]), held)
  if (order.companyId !== null) await releaseQuotedPrices(scope.db, order.id)
  if (order.couponCode !== null) await releaseCoupon(scope.db, order.id)
  if (order.companyId !== null) await releaseSpend(scope.db, order.id)
}
