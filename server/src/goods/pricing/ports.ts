import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

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

/** Which of these codes only some customers may use. */
export type CodesForSome = (db: Db, market: Market, codes: readonly string[]) => Promise<readonly string[]>

let codesOf: CodesForSome = () => Promise.reject(new Error('connectCodesForSome was not called: codes of offers cannot be published'))

/** The same from the database, for what is stored where everybody reads it. Never assumed: a code shown once is known for good. */
export function connectCodesForSome(read: CodesForSome): void {
  codesOf = read
}

export async function codesForSome(db: Db, market: Market, codes: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(codes.length === 0 ? [] : await codesOf(db, market, codes))
}
