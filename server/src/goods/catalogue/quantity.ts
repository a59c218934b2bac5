import type { Refused } from '@purlin/contract/refusals.ts'
import type { OfferToPrice } from './offers-for-sale.ts'

/** Maximum number of pieces per line of a cart. */
export const maxPieces = 999

type Limits = Pick<OfferToPrice, 'stock' | 'bulk' | 'maxQuantity' | 'isSample' | 'onSale'>

/** Quantities are multiples of this. */
export function stepOf(offer: Pick<OfferToPrice, 'bulk'>): number {
  return offer.bulk ?? 1
}

/** The largest quantity available now: whole steps within stock and limits; 0 when none. */
export function maxQuantity(offer: Limits): number {
  if (!offer.onSale) return 0
  const most = Math.min(offer.stock, offer.maxQuantity ?? maxPieces, offer.isSample ? 1 : maxPieces, maxPieces)
  return most - (most % stepOf(offer))
}

/** Checks whether a line of a cart can hold this quantity. A request beyond the stock is refused, not clipped. */
export function quantityRefusal(offer: Limits, wanted: number): Refused | null {
  if (!Number.isSafeInteger(wanted)) return { ok: false, reason: 'input-invalid', fields: { quantity: 'quantity-whole' } }
  if (wanted <= 0) return { ok: false, reason: 'quantity-not-positive' }
  const step = stepOf(offer)
  if (wanted % step !== 0) return { ok: false, reason: 'quantity-not-multiple', details: { step } }
  if (offer.isSample && wanted > 1) return { ok: false, reason: 'sample-limit' }
  const max = Math.min(offer.maxQuantity ?? maxPieces, maxPieces)
  if (wanted > max) return { ok: false, reason: 'quantity-too-large', details: { max } }
  if (!offer.onSale || wanted > offer.stock) return { ok: false, reason: 'out-of-stock', details: { available: maxQuantity(offer) } }
  return null
}
