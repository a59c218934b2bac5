import type { Refused } from '@purlin/contract/refusals.ts'
import { addAllToCart, listLimit, nameSiteOfLines, type AddedAll } from '#cart'
import { cardsOf, withOffers } from '#listing'
import type { Scope } from '#platform'
import { ownOffersOfList } from './own-offers-of-list.ts'
import { readItems, readList } from './store.ts'
import { within } from './whose.ts'
import { isWishlistId, piecesOf, wishlistLimits } from './wishlist.ts'

/**
 * Adds everything on a list to the cart, as many pieces of each product as the list names, in whole packs, from its best offer; the list
 * stays as it is, and the lines name its building site. What cannot be bought is left out and counted. Undefined for a list the viewer may not see.
 */
export async function addListToCart(scope: Scope, id: string): Promise<AddedAll | Refused | undefined> {
  const list = isWishlistId(id) ? await readList(scope.db, within(scope), id) : undefined
  if (!list) return undefined
  const items = await readItems(scope.db, list.id, { limit: wishlistLimits.items, offset: 0 })
  const outcome: AddedAll = { ok: true, added: 0, left: [] }
  const wanted = new Map(items.map(({ productId, quantity }) => [productId, quantity]))
  const own = await ownOffersOfList(scope, items)
  for (let from = 0; from < items.length; from += listLimit) {
    const ids = items.slice(from, from + listLimit).map(({ productId }) => productId)
    const cards = await withOffers(scope, await cardsOf(scope, ids), own)
    const sold = new Set(cards.map(({ productId }) => productId))
    for (const productId of ids) if (!sold.has(productId)) outcome.left.push({ offerId: productId, refusal: gone })
    if (cards.length === 0) continue
    const page = cards.map((card) => ({ offerId: card.offerId, quantity: piecesOf(wanted.get(card.productId) ?? null, card.bulk) }))
    const part = await addAllToCart(scope, page)
    outcome.added += part.ok ? part.added : 0
    const refused = new Set(part.ok ? part.left.map(({ offerId }) => offerId) : [])
    if (part.ok && list.siteId !== null)
      await nameSiteOfLines(
        scope,
        page.map(({ offerId }) => offerId).filter((offerId) => !refused.has(offerId)),
        list.siteId,
      )
    outcome.left.push(...(part.ok ? part.left : page.map(({ offerId }) => ({ offerId, refusal: part }))))
  }
  return outcome.added > 0 ? outcome : (outcome.left[0]?.refusal ?? gone)
}

const gone = { ok: false, reason: 'unknown-offer' } as const
