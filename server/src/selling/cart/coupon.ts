import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
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
  /** Only for somebody who has bought nothing yet. */
  firstOrderOnly: boolean
  /** The customers for whom alone it is; null for everybody. */
  audience: CouponAudience | null
}

/** A cart line, as far as a coupon is concerned. */
export interface CouponLine {
  sellerId: number
  categoryPath: readonly number[]
  /** With VAT. */
  total: number
  /** A quoted price is final. */
  isQuoted?: boolean
}

export interface CouponEffect {
  reason: RefusalReason | null
  /** Discount of each line, in line order. */
  lines: number[]
  /** Sellers whose delivery it covers. */
  freeDelivery: (sellerId: number) => boolean
}

/** Canonical form of a coupon code: case, spaces, full-width letters and zero-width characters do not matter. */
export function normaliseCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase()
    .slice(0, 40)
}

/** Whether a coupon can be used today, and the discount it gives. One coupon per order: there is no stacking. */
export function couponEffect(
  coupon: Coupon | null,
  lines: readonly CouponLine[],
  { market, today, hasBought, isInAudience }: { market: Market; today: string; hasBought: boolean; isInAudience: boolean | null },
): CouponEffect {
  const nothing = (reason: RefusalReason | null): CouponEffect => ({ reason, lines: lines.map(() => 0), freeDelivery: () => false })
  if (!coupon) return nothing(null)
  if (coupon.market !== market) return nothing('coupon-other-market')
  if (coupon.audience !== null && isInAudience === false) return nothing('coupon-not-for-you')
  if (today < coupon.startsOn) return nothing('coupon-not-yet-valid')
  if (today > coupon.endsOn) return nothing('coupon-expired')
  if (coupon.totalLimit !== null && coupon.used >= coupon.totalLimit) return nothing('coupon-exhausted')
  if (coupon.firstOrderOnly && hasBought) return nothing('coupon-first-order-only')
  const weights = lines.map((line) => (appliesTo(coupon, line) ? line.total : 0))
  const eligible = weights.reduce((all, weight) => all + weight, 0)
  if (eligible === 0) {
    const isForQuoted = lines.some((line) => line.isQuoted && appliesTo(coupon, { ...line, isQuoted: false }))
    return nothing(isForQuoted ? 'coupon-not-for-quotes' : 'coupon-not-applicable')
  }
  if (eligible < coupon.minAmount) return nothing('coupon-minimum-not-met')
  // Only a coupon that would give something has to wait for the segments.
  if (coupon.audience !== null && isInAudience === null) return nothing('coupon-unavailable')
  if (coupon.kind === 'free-delivery') {
    const sellers = new Set(lines.filter((line) => appliesTo(coupon, line)).map((line) => line.sellerId))
    return { reason: null, lines: lines.map(() => 0), freeDelivery: (sellerId) => sellers.has(sellerId) }
  }
  // Rounded down: the discount never exceeds the percentage.
  const off = coupon.kind === 'percent' ? Math.floor((eligible * Math.min(coupon.value, 100)) / 100) : Math.min(coupon.value, eligible)
  return { reason: null, lines: allocate(off, weights), freeDelivery: () => false }
}

function appliesTo(coupon: Coupon, line: CouponLine): boolean {
  if (line.isQuoted) return false
  if (coupon.sellerId !== null && coupon.sellerId !== line.sellerId) return false
  return coupon.categoryId === null || line.categoryPath.includes(coupon.categoryId)
}

/** Key of a limit per customer: case, dots and +tags in the local part of an address do not make another person. */
export function customerKey(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').trim().toLowerCase().split('@')
  const plain = local.replace(/\+.*$/, '')
  return `${domain === 'gmail.com' || domain === 'googlemail.com' ? plain.replaceAll('.', '') : plain}@${domain}`
}
