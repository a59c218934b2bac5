import type { Result } from '@purlin/contract/refusals.ts'
import { addToCart } from '#cart'
import { cardsOf } from '#listing'
import type { Scope } from '#platform'
import { removeFromWishlist, type WishlistRefusal } from './change-wishlists.ts'

/** Adds the best offer of a wishlist product to the cart and removes the product from the list; both or neither. */
export async function moveToCart(
  scope: Scope,
  listId: string,
  productId: string,
): Promise<{ ok: true } | { ok: false; reason: WishlistRefusal } | Extract<Result, { ok: false }>> {
  const taken = await removeFromWishlist(scope, productId, listId)
  if (!taken.ok) return taken
  const [card] = await cardsOf(scope, [productId])
  if (!card) return { ok: false, reason: 'unknown-offer' }
  const added = await addToCart(scope, { offerId: card.offerId, quantity: card.bulk ?? 1 })
  return added.ok ? { ok: true } : added
}
