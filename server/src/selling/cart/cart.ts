import type { Scope } from '#platform'
import type { Coupon } from './coupon.ts'

export interface CartLine {
  offerId: string
  quantity: number
  /** Price with VAT of one piece the buyer last agreed to. */
  seenPrice: number
}

/** A cart as it is stored. */
export interface Cart {
  /** Null while there is none. */
  id: string | null
  version: number
  lines: CartLine[]
  /** Delivery kind by seller. */
  choices: Record<string, string>
  couponCode: string | null
  coupon: Coupon | null
}

export const emptyCart: Cart = { id: null, version: 0, lines: [], choices: {}, couponCode: null, coupon: null }

/**
 * Whose cart and orders: of the customer, else of the session. Null when nobody is there, which must never match anything.
 */
export function ownerOf(scope: Pick<Scope, 'viewer' | 'session'>): string | null {
  if (scope.viewer.kind !== 'guest') return scope.viewer.customerId ? `c:${scope.viewer.customerId}` : null
  return scope.session?.id ? `s:${scope.session.id}` : null
}
