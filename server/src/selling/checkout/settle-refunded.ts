import { balanceOfOrder, book, captureEntries, reversed, type Entry } from '#ledger'
import { lockOrder, moveOrder } from '#orders'
import type { PaymentProcess } from '#payments'

type Refunded = Parameters<PaymentProcess['refunded']>

/**
 * Books money that the provider has refunded: what was requested settles what we owe the buyer. A whole payment refunded at
 * the provider, without a request from here, reverses the sale; any other amount belongs to no order.
 */
export async function settleRefunded(...[scope, payment, money]: Refunded): Promise<void> {
  const { id: paymentId, customerOrderId, provider, currency } = payment
  const { amount, total, isWhole, isAll } = money
  const settled = Math.min(amount, Math.max(0, -(await balanceOfOrder(scope.db, customerOrderId, 'refunds-due'))))
  const order = isWhole && settled === 0 ? await lockOrder(scope.db, customerOrderId) : undefined
  const entries = order
    ? reversed(captureEntries(provider, amount, order.sellerOrders))
    : [
        { account: `provider:${provider}`, amount: -amount } satisfies Entry,
        { account: 'refunds-due', amount: settled } satisfies Entry,
        { account: 'unapplied', amount: amount - settled } satisfies Entry,
      ].filter((entry) => entry.amount !== 0)
  // After a refund that failed, another one may lead to the same total.
  const again = payment.refundsReturned ? `:${payment.refundsReturned}` : ''
  await book(scope.db, { key: `refund:${paymentId}:${total}${again}`, kind: 'refund', customerOrderId, currency, entries })
  if (isAll) await moveOrder(scope.db, customerOrderId, 'refunded', 'system', 'refunded')
}
