import type { OfferToPrice } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Scope } from '#platform'
import { priceDisplay, priceSteps, type PriceStep } from '#pricing'

/** The viewer's prices of an offer by quantity, agreed prices included. */
export async function stepsFor(scope: Scope, offer: OfferToPrice): Promise<PriceStep[]> {
  const agreed = await agreedPrices(scope, [offer])
  return priceSteps(priceDisplay(scope), { ...offer, agreed: agreed.get(offer.id) })
}
