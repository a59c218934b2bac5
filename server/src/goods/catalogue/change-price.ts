import { markets, type Currency, type Market } from '@purlin/contract/markets.ts'
import type { JobScope } from '#platform'
import { readOfferState } from './store.ts'
import { writePrices, type OfferPrice } from './write-price.ts'

export interface ChangePrice extends OfferPrice {
  market: Market
  currency: Currency
}

export type ChangePriceRefusal = 'unknown-offer' | 'offer-ended' | 'wrong-currency' | 'pro-price-not-lower'
export type ChangePriceResult = { ok: true; changed: boolean } | { ok: false; reason: ChangePriceRefusal }

/** Sets the price of an offer. Its history, the search index and its pages are updated. */
export async function changePrice(scope: Pick<JobScope, 'db' | 'emit'>, input: ChangePrice): Promise<ChangePriceResult> {
  const { market, currency, offerId, price, proPrice } = input
  if (currency !== markets[market].currency) return { ok: false, reason: 'wrong-currency' }
  if (proPrice !== null && proPrice >= price) return { ok: false, reason: 'pro-price-not-lower' }
  const offer = await readOfferState(scope.db, offerId)
  if (!offer || offer.market !== market) return { ok: false, reason: 'unknown-offer' }
  if (offer.status === 'ended') return { ok: false, reason: 'offer-ended' }

  const [changed] = await writePrices(scope.db, [{ offerId, price, proPrice }])
  if (changed) scope.emit('offer.changed', changed)
  return { ok: true, changed: changed !== undefined }
}
