import { allocate } from '#cart'
import type { Entry } from '#ledger'
import type { SellerOrder } from '#orders'

/** The parts of a seller order that determine what is refunded: amounts as paid, in minor units with VAT. */
export type PaidPart = Pick<
  SellerOrder,
  'sellerId' | 'goods' | 'delivery' | 'discount' | 'total' | 'sellerDiscount' | 'commission' | 'commissionVat' | 'deliveryOptions'
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

/**
 * Entries of a refund that the seller bears: commission, its VAT and the marketplace's coupon go back in the proportion in
 * which the seller's part is refunded; the seller bears the rest. `before` is what of this part was refunded earlier.
 */
export function refundEntries(part: PaidPart, before: number, amount: number): Entry[] {
  const coupon = part.discount - part.sellerDiscount
  const between = (whole: number): number => shareOf(whole, before + amount, part.total) - shareOf(whole, before, part.total)
  const [commission, commissionVat, couponShare] = [between(part.commission), between(part.commissionVat), between(coupon)]
  const entries: Entry[] = [
    { account: 'refunds-due', amount: -amount },
    { account: 'coupons', amount: -couponShare },
    { account: `seller:${part.sellerId}`, amount: amount + couponShare - commission - commissionVat },
    { account: 'commission', amount: commission },
    { account: 'vat-on-commission', amount: commissionVat },
  ]
  return entries.filter((entry) => entry.amount !== 0)
}
