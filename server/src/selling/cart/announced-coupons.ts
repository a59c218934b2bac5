import type { AnnouncedCoupon } from '#flags'
import type { Db } from '#platform'
import { couponState } from './operator-coupons.ts'
import { readCouponsByCode } from './operator-coupon-store.ts'

/** The coupons for everybody behind the codes that the platform config announces. */
export async function announcedCoupons(db: Db, codes: readonly string[], now = new Date()): Promise<AnnouncedCoupon[]> {
  return (await readCouponsByCode(db, codes)).map((coupon) => ({
    code: coupon.code,
    market: coupon.market,
    percent: coupon.kind === 'percent' ? coupon.value : null,
    isForFirstOrder: coupon.firstOrderOnly,
    audience: coupon.audience,
    isForAllGoods: coupon.sellerId === null && coupon.categoryId === null,
    state: couponState(coupon, now),
  }))
}
