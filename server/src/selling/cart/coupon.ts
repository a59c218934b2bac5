import type { Market } from '@purlin/contract/markets.ts'
import type { RefusalReason } from '@purlin/contract/refusals.ts'
import { allocate } from './allocate.ts'

/** A row of cart.coupon. Amounts in minor units with VAT, days in the market's own calendar. */
export interface Coupon {
  code: string
  market: Market
  kind: 'percent' | 'amount' | 'free-delivery'
  value: number
  minAmount: number
  sellerId: number | null
  categoryId: number | null
  startsOn: string
  endsOn: string
  totalLimit: number | null
  perCustomerLimit: number
  used: number
}

/** What the coupon is held against: a line of the cart. */
export interface CouponLine {
  sellerId: number
  categoryPath: readonly number[]
  /** With VAT. */
  total: number
}

export interface CouponEffect {
  reason: RefusalReason | null
  /** Off each line, in the order of the lines. */
  lines: number[]
  /** Sellers whose delivery it pays. */
  freeDelivery: (sellerId: number) => boolean
}

/** The same coupon however it is typed: case, spaces, full-width letters, zero-width signs. */
export function normaliseCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase()
    .slice(0, 40)
}

/** Whether a coupon may be used today and what it takes off. One coupon per order: there is no stacking. */
export function couponEffect(coupon: Coupon | null, lines: readonly CouponLine[], market: Market, today: string): CouponEffect {
  const nothing = (reason: RefusalReason | null): CouponEffect => ({ reason, lines: lines.map(() => 0), freeDelivery: () => false })
  if (!coupon) return nothing(null)
  if (coupon.market !== market) return nothing('coupon-other-market')
  if (today < coupon.startsOn) return nothing('coupon-not-yet-valid')
  if (today > coupon.endsOn) return nothing('coupon-expired')
  if (coupon.totalLimit !== null && coupon.used >= coupon.totalLimit) return nothing('coupon-exhausted')
  const weights = lines.map((line) => (appliesTo(coupon, line) ? line.total : 0))
  const eligible = weights.reduce((all, weight) => all + weight, 0)
  if (eligible === 0) return nothing('coupon-not-applicable')
  if (eligible < coupon.minAmount) return nothing('coupon-minimum-not-met')
  if (coupon.kind === 'free-delivery') {
    const sellers = new Set(lines.filter((line) => appliesTo(coupon, line)).map((line) => line.sellerId))
    return { reason: null, lines: lines.map(() => 0), freeDelivery: (sellerId) => sellers.has(sellerId) }
  }
  // Rounded down: never more than the percentage promises.
  const off = coupon.kind === 'percent' ? Math.floor((eligible * Math.min(coupon.value, 100)) / 100) : Math.min(coupon.value, eligible)
  return { reason: null, lines: allocate(off, weights), freeDelivery: () => false }
}

function appliesTo(coupon: Coupon, line: CouponLine): boolean {
  if (coupon.sellerId !== null && coupon.sellerId !== line.sellerId) return false
  return coupon.categoryId === null || line.categoryPath.includes(coupon.categoryId)
}

/** Who a limit per customer counts: an address with another case, dots or +tag in its local part is the same person. */
export function customerKey(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').trim().toLowerCase().split('@')
  const plain = local.replace(/\+.*$/, '')
  return `${domain === 'gmail.com' || domain === 'googlemail.com' ? plain.replaceAll('.', '') : plain}@${domain}`
}
