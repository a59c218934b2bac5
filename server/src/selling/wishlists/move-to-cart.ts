import type { Result } from '@purlin/contract/refusals.ts'
import { addToCart, isOfferId, withOwnOffers } from '#cart'
import { offersToPrice, quantityRefusal } from '#catalogue'
import { cardsOf } from '#listing'
import type { Scope } from '#platform'
import type { WishlistRefusal } from './change-wishlists.ts'
import { takeItem } from './store.ts'
import { within } from './whose.ts'
import { isProductId, isWishlistId, piecesOf } from './wishlist.ts'

/**
 * Adds a wishlist product to the cart and removes it from the list; both or neither. The offer that the list showed is taken if it can still
 * be bought, and otherwise the best one for this product by itself.
 */
export async function moveToCart(
  scope: Scope,
  listId: string,
  productId: string,
  offerId: string | null = null,
): Promise<{ ok: true } | { ok: false; reason: WishlistRefusal } | Extract<Result, { ok: false }>> {
  if (!isProductId(productId)) return { ok: false, reason: 'unknown-product' }
  const taken = isWishlistId(listId) ? await takeItem(scope.db, within(scope), listId, productId) : undefined
  if (!taken) return { ok: false, reason: 'unknown-wishlist' }
  const pieces = (bulk: number | null) => piecesOf(taken.quantity, bulk)
  const shown = isOfferId(offerId) ? (await offersToPrice(scope.db.reads, [offerId])).get(offerId) : undefined
  // Checked here, because the cart has buyers wait for what it refuses as sold out.
  if (shown?.productId === productId && quantityRefusal(shown, pieces(shown.bulk)) === null) {
    const added = await addToCart(scope, { offerId: shown.id, quantity: pieces(shown.bulk) })
    if (added.ok) return added
  }
  const [card] = await withOwnOffers(scope, await cardsOf(scope, [productId]), ({ bulk }) => [pieces(bulk)])
  if (!card) return { ok: false, reason: 'unknown-offer' }
  return addToCart(scope, { offerId: card.offerId, quantity: pieces(card.bulk) })
}
