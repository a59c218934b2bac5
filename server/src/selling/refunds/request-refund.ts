import { book, type Entry } from '#ledger'
import { readOrder } from '#orders'
import { lockPaymentOfOrder } from '#payments'
import type { JobScope } from '#platform'
import { refundDue, refundEntries, unlimitedAmount, type DeliveryShare, type Units, type WantedRefund } from './refund-rule.ts'
import type { Refund, RefundCause } from './refund.ts'
import { setOff } from './settle-refund.ts'
import { insertRefund, readRefundByKey, readRefundedBefore } from './store.ts'

export interface RequestRefund {
  customerOrderId: string
  sellerOrderId: string
  cause: RefundCause
  /** What it is for: 'cancellation:<id>'. The same key never refunds twice. */
  key: string
  /** Units given back or never delivered. */
  units?: readonly Units[]
  delivery?: DeliveryShare
  /** Pays less than the price of the units, whose value is diminished; their share of the delivery charge is paid whole. */
  goodsAtMost?: number
  /** An amount besides the units: part of the price of one line or of several, or goodwill for none. */
  extra?: { offerId: string | readonly string[] | null; amount: number }
  /** The marketplace pays for its own goodwill; everything else is the seller's. */
  bornBy?: 'seller' | 'marketplace'
}

/**
 * Requests a refund in the caller's transaction: amounts from what was paid, the row of the payment locked, so that parallel
 * requests never exceed it. Books what is owed to the buyer; the worker asks the provider. Undefined when nothing is left to
 * refund. What the buyer's bank has taken back of the order counts as paid. Source: A25, I1.
 */
export async function requestRefund(scope: Pick<JobScope, 'db' | 'emit'>, wish: RequestRefund): Promise<string | undefined> {
  const { db } = scope
  const { customerOrderId, sellerOrderId, cause, key, units = [], delivery = 'full', goodsAtMost, extra, bornBy = 'seller' } = wish
  const payment = await lockPaymentOfOrder(db, customerOrderId)
  const known = await readRefundByKey(db, key)
  if (known) return hasNothing(known) ? undefined : known.id
  const order = await readOrder(db, customerOrderId)
  // A replacement cost nothing: what was paid is the money of the order it replaces, whose pieces came back.
  if (order?.replaces)
    return requestRefund(scope, {
      ...wish,
      customerOrderId: order.replaces.slice(0, order.replaces.lastIndexOf('-')),
      sellerOrderId: order.replaces,
      cause: cause === 'cancellation' ? 'return' : cause,
    })
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part || !payment || payment.abandoned !== null || payment.captured === 0) return undefined

  const before = await readRefundedBefore(db, sellerOrderId)
  const wanted: WantedRefund = { isCancellation: cause === 'cancellation', units, delivery, goodsAtMost, extra, bornBy }
  const due = refundDue(part, before, wanted)
  const claimed = cause === 'goodwill' ? 0 : unlimitedAmount(part, before.lines, wanted)
  if (!due && claimed === 0) return undefined
  const { amount, recovered, lines } = due ?? { amount: 0, recovered: 0, lines: [] }

  const { currency, market } = order
  const about = { customerOrderId, sellerOrderId, paymentId: payment.id, cause, currency, market, bornBy, key }
  const id = await insertRefund(db, { ...about, amount, recovered, lines, wanted: Math.max(claimed, amount) })
  // A claim of which nothing is left leaves a row alone: what has limited it stays owed.
  if (id === undefined || !due) return undefined
  const entries: Entry[] =
    bornBy === 'seller'
      ? refundEntries(part, before.bySeller, amount, recovered)
      : [
          { account: 'refunds-due', amount: -amount },
          { account: 'goodwill', amount },
        ]
  // Cancelled pieces for which nothing was left to be paid are refunded without a booking.
  if (amount + recovered > 0) await book(db, { key: `refund-due:${id}`, kind: 'refund', customerOrderId, currency, entries })
  await setOff(scope, { id, customerOrderId, currency, amount, setOff: 0 }, ['requested'])
  scope.emit('refund.requested', { refundId: id, customerOrderId, sellerOrderId })
  return id
}

function hasNothing({ amount, lines }: Pick<Refund, 'amount' | 'lines'>): boolean {
  return amount === 0 && lines.length === 0
}
