import { allocate } from '#cart'
import type { Entry } from '#ledger'
import type { SellerOrder } from '#orders'

/** The parts of a seller order that determine what is refunded: amounts as paid, in minor units with VAT. */
export type PaidPart = Pick<
  SellerOrder,
  | 'sellerId'
  | 'goods'
  | 'delivery'
  | 'discount'
  | 'total'
  | 'sellerDiscount'
  | 'commission'
  | 'commissionVat'
  | 'withheldVat'
  | 'deliveryOptions'
> & { lines: readonly Pick<SellerOrder['lines'][number], 'offerId' | 'quantity' | 'total' | 'discount'>[] }

export interface Units {
  offerId: string
  quantity: number
}

/** A line of a refund, or the sum of all earlier ones. Part refunds of goods that stay with the buyer have no units. */
export interface RefundLine extends Units {
  goods: number
  delivery: number
}

/** The sum of all earlier refunds of a line. */
export interface RefundedLine extends RefundLine {
  /** How many of its units were cancelled before they were sent. */
  cancelled?: number
  /** Their share of the delivery charge. */
  cancelledDelivery?: number
}

/**
 * How much of the delivery charge goes back with the units: all of their share, their share of the cheapest delivery that
 * was offered (a withdrawal need not pay for express, 2011/83/EU art. 13(2)), or nothing.
 */
export type DeliveryShare = 'full' | 'standard' | 'none'

/**
 * The refund of some units: their share of what was paid for the line after the coupon, and of the delivery charge. Shares
 * are differences of cumulative shares, so any sequence of refunds of all units adds up to exactly what was paid, and no
 * line ever gets back more than that. Cancelled units are counted from the end of the line and sent ones from its beginning, as
 * invoices count them: what was invoiced and what was cancelled add up to the cent, too. Today's prices play no part.
 */
export function refundOfUnits(
  part: PaidPart,
  before: readonly RefundedLine[],
  wanted: readonly Units[],
  delivery: DeliveryShare,
  wereSent = true,
): RefundLine[] {
  const whole = deliveryByLine(part, paidDelivery(part))
  const refundable = delivery === 'none' ? new Map<string, number>() : deliveryByLine(part, refundableDelivery(part, delivery))
  return part.lines.flatMap(({ offerId, quantity, total, discount }) => {
    const done: Omit<RefundedLine, 'offerId'> = before.find((line) => line.offerId === offerId) ?? { quantity: 0, goods: 0, delivery: 0 }
    const cancelled = done.cancelled ?? 0
    const units = Math.min(wanted.find((line) => line.offerId === offerId)?.quantity ?? 0, quantity - done.quantity)
    if (units <= 0) return []
    const between = (amount: number, from: number): number => shareOf(amount, from + units, quantity) - shareOf(amount, from, quantity)
    const first = wereSent ? done.quantity - cancelled : quantity - cancelled - units
    const isLast = done.quantity + units === quantity
    const left = { goods: total - discount - done.goods, delivery: (whole.get(offerId) ?? 0) - done.delivery }
    return [
      {
        offerId,
        quantity: units,
        // An earlier part refund is not paid twice.
        goods: isLast ? left.goods : Math.min(between(total - discount, first), left.goods),
        delivery: Math.min(between(refundable.get(offerId) ?? 0, done.quantity), left.delivery),
      },
    ]
  })
}

/** The delivery charge after its discount. */
function paidDelivery({ delivery, discount, lines }: PaidPart): number {
  return delivery - (discount - lines.reduce((all, line) => all + line.discount, 0))
}

function refundableDelivery(part: PaidPart, share: 'full' | 'standard'): number {
  const paid = paidDelivery(part)
  return share === 'full' ? paid : Math.min(paid, ...part.deliveryOptions.map(({ fee }) => fee))
}

/** The delivery charge by line, by what was paid for it. */
function deliveryByLine({ lines }: PaidPart, amount: number): Map<string, number> {
  const shares = allocate(
    amount,
    lines.map(({ total, discount }) => total - discount),
  )
  return new Map(lines.map(({ offerId }, index) => [offerId, shares[index] ?? 0]))
}

/** The share of the first `units` of a quantity, rounded down. */
function shareOf(amount: number, units: number, quantity: number): number {
  return Number((BigInt(amount) * BigInt(units)) / BigInt(quantity))
}

/** What of a seller's part has been refunded or is being refunded. */
export interface RefundedBefore {
  lines: readonly RefundedLine[]
  /** What the buyer has got back. */
  amount: number
  /** What the seller has given back, to the buyer or to the marketplace. */
  bySeller: number
}

export interface WantedRefund {
  isCancellation: boolean
  units: readonly Units[]
  delivery: DeliveryShare
  /** Pays less than the price of the units, whose value is diminished; their share of the delivery charge is paid whole. */
  goodsAtMost?: number | undefined
  /** An amount besides the units: part of the price of one line or of several, or goodwill for none. */
  extra?: { offerId: string | readonly string[] | null; amount: number } | undefined
  bornBy: 'seller' | 'marketplace'
}

/** A refund that is due: the buyer's amount, and what the marketplace recovers of its goodwill. */
export interface RefundDue {
  lines: RefundLine[]
  amount: number
  recovered: number
}

