import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
import { readingAside, type Scope } from '#platform'

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

/**
 * The same for what is only shown or can still be refused: null while the segments cannot be read, which must cost nobody their cart.
 * Not in the caller's transaction, which would wait for them, and end.
 */
export async function belongsIfKnown(scope: Scope, audience: CouponAudience): Promise<boolean | null> {
  try {
    return await belongsTo(readingAside(scope), audience)
  } catch (error) {
    scope.log.warn({ err: error, audience }, 'The segments are unavailable; coupons for an audience give nothing')
    return null
  }
}
