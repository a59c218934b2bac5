import type { Market } from '@purlin/contract/markets.ts'

/** Today's discount of a coupon code, as a label ("-10%"); null for an unknown or expired code. */
export type CouponWorth = (market: Market, code: string) => string | null

let worthOf: CouponWorth = () => null
let isRestricted: (market: Market, code: string) => boolean = () => false

/** Coupons belong to a later module, which connects them here; without them badges show the code alone. */
export function connectCouponWorth(find: CouponWorth, isForSome: typeof isRestricted): void {
  worthOf = find
  isRestricted = isForSome
}

export const couponWorth: CouponWorth = (market, code) => worthOf(market, code)

/** Whether only some customers may use the code: offers, which everybody reads, do not show it. */
export const isForSomeCustomers = (market: Market, code: string): boolean => isRestricted(market, code)
