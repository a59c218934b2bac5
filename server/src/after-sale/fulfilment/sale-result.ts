import type { Handled } from './handle-sale.ts'

/** What a seller's step has led to, for their page. */
export function toSaleResult(handled: Handled) {
  if (!handled.ok) return { outcome: null, refusal: { reason: handled.reason } }
  const { sellerOrderId, state, parcelId } = handled
  return { outcome: { sellerOrderId, state, parcelId }, refusal: null }
}
