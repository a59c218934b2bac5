import type { Market } from '@purlin/contract/markets.ts'

/** Today's discount of a coupon code, as a label ("-10%"); null for an unknown or expired code. */
export type CouponWorth = (market: Market, code: string) => string | null

let worthOf: CouponWorth = () => null

/** Coupons belong to a later module, which connects them here; without them badges show the code alone. */
export function connectCouponWorth(find: CouponWorth): void {
  worthOf = find
}

export const couponWorth: CouponWorth = (market, code) => worthOf(market, code)
