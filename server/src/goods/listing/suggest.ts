import type { ProductCard } from '@purlin/contract/product-card.ts'
import { markets } from '@purlin/contract/markets.ts'
import { boundedCache } from '#platform'
import { inLanguage, reference, type Brand, type Category, type Reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { cardOf } from './card.ts'
import { productsIndex, queriesIndex, type ProductDocument } from './document.ts'
import { predictCategories, providerOf, redirectOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

export interface Suggestions {
  queries: string[]
  categories: Category[]
  brands: Brand[]
  products: ProductCard[]
  redirectUrl: string | null
}

const shown = { queries: 6, categories: 4, brands: 3, products: 5 }
const queryLength = 100
const answers = boundedCache<Suggestions>(1_000)

/** Suggestions of the search box: queries, categories, brands and products, in one round trip to the engine. */
export async function suggest(scope: ListingScope, typed: string): Promise<Suggestions> {
  const query = typed.normalize('NFC').replace(/\s+/g, ' ').trimStart().slice(0, queryLength)
  const catalogue = await reference(scope)
  const display = priceDisplay(scope)
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  const key = `${engine.version(index)}:${Math.floor(scope.now.getTime() / 60_000)}:${scope.mode}:${display.key}:${query.toLowerCase()}`
  const known = answers.get(key)
  if (known) return known

  const answer = await searchClient(providerOf(engine), { userToken: scope.userToken ?? null }).multiSearch([
    { indexName: queriesIndex(scope.market), params: { query, hitsPerPage: shown.queries, analytics: false, attributesToHighlight: [] } },
    {
      indexName: index,
      params: {
        query,
        hitsPerPage: shown.products,
        facetFilters: [[`storefronts:${scope.mode}`]],
        facets: ['brandName'],
        distinct: true,
        analytics: false,
        attributesToHighlight: [],
      },
    },
  ])
  const named = byName(catalogue, scope.market, query)
  // Names are in memory: they are suggested even when the engine is unavailable.
  if (answer.status === 0) return { ...named, queries: [], products: [], redirectUrl: null }
  const [queries, products] = answer.value as [(typeof answer.value)[number], (typeof answer.value)[number]]
  const suggestions: Suggestions = {
    queries: [...new Set(queries.hits.map(({ query: text }) => String(text)))],
    categories: distinct([
      ...named.categories,
      ...(query ? predictCategories(products.hits as unknown as ProductDocument[], catalogue) : []),
    ]).slice(0, shown.categories),
    brands: distinct([...named.brands, ...(query ? brandsOf(products.facets?.brandName, catalogue) : [])]).slice(0, shown.brands),
    products: products.hits.map((hit) =>
      cardOf(hit as unknown as ProductDocument, { display, mode: scope.mode, now: scope.now, catalogue }),
    ),
    redirectUrl: redirectOf(products),
  }
  answers.set(key, suggestions)
  return suggestions
}

function byName(
  { categories, brands }: Reference,
  market: ListingScope['market'],
  query: string,
): { categories: Category[]; brands: Brand[] } {
  const { language } = markets[market]
  const start = folded(query)
  if (start.length < 2) return { categories: [], brands: [] }
  const named = (name: string): boolean =>
    folded(name)
      .split(' ')
      .some((_, index, words) => words.slice(index).join(' ').startsWith(start))
  return {
    categories: categories.all
      .filter(({ names }) => named(inLanguage(names, language)))
      .toSorted((a, b) => b.level - a.level || a.position - b.position)
      .slice(0, shown.categories),
    brands: [...brands.values()].filter(({ name }) => folded(name).startsWith(start)).slice(0, shown.brands),
  }
}

/** Brands that account for a substantial share of the hits. */
function brandsOf(counts: Record<string, number> | undefined, { brands }: Reference): Brand[] {
  const ranked = Object.entries(counts ?? {}).toSorted(([, a], [, b]) => b - a)
  const names = new Map([...brands.values()].map((brand) => [brand.name, brand]))
  return ranked.slice(0, shown.brands).flatMap(([name]) => names.get(name) ?? [])
}

function distinct<T extends { id: number }>(list: T[]): T[] {
  return [...new Map(list.map((one) => [one.id, one])).values()]
}

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
