import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { IndexedQuery } from '@purlin/search/types.ts'
import { boundedCache } from '#platform'
import { reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { cardOf } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, stampOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/** A row of cards: products that match all filters, in a sort order. */
export interface Carousel {
  /** AND of ORs: [["dealOn:b2c"]]. */
  filters: string[][]
  numericFilters?: string[]
  sort?: 'discount' | 'newest' | 'popularity' | 'rating'
  size: number
}

/** A card with the attributes of its product. */
export interface Goods {
  card: ProductCard
  attributes: Readonly<Record<string, string | number>>
}

/**
 * Bounded by the number of cards: each takes two to three kilobytes. An answer holds for a minute, until the index changes; then its
 * successor takes its place.
 */
const answers = boundedCache<{ rows: Goods[][]; stamp: string }>(1_500, ({ rows }) => rows.reduce((sum, row) => sum + row.length, 1))

/** The cards of several carousels in one round trip to the engine, one card per model; empty rows when it is unavailable. */
export async function showCarousels(scope: ListingScope, carousels: readonly Carousel[]): Promise<ProductCard[][]> {
  return (await findGoods(scope, carousels)).map((row) => row.map(({ card }) => card))
}

/** The same with attributes, for tables and for computing quantities. */
export async function findGoods(scope: ListingScope, carousels: readonly Carousel[]): Promise<Goods[][]> {
  if (carousels.length === 0) return []
  const catalogue = await reference(scope)
  const display = priceDisplay(scope)
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  const stamp = stampOf(engine.version(index), scope.now)
  const key = `${scope.market}:${scope.mode}:${display.key}:${JSON.stringify(carousels)}`
  const known = answers.get(key)
  if (known?.stamp === stamp) return known.rows

  const queries = carousels.map(({ filters, numericFilters, sort, size }): IndexedQuery => ({
    indexName: sort ? `${index}_${sort}` : index,
    params: {
      query: '',
      facetFilters: [[`storefronts:${scope.mode}`], ['inStock:true'], ...filters],
      ...(numericFilters ? { numericFilters } : {}),
      hitsPerPage: size,
      distinct: true,
      analytics: false,
      attributesToHighlight: [],
    },
  }))
  const answer = await searchClient(providerOf(engine)).multiSearch(queries)
  if (answer.status === 0) return carousels.map(() => [])
  const viewer = { display, mode: scope.mode, now: scope.now, catalogue }
  const rows = answer.value.map(({ hits }) =>
    (hits as unknown as ProductDocument[]).map((hit) => ({ card: cardOf(hit, viewer), attributes: hit.attr })),
  )
  answers.set(key, { rows, stamp })
  return rows
}