/** The refund of a seller's part, never more than is left of it; undefined when nothing is left. Source: A25, I1. */
export function refundDue(part: PaidPart, before: RefundedBefore, wanted: WantedRefund): RefundDue | undefined {
  const { isCancellation, units, delivery, goodsAtMost, extra, bornBy } = wanted
  const lines = deducted(refundOfUnits(part, before.lines, units, delivery, !isCancellation), goodsAtMost)
  const left = part.total - before.amount
  // One line cannot have both units and an extra amount in one refund.
  if (extra?.offerId != null && lines.length === 0)
    lines.push(...partOfPrice(part.lines, before.lines, extra.offerId, Math.min(extra.amount, left)))
  const ofLines = lines.reduce((all, line) => all + line.goods + line.delivery, 0)
  // Goodwill paid earlier is part of what was captured.
  const amount = Math.min(ofLines + (extra?.offerId === null ? Math.max(0, extra.amount) : 0), left)
  const hasUnits = lines.some(({ quantity }) => quantity > 0)
  // What is sold no more earns the seller nothing but what was deducted from its price: goodwill of the marketplace for it does not stay with them.
  const bySeller = bornBy === 'seller' && units.length > 0 ? Math.min(ofLines, part.total - before.bySeller) : 0
  const recovered = Math.max(0, bySeller - amount)
  // Cancelled pieces count as refunded even if nothing was left to be paid for them: the last one gets the odd cents.
  if (amount + recovered === 0 && !(isCancellation && hasUnits)) return undefined
  // The price of a line stands when the marketplace pays: the line is only named.
  return { lines: bornBy === 'seller' ? lines : lines.map((line) => ({ ...line, goods: 0 })), amount, recovered }
}

/**
 * What a refund would give if no earlier one had reduced the price of what it is for: more than its amount if earlier ones have limited
 * it. Pieces have the price of their own that they would have after the others; a deduction is what was held back of the price that was
 * left. Minor units. Source: decision 113.
 */
export function unlimitedAmount(part: PaidPart, before: readonly RefundedLine[], wanted: WantedRefund): number {
  const { units, delivery, goodsAtMost = Infinity, isCancellation } = wanted
  const left = refundOfUnits(part, before, units, delivery, !isCancellation).reduce((all, { goods }) => all + goods, 0)
  const lines =
    units.length === 0
      ? []
      : part.lines.map(({ offerId, quantity, total, discount }) => {
          const { quantity: refunded, cancelled = 0 } = before.find((line) => line.offerId === offerId) ?? { quantity: 0 }
          const own = units.find((line) => line.offerId === offerId)?.quantity ?? 0
          // Pieces that an earlier refund has paid for as well are counted here.
          const sent = Math.max(0, Math.min(refunded, quantity - own) - cancelled)
          const unpaid = shareOf(total - discount, quantity - cancelled, quantity) - shareOf(total - discount, sent, quantity)
          return { offerId, quantity: sent + cancelled, cancelled, goods: total - discount - unpaid, delivery: 0 }
        })
  const whole = refundDue(part, { lines, amount: 0, bySeller: 0 }, { ...wanted, goodsAtMost: undefined })
  return (whole?.amount ?? 0) - Math.max(0, left - goodsAtMost)
}

/** Without units, as the next refund of the same line would otherwise pay what was deducted from this one. */
function deducted(lines: RefundLine[], goodsAtMost = Infinity): RefundLine[] {
  const price = lines.map(({ goods }) => goods)
  if (goodsAtMost >= price.reduce((all, goods) => all + goods, 0)) return lines
  const shares = allocate(goodsAtMost, price)
  return lines.map((line, index) => ({ ...line, quantity: 0, goods: shares[index] ?? 0 }))
}

/** An amount over lines, by what was paid for each and not refunded yet: no line gets back more than that. */
function partOfPrice(
  sold: PaidPart['lines'],
  before: readonly RefundedLine[],
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

/**
 * Entries of a refund that the seller bears: commission, its VAT, the VAT withheld and the marketplace's coupon go back in the proportion in
 * which the seller's part is refunded; the seller bears the rest. `before` is what the seller gave back of this part earlier,
 * `recovered` what goes back to the marketplace for its goodwill, beside the buyer's amount.
 */
export function refundEntries(part: PaidPart, before: number, amount: number, recovered = 0): Entry[] {
  const coupon = part.discount - part.sellerDiscount
  const given = amount + recovered
  const between = (whole: number): number => shareOf(whole, before + given, part.total) - shareOf(whole, before, part.total)
  const [commission, commissionVat, couponShare] = [between(part.commission), between(part.commissionVat), between(coupon)]
  const withheldVat = between(part.withheldVat ?? 0)
  const entries: Entry[] = [
    { account: 'refunds-due', amount: -amount },
    { account: 'goodwill', amount: -recovered },
    { account: 'coupons', amount: -couponShare },
    { account: `seller:${part.sellerId}`, amount: given + couponShare - commission - commissionVat - withheldVat },
    { account: 'commission', amount: commission },
    { account: 'vat-on-commission', amount: commissionVat },
    { account: 'vat-on-sales', amount: withheldVat },
  ]
  return entries.filter((entry) => entry.amount !== 0)
}
