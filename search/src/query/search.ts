import { randomBytes } from 'node:crypto'
import {
  ResponseTooLargeError,
  SearchRequestError,
  type FacetHit,
  type SearchParams,
  type SearchResponse,
  type WrittenAnswer,
} from '../types.ts'
import { startSearch } from './arena.ts'
import { correctedQuery } from './did-you-mean.ts'
import { countFacets, searchFacet, statsOf, topValues, writeFacets, type ValueCount } from './facet-counts.ts'
import type { Filter } from './filter-parser.ts'
import { findWithFallbacks } from './fallbacks.ts'
import { grammarOf } from './head-noun.ts'
import { countGroups } from './group-facets.ts'
import { hitsOf, type HitsOfPage } from './hits.ts'
import { pageOf } from './page.ts'
import { names, readRequest } from './search-request.ts'
import { applyRules } from './rules.ts'
import type { Snapshot } from './snapshot.ts'

/** A response whose hits and facets are not serialized yet. */
interface Answered {
  hits: HitsOfPage
  facets: [name: string, values: ValueCount[]][] | null
  rest: Omit<SearchResponse, 'hits' | 'facets'>
  started: number
}

/** Runs one query on a snapshot. `sort` names one of the sort orders. */
export function searchSnapshot(snapshot: Snapshot, params: SearchParams, sort: string | null, indexName: string): SearchResponse {
  const { hits, facets, rest, started } = answer(snapshot, params, sort, indexName)
  const response: SearchResponse = { hits: hits.objects(), ...rest }
  if (facets) response.facets = Object.fromEntries(facets.map(([name, values]) => [name, Object.fromEntries(values)]))
  response.processingTimeMS = since(started)
  return picked(response, wantedFields(params))
}

/** The fields that the caller wants of a response; null for all of them. */
function wantedFields({ responseFields }: SearchParams): readonly string[] | null {
  const fields = responseFields === undefined || responseFields === null ? ['*'] : names(responseFields, 'responseFields')
  return fields.includes('*') ? null : fields
}

function picked<Value extends object>(of: Value, wanted: readonly string[] | null): Value {
  return wanted ? (Object.fromEntries(Object.entries(of).filter(([name]) => wanted.includes(name))) as Value) : of
}

/**
 * The same response serialized to JSON, without building objects for it.
 * @throws ResponseTooLargeError if it has more than `maxBytes`
 */
export function writeAnswer(
  snapshot: Snapshot,
  params: SearchParams,
  sort: string | null,
  indexName: string,
  maxBytes = Infinity,
): WrittenAnswer {
  const { hits, facets, rest, started } = answer(snapshot, params, sort, indexName)
  const wanted = wantedFields(params)
  const isWanted = (name: string) => wanted?.includes(name) ?? true
  const written: string[] = []
  if (isWanted('hits')) written.push(`"hits":${hits.written(maxBytes)}`)
  if (facets && isWanted('facets')) written.push(`"facets":${writeFacets(facets)}`)
  rest.processingTimeMS = since(started)
  const { index, query, nbHits, page, queryID } = rest
  const others = JSON.stringify(picked(rest, wanted)).slice(1, -1)
  if (others !== '') written.push(others)
  const json = encoder.encode(`{${written.join(',')}}`)
  if (json.length > maxBytes) throw new ResponseTooLargeError()
  return {
    json,
    // Only an impression that events may refer to is worth listing.
    summary: { index, query, nbHits, page, queryID, objectIDs: queryID === undefined ? [] : hits.ids() },
  }
}

const encoder = new TextEncoder()
const since = (started: number): number => Math.max(1, Math.round(performance.now() - started))

