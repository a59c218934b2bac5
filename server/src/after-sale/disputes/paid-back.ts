import type { CustomerOrder, LineQuantities, SellerOrder } from '#orders'
import type { Incident } from '#fulfilment'
import type { readRefundedBefore, Refund } from '#refunds'

/** Price paid for some pieces of a line, without delivery. */
export function paidFor(part: Pick<SellerOrder, 'lines'>, pieces: readonly { offerId: string; quantity: number }[]): number {
  return pieces.reduce((sum, { offerId, quantity }) => {
    const line = part.lines.find((each) => each.offerId === offerId)
    return line ? sum + Math.floor(((line.total - line.discount) * quantity) / line.quantity) : sum
  }, 0)
}

export interface PaidBack {
  order: Pick<CustomerOrder, 'replaces'>
  part: Pick<SellerOrder, 'lines' | 'total'>
  quantities: readonly LineQuantities[]
  incidents: readonly Incident[]
  /** Those of the part, and their sums. */
  refunds: readonly Pick<Refund, 'cause' | 'bornBy' | 'amount' | 'requestedAt' | 'lines'>[]
  before: Awaited<ReturnType<typeof readRefundedBefore>>
}

/**
 * The missing pieces whose price has gone back: because nothing is left of the price of the order or of their line, because they were
 * withdrawn from, or because of money that was given since they are missing. Money that a dispute gives is counted by the dispute, which
 * knows its subject. What replaces other goods was not paid for: its money is that of the order it replaces.
 */
export function paidBack({ order, part, quantities, incidents, refunds, before }: PaidBack): { offerId: string; quantity: number }[] {
  const all = incidents.map(({ offerId, quantity }) => ({ offerId, quantity }))
  if (order.replaces != null) return []
  if (part.total > 0 && before.amount >= part.total) return all
  if (paidFor(part, all) === 0) return []
  const given = refunds.filter(({ cause }) => cause === 'goodwill' || cause === 'lost')
  const named = incidents.map(({ offerId, since }) =>
    sum(given.flatMap((refund) => (refund.requestedAt >= since ? [amountFor(refund, offerId)] : []))),
  )
  const first = Math.min(...incidents.map(({ since }) => since.getTime()))
  const unnamed = sum(
    given.flatMap(({ lines, amount, requestedAt }) => (lines.length === 0 && requestedAt.getTime() >= first ? [amount] : [])),
  )
  if (unnamed + sum(named) >= paidFor(part, all)) return all
  return incidents.flatMap(({ offerId, quantity }, index) => {
    const line = part.lines.find((each) => each.offerId === offerId)
    const back = before.lines.find((each) => each.offerId === offerId)
    const price = paidFor(part, [{ offerId, quantity }])
    if (!line || price === 0) return []
    if ((named[index] ?? 0) >= price || (back?.goods ?? 0) >= line.total - line.discount) return [{ offerId, quantity }]
    const paid = Math.min(quantity, unitsBeyondArrived(back, quantities.find((each) => each.offerId === offerId)?.quantities ?? {}))
    return paid > 0 ? [{ offerId, quantity: paid }] : []
  })
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

/** What a refund gives for a line. Where the marketplace pays, the price of the line stands, and the refund only names it. */
function amountFor({ bornBy, amount, lines }: Pick<Refund, 'bornBy' | 'amount' | 'lines'>, offerId: string): number {
  const line = lines.find((each) => each.offerId === offerId)
  if (!line) return 0
  return bornBy === 'marketplace' && lines.length === 1 ? amount : line.goods
}

/** Units that were given back, and that cannot be among those which have arrived or are on their way. */
function unitsBeyondArrived(
  back: PaidBack['before']['lines'][number] | undefined,
  { shipped = 0, delivered = 0, closed = 0 }: LineQuantities['quantities'],
): number {
  return back ? Math.max(0, back.quantity - (back.cancelled ?? 0) - shipped - delivered - closed) : 0
}
