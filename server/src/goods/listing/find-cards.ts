import type { ProductCard } from '@purlin/contract/product-card.ts'
import { reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { unpaidCardOf } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
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
  const viewer = { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue: await reference(scope) }
  const documents = (found.value as unknown as ProductDocument[]).filter(({ storefronts }) => storefronts.includes(scope.mode))
  const cards = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return productIds.flatMap((id) => cards.get(id) ?? [])
}
