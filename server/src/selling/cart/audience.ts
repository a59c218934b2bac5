import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
import type { Scope } from '#platform'

/** Whether the viewer belongs to an audience; `hold` keeps the answer true until the transaction ends. */
type BelongsTo = (scope: Scope, audience: CouponAudience, options: { hold: boolean }) => Promise<boolean>

let connected: BelongsTo | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts): segments come after carts. */
export function connectAudiences(belongs: BelongsTo): void {
  connected = belongs
}

/** Without the segments nobody belongs to an audience: its coupons are refused rather than given to everybody. */
export async function belongsTo(scope: Scope, audience: CouponAudience, { hold = false } = {}): Promise<boolean> {
  return connected ? connected(scope, audience, { hold }) : false
}
