import type { Coupon } from './coupon.ts'

export interface CartLine {
  offerId: string
  quantity: number
  /** The price per piece, with VAT, that the buyer last accepted. */
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
