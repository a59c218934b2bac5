import { product } from '../../demo/src/product.ts'
import { demoSeed } from '../../scripts/relevance/demo-documents.ts'
import type { IndexedQuery, SearchEngine, SearchResponse } from '../../search/src/index.ts'
import { connectSearch, listProducts, productsIndex, type ListingInput } from '../../server/src/goods/listing/index.ts'
import { catalogueOf, db, market } from './catalogue.ts'

/** A list of the shop, and everything that the shop asks the engine for it: hits by group, facets, counts of refined facets. */
export interface Question {
  input: ListingInput
  queries: IndexedQuery[]
}

/** Text, price range, sometimes brand and stock, as on a results page. With `typos`, one letter of one word is missing. */
export function searches(count: number, typos = false): ListingInput[] {
  return Array.from({ length: count }, (_, index): ListingInput => {
    const { family, brand, euros } = product(demoSeed, index * 37)
    const words = family.names.fr.split(/\s+/).slice(0, 1 + (index % 2))
    const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
    const at = 1 + (index % Math.max(1, longest.length - 2))
    const query = words
      .map((word) => (typos && word === longest && word.length > 3 ? word.slice(0, at) + word.slice(at + 1) : word))
      .join(' ')
    const low = Math.floor((euros * (index % 5)) / 10)
    return {
      kind: 'search',
      query,
      ranges: [{ key: 'price', min: low, max: low + 50 + Math.round(euros * 2) }],
      filters: [
        ...(index % 3 === 0 ? [{ key: 'brand', values: [brand.name] }] : []),
        ...(index % 4 === 0 ? [{ key: 'stock', values: ['true'] }] : []),
      ],
    }
  })
}

/** The pages of departments, and of the categories below them. */
export async function departments(): Promise<ListingInput[]> {
  const { categories } = await catalogueOf()
  return categories.departments.map(({ id }) => ({ kind: 'category', id }))
}

export const everything: ListingInput = { kind: 'search', query: '' }

/**
 * Asks the shop for each list and records the queries it sends to the engine, so that the benchmark cannot differ from the shop.
 * Facets that depend on the products are those of the given engine's index.
 */
export async function questionsOf(engine: SearchEngine, inputs: readonly ListingInput[]): Promise<Question[]> {
  let asked: IndexedQuery[] = []
  let version = 1
  connectSearch({
    ...engine,
    // A new version for each: nothing is taken from the caches of the listing.
    version: () => version,
    multiSearch: (queries: IndexedQuery[]): Promise<SearchResponse[]> => {
      asked.push(...queries)
      return engine.multiSearch(queries) as Promise<SearchResponse[]>
    },
  })
  const questions: Question[] = []
  for (const input of inputs) {
    asked = []
    version++
    await listProducts({ db, market, mode: 'b2c', prefersVat: true, now: new Date(), userToken: null }, input)
    if (asked.length === 0) throw new Error(`The shop asked nothing for ${JSON.stringify(input)}`)
    questions.push({ input, queries: asked })
  }
  return questions
}

/** The query of the list itself, without what is asked beside it. */
export function mainQuery({ queries }: Question): IndexedQuery {
  return queries.find(({ params }) => params.distinct === true && (params.hitsPerPage ?? 0) > 0)!
}

export const indexName = productsIndex(market)
