import type { Result } from '@purlin/contract/refusals.ts'
import type { OfferToPrice } from '#catalogue'
import { readingAside, type Scope } from '#platform'
import { loadCartPrices } from './load-cart.ts'
import type { PricedCart } from './price-cart.ts'
import type { PricedLine } from './price-lines.ts'
import { agreeToChanges } from './store.ts'

/** Whether anything changed since the buyer last agreed. If so, nothing is sold before the buyer has seen it. */
export function hasChanges({ sellers, vanished }: PricedCart<OfferToPrice>): boolean {
  return vanished.length > 0 || sellers.some(({ lines }) => lines.some(({ state }) => state !== 'ok'))
}

/** The buyer accepts the new prices and quantities. Source. */
export async function confirmCartChanges(scope: Scope): Promise<Result> {
  const priced = await loadCartPrices(readingAside(scope))
  await agreeToPrices(scope.db.alone, priced)
  return { ok: true }
}

/** Takes over the prices and quantities of a cart as it was priced. */
export async function agreeToPrices(db: Scope['db'], priced: PricedCart<OfferToPrice>): Promise<void> {
  if (priced.cart.id === null || !hasChanges(priced)) return
  const lines = priced.sellers.flatMap((group) => group.lines)
  const kept = lines.filter(({ counted }) => counted > 0)
  const gone = lines.filter(({ counted }) => counted === 0).map(({ offer }) => offer.id)
  await agreeToChanges(db, priced.cart.id, [...gone, ...priced.vanished], kept.map(asAgreed))
}

function asAgreed({ offer, counted, unitPrice }: PricedLine<OfferToPrice>): { offerId: string; quantity: number; price: number } {
  return { offerId: offer.id, quantity: counted, price: unitPrice }
}
