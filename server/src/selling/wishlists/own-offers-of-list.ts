import { ownOffers } from '#cart'
import type { Scope } from '#platform'
import { piecesOf, type WishedItem } from './wishlist.ts'

/**
 * The offers chosen by what the viewer's company pays for everything on a list, by product: its page, the cart and the quick order take the
 * same ones, in their packs.
 */
export function ownOffersOfList(
  scope: Scope,
  items: readonly Pick<WishedItem, 'productId' | 'quantity'>[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(items.map(({ productId, quantity }) => [productId, quantity]))
  return ownOffers(scope, [...wanted.keys()], ({ productId, bulk }) => [piecesOf(wanted.get(productId) ?? null, bulk)])
}
