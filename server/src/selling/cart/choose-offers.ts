import { inPerson } from '#accounts'
import { marketOffersToPrice, type OfferToPrice } from '#catalogue'
import { companyOnPro, hasRulesOrQuotes } from '#conditions'
import type { Scope } from '#platform'
import { cartLimits } from './cart-limits.ts'
import { cheapestSellers } from './cheapest-sellers.ts'
import { competingOffers, type LineOption, type Wanted } from './competing-offers.ts'
import { sharingTariffs } from './delivery.ts'
import { loadBasket } from './load-cart.ts'
import { costOfSeller, deliveryTerms, pricedLines, priceLines, type LineFacts, type PricedLine } from './price-lines.ts'
import { fittingQuotes } from './quoted-lines.ts'
import { withAdded } from './with-added.ts'

export type { Wanted } from './competing-offers.ts'

interface Choice {
  offerId: string
  /** Chosen by what the viewer's company pays; otherwise it is the winner of the public buy box. */
  isOwn: boolean
}

/** More than any cart may cost. */
const undeliverable = { total: 10 ** 10, avoidable: 10 ** 10 }

/**
 * The offer of each product that the shop chooses for the viewer, by product. For everybody it is the winner of the buy box, as cards
 * and pages show it. Where a seller has agreed a price with the viewer's company, it is the offer with which everything that can be
 * bought costs this company least, delivery and the cart included; where no offer can take any of it, the public winner again.
 * @param offers in the order in which their products are added to the cart, which may not have room for all of them
 */
export function chooseOffers(
  basket: LineFacts<OfferToPrice>,
  offers: readonly OfferToPrice[],
  wanted: Wanted,
): ReadonlyMap<string, Choice> {
  const held = new Map(sharingTariffs(pricedLines(basket)).map((line) => [line.offer.id, line]))
  const products = competingOffers(basket, offers, wanted, held)
  const bought = withinLimits(basket, products)
  const chosen = cheapestOf(
    basket,
    bought.map(({ options }) => options),
    [...held.values()],
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
  const offersOf = Map.groupBy(await marketOffersToPrice(db.reads, productIds, market), ({ productId }) => productId)
  const offers = [...new Set(productIds)].flatMap((productId) => offersOf.get(productId) ?? [])
  const basket = await loadBasket(scope, offers)
  const purchases = bought === 'together' ? [offers] : offersOf.values()
  const choices = [...purchases].flatMap((purchase) => [...chooseOffers(basket, purchase, wanted)])
  return new Map(choices.flatMap(([productId, { offerId, isOwn }]) => (isOwn ? [[productId, offerId] as const] : [])))
}

/**
 * The products that can be bought and for whose lines the cart has room, which are added in this order; others are refused. What the cart
 * holds already comes from another offer only if that leaves room for all of them.
 */
function withinLimits({ cart }: LineFacts<OfferToPrice>, products: ReturnType<typeof competingOffers>) {
  const held = new Set(cart.lines.map(({ offerId }) => offerId))
  const isHeld = ({ offerId }: LineOption) => held.has(offerId)
  let room = cartLimits.lines - held.size
  const bought = products.filter(({ options }) => options.length > 0 && (options.some(isHeld) || room-- > 0))
  return bought.map((product) => {
    const { options } = product
    if (!options.some(isHeld) || options.every(isHeld) || room-- > 0) return product
    return { ...product, options: options.filter(isHeld) }
  })
}

/** Of each product the option with which the whole cart costs least. */
function cheapestOf(
  basket: LineFacts<OfferToPrice>,
  products: readonly LineOption[][],
  held: readonly PricedLine<OfferToPrice>[],
): LineOption[] {
  if (products.every(({ length }) => length === 1)) return products.flat()
  const heldOf = Map.groupBy(held, ({ offer }) => offer.sellerId)
  return cheapestSellers(products, (sellerId, bought) => {
    const grown = new Set(bought.map(({ offerId }) => offerId))
    const inCart = heldOf.get(sellerId) ?? []
    const kept = inCart.filter(({ offer }) => !grown.has(offer.id))
    const cost = costOfSeller([...kept, ...bought.map(({ line }) => line)], deliveryTerms(basket, sellerId)) ?? undeliverable
    // Without the pieces that are added to it, a line may be what was quoted.
    return inCart.some((line) => grown.has(line.offer.id) && fittingQuotes(line).length > 0) ? { ...cost, avoidable: cost.total } : cost
  })
}
