import type { Result } from '@purlin/contract/refusals.ts'
import { addToCart, withOwnOffers } from '#cart'
import { cardsOf } from '#listing'
import type { Scope } from '#platform'
import type { WishlistRefusal } from './change-wishlists.ts'
import { takeItem } from './store.ts'
import { within } from './whose.ts'
import { isProductId, isWishlistId, piecesOf } from './wishlist.ts'

/** Adds the best offer of a wishlist product to the cart and removes the product from the list; both or neither. */
export async function moveToCart(
  scope: Scope,
  listId: string,
  productId: string,
): Promise<{ ok: true } | { ok: false; reason: WishlistRefusal } | Extract<Result, { ok: false }>> {
  if (!isProductId(productId)) return { ok: false, reason: 'unknown-product' }
  const taken = isWishlistId(listId) ? await takeItem(scope.db, within(scope), listId, productId) : undefined
  if (!taken) return { ok: false, reason: 'unknown-wishlist' }
  const [card] = await withOwnOffers(scope, await cardsOf(scope, [productId]), ({ bulk }) => [piecesOf(taken.quantity, bulk)])
  if (!card) return { ok: false, reason: 'unknown-offer' }
  const added = await addToCart(scope, { offerId: card.offerId, quantity: piecesOf(taken.quantity, card.bulk) })
  return added.ok ? { ok: true } : added
}
