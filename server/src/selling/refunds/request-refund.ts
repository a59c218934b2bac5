import { allocate } from '#cart'
import { book, type Entry } from '#ledger'
import { readOrder } from '#orders'
import { lockPaymentOfOrder } from '#payments'
import type { JobScope } from '#platform'
import { refundEntries, refundOfUnits, type DeliveryShare, type RefundLine, type Units } from './refund-rule.ts'
import type { RefundCause } from './refund.ts'
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
 * refund. Source: A25, I1.
 */
export async function requestRefund(scope: Pick<JobScope, 'db' | 'emit'>, wish: RequestRefund): Promise<string | undefined> {
  const { db } = scope
  const { customerOrderId, sellerOrderId, cause, key, units = [], delivery = 'full', goodsAtMost, extra, bornBy = 'seller' } = wish
  const payment = await lockPaymentOfOrder(db, customerOrderId)
  const known = await readRefundByKey(db, key)
  if (known) return known.id
  const order = await readOrder(db, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part || !payment || payment.abandoned !== null || payment.captured === 0) return undefined

  const before = await readRefundedBefore(db, sellerOrderId)
  const lines = deducted(refundOfUnits(part, before.lines, units, delivery, cause !== 'cancellation'), goodsAtMost)
  const left = part.total - before.amount
  // One line cannot have both units and an extra amount in one refund.
  if (extra?.offerId != null && lines.length === 0)
    lines.push(...partOfPrice(part.lines, before.lines, extra.offerId, Math.min(extra.amount, left)))
  const ofLines = lines.reduce((all, line) => all + line.goods + line.delivery, 0)
  // Goodwill paid earlier is part of what was captured.
  const amount = Math.min(ofLines + (extra?.offerId === null ? Math.max(0, extra.amount) : 0), left)
  if (amount <= 0) return undefined

  const { currency, market } = order
  const refund = { customerOrderId, sellerOrderId, paymentId: payment.id, cause, amount, currency, market, bornBy, lines, key }
  const id = await insertRefund(db, refund)
  if (id === undefined) return undefined
  const entries: Entry[] =
    bornBy === 'seller'
      ? refundEntries(part, before.bySeller, amount)
      : [
          { account: 'refunds-due', amount: -amount },
          { account: 'goodwill', amount },
        ]
  await book(db, { key: `refund-due:${id}`, kind: 'refund', customerOrderId, currency, entries })
  scope.emit('refund.requested', { refundId: id, customerOrderId, sellerOrderId })
  return id
}

/** Without units, as the next refund of the same line would otherwise pay what was deducted from this one. */
function deducted(lines: RefundLine[], goodsAtMost = Infinity): RefundLine[] {
  const price = lines.map(({ goods }) => goods)
  if (goodsAtMost >= price.reduce((all, goods) => all + goods, 0)) return lines
  const shares = allocate(goodsAtMost, price)
  return lines.map((line, index) => ({ ...line, quantity: 0, goods: shares[index] ?? 0 }))
}

interface Sold {
  offerId: string
  total: number
  discount: number
}

/** An amount over lines, by what was paid for each and not refunded yet: no line gets back more than that. */
function partOfPrice(
  sold: readonly Sold[],
  before: readonly { offerId: string; goods: number }[],
  offerIds: string | readonly string[],
  amount: number,
): RefundLine[] {
  const lines = sold.filter(({ offerId }) => (typeof offerIds === 'string' ? offerIds === offerId : offerIds.includes(offerId)))
  const left = lines.map((line) => line.total - line.discount - (before.find(({ offerId }) => offerId === line.offerId)?.goods ?? 0))
  const most = left.reduce((all, each) => all + each, 0)
  const shares = most > 0 ? allocate(Math.max(0, Math.min(amount, most)), left) : []
  return lines.flatMap(({ offerId }, index) => {
    const goods = shares[index] ?? 0
    return goods > 0 ? [{ offerId, quantity: 0, goods, delivery: 0 }] : []
  })
}
