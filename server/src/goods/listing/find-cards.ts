import type { ProductCard } from '@purlin/contract/product-card.ts'
import { reference } from '#catalogue'
import { ownOffers, type Wanted } from '#conditions'
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

/**
 * The cards with the offers from which the viewer's company buys the wanted quantities best, where a seller has agreed a price with it.
 * Prices on them are the public ones, as everywhere. The cards of everybody else stay as they are.
 */
export async function withOwnOffers(scope: Scope, cards: readonly ProductCard[], wanted: Wanted): Promise<readonly ProductCard[]> {
  const own = await ownOffers(
    scope,
    cards.map(({ productId }) => productId),
    wanted,
  )
  const others = new Map(
    cards.flatMap(({ productId, offerId }): [string, string][] => {
      const better = own.get(productId) ?? offerId
      return better === offerId ? [] : [[productId, better]]
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
