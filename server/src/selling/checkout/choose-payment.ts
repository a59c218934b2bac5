import type { Result } from '@purlin/contract/refusals.ts'
import { authorize, inOwnName, ownerOf } from '#accounts'
import { showInvoiceOffer } from '#credit'
import { findOrder, isOrderId } from '#orders'
import { readPaymentOfOrder, type Payment } from '#payments'
import { withIdempotency, type Scope } from '#platform'
import { isApprovedForCard } from '#purchasing'
import { findToSell, mayPlace, sell } from './place-order.ts'

export interface ChoosePaymentMethod {
  customerOrderId: string
  idempotencyKey: string
  method: Payment['method']
}

const running: ReadonlySet<Payment['state']> = new Set(['initiated', 'action-required', 'authorised', 'captured'])

/**
 * Places an order that awaits payment again, to be paid in another way, in one command: the payment requested before is
 * abandoned, and whatever its provider reports later is voided or refunded. An order is never paid twice.
 */
export async function choosePaymentMethod(
  scope: Scope,
  { customerOrderId, idempotencyKey, method }: ChoosePaymentMethod,
): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  if (owner === null || !isOrderId(customerOrderId)) return { ok: false, reason: 'unknown-order' }
  if (idempotencyKey === '') return { ok: false, reason: 'idempotency-key-missing' }
  const body = { command: 'choose-payment', customerOrderId, method }
  const keyed = { owner, key: idempotencyKey, body, success: { ok: true, orderId: customerOrderId } }
  return withIdempotency<Result<{ orderId: string }>>(scope, keyed, async () => {
    const found = await findToSell(scope, owner, customerOrderId)
    const [, order] = found
    if (order?.state !== 'awaiting-payment') return { ok: false, reason: order ? 'order-not-open' : 'unknown-order' }
    const payment = await readPaymentOfOrder(scope.db, customerOrderId)
    if (payment?.method === method && running.has(payment.state) && payment.abandoned === null) return { ok: true, orderId: order.id }
    return (await mayPlace(scope))
      ? sell(scope, customerOrderId, { choices: null, method }, found)
      : { ok: false, reason: 'too-many-attempts' }
  })
}

/** Whether an order can be paid by invoice; null unless it awaits the viewer's payment, and was not approved to be paid by card. */
export async function offerInvoice(scope: Scope, customerOrderId: string) {
  const order = isOrderId(customerOrderId) ? await findOrder(scope, 'order.see', customerOrderId) : undefined
  if (order?.state !== 'awaiting-payment' || !order.totals || !authorize(scope, 'order.place', order)) return null
  if (await isApprovedForCard(scope.db, customerOrderId)) return null
  // Placed before the viewer signed in, or joined: no company owes it.
  return showInvoiceOffer(order.companyId === null ? inOwnName(scope) : scope, order.totals.total)
}
