import { customerIdOf } from '#accounts'
import type { CouponAudience } from '@purlin/contract/coupon-audience.ts'
import type { Scope } from '#platform'
import { segmentsOf, type Segments } from './segments.ts'
import { holdKept, readKept } from './store.ts'

const isIn: Readonly<Record<CouponAudience, (segments: Segments) => boolean>> = { 'high-value': isOfHighValue }

/** Customers of high value, unless they have opted out of being treated as such. */
export function isOfHighValue({ customer_value, loyalty_hvc_level }: Pick<Segments, 'customer_value' | 'loyalty_hvc_level'>): boolean {
  return (customer_value === 'high' || customer_value === 'very-high') && loyalty_hvc_level !== 'opt-out'
}

/** Whether the viewer is a customer of this audience; guests and staff belong to none. With `hold` it stays so until the transaction ends. */
export async function belongsTo(scope: Scope, audience: CouponAudience, { hold = false } = {}): Promise<boolean> {
  const customerId = customerIdOf(scope)
  if (customerId === null) return false
  const kept = await (hold ? holdKept : readKept)(scope.db, customerId)
  return kept !== undefined && isIn[audience](segmentsOf(kept))
}
