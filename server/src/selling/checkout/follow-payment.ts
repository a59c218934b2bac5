import { removeBoughtLines } from '#cart'
import { bookLater, captureEntries, type Entry } from '#ledger'
import { moveAndReadOrder, moveOrder, moveOrderAndTell } from '#orders'
import type { PaymentProcess } from '#payments'
import { settleRefunded } from './settle-refunded.ts'
import { tellOfInvoice } from './tell-of-invoice.ts'

/**
 * Applies the steps of a payment to its order: state, ledger and cart. Runs in the step's transaction, so that capture,
 * paid order and ledger booking commit together. Source: I1, I4, I6, decision 017.
 */
export const followPayment: PaymentProcess = {
  authorised: (scope, { customerOrderId }, payload) =>
    moveOrderAndTell(scope.db, [customerOrderId, 'authorised', 'provider', 'authorised'], 'payment.authorised', payload),

  captured: async (scope, { id: paymentId, customerOrderId, provider, currency }, { amount, isWhole }) => {
    const order = isWhole ? await moveAndReadOrder(scope.db, customerOrderId, 'paid', 'provider', 'captured') : undefined
    const entries = order ? captureEntries(provider, amount, order.sellerOrders) : unapplied(provider, amount)
    const booked = bookLater(scope.db, { key: `capture:${paymentId}`, kind: 'capture', customerOrderId, currency, entries })
    if (!order) return booked.then(() => false)
    const bought = order.sellerOrders.flatMap(({ lines }) => lines.map(({ offerId, quantity }) => ({ offerId, quantity })))
    await Promise.all([booked, removeBoughtLines(scope.db, order.cartId, bought, order.couponCode)])
    const { market, mode } = order
    const sellerOrderIds = order.sellerOrders.map(({ id }) => id)
    scope.emit('order.paid', { customerOrderId, market, mode, sellerOrderIds, amount, currency })
    return true
  },

  unsettled: tellOfInvoice,

  captureDeclined: (scope, { customerOrderId }) => moveOrder(scope.db, customerOrderId, 'awaiting-payment', 'provider', 'capture-declined'),

  refunded: settleRefunded,

  repaid: async (scope, { customerOrderId }) => void (await moveOrder(scope.db, customerOrderId, 'refunded', 'system', 'refunded')),

  // An order that was refunded all of its money goes on, and may be refunded again.
  refundFailed: async (scope, { customerOrderId }) => void (await moveOrder(scope.db, customerOrderId, 'paid', 'system', 'refund-failed')),
}

/** Entries for money that pays for no order. */
function unapplied(provider: string, amount: number): Entry[] {
  return [
    { account: `provider:${provider}`, amount },
    { account: 'unapplied', amount: -amount },
  ]
}
