import type { Handled } from './handle-sale.ts'

/** The outcome of a seller's step, as the API shows it. */
export function toSaleResult(handled: Handled) {
  if (!handled.ok) return { outcome: null, refusal: { reason: handled.reason } }
  const { sellerOrderId, state, parcelId } = handled
  return { outcome: { sellerOrderId, state, parcelId }, refusal: null }
}
