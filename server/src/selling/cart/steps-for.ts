import type { OfferToPrice } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Scope } from '#platform'
import { priceDisplay, priceSteps, withQuote, type AgreedPrice, type PriceStep } from '#pricing'
import { loadBasket } from './load-cart.ts'
import { priceLines, type LineFacts } from './price-lines.ts'
import { withAdded } from './with-added.ts'

/** The viewer's prices of an offer by quantity, agreed prices included, and accepted quotes that the cart would apply. */
export async function stepsFor(scope: Scope, offer: OfferToPrice): Promise<PriceStep[]> {
  const agreed = await agreedPrices(scope, [offer])
  const stepsOf = await stepsInCart(scope, [{ offer, quantity: 0 }], agreed)
  return stepsOf(offer)
}

/** The same for offers of which these quantities are added to the cart, together. */
export async function stepsInCart(
  scope: Scope,
  added: readonly { offer: OfferToPrice; quantity: number }[],
  agreed: ReadonlyMap<string, AgreedPrice>,
): Promise<(offer: OfferToPrice) => PriceStep[]> {
  const display = priceDisplay(scope)
  const stepsOf = (offer: OfferToPrice) => priceSteps(display, { ...offer, agreed: agreed.get(offer.id) })
  if ([...agreed.values()].every(({ quotes = [] }) => quotes.length === 0)) return stepsOf
  const basket = await loadBasket(
    scope,
    added.map(({ offer }) => offer),
  )
  const facts = { ...basket, cart: withAdded(basket.cart, added) }
  return (offer) => [...quotesOf(facts, offer).reduce<readonly PriceStep[]>((steps, quote) => withQuote(steps, quote), stepsOf(offer))]
}

/** The quotes for an offer alone that the cart applies once it holds their quantity. */
function quotesOf(facts: LineFacts<OfferToPrice>, offer: OfferToPrice) {
  const quotes = facts.agreed?.get(offer.id)?.quotes ?? []
  return quotes.filter(({ quoteId, quantity, lines: length }) => {
    if (length > 1) return false
    const others = facts.cart.lines.filter(({ offerId }) => offerId !== offer.id && facts.offers.get(offerId)?.sellerId === offer.sellerId)
    const { lines } = priceLines({ ...facts, cart: { ...facts.cart, lines: [...others, { offerId: offer.id, quantity, seenPrice: 0 }] } })
    return lines.some(({ quote }) => quote?.quoteId === quoteId)
  })
}
