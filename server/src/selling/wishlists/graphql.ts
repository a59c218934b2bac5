import type { Market } from '@purlin/contract/markets.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { describeRefusal, toAddedItems } from '#cart'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import {
  addToWishlist,
  copyWishlist,
  createWishlist,
  deleteWishlist,
  removeFromWishlist,
  renameWishlist,
  setWishlistQuantity,
  setWishlistSite,
  shareWishlist,
  type WishlistChange,
  type WishlistRefusal,
} from './change-wishlists.ts'
import { addListToCart } from './add-list-to-cart.ts'
import { changeNotices, endNotices } from './change-notices.ts'
import { listAsRows } from './list-as-rows.ts'
import { moveToCart } from './move-to-cart.ts'
import { listWished, listWishlists, showSharedWishlist, showWishlist, sitesForLists } from './show-wishlist.ts'

async function answer({ market }: Scope, change: Promise<WishlistChange>) {
  const done = await change
  return done.ok ? { id: done.id, refusal: null } : { id: null, refusal: told(market, done.reason) }
}

function told(market: Market, reason: WishlistRefusal) {
  return { reason, message: wordsFor(market)(`wishlist.refusal.${reason}`), fields: [] }
}

export const resolvers = {
  Query: {
    wishlists: (_parent, _args, scope: Scope) => listWishlists(scope),
    wishlist: (_parent, { id, page }, scope: Scope) => showWishlist(scope, id, page ?? 1),
    wishlistRows: (_parent, { id }, scope: Scope) => listAsRows(scope, id),
    sharedWishlist: (_parent, { token, page }, scope: SiteScope) => showSharedWishlist(scope, token, page ?? 1),
    sitesForLists: (_parent, _args, scope: Scope) => sitesForLists(scope),
    wishedProducts: (_parent, _args, scope: Scope) => listWished(scope),
  },
  Mutation: {
    addToWishlist: (_parent, { productId, listId, quantity }, scope: Scope) =>
      answer(scope, addToWishlist(scope, productId, listId ?? null, quantity ?? null)),
    setWishlistQuantity: (_parent, { id, productId, quantity }, scope: Scope) =>
      answer(scope, setWishlistQuantity(scope, id, productId, quantity)),
    removeFromWishlist: (_parent, { productId, listId }, scope: Scope) =>
      answer(scope, removeFromWishlist(scope, productId, listId ?? null)),
    createWishlist: (_parent, { name, siteId }, scope: Scope) => answer(scope, createWishlist(scope, name, siteId ?? null)),
    setWishlistSite: (_parent, { id, siteId }, scope: Scope) => answer(scope, setWishlistSite(scope, id, siteId ?? null)),
    copyWishlist: (_parent, { id, intoId }, scope: Scope) => answer(scope, copyWishlist(scope, id, intoId)),
    renameWishlist: (_parent, { id, name }, scope: Scope) => answer(scope, renameWishlist(scope, id, name)),
    shareWishlist: (_parent, { id, isShared }, scope: Scope) => answer(scope, shareWishlist(scope, id, isShared)),
    changeWishlistNotices: (_parent, { id, isWanted }, scope: Scope) => answer(scope, changeNotices(scope, id, isWanted)),
    endWishlistNotices: async (_parent, { token }, scope: Scope) => {
      await endNotices(scope, token)
      return true
    },
    deleteWishlist: (_parent, { id }, scope: Scope) => answer(scope, deleteWishlist(scope, id)),
    addWishlistToCart: async (_parent, { id }, scope: Scope) => {
      const outcome = await addListToCart(scope, id)
      return outcome ? toAddedItems(scope.market, outcome) : null
    },
    moveToCart: async (_parent, { listId, productId, offerId }, scope: Scope) => {
      const moved = await moveToCart(scope, listId, productId, offerId ?? null)
      if (moved.ok) return { id: listId, refusal: null }
      return { id: null, refusal: isOfLists(moved) ? told(scope.market, moved.reason) : describeRefusal(scope.market, moved) }
    },
  },
} satisfies Resolvers

const reasons: readonly string[] = ['unknown-wishlist', 'unknown-product'] satisfies WishlistRefusal[]

function isOfLists(refused: Refused | { ok: false; reason: WishlistRefusal }): refused is { ok: false; reason: WishlistRefusal } {
  return reasons.includes(refused.reason)
}

export const actions = {
  'Query.wishlists': 'wishlist.see',
  'Query.wishlist': 'wishlist.see',
  'Query.wishlistRows': 'wishlist.see',
  'Query.sharedWishlist': 'goods.see',
  'Query.sitesForLists': 'wishlist.see',
  'Query.wishedProducts': 'wishlist.see',
  'Mutation.addToWishlist': 'wishlist.change',
  'Mutation.setWishlistQuantity': 'wishlist.change',
  'Mutation.removeFromWishlist': 'wishlist.change',
  'Mutation.createWishlist': 'wishlist.change',
  'Mutation.setWishlistSite': 'wishlist.change',
  'Mutation.copyWishlist': 'wishlist.change',
  'Mutation.addWishlistToCart': 'cart.change',
  'Mutation.renameWishlist': 'wishlist.change',
  'Mutation.shareWishlist': 'wishlist.change',
  'Mutation.changeWishlistNotices': 'wishlist.change',
  'Mutation.endWishlistNotices': 'wishlist.change',
  'Mutation.deleteWishlist': 'wishlist.change',
  'Mutation.moveToCart': 'wishlist.change',
} satisfies ActionsOf<typeof resolvers>
