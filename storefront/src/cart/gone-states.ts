import type { CartLineState } from '../generated/documents.ts'

/** Lines that cannot be bought as they are, and the words for it. */
export const goneStates = {
  OK: null,
  PRICE_CHANGED: null,
  LESS_STOCK: null,
  OUT_OF_STOCK: 'out-of-stock',
  OFFER_GONE: 'offer-gone',
} as const satisfies Record<CartLineState, string | null>
