import { cartOwnerOf } from './cart-owner.ts'
import { offersForSale, reference, type OfferForSale } from '#catalogue'
import { agreedPrices } from '#conditions'
import type { Scope } from '#platform'
import { vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { hasSubscription } from '#subscriptions'
import { emptyCart, type Cart } from './cart.ts'
import { priceCart, type PricedCart } from './price-cart.ts'
import { readCart, readOwnCartForSale } from './store.ts'

/** The viewer's cart as stored; an empty cart if the viewer has no owner key. */
export async function loadCart(scope: Scope): Promise<Cart> {
  const owner = cartOwnerOf(scope)
  return owner === null ? emptyCart : readCart(scope.db, owner, scope.market)
}

/** The viewer's cart with current prices, stock and delivery. */
export async function loadPricedCart(scope: Scope): Promise<PricedCart> {
  const owner = cartOwnerOf(scope)
  const { cart, offers } = owner === null ? { cart: emptyCart, offers: [] } : await readOwnCartForSale(scope, owner)
  return priceStoredCart(scope, cart, offers)
}

/** Prices a cart already loaded. Offers are read afresh, except those this command has just read; sellers, categories and VAT rules are reference data. */
export async function priceStoredCart(scope: Scope, cart: Cart, known: readonly OfferForSale[] = []): Promise<PricedCart> {
  const atHand = new Map(known.map((offer) => [offer.id, offer]))
  const ids = cart.lines.map(({ offerId }) => offerId)
  const [missing, hasFreeDelivery] = await Promise.all([
    offersForSale(
      scope.db,
      ids.filter((id) => !atHand.has(id)),
    ),
    hasSubscription(scope),
  ])
  const offers = new Map(ids.flatMap((id) => atHand.get(id) ?? missing.get(id) ?? []).map((offer) => [offer.id, offer]))
  // Sequential: within a transaction they share one connection, and they are usually cached.
  const sellers = await knownSellers(scope, new Set([...offers.values()].map(({ sellerId }) => sellerId)))
  const { categories } = await reference(scope)
  const rules = await vatRules(scope)
  const agreed = await agreedPrices(scope, [...offers.values()])
  return priceCart({
    cart,
    offers,
    sellers,
    categoryPath: (id) => categories.byId.get(id)?.path ?? [],
    vatRules: rules,
    viewer: scope,
    agreed,
    hasFreeDelivery,
    now: scope.now,
  })
}