function answer(snapshot: Snapshot, params: SearchParams, sort: string | null, indexName: string): Answered {
  const started = performance.now()
  startSearch()
  const { config, parts } = snapshot
  const ruled = applyRules(config.rules, params)
  const request = readRequest(ruled.params, config.settings, config.schema, ruled.more)
  const filter = without(request.filter, ruled.hide)
  const { found, dropped } = findWithFallbacks(snapshot, request, filter)
  const page = pageOf(snapshot, request, ruled, filter, found, sort)
  const documents = found.matched.map((one) => one.documents)
  const hits = hitsOf(snapshot, request, found, page.candidates)
  const rest: Answered['rest'] = {
    nbHits: page.total,
    page: request.page,
    nbPages:
      request.hitsPerPage === 0 ? 0 : Math.ceil(Math.min(page.total, config.settings.paginationLimitedTo ?? 1000) / request.hitsPerPage),
    hitsPerPage: request.hitsPerPage,
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    processingTimeMS: 0,
    query: request.query,
    params: paramsText(params),
    index: indexName,
  }
  let facets: Answered['facets'] = null
  if (request.facets.length > 0) {
    facets = []
    const by = request.params.sortFacetValuesBy === 'alpha' ? 'alpha' : 'count'
    const groups = request.distinct > 0 && params.facetingAfterDistinct === true ? config.schema.distinct : null
    const counted = groups === null ? countFacets(request.facets, parts, documents) : countGroups(request.facets, parts, documents, groups)
    for (const [at, facet] of request.facets.entries()) {
      const counts = counted[at]!
      if (counts.length > 0) facets.push([facet, topValues(counts, request.maxValuesPerFacet, by)])
      const stats = statsOf(facet, parts, documents, counts)
      if (stats) (rest.facets_stats ??= {})[facet] = stats
    }
  }
  if (ruled.userData.length > 0) rest.userData = ruled.userData
  if (ruled.applied.length > 0) rest.appliedRules = ruled.applied.map((objectID) => ({ objectID }))
  if (dropped.length > 0) rest.droppedWords = dropped
  if (params.getRankingInfo && config.settings.headAttribute !== undefined) {
    // Points of optional filters count double, a head noun once.
    const isNamed = (page.candidates[0]?.boost ?? 0) % 2 === 1
    const grammar = grammarOf(snapshot, request, found.groups, isNamed)
    if (grammar.thing !== undefined || grammar.purpose !== undefined) rest.grammar = grammar
  }
  const meant = correctedQuery(snapshot, request, found.groups, hits)
  if (meant) rest.didYouMean = meant
  if (params.clickAnalytics) rest.queryID = randomBytes(16).toString('hex')
  return { hits, facets, rest, started }
}

/** Values of one facet among the matches of the query. */
export function facetValuesOf(snapshot: Snapshot, facet: string, facetQuery: string, params: SearchParams): FacetHit[] {
  const { config, parts } = snapshot
  const column = config.schema.columns.find((one) => one.name === facet)
  if (!column?.countable || !column.searchable)
    throw new SearchRequestError(
      `Cannot search in \`${facet}\` attribute, you need to add \`searchable(${facet})\` to attributesForFaceting.`,
    )
  startSearch()
  const ruled = applyRules(config.rules, params)
  const request = readRequest(ruled.params, config.settings, config.schema, ruled.more)
  const { found } = findWithFallbacks(snapshot, request, without(request.filter, ruled.hide))
  const [counts] = countFacets(
    [facet],
    parts,
    found.matched.map((one) => one.documents),
  )
  const limit = typeof params.maxFacetHits === 'number' ? Math.min(100, Math.max(1, params.maxFacetHits)) : 10
  return searchFacet(counts!, facetQuery, limit, params.highlightPreTag ?? '<em>', params.highlightPostTag ?? '</em>')
}

function without(filter: Filter | null, hidden: readonly string[]): Filter | null {
  if (hidden.length === 0) return filter
  const not: Filter = {
    kind: 'not',
    of: { kind: 'or', of: hidden.map((value) => ({ kind: 'value', attribute: 'objectID', value, score: 1 })) },
  }
  return filter ? { kind: 'and', of: [filter, not] } : not
}

function paramsText(params: SearchParams): string {
  return Object.entries(params)
    .filter(([name, value]) => value !== undefined && name !== 'restrictions')
    .map(([name, value]) => `${name}=${encoded(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')
}

const MOST_ENCODED = 1_000
const encodedValues = new Map<string, string>()

/** Requests repeat the same facets and attributes. */
function encoded(value: string): string {
  let text = encodedValues.get(value)
  if (text === undefined) {
    text = encodeURIComponent(value)
    if (value.length > MOST_ENCODED) return text
    if (encodedValues.size >= MOST_ENCODED) encodedValues.clear()
    encodedValues.set(value, text)
  }
  return text
}
