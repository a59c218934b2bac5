import type { ProductCard } from '@purlin/contract/product-card.ts'
import { boundedCache } from '#platform'
import { reference, type Product } from '#catalogue'
import { priceDisplay } from '#pricing'
import { cardOf } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { valueFilter } from './listing-queries.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

const shown = 8
/** Attributes by which products are compared. */
const sharedAttributes = 6

const answers = boundedCache<ProductCard[]>(400)

/** Alternatives to a product: from the same category, those sharing most attributes and the brand first. Empty when the engine is unavailable. */
export async function alternativesOf(scope: ListingScope, product: Product): Promise<ProductCard[]> {
  const catalogue = await reference(scope)
  const display = priceDisplay(scope)
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  const key = `${engine.version(index)}:${Math.floor(scope.now.getTime() / 60_000)}:${scope.mode}:${display.key}:${product.id}`
  const known = answers.get(key)
  if (known) return known
  const alike = Object.entries(product.attributes)
    .slice(0, sharedAttributes)
    .map(([key, value]) => `${valueFilter(`attr.${key}`, value)}<score=10>`)
  const answer = await searchClient(providerOf(engine)).search({
    indexName: index,
    params: {
      query: '',
      facetFilters: [
        [`storefronts:${scope.mode}`],
        [`categoryIds:${product.categoryId}`],
        [`groupId:-${product.modelId === null ? `p${product.id}` : `m${product.modelId}`}`],
      ],
      optionalFilters: [`brandId:${product.brandId}<score=5>`, ...alike],
      sumOrFiltersScores: true,
      hitsPerPage: shown,
      distinct: true,
      analytics: false,
      attributesToHighlight: [],
    },
  })
  if (answer.status === 0) return []
  const viewer = { display, mode: scope.mode, now: scope.now, catalogue }
  const cards = answer.value.hits.map((hit) => cardOf(hit as unknown as ProductDocument, viewer))
  answers.set(key, cards)
  return cards
}
