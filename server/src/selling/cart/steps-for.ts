import type { OfferToPrice } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Scope } from '#platform'
import { priceDisplay, priceSteps, withQuote, type AgreedPrice, type PriceStep, type QuotedPrice } from '#pricing'
import { sharingTariffs } from './delivery.ts'
import { loadBasket } from './load-cart.ts'
import { deliveryTerms, pricedLines, priceLine, priceSellerLines, type LineFacts, type PricedLine } from './price-lines.ts'
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
  const quotesFor = appliedQuotes({ ...basket, cart: withAdded(basket.cart, added) })
  return (offer) => [...quotesFor(offer).reduce<readonly PriceStep[]>((steps, quote) => withQuote(steps, quote), stepsOf(offer))]
}

/** The quotes for an offer alone that the cart applies once it holds their quantity. Each line is priced once, however many quotes there are. */
export function appliedQuotes(facts: LineFacts<OfferToPrice>): (offer: OfferToPrice) => QuotedPrice[] {
  const linesOf = Map.groupBy(sharingTariffs(pricedLines(facts)), ({ offer }) => offer.sellerId)
  const appliedTo = (sellerId: number, lines: readonly PricedLine<OfferToPrice>[]) =>
    new Set(
      priceSellerLines(lines, deliveryTerms(facts, sellerId))
        .quoteOf.values()
        .map(({ quoteId }) => quoteId),
    )
  const applied = new Map([...linesOf].map(([sellerId, lines]) => [sellerId, appliedTo(sellerId, lines)]))
  return (offer) => {
    const seller = facts.sellers.get(offer.sellerId)
    const alone = (facts.agreed?.get(offer.id)?.quotes ?? []).filter(({ lines }) => lines === 1)
    if (!seller || alone.length === 0) return []
    const lines = linesOf.get(seller.id) ?? []
    const others = lines.filter((line) => line.offer.id !== offer.id)
    const counted = lines.find((line) => line.offer.id === offer.id)?.counted
    return alone.filter(({ quoteId, quantity }) => {
      if (quantity === counted) return applied.get(seller.id)?.has(quoteId)
      const line = priceLine(facts, { offerId: offer.id, quantity, seenPrice: 0 }, offer, seller)
      return appliedTo(seller.id, [...others, line]).has(quoteId)
    })
  }
}
