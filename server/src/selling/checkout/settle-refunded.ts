import { book, captureEntries, reversed, type Entry } from '#ledger'
import { lockOrder, moveOrder } from '#orders'
import type { PaymentProcess } from '#payments'
import { atProviderKey, splitReported } from '#refunds'

type Refunded = Parameters<PaymentProcess['refunded']>

/**
 * Books money that the provider has refunded: what was requested settles what we owe the buyer, and what the operator has settled at
 * the provider is booked already. A whole payment refunded at the provider, without a request from here, reverses the sale; any other
 * amount belongs to no order.
 */
export async function settleRefunded(...[scope, payment, money]: Refunded): Promise<void> {
  const { id: paymentId, customerOrderId, provider, currency } = payment
  const { amount, total, isWhole, isAll } = money
  const { settled, booked } = await splitReported(scope.db, payment, amount)
  const order = isWhole && settled + booked === 0 ? await lockOrder(scope.db, customerOrderId) : undefined
  const entries = order
    ? reversed(captureEntries(provider, amount, order.sellerOrders))
    : [
        { account: `provider:${provider}`, amount: -amount } satisfies Entry,
        { account: 'refunds-due', amount: settled } satisfies Entry,
        { account: 'unapplied', amount: amount - settled } satisfies Entry,
      ].filter((entry) => entry.amount !== 0)
  // After a refund that failed, another one may lead to the same total.
  const again = payment.refundsReturned ? `:${payment.refundsReturned}` : ''
  const report = `${paymentId}:${total}${again}`
  const about = { kind: 'refund', customerOrderId, currency } as const
  await book(scope.db, { ...about, key: `refund:${report}`, entries })
  const twice: Entry[] = [
    { account: `provider:${provider}`, amount: booked },
    { account: 'unapplied', amount: -booked },
  ]
  if (booked > 0) await book(scope.db, { ...about, key: `${atProviderKey}reported:${report}`, entries: twice })
  if (isAll) await moveOrder(scope.db, customerOrderId, 'refunded', 'system', 'refunded')
}
