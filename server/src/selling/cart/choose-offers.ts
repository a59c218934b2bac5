import { inPerson } from '#accounts'
import { marketOffersToPrice, quantityRefusal, type OfferToPrice } from '#catalogue'
import { companyOnPro, hasRulesOrQuotes } from '#conditions'
import type { Scope } from '#platform'
import { isSecondHand, rankForSale } from '#pricing'
import { cheapestSellers, type Option } from './cheapest-sellers.ts'
import { loadBasket } from './load-cart.ts'
import { costOfSeller, deliveryTerms, priceLine, priceLines, type LineFacts, type PricedLine } from './price-lines.ts'
import { withAdded } from './with-added.ts'

/**
 * The quantities of a product that would be put into the cart from an offer, one after the other: lists and orders that are bought
 * again round up to its packs.
 */
export type Wanted = (offer: Pick<OfferToPrice, 'productId' | 'bulk'>) => readonly number[]

interface Choice {
  offerId: string
  /** Chosen by what the viewer's company pays; otherwise it is the winner of the public buy box. */
  isOwn: boolean
}

/** More than any cart may cost. */
const undeliverable = 10 ** 10

/**
 * The offer of each product that the shop chooses for the viewer, by product. For everybody it is the winner of the buy box, as cards
 * and pages show it. Where a seller has agreed a price with the viewer's company, it is the offer with which everything that can be
 * bought costs this company least, delivery and the cart included; where no offer can take any of it, the public winner again.
 */
export function chooseOffers(
  basket: LineFacts<OfferToPrice>,
  offers: readonly OfferToPrice[],
  wanted: Wanted,
): ReadonlyMap<string, Choice> {
  const { agreed, viewer, sellers } = basket
  const held = new Map(basket.cart.lines.map(({ offerId, quantity }) => [offerId, quantity]))
  const products = [...Map.groupBy(offers, ({ productId }) => productId)].flatMap(([productId, all]) => {
    const forSale = rankForSale(viewer, { sellers }, all).flatMap(({ offer: { of } }) => (of.isSample ? [] : of))
    const [winner] = forSale
    const isOwn = all.some(({ id }) => agreed?.has(id))
    const takers = takersOf(isOwn ? forSale : forSale.slice(0, 1), wanted, held)
    // New before second-hand, whatever it costs.
    const hasNew = [...takers.keys()].some(({ condition }) => !isSecondHand(condition))
    const options = [...takers].flatMap(([offer, pieces]) =>
      hasNew && isSecondHand(offer.condition) ? [] : optionsOf(basket, offer, (held.get(offer.id) ?? 0) + pieces),
    )
    return winner ? [{ productId, winner, isOwn, options }] : []
  })
  const bought = products.filter(({ options }) => options.length > 0)
  const chosen = cheapestOf(
    basket,
    bought.map(({ options }) => options),
  )
  const optionOf = new Map(bought.map(({ productId }, at) => [productId, chosen[at]]))
  return new Map(
    products.map(({ productId, winner, isOwn }) => {
      const option = optionOf.get(productId)
      return [productId, { offerId: option?.offerId ?? winner.id, isOwn: isOwn && option !== undefined }]
    }),
  )
}

/** The price per piece of the offers that a cart would hold after these have been added, as it would charge them. */
export function pricesInCart(
  basket: LineFacts<OfferToPrice>,
  added: readonly { offer: OfferToPrice; quantity: number }[],
): ReadonlyMap<string, number> {
  const { lines } = priceLines({ ...basket, cart: withAdded(basket.cart, added) })
  return new Map(lines.map(({ offer, unitPrice }) => [offer.id, unitPrice]))
}

/**
 * The offers chosen by agreed prices and accepted quotes, by product; other products are missing. One statement for companies without
 * either, none for everybody else.
 * @param bought whether the products would be bought together, or each by itself
 */
export async function ownOffers(
  scope: Scope,
  productIds: readonly string[],
  wanted: Wanted,
  bought: 'together' | 'singly' = 'together',
): Promise<ReadonlyMap<string, string>> {
  const { db, market, now } = scope
  const companyId = companyOnPro(scope)
  if (companyId === null || productIds.length === 0) return new Map()
  if (!(await hasRulesOrQuotes(db, { companyId, customerId: inPerson(scope), market, now }))) return new Map()
  const offers = await marketOffersToPrice(db.reads, productIds, market)
  const basket = await loadBasket(scope, offers)
  const purchases = bought === 'together' ? [offers] : Map.groupBy(offers, ({ productId }) => productId).values()
  const choices = [...purchases].flatMap((purchase) => [...chooseOffers(basket, purchase, wanted)])
  return new Map(choices.flatMap(([productId, { offerId, isOwn }]) => (isOwn ? [[productId, offerId] as const] : [])))
}

interface LineOption extends Option {
  line: PricedLine<OfferToPrice>
}

function optionsOf(basket: LineFacts<OfferToPrice>, offer: OfferToPrice, quantity: number): LineOption[] {
  const seller = basket.sellers.get(offer.sellerId)
  if (!seller) return []
  const line = priceLine(basket, { offerId: offer.id, quantity, seenPrice: 0 }, offer, seller)
  const quotes = line.quotes.filter((quote) => quote.quantity === quantity)
  return [{ offerId: offer.id, sellerId: seller.id, goods: line.total, quoteIds: quotes.map(({ quoteId }) => quoteId), line }]
}

/** Of each product the option with which the whole cart costs least. */
function cheapestOf(basket: LineFacts<OfferToPrice>, products: readonly LineOption[][]): LineOption[] {
  if (products.every(({ length }) => length === 1)) return products.flat()
  const { cart, offers, sellers } = basket
  const inCart = cart.lines.flatMap((line) => {
    const offer = offers.get(line.offerId)
    const seller = offer && sellers.get(offer.sellerId)
    return offer && seller ? [priceLine(basket, line, offer, seller)] : []
  })
  const heldOf = Map.groupBy(inCart, ({ offer }) => offer.sellerId)
  return cheapestSellers(products, (sellerId, bought) => {
    const grown = new Set(bought.map(({ offerId }) => offerId))
    const kept = (heldOf.get(sellerId) ?? []).filter(({ offer }) => !grown.has(offer.id))
    return costOfSeller([...kept, ...bought.map(({ line }) => line)], deliveryTerms(basket, sellerId)) ?? undeliverable
  })
}

/**
 * The offers that can take the wanted quantities next to what the cart holds of them, with their sums, as the cart adds them up. A
 * quantity that none of them can take will be refused, and does not count.
 */
function takersOf(offers: readonly OfferToPrice[], wanted: Wanted, held: ReadonlyMap<string, number>): ReadonlyMap<OfferToPrice, number> {
  const quantities = new Map(offers.map((offer) => [offer, wanted(offer)]))
  const times = Math.max(0, ...[...quantities.values()].map(({ length }) => length))
  let takers: ReadonlyMap<OfferToPrice, number> = new Map()
  for (let at = 0; at < times; at++) {
    const before = takers.size > 0 ? takers : new Map(offers.map((offer) => [offer, 0]))
    const grown = [...before].map(([offer, sum]) => [offer, sum + (quantities.get(offer)?.[at] ?? 0)] as const)
    const able = grown.filter(([offer, sum]) => sum > 0 && quantityRefusal(offer, (held.get(offer.id) ?? 0) + sum) === null)
    if (able.length > 0) takers = new Map(able)
  }
  return takers
}
