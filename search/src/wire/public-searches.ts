import { ResponseTooLargeError, SearchRequestError, type AnswerSummary, type IndexedQuery, type SearchEngine } from '../types.ts'
import type { Grant } from './keys.ts'

/** Of one request with a public key: hits over all its queries, and bytes of the response. */
export const publicLimits = { hits: 1000, bytes: 1_000_000 } as const
/** The brackets around the results of a batch. */
const enclosingBytes = 20
const defaultHitsPerPage = 20

/** Runs one search of a request. */
export type Step = <Value>(search: () => Promise<Value>) => Promise<Value>
/** Runs the searches of a request with a public key; rejects if too many requests wait. */
export type Schedule = <Value>(searches: (step: Step) => Promise<Value>) => Promise<Value>

export const atOnce: Schedule = (searches) => searches((search) => search())

/** A serialised result; those of facet values have no summary. */
export interface Written {
  json: Uint8Array
  summary: AnswerSummary | null
}

/** Whether anybody may have the key: whoever may browse reads every document anyway. */
export const isPublic = ({ rights }: Grant): boolean => !rights.includes('browse')

/**
 * The results of a request with a public key, one after the other, each a step of its own.
 * @throws SearchRequestError 400 if the request asks for too many hits, or its response would be too large
 */
export async function publicSearches(engine: SearchEngine, queries: readonly IndexedQuery[], schedule: Schedule): Promise<Written[]> {
  let hits = 0
  for (const query of queries) hits += await hitsOf(engine, query)
  if (hits > publicLimits.hits) throw new SearchRequestError(`hitsPerPage: at most ${publicLimits.hits} over all queries of a request`)
  return schedule(async (step) => {
    const results: Written[] = []
    let left = publicLimits.bytes - enclosingBytes
    for (const query of queries) {
      const result = await step(() => written(engine, query, left))
      left -= result.json.length + 1
      results.push(result)
    }
    return results
  })
}

/** The number of hits a query may return. */
async function hitsOf(engine: SearchEngine, { indexName, params, type }: IndexedQuery): Promise<number> {
  if (type === 'facet') return 0
  const { offset, length, hitsPerPage } = params
  return (offset === undefined ? undefined : length) ?? hitsPerPage ?? (await engine.settings(indexName)).hitsPerPage ?? defaultHitsPerPage
}

async function written(engine: SearchEngine, query: IndexedQuery, maxBytes: number): Promise<Written> {
  const result = query.type === 'facet' ? await facetValues(engine, query) : await search(engine, query, maxBytes)
  if (result.json.length > maxBytes) throw new ResponseTooLargeError()
  return result
}

async function search(engine: SearchEngine, { indexName, params }: IndexedQuery, maxBytes: number): Promise<Written> {
  if (engine.searchWritten) return engine.searchWritten(indexName, params, { maxBytes })
  const response = await engine.search(indexName, params)
  const { index, query, nbHits, page, queryID } = response
  const objectIDs = queryID === undefined ? [] : response.hits.map(({ objectID }) => objectID)
  return { json: Buffer.from(JSON.stringify(response)), summary: { index, query, nbHits, page, queryID, objectIDs } }
}

async function facetValues(engine: SearchEngine, { indexName, facet = '', facetQuery = '', params }: IndexedQuery): Promise<Written> {
  const started = performance.now()
  const facetHits = await engine.facetValues(indexName, facet, facetQuery, params)
  const processingTimeMS = Math.max(1, Math.round(performance.now() - started))
  return { json: Buffer.from(JSON.stringify({ facetHits, exhaustiveFacetsCount: true, processingTimeMS })), summary: null }
}
