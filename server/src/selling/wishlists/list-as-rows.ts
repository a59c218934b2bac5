import { maxOrderRows } from '@purlin/contract/order-limits.ts'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { eansOf } from '#catalogue'
import { cardsOf, withOffers } from '#listing'
import type { Scope } from '#platform'
import { ownOffersOfList } from './own-offers-of-list.ts'
import { readItems, readList } from './store.ts'
import { within } from './whose.ts'
import { isWishlistId, piecesOf, wishlistLimits } from './wishlist.ts'

/** A list as rows of a quick order, in the quantities its page shows; empty for a list the viewer may not see. */
export async function listAsRows(scope: Scope, id: string): Promise<OrderRow[]> {
  const list = isWishlistId(id) ? await readList(scope.db, within(scope), id) : undefined
  if (!list) return []
  const items = await readItems(scope.db, list.id, { limit: wishlistLimits.items, offset: 0 })
  const own = await ownOffersOfList(scope, items)
  const rows = items.slice(0, maxOrderRows)
  const ids = rows.map(({ productId }) => productId)
  const [codes, cards] = await Promise.all([eansOf(scope.db, ids), cardsOf(scope, ids).then((found) => withOffers(scope, found, own))])
  const bulkOf = new Map(cards.map(({ productId, bulk }) => [productId, bulk]))
  return rows.flatMap(({ productId, quantity }) => {
    const code = codes.get(productId)
    return code === undefined ? [] : [{ code, quantity: String(piecesOf(quantity, bulkOf.get(productId) ?? null)) }]
  })
}
