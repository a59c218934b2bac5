import type { Refused } from '@purlin/contract/refusals.ts'
import type { OfferToPrice } from '#catalogue'

/** Limits: lines in a cart, pieces per line, and the total of a cart (minor units with VAT). */
export const cartLimits = { lines: 300, quantity: 999, total: 100_000_000 } as const

type Limits = Pick<OfferToPrice, 'stock' | 'bulk' | 'maxQuantity' | 'isSample' | 'onSale'>

/** Quantities are multiples of this. */
export function stepOf(offer: Pick<OfferToPrice, 'bulk'>): number {
  return offer.bulk ?? 1
}

/** The largest quantity available now: whole steps within stock and limits; 0 when none. */
export function maxQuantity(offer: Limits): number {
  if (!offer.onSale) return 0
  const most = Math.min(
    offer.stock,
    offer.maxQuantity ?? cartLimits.quantity,
    offer.isSample ? 1 : cartLimits.quantity,
    cartLimits.quantity,
  )
  return most - (most % stepOf(offer))
}

/** Checks whether a line can hold this quantity. A request beyond the stock is refused, not clipped. */
export function quantityRefusal(offer: Limits, wanted: number): Refused | null {
  if (!Number.isSafeInteger(wanted)) return { ok: false, reason: 'input-invalid', fields: { quantity: 'quantity-whole' } }
  if (wanted <= 0) return { ok: false, reason: 'quantity-not-positive' }
  const step = stepOf(offer)
  if (wanted % step !== 0) return { ok: false, reason: 'quantity-not-multiple', details: { step } }
  if (offer.isSample && wanted > 1) return { ok: false, reason: 'sample-limit' }
  const max = Math.min(offer.maxQuantity ?? cartLimits.quantity, cartLimits.quantity)
  if (wanted > max) return { ok: false, reason: 'quantity-too-large', details: { max } }
  if (!offer.onSale || wanted > offer.stock) return { ok: false, reason: 'out-of-stock', details: { available: maxQuantity(offer) } }
  return null
}
