import type { SearchParams } from '../../search/src/index.ts'
import { demoSeed } from '../../scripts/relevance/demo-documents.ts'
import { product } from '../../demo/src/product.ts'

/** Queries that anybody with the public key may send, each as costly as its sender can make it within the limits. */
export function hostileQueries(count: number): SearchParams[] {
  const word = (at: number) => product(demoSeed, at * 13).titles.fr.split(' ')[at % 3] ?? 'a'
  const words = (many: number, from: number) => Array.from({ length: many }, (_, at) => word(from + at)).join(' ')
  const list = (many: number, of: (at: number) => string) => Array.from({ length: many }, (_, at) => of(at))
  const kinds: ((at: number) => SearchParams)[] = [
    (at) => ({ query: words(32, at).slice(0, 512) }),
    (at) => ({ query: 'abcdefghijklmnopqrstuvwxyz'[at % 26]!, facets: '*', hitsPerPage: 1_000 }),
    (at) => ({ query: list(32, (n) => 'etaoinshr'[(at + n) % 9]!).join(' '), facets: '*' }),
    (at) => ({ query: words(2, at), optionalFilters: list(1_000, (n) => `brandName:x${n + at}<score=${n + 1}>`) }),
    (at) => ({ query: '', optionalFilters: list(1_000, (n) => `categoryIds:${(at + n) % 400}<score=${n + 1}>`), sumOrFiltersScores: true }),
    (at) => ({ query: '', optionalFilters: list(1_000, (n) => `price_b2c>${at + n}`) }),
    (at) => ({ query: '', filters: list(300, (n) => `price_b2c:${n + at} TO ${n + at + 0.5}`).join(' OR ') }),
    (at) => ({ query: '', filters: list(300, (n) => `NOT brandName:x${n + at}`).join(' AND ') }),
    (at) => ({ query: words(1, at).slice(0, 4), facets: '*', maxValuesPerFacet: 1_000, distinct: true, facetingAfterDistinct: true }),
    (at) => ({ query: '', facets: '*', distinct: 100, hitsPerPage: 1_000, page: at % 18 }),
    (at) => ({ query: words(6, at).replace(/[aeiou]/g, 'x'), removeWordsIfNoResults: 'exceptHead' }),
    (at) => ({
      query: list(30, (n) => `${word(at + n).slice(0, 5)}q`)
        .join(' ')
        .slice(0, 512),
      removeWordsIfNoResults: 'allOptional',
    }),
    (at) => ({ query: 'a'.repeat(255 + (at % 250)) }),
    (at) => ({ query: list(120, (n) => String((at + n) % 10)).join(' ') }),
    (at) => ({ query: '', page: 19 + (at % 2), hitsPerPage: 1_000, attributesToHighlight: ['*'] }),
    (at) => ({ query: words(2, at), attributesToHighlight: ['*'], hitsPerPage: 1_000, getRankingInfo: true }),
  ]
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]!(at))
}
