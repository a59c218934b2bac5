import type { Db } from '#platform'
import { connectCouponWorth, localDay } from '#pricing'
import { readRestrictedCodes, readRunningCoupons } from './coupon-store.ts'
import { couponBenefit } from './show-coupons.ts'

/** Reads what the coupons of all markets are worth, and which are not for everybody, for badges and product pages; to be called again as time passes. (V-38) */
export async function loadCouponWorth(db: Db, now = new Date()): Promise<void> {
  const [coupons, restricted] = await Promise.all([readRunningCoupons(db), readRestrictedCodes(db)])
  const running = coupons.filter(({ market, startsOn, endsOn }) => {
    const today = localDay(market, now)
    return startsOn <= today && today <= endsOn
  })
  const worth = new Map(running.map((coupon) => [`${coupon.market} ${coupon.code}`, couponBenefit(coupon.market, coupon)]))
  const hidden = new Set(restricted.map(({ market, code }) => `${market} ${code}`))
  connectCouponWorth(
    (market, code) => worth.get(`${market} ${code}`) ?? null,
    (market, code) => hidden.has(`${market} ${code}`),
  )
}
