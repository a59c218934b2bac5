import { markets, type Market } from '@purlin/contract/markets.ts'
import { fold } from '@purlin/search/analysis/fold.ts'
import type { SearchParams, SearchResponse } from '@purlin/search/types.ts'
import type { SiteScope } from '#platform'
import type { Reference } from '#catalogue'
import type { ListingRequest } from './listing-input.ts'
import { lexiconOf } from './query-lexicon.ts'
import { readParts, withoutParts, type QueryPart } from './query-parts.ts'
import { titleWords } from './title-words.ts'
import { resolveParts, type Evidence, type UnderstoodFilter } from './resolve-parts.ts'

export type UnderstoodKind = 'thing' | 'purpose' | UnderstoodFilter['kind']

/** A part of the query that was understood, as typed; what it means is null where the words say it. */
export interface Understood {
  kind: UnderstoodKind
  text: string
  name: string | null
  value: string | null
}

/** Hits from which the meaning of the words is taken. */
const evidenceHits = 24

/** The parts of a search that may mean more than their words. */
export function partsOf({ kind, query, literal }: ListingRequest, catalogue: Reference, market: Market): QueryPart[] {
  return kind === 'search' && query !== '' ? readParts(query, lexiconOf(catalogue, markets[market].language), literal) : []
}

/** Parameters of the query whose hits tell what the parts mean: it asks for the goods that the other words name. */
export function evidenceParams(query: string, parts: readonly QueryPart[]): SearchParams {
  if (parts.length === 0) return { query, hitsPerPage: 0 }
  return {
    // Goods may be said to be without something: their words are looked for.
    query: withoutParts(
      query,
      parts.filter((part) => isNoWord(part) && !(part.kind === 'without' && part.named)),
    ),
    hitsPerPage: evidenceHits,
    attributesToRetrieve: ['attr', 'brandName', 'categoryIds'],
    getRankingInfo: true,
    attributesToHighlight: [],
    removeWordsIfNoResults: 'exceptHead',
  }
}

/** Whether the words of a part are not words that goods have. */
function isNoWord(part: QueryPart): boolean {
  return isAlwaysFilter(part) || (part.kind === 'value' && part.isForeign)
}

const isAlwaysFilter = ({ kind }: QueryPart): boolean => kind === 'without' || kind === 'condition'

/** What the parts mean, by the hits for the words of the query. */
export async function filtersOf(
  parts: readonly QueryPart[],
  answer: SearchResponse,
  catalogue: Reference,
  { db, market }: Pick<SiteScope, 'db' | 'market'>,
): Promise<UnderstoodFilter[]> {
  if (parts.length === 0) return []
  const titles = parts.some(({ kind }) => kind === 'without') ? await titleWords({ db }, catalogue) : null
  const found = answer.hits as readonly Evidence[]
  // What has the noun of the query tells more than what merely mentions its words.
  const named = found.filter(({ _rankingInfo }) => (_rankingInfo?.filters ?? 0) > 0)
  const hits = named.length > 0 ? named : found
  // A noun of several words is one thing, as "gloss paint" is enamel: none of its words is a value besides.
  const thing = fold(answer.grammar?.thing ?? '')
  const apart = parts.filter(({ kind, text }) => kind !== 'value' || !thing.includes(fold(text)))
  return resolveParts(apart, { market, catalogue, lexicon: lexiconOf(catalogue, markets[market].language), hits, titles })
}

/** What a visitor has chosen weighs more than what was understood. */
export function withoutChosen(filters: readonly UnderstoodFilter[], { filters: chosen, ranges }: ListingRequest): UnderstoodFilter[] {
  const keys = new Set([...chosen, ...ranges].map(({ key }) => key))
  return filters.filter(({ clauses }) => clauses.every(({ key }) => !keys.has(key)))
}

/** Without the filter that is given up first, when nothing fits all of them. */
export function withoutWeakest(filters: readonly UnderstoodFilter[]): UnderstoodFilter[] {
  const least = Math.min(...filters.map(({ strength }) => strength))
  const weakest = filters.findLast(({ strength }) => strength === least)
  return filters.filter((filter) => filter !== weakest)
}

/** The words to search for beside the filters: a value may be part of a name, a measure says no more than its filter. */
export function wordsBeside(query: string, parts: readonly QueryPart[], filters: readonly UnderstoodFilter[]): string {
  return withoutParts(query, asFiltersAlone(parts, filters))
}

function asFiltersAlone(parts: readonly QueryPart[], filters: readonly UnderstoodFilter[]): QueryPart[] {
  const applied = new Set(filters.map(({ part }) => part))
  return parts.filter((part) => isAlwaysFilter(part) || (applied.has(part) && (isNoWord(part) || part.kind === 'measure')))
}

/** The query with its misspelled words corrected, whole again. */
export function correctionOf(
  parts: readonly QueryPart[],
  filters: readonly UnderstoodFilter[],
  { didYouMean }: SearchResponse,
): string | null {
  return didYouMean === undefined ? null : [didYouMean, ...asFiltersAlone(parts, filters).map(({ text }) => text)].join(' ')
}

/** What was understood and took effect: filters first, then the noun and the purpose that the engine read. */
export function understoodOf(filters: readonly UnderstoodFilter[], { grammar }: SearchResponse): Understood[] {
  return [
    ...(grammar?.thing === undefined ? [] : [{ kind: 'thing' as const, text: grammar.thing, name: null, value: null }]),
    ...filters.map(({ kind, part, name, value }) => ({ kind, text: part.text, name, value })),
    ...(grammar?.purpose === undefined ? [] : [{ kind: 'purpose' as const, text: grammar.purpose, name: null, value: null }]),
  ]
}

/** Words without a match, except those whose meaning is a filter; and conditions and exclusions that say nothing of what is sold. */
export function droppedOf(
  parts: readonly QueryPart[],
  filters: readonly UnderstoodFilter[],
  { droppedWords = [] }: SearchResponse,
): string[] {
  const applied = new Set(filters.map(({ part }) => part))
  const meant = fold(filters.map(({ part }) => part.text).join(' '))
  const lost = parts.filter((part) => isAlwaysFilter(part) && !applied.has(part)).map(({ text }) => text)
  return [...droppedWords.filter((word) => !meant.includes(fold(word))), ...lost]
}

/** Whether nothing has the words as they are: a moment to look for them in the other languages. */
export function isPoor({ nbHits, didYouMean, droppedWords = [] }: SearchResponse): boolean {
  return nbHits === 0 || didYouMean !== undefined || droppedWords.length > 0
}
