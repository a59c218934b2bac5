import { cartOwnerOf } from './cart-owner.ts'
import { offersForSale, offersToPrice, reference, type OfferForSale, type OfferToPrice } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Db, Scope } from '#platform'
import { vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { hasSubscription } from '#subscriptions'
import { emptyCart, type Cart } from './cart.ts'
import { readCart, readCartToPrice, readOwnCartForSale } from './cart-reads.ts'
import { belongsIfKnown } from './audience.ts'
import { hasBought } from './first-order.ts'
import { priceCart, type PricedCart } from './price-cart.ts'
import type { LineFacts } from './price-lines.ts'

/** The viewer's cart as stored; an empty cart if the viewer has no owner key. */
export async function loadCart(scope: Scope): Promise<Cart> {
  const owner = cartOwnerOf(scope)
  return owner === null ? emptyCart : readCart(scope.db, owner, scope.market)
}

/** The viewer's cart with current prices, stock and delivery, and everything that is shown of its offers. */
export async function loadPricedCart(scope: Scope): Promise<PricedCart> {
  const owner = cartOwnerOf(scope)
  const { cart, offers } = owner === null ? { cart: emptyCart, offers: [] } : await readOwnCartForSale(scope, owner)
  return priceStoredCart(scope, cart, offers)
}

/** The same without what is only shown: for commands and totals, which should not depend on how much is written about 300 products. */
export async function loadCartPrices(scope: Scope): Promise<PricedCart<OfferToPrice>> {
  const owner = cartOwnerOf(scope)
  const { cart, offers } = owner === null ? { cart: emptyCart, offers: [] } : await readCartToPrice(scope.db, owner, scope.market)
  return priceHeldCart(scope, cart, offers)
}

/** Prices a cart already loaded. Offers are read afresh, except those this command has just read; sellers, categories and VAT rules are reference data. */
export function priceStoredCart(scope: Scope, cart: Cart, known: readonly OfferForSale[] = []): Promise<PricedCart> {
  return priceWith(scope, cart, known, offersForSale)
}

/** The same without what is only shown of the offers. */
export function priceHeldCart(scope: Scope, cart: Cart, known: readonly OfferToPrice[] = []): Promise<PricedCart<OfferToPrice>> {
  return priceWith(scope, cart, known, offersToPrice)
}

/** A priced cart with everything that is shown of its offers, at the prices it has. */
export async function describePricedCart(scope: Scope, priced: PricedCart<OfferToPrice>): Promise<PricedCart> {
  const lines = priced.sellers.flatMap((group) => group.lines)
  const shown = await offersForSale(
    scope.db,
    lines.map(({ offer }) => offer.id),
  )
  const described = <Line extends { offer: OfferToPrice }>(line: Line) => {
    const found = shown.get(line.offer.id)
    return found ? [{ ...line, offer: { ...found, ...line.offer } }] : []
  }
  return { ...priced, sellers: priced.sellers.map((group) => ({ ...group, lines: group.lines.flatMap(described) })) }
}

async function priceWith<Sold extends OfferToPrice>(
  scope: Scope,
  cart: Cart,
  known: readonly Sold[],
  read: (db: Db, ids: readonly string[]) => Promise<Map<string, Sold>>,
): Promise<PricedCart<Sold>> {
  const atHand = new Map(known.map((offer) => [offer.id, offer]))
  const ids = cart.lines.map(({ offerId }) => offerId)
  const missing = await read(
    scope.db,
    ids.filter((id) => !atHand.has(id)),
  )
  const offers = new Map(ids.flatMap((id) => atHand.get(id) ?? missing.get(id) ?? []).map((offer) => [offer.id, offer]))
  const audience = cart.coupon?.audience ?? null
  const [facts, bought, isInAudience] = await Promise.all([
    factsFor(scope, cart, offers),
    cart.coupon?.firstOrderOnly === true && hasBought(scope),
    audience !== null && belongsIfKnown(scope, audience),
  ])
  return priceCart({ ...facts, hasBought: bought, isInAudience })
}

/** The viewer's cart, without its coupon, with everything that decides what these offers would cost in it. */
export async function loadBasket(scope: Scope, wanted: readonly OfferToPrice[]): Promise<LineFacts<OfferToPrice>> {
  const owner = cartOwnerOf(scope)
  const { cart, offers } = owner === null ? { cart: emptyCart, offers: [] } : await readCartToPrice(scope.db, owner, scope.market)
  const known = new Map([...offers, ...wanted].map((offer) => [offer.id, offer]))
  return factsFor(scope, { ...cart, coupon: null, couponCode: null }, known)
}

async function factsFor<Sold extends OfferToPrice>(scope: Scope, cart: Cart, offers: ReadonlyMap<string, Sold>): Promise<LineFacts<Sold>> {
  // Sequential: within a transaction they share one connection, and they are usually cached.
  const sellers = await knownSellers(scope, new Set([...offers.values()].map(({ sellerId }) => sellerId)))
  const { categories } = await reference(scope)
  const rules = await vatRules(scope)
  const [agreed, hasFreeDelivery] = await Promise.all([agreedPrices(scope, [...offers.values()]), hasSubscription(scope)])
  const categoryPath = (id: number) => categories.byId.get(id)?.path ?? []
  return { cart, offers, sellers, categoryPath, vatRules: rules, viewer: scope, agreed, hasFreeDelivery, now: scope.now }
}
