import type { Db } from '#platform'
import { connectCouponWorth, localDay } from '#pricing'
import { readRunningCoupons } from './coupon-store.ts'
import { couponBenefit } from './show-coupons.ts'

/** Reads what the coupons of all markets are worth, for badges and product pages; to be called again as time passes. (V-38) */
export async function loadCouponWorth(db: Db, now = new Date()): Promise<void> {
  const coupons = await readRunningCoupons(db)
  const running = coupons.filter(({ market, startsOn, endsOn }) => {
    const today = localDay(market, now)
    return startsOn <= today && today <= endsOn
  })
  const worth = new Map(running.map((coupon) => [`${coupon.market} ${coupon.code}`, couponBenefit(coupon.market, coupon)]))
  connectCouponWorth((market, code) => worth.get(`${market} ${code}`) ?? null)
}
