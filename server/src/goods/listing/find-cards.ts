import type { ProductCard } from '@purlin/contract/product-card.ts'
import { reference } from '#catalogue'
import type { Scope } from '#platform'
import { priceDisplay } from '#pricing'
import { unpaidCardOf, type CardViewer } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { documentsWith } from './load-documents.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/**
 * Cards of these products, in order; products not sold on this storefront are missing. Empty when the engine is
 * unavailable.
 */
export async function cardsOf(scope: ListingScope, productIds: readonly string[]): Promise<ProductCard[]> {
  if (productIds.length === 0) return []
  const index = productsIndex(scope.market)
  const found = await searchClient(providerOf(searchEngine())).productHistory(index, productIds)
  if (found.status === 0) return []
  const viewer = await viewerOf(scope)
  const documents = (found.value as unknown as ProductDocument[]).filter(({ storefronts }) => storefronts.includes(scope.mode))
  const cards = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return productIds.flatMap((id) => cards.get(id) ?? [])
}

/** The cards with other offers of some products, by product, in place of the public winners. Prices on them are public ones, as everywhere. */
export async function withOffers(
  scope: Scope,
  cards: readonly ProductCard[],
  offers: ReadonlyMap<string, string>,
): Promise<readonly ProductCard[]> {
  const others = new Map(
    cards.flatMap(({ productId, offerId }): [string, string][] => {
      const other = offers.get(productId) ?? offerId
      return other === offerId ? [] : [[productId, other]]
    }),
  )
  if (others.size === 0) return cards
  const viewer = await viewerOf(scope)
  const documents = await documentsWith(scope.db.reads, scope.market, others, scope.now)
  const swapped = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return cards.map((card) => swapped.get(card.productId) ?? card)
}

async function viewerOf(scope: ListingScope): Promise<CardViewer> {
  return { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue: await reference(scope) }
}
