/** Customers for whom alone a coupon may be made. */
export const couponAudiences = ['high-value'] as const
export type CouponAudience = (typeof couponAudiences)[number]
