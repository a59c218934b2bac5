import { ownerOf } from '#accounts'
import { offersForSale, reference } from '#catalogue'
import type { Scope } from '#platform'
import { vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { emptyCart, type Cart } from './cart.ts'
import { priceCart, type PricedCart } from './price-cart.ts'
import { readCart } from './store.ts'

/** The viewer's cart as stored; empty for nobody. */
export async function loadCart(scope: Scope): Promise<Cart> {
  const owner = ownerOf(scope)
  return owner === null ? emptyCart : readCart(scope.db, owner, scope.market)
}

/** The viewer's cart with today's prices, stock and delivery. */
export async function loadPricedCart(scope: Scope): Promise<PricedCart> {
  return priceStoredCart(scope, await loadCart(scope))
}

/** Prices a cart that is at hand. Offers are read afresh; sellers, categories and VAT rules are reference data. */
export async function priceStoredCart(scope: Scope, cart: Cart): Promise<PricedCart> {
  const offers = await offersForSale(
    scope.db,
    cart.lines.map(({ offerId }) => offerId),
  )
  // One after the other: within a transaction they share one connection, and mostly they are at hand.
  const sellers = await knownSellers(scope, new Set([...offers.values()].map(({ sellerId }) => sellerId)))
  const { categories } = await reference(scope)
  const rules = await vatRules(scope)
  return priceCart({
    cart,
    offers,
    sellers,
    categoryPath: (id) => categories.byId.get(id)?.path ?? [],
    vatRules: rules,
    viewer: scope,
    now: scope.now,
  })
}
