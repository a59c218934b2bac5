import type { SellerOrder } from '@purlin/server/selling/orders/index.ts'
import type { RefundedBefore, RefundedLine } from '@purlin/server/selling/refunds/refund-rule.ts'
import type { Given } from './papers.ts'

/** The sums of refunds as the shop reads them from its tables. */
export function refundedBefore(part: SellerOrder, refunds: readonly Given[]): RefundedBefore {
  const sum = (count: (refund: Given) => number) => refunds.reduce((all, refund) => all + count(refund), 0)
  return {
    lines: refundedLines(part, refunds),
    amount: sum(({ amount }) => amount),
    bySeller: sum(({ bornBy, amount, recovered }) => (bornBy === 'seller' ? amount + recovered : 0)),
  }
}

export function refundedLines(part: SellerOrder, refunds: readonly Given[]): RefundedLine[] {
  return part.lines.map(({ offerId }) => {
    const own = refunds.flatMap(({ cause, lines }) => lines.filter((line) => line.offerId === offerId).map((line) => ({ cause, ...line })))
    const of = (key: 'quantity' | 'goods' | 'delivery') => own.reduce((all, line) => all + line[key], 0)
    const cancelled = own.reduce((all, { cause, quantity }) => all + (cause === 'cancellation' ? quantity : 0), 0)
    const cancelledDelivery = own.reduce((all, { cause, delivery }) => all + (cause === 'cancellation' ? delivery : 0), 0)
    return { offerId, quantity: of('quantity'), goods: of('goods'), delivery: of('delivery'), cancelled, cancelledDelivery }
  })
}
