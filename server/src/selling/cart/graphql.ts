import type { Result } from '@purlin/contract/refusals.ts'
import { ownerOf } from '#accounts'
import type { ActionsOf, Scope } from '#platform'
import { addToCart, type AddedToCart } from './add-to-cart.ts'
import { applyCoupon, removeCoupon } from './apply-coupon.ts'
import type { Cart } from './cart.ts'
import { chooseCartDelivery } from './choose-cart-delivery.ts'
import { confirmCartChanges } from './confirm-cart-changes.ts'
import { findInstead } from './find-instead.ts'
import type { PricedCart } from './price-cart.ts'
import { tellRefusal } from './refusal-words.ts'
import { removeFromCart, setCartQuantity } from './set-cart-quantity.ts'
import { showCart } from './show-cart.ts'
import { countCartItems } from './store.ts'

type Nothing = unknown

interface Answer {
  refusal: object | null
  /** As the command left it, when it knows. */
  left?: Cart | null
  offers?: AddedToCart['offers']
}

/** The cart itself is shown after the commit, and only when asked for. */
async function answer(scope: Scope, result: Promise<Result | Result<AddedToCart>>): Promise<Answer> {
  const outcome = await result
  if (!outcome.ok) return { refusal: tellRefusal(scope.market, outcome) }
  return 'cart' in outcome ? { refusal: null, left: outcome.cart, offers: outcome.offers } : { refusal: null }
}

export const resolvers = {
  Query: { cart: (_parent: Nothing, _args: Nothing, scope: Scope) => showCart(scope) },
  Mutation: {
    addToCart: (_parent: Nothing, args: { offerId: string; quantity: number }, scope: Scope) => answer(scope, addToCart(scope, args)),
    setCartQuantity: (_parent: Nothing, { offerId, quantity }: { offerId: string; quantity: number }, scope: Scope) =>
      answer(scope, setCartQuantity(scope, offerId, quantity)),
    removeFromCart: (_parent: Nothing, { offerId }: { offerId: string }, scope: Scope) => answer(scope, removeFromCart(scope, offerId)),
    applyCoupon: (_parent: Nothing, { code }: { code: string }, scope: Scope) => answer(scope, applyCoupon(scope, code)),
    removeCoupon: (_parent: Nothing, _args: Nothing, scope: Scope) => answer(scope, removeCoupon(scope)),
    chooseCartDelivery: (_parent: Nothing, choice: { sellerId: number; kind: string }, scope: Scope) =>
      answer(scope, chooseCartDelivery(scope, [choice])),
    confirmCartChanges: (_parent: Nothing, _args: Nothing, scope: Scope) => answer(scope, confirmCartChanges(scope)),
  },
  CartResult: { cart: ({ left, offers }: Answer, _args: Nothing, scope: Scope) => showCart(scope, left, offers) },
  Cart: {
    sellers: ({ sellers }: Awaited<ReturnType<typeof showCart>>) => sellers(),
    instead: ({ priced }: { priced: PricedCart }, _args: Nothing, scope: Scope) => findInstead(scope, priced),
  },
  Site: {
    cartCount: (_parent: Nothing, _args: Nothing, scope: Scope) => {
      const owner = ownerOf(scope)
      return owner === null ? 0 : countCartItems(scope.db, owner, scope.market)
    },
  },
}

export const actions = {
  'Query.cart': 'cart.see',
  'Site.cartCount': 'cart.see',
  'CartResult.cart': 'cart.see',
  'Cart.instead': 'cart.see',
  'Mutation.addToCart': 'cart.change',
  'Mutation.setCartQuantity': 'cart.change',
  'Mutation.removeFromCart': 'cart.change',
  'Mutation.applyCoupon': 'cart.change',
  'Mutation.removeCoupon': 'cart.change',
  'Mutation.chooseCartDelivery': 'cart.change',
  'Mutation.confirmCartChanges': 'cart.change',
} satisfies ActionsOf<typeof resolvers>
