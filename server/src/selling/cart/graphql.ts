import type { Result } from '@purlin/contract/refusals.ts'
import { cartOwnerOf } from './cart-owner.ts'
import { countBeside, countOwnItems } from './cart-reads.ts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { addAllToCart } from './add-all-to-cart.ts'
import { addToCart, type AddedToCart } from './add-to-cart.ts'
import { applyCoupon, removeCoupon } from './apply-coupon.ts'
import { toAddedItems, type CartAnswer } from './cart-answer.ts'
import { chooseCartDelivery } from './choose-cart-delivery.ts'
import { confirmCartChanges } from './confirm-cart-changes.ts'
import { findInstead } from './find-instead.ts'
import { describeRefusal } from './refusal-words.ts'
import { replaceInCart } from './replace-in-cart.ts'
import { removeFromCart, setCartQuantity } from './set-cart-quantity.ts'
import { showCart, showCartLeft } from './show-cart.ts'
import { showOwnCoupons } from './show-coupons.ts'
import { siteOfCart } from './site-of-cart.ts'

/** The cart itself is read after the commit, and only when requested. */
async function answer(scope: Scope, result: Promise<Result | Result<AddedToCart>>): Promise<CartAnswer> {
  const outcome = await result
  if (!outcome.ok) return { refusal: describeRefusal(scope.market, outcome) }
  return 'cart' in outcome ? { refusal: null, left: outcome.cart, offers: outcome.offers } : { refusal: null }
}

export const resolvers = {
  Query: {
    cart: (_parent, _args, scope: Scope) => showCart(scope),
    myCoupons: (_parent, _args, scope: Scope) => showOwnCoupons(scope),
  },
  Mutation: {
    addToCart: (_parent, args, scope: Scope) => answer(scope, addToCart(scope, args)),
    addAllToCart: async (_parent, { items }, scope: Scope) => toAddedItems(scope.market, await addAllToCart(scope, items)),
    setCartQuantity: (_parent, { offerId, quantity }, scope: Scope) => answer(scope, setCartQuantity(scope, offerId, quantity)),
    removeFromCart: (_parent, { offerId }, scope: Scope) => answer(scope, removeFromCart(scope, offerId)),
    replaceInCart: (_parent, args, scope: Scope) => answer(scope, replaceInCart(scope, args)),
    applyCoupon: (_parent, { code }, scope: Scope) => answer(scope, applyCoupon(scope, code)),
    removeCoupon: (_parent, _args, scope: Scope) => answer(scope, removeCoupon(scope)),
    chooseCartDelivery: (_parent, choice, scope: Scope) => answer(scope, chooseCartDelivery(scope, [choice])),
    confirmCartChanges: (_parent, _args, scope: Scope) => answer(scope, confirmCartChanges(scope)),
  },
  CartResult: { cart: ({ left, offers }, _args, scope: Scope) => showCartLeft(scope, left, offers) },
  Cart: {
    sellers: ({ sellers }) => sellers(),
    changes: ({ changes }) => changes(),
    siteId: (_parent, _args, scope: Scope) => siteOfCart(scope),
    instead: async ({ whole }, _args, scope: Scope) => findInstead(scope, await whole()),
  },
  Site: {
    cartCount: (_parent, _args, scope: Scope) => {
      const owner = cartOwnerOf(scope)
      return owner === null ? 0 : countOwnItems(scope, owner)
    },
  },
} satisfies Resolvers

/** Read in the same statement as the session. */
export const besides = {
  'Site.cartCount': (_args: object, site: SiteScope) => countBeside(site),
}

export const actions = {
  'Query.cart': 'cart.see',
  'Query.myCoupons': 'account.see',
  'Site.cartCount': 'cart.see',
  'CartResult.cart': 'cart.see',
  'Cart.instead': 'cart.see',
  'Cart.siteId': 'cart.see',
  'Mutation.addToCart': 'cart.change',
  'Mutation.addAllToCart': 'cart.change',
  'Mutation.setCartQuantity': 'cart.change',
  'Mutation.removeFromCart': 'cart.change',
  'Mutation.replaceInCart': 'cart.change',
  'Mutation.applyCoupon': 'cart.change',
  'Mutation.removeCoupon': 'cart.change',
  'Mutation.chooseCartDelivery': 'cart.change',
  'Mutation.confirmCartChanges': 'cart.change',
} satisfies ActionsOf<typeof resolvers>
