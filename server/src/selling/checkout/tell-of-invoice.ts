import { isSystemsCart } from '#cart'
import { sendMail } from '#mail'
import { originOf, readOrder } from '#orders'
import type { PaymentProcess } from '#payments'
import { readApproved, readOrderReference, systemOrderMail } from '#purchasing'
import { tellBuyer } from './decide-approval.ts'

type Unsettled = Parameters<PaymentProcess['unsettled']>

/**
 * A colleague's click or a purchasing system has placed the order: its buyer is not at the page of the payment, and hears by mail that the
 * invoice was declined or waits for a confirmation. So they do of each further attempt, whose page they may have left.
 */
export async function tellOfInvoice(scope: Unsettled[0], payment: Unsettled[1], outcome: Unsettled[2]): Promise<void> {
  const { provider, customerOrderId, amount, placement } = payment
  if (provider !== 'credit') return
  const approval = await readApproved(scope.db, customerOrderId)
  if (approval) {
    if (approval.payBy === 'invoice') await tellBuyer(scope, approval, outcome, { until: approval.expiresAt, placement })
    return
  }
  const order = await readOrder(scope.db, customerOrderId)
  if (!order || !(await isSystemsCart(scope.db, order.cartId))) return
  const { market, mode, email } = order
  const number = (await readOrderReference(scope.db, customerOrderId))?.purchaseOrder ?? customerOrderId
  await sendMail(scope, systemOrderMail, {
    to: email,
    site: { market, mode, origin: originOf(order) },
    payload: { customerOrderId, number, total: amount, outcome },
    key: `order:${customerOrderId}:invoice-${outcome}:${placement}`,
  })
}
