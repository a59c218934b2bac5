import { SearchRequestError, type IndexedQuery, type SearchEngine, type SearchParams } from '../types.ts'
import { WrittenBody } from './http.ts'
import { demand, restricted, type Grant } from './keys.ts'
import { readParams } from './params.ts'
import { isPublic, publicSearches, type Schedule, type Written } from './public-searches.ts'

/** The engine, and the way in which requests with public keys run. */
export interface Reader {
  engine: SearchEngine
  schedule: Schedule
}

const maxQueries = 50
const maxObjects = 1_000

/** `POST /1/indexes/{*}/queries`: several queries, with results in the same order. */
export async function answerQueries(
  { engine, schedule }: Reader,
  grant: Grant,
  body: Record<string, unknown>,
  userToken?: string,
): Promise<unknown> {
  const { requests, strategy } = body
  if (!Array.isArray(requests)) throw new SearchRequestError('requests must be a list')
  if (requests.length > maxQueries) throw new SearchRequestError(`Too many queries at once: at most ${maxQueries}`)
  if (strategy !== undefined && strategy !== 'none' && strategy !== 'stopIfEnoughMatches')
    throw new SearchRequestError('strategy must be none or stopIfEnoughMatches')
  const queries = requests.map((request: unknown) => readQuery(grant, request, userToken))
  if (isPublic(grant)) {
    const results = await publicSearches(engine, queries, schedule)
    return new WrittenBody(listOf(results), summariesOf(results))
  }
  if (!engine.searchWritten || queries.some((query) => query.type === 'facet')) return { results: await engine.multiSearch(queries) }
  const answers = await Promise.all(queries.map((query) => engine.searchWritten!(query.indexName, query.params)))
  return new WrittenBody(listOf(answers), summariesOf(answers))
}

const opening = Buffer.from('{"results":[')
const comma = Buffer.from(',')
const closing = Buffer.from(']}')

const summariesOf = (results: readonly Written[]) => results.flatMap(({ summary }) => summary ?? [])

function listOf(answers: readonly Written[]): Buffer {
  return Buffer.concat([opening, ...answers.flatMap(({ json }, at) => (at === 0 ? [json] : [comma, json])), closing])
}

function readQuery(grant: Grant, request: unknown, userToken?: string): IndexedQuery {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) throw new SearchRequestError('a request must be an object')
  const { indexName, type, facet, ...raw } = request as Record<string, unknown>
  if (typeof indexName !== 'string' || indexName === '') throw new SearchRequestError('indexName is missing')
  demand(grant, 'search', indexName)
  if (type !== undefined && type !== 'default' && type !== 'facet') throw new SearchRequestError('type must be default or facet')
  const params = effective(grant, raw, userToken)
  if (type !== 'facet') return { indexName, params }
  if (typeof facet !== 'string') throw new SearchRequestError('facet is missing')
  const { facetQuery, ...rest } = params
  return { indexName, params: rest, type, facet, facetQuery: typeof facetQuery === 'string' ? facetQuery : '' }
}

/** `POST /1/indexes/{index}/query`, or GET with the parameters in the query string. */
export async function answerQuery(
  { engine, schedule }: Reader,
  grant: Grant,
  indexName: string,
  raw: Record<string, unknown>,
  userToken?: string,
) {
  demand(grant, 'search', indexName)
  const params = effective(grant, raw, userToken)
  if (isPublic(grant)) return single(await publicSearches(engine, [{ indexName, params }], schedule))
  if (!engine.searchWritten) return engine.search(indexName, params)
  const answer = await engine.searchWritten(indexName, params)
  return single([answer])
}

const single = (results: readonly Written[]) => new WrittenBody(results[0]!.json, summariesOf(results))

/** `POST /1/indexes/{index}/facets/{facet}/query`. */
export async function answerFacet(
  { engine, schedule }: Reader,
  grant: Grant,
  indexName: string,
  facet: string,
  raw: Record<string, unknown>,
) {
  demand(grant, 'search', indexName)
  const { facetQuery: asked, ...params } = effective(grant, raw)
  const facetQuery = typeof asked === 'string' ? asked : ''
  if (isPublic(grant)) return single(await publicSearches(engine, [{ indexName, params, type: 'facet', facet, facetQuery }], schedule))
  const started = performance.now()
  const facetHits = await engine.facetValues(indexName, facet, facetQuery, params)
  return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: Math.round(performance.now() - started) }
}

/** `POST /1/indexes/{index}/browse`: every document, page by page, with a cursor. */
export async function answerBrowse(engine: SearchEngine, grant: Grant, indexName: string, raw: Record<string, unknown>) {
  demand(grant, 'browse', indexName)
  const { cursor, hitsPerPage, filters, facetFilters, numericFilters, restrictions } = effective(grant, raw)
  const page = await engine.browse(indexName, {
    ...(typeof cursor === 'string' ? { cursor } : {}),
    ...(hitsPerPage === undefined ? {} : { hitsPerPage }),
    filters,
    facetFilters,
    numericFilters,
    restrictions,
  })
  return { ...page, hitsPerPage: hitsPerPage ?? 1_000, processingTimeMS: 0, query: '', params: '' }
}

/** `POST /1/indexes/{*}/objects`: documents by id, null for a missing one. */
export async function answerObjects(engine: SearchEngine, grant: Grant, body: Record<string, unknown>) {
  const { requests } = body
  if (!Array.isArray(requests) || requests.length > maxObjects)
    throw new SearchRequestError(`requests must be a list of at most ${maxObjects}`)
  const results = await Promise.all(
    requests.map(async (request: unknown) => {
      const { indexName, objectID } = (request ?? {}) as Record<string, unknown>
      if (typeof indexName !== 'string' || typeof objectID !== 'string') throw new SearchRequestError('indexName and objectID are needed')
      demand(grant, 'browse', indexName)
      const [found] = await engine.getObjects(indexName, [objectID], grant.restrictions)
      return found ?? null
    }),
  )
  return { results }
}

function effective(grant: Grant, raw: Record<string, unknown>, userToken?: string): SearchParams {
  const params = readParams(raw)
  if (userToken !== undefined && params.userToken === undefined) params.userToken = userToken
  return restricted(params, grant)
}
