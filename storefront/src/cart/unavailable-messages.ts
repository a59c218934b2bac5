import type { CartLineState } from '../generated/documents.ts'

/** Message keys of lines that cannot be bought in their current state. */
export const unavailableMessages = {
  OK: null,
  PRICE_CHANGED: null,
  LESS_STOCK: null,
  OUT_OF_STOCK: 'out-of-stock',
  OFFER_GONE: 'offer-gone',
} as const satisfies Record<CartLineState, string | null>
