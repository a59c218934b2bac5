import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  SearchRequestError,
  type AnswerSummary,
  type Rule,
  type SearchEngine,
  type SearchEvent,
  type SearchResponse,
  type Synonym,
} from '../types.ts'
import { readList, readObject, sendJson, sendPreflight, WrittenBody } from './http.ts'
import { checkKeys, demand, grantFor, mayUse, type ApiKey, type Grant } from './keys.ts'
import { atOnce, type Schedule } from './public-searches.ts'
import { answerBrowse, answerFacet, answerObjects, answerQueries, answerQuery } from './reads.ts'
import { applyBatch, readEvents, readRule, readSettings, readSynonym, taskAnswer, updatePart, withId } from './writes.ts'

export { securedKey, type ApiKey, type Right } from './keys.ts'
export type { Schedule, Step } from './public-searches.ts'

export interface WireOptions {
  engine: SearchEngine
  keys: readonly ApiKey[]
  /** Prefix removed from every path: "/search-engine". */
  basePath?: string
  /** Called before events are accepted (consent); refused events get the same response as accepted ones. */
  mayTakeEvents?: (request: IncomingMessage) => boolean
  /** Called before each part of a request with several queries or documents is served; throws when they are too many. */
  mayTake?: (parts: number) => Promise<void>
  /** Runs the searches of a request with a public key (one that may not browse) once its body has been read; at once by default. */
  schedule?: Schedule
  /** Called with every query: for analytics. */
  onAnswers?: (answers: AnswerSummary[], request: IncomingMessage) => void
  /** Called with failures that are not the caller's; may return what to tell the caller. */
  onError?: (error: unknown) => { status: number; message: string; retryAfter?: number | undefined } | void
  now?: () => number
}

interface Call {
  method: string
  /** Path after `/1/`, decoded. */
  parts: string[]
  url: URL
  /** The body as an object. */
  body: (limit?: number) => Promise<Record<string, unknown>>
  /** The body as a list. */
  list: (limit: number) => Promise<unknown[]>
  userToken: string | undefined
  request: IncomingMessage
}

const searchBody = 1_000_000
const writeBody = 10_000_000

/**
 * Algolia's REST API on top of an engine: a listener for `node:http`. Handles every request; the
 * caller's errors are reported in Algolia's error shape, `{ message, status }`.
 */
export function createWire(options: WireOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  checkKeys(options.keys)
  const now = options.now ?? Date.now
  return async (request, response) => {
    try {
      if (request.method === 'OPTIONS') return sendPreflight(response)
      const call = readCall(request, options.basePath ?? '')
      if (call.parts[0] === 'isalive') return sendJson(response, 200, { message: 'server is alive' })
      const presented = header(request, 'x-algolia-api-key') ?? call.url.searchParams.get('x-algolia-api-key') ?? ''
      const grant = grantFor(presented, options.keys, now())
      const answer = await route(options, call, grant)
      report(options, answer, request)
      sendJson(response, 200, answer)
    } catch (error) {
      fail(options, response, error)
    }
  }
}

function fail(options: WireOptions, response: ServerResponse, error: unknown): void {
  if (error instanceof SearchRequestError) return sendJson(response, error.status, { message: error.message, status: error.status })
  const { status, message, retryAfter } = options.onError?.(error) ?? { status: 500, message: 'Internal error' }
  if (retryAfter !== undefined && !response.headersSent) response.setHeader('retry-after', retryAfter)
  sendJson(response, status, { message, status })
}

function report(options: WireOptions, answer: unknown, request: IncomingMessage): void {
  if (!options.onAnswers || typeof answer !== 'object' || answer === null) return
  if (answer instanceof WrittenBody) return options.onAnswers(answer.summaries, request)
  const answers = 'results' in answer ? (answer.results as unknown[]) : [answer]
  const searches = answers
    .filter((one): one is SearchResponse => typeof one === 'object' && one !== null && 'nbHits' in one)
    .map(({ hits, ...rest }): AnswerSummary => ({
      ...rest,
      objectIDs: rest.queryID === undefined ? [] : hits.map(({ objectID }) => objectID),
    }))
  if (searches.length > 0) options.onAnswers(searches, request)
}

function readCall(request: IncomingMessage, basePath: string): Call {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const path = url.pathname.startsWith(basePath) ? url.pathname.slice(basePath.length) : url.pathname
  const [, version, ...rest] = path.split('/')
  if (version !== '1') throw new SearchRequestError('Unknown path', 404)
  return {
    method: request.method ?? 'GET',
    parts: rest.map(decode),
    url,
    body: (limit = searchBody) => readObject(request, limit),
    list: (limit) => readList(request, limit),
    userToken: header(request, 'x-algolia-usertoken') ?? url.searchParams.get('x-algolia-usertoken') ?? undefined,
    request,
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new SearchRequestError('Malformed path')
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

async function route(options: WireOptions, call: Call, grant: Grant): Promise<unknown> {
  const { engine, schedule = atOnce } = options
  const reader = { engine, schedule }
  const [first, indexName, third, fourth, fifth] = call.parts
  const is = (method: string, length: number): boolean => call.method === method && call.parts.length === length
  if (first === 'events' && is('POST', 1)) {
    demand(grant, 'events')
    const events = readEvents(await call.body())
    for (const { index, userToken } of events) {
      demand(grant, 'events', index)
      if (grant.userToken !== undefined && grant.userToken !== userToken)
        throw new SearchRequestError('userToken not allowed with this API key', 403)
    }
    if (options.mayTakeEvents?.(call.request) ?? true) await engine.events(await visibleOnly(engine, grant, events))
    return { status: 200, message: 'OK' }
  }
  if (first !== 'indexes') throw new SearchRequestError('Unknown path', 404)
  if (is('GET', 1)) {
    demand(grant, 'list')
    // A restricted key must not learn how many documents an index has.
    if (grant.restrictions.length > 0) throw new SearchRequestError('Method not allowed with this API key', 403)
    const items = (await engine.listIndexes()).filter(({ name }) => mayUse(name, grant.indexes))
    return { items: items.map((item) => ({ ...item, lastBuildTimeS: 0, pendingTask: false })), nbPages: 1 }
  }
  if (indexName === undefined || indexName === '') throw new SearchRequestError('Unknown path', 404)
  if (indexName === '*') {
    if (third === 'queries' && is('POST', 3)) return answerQueries(reader, grant, await counted(options, call), call.userToken)
    if (third === 'objects' && is('POST', 3)) return answerObjects(engine, grant, await counted(options, call))
    if (third === 'batch' && is('POST', 3)) return applyBatch(engine, grant, null, await call.body(writeBody))
    throw new SearchRequestError('Unknown path', 404)
  }
  if (third === 'query' && is('POST', 3)) return answerQuery(reader, grant, indexName, await call.body(), call.userToken)
  if (is('GET', 2)) return answerQuery(reader, grant, indexName, fromAddress(call), call.userToken)
  if (third === 'facets' && fourth && fifth === 'query' && is('POST', 5))
    return answerFacet(reader, grant, indexName, fourth, await call.body())
  if (third === 'browse' && is('POST', 3)) return answerBrowse(engine, grant, indexName, await call.body())
  if (third === 'browse' && is('GET', 3)) return answerBrowse(engine, grant, indexName, fromAddress(call))
  if (third === 'task' && is('GET', 4)) return { status: 'published', pendingTask: false }
  if (third === 'settings' || third === 'synonyms' || third === 'rules') return configure(engine, grant, call, indexName, third)
  return writeObjects(engine, grant, call, indexName)
}

/** The body of a request whose every part counts. */
async function counted({ mayTake }: WireOptions, call: Call): Promise<Record<string, unknown>> {
  const body = await call.body()
  if (Array.isArray(body['requests'])) await mayTake?.(body['requests'].length)
  return body
}

/** Maximum number of documents per event that are looked up for a restricted key. */
const maxEventDocuments = 20

/** The events of a restricted key about documents it can see; the response does not reveal which were dropped. */
async function visibleOnly(engine: SearchEngine, grant: Grant, events: SearchEvent[]): Promise<SearchEvent[]> {
  if (grant.restrictions.length === 0) return events
  const kept = events.map(async (event) => {
    const ids = (Array.isArray(event.objectIDs) ? event.objectIDs : []).slice(0, maxEventDocuments).map(String)
    const found = await engine.getObjects(event.index, ids, grant.restrictions)
    return { ...event, objectIDs: ids.filter((_, at) => found[at]) }
  })
  return (await Promise.all(kept)).filter(({ objectIDs }) => objectIDs.length > 0)
}

function fromAddress(call: Call): Record<string, unknown> {
  const kept = [...call.url.searchParams].filter(([name]) => !name.toLowerCase().startsWith('x-algolia-'))
  return { params: new URLSearchParams(kept).toString() }
}

async function writeObjects(engine: SearchEngine, grant: Grant, call: Call, indexName: string): Promise<unknown> {
  const [, , id, partial] = call.parts
  const { method } = call
  const length = call.parts.length
  if (id === 'batch' && method === 'POST' && length === 3) return applyBatch(engine, grant, indexName, await call.body(writeBody))
  if (method === 'GET' && length === 3 && id) {
    demand(grant, 'browse', indexName)
    const [found] = await engine.getObjects(indexName, [id], grant.restrictions)
    if (!found) throw new SearchRequestError('ObjectID does not exist', 404)
    return found
  }
  demand(grant, 'write', indexName)
  if (method === 'POST' && length === 2) {
    const document = withId(await call.body(writeBody), true)
    await engine.upsert(indexName, [document])
    return taskAnswer({ objectID: document.objectID, createdAt: new Date().toISOString() })
  }
  if (method === 'PUT' && length === 3 && id) {
    await engine.upsert(indexName, [{ ...(await call.body(writeBody)), objectID: id }])
    return taskAnswer({ objectID: id })
  }
  if (method === 'POST' && length === 4 && id && partial === 'partial') {
    await updatePart(engine, indexName, id, await call.body(writeBody), call.url.searchParams.get('createIfNotExists') !== 'false')
    return taskAnswer({ objectID: id })
  }
  if (method === 'DELETE' && length === 3 && id) {
    await engine.remove(indexName, [id])
    return taskAnswer({ deletedAt: new Date().toISOString() })
  }
  if (method === 'DELETE' && length === 2) {
    await engine.deleteIndex(indexName)
    return taskAnswer({ deletedAt: new Date().toISOString() })
  }
  if (method === 'POST' && length === 3 && id === 'clear') {
    await engine.replaceAll(indexName, [], await engine.settings(indexName))
    return taskAnswer()
  }
  throw new SearchRequestError('Unknown path', 404)
}

async function configure(
  engine: SearchEngine,
  grant: Grant,
  call: Call,
  indexName: string,
  what: 'settings' | 'synonyms' | 'rules',
): Promise<unknown> {
  demand(grant, 'settings', indexName)
  const [, , , action] = call.parts
  const { method } = call
  const length = call.parts.length
  if (what === 'settings' && length === 3) {
    if (method === 'GET') return engine.settings(indexName)
    if (method === 'PUT') {
      await engine.setSettings(indexName, { ...(await engine.settings(indexName)), ...readSettings(await call.body()) })
      return taskAnswer()
    }
  }
  if (what === 'synonyms' && length === 4 && action) {
    const store = {
      read: () => engine.synonyms(indexName),
      write: (all: Synonym[]) => engine.setSynonyms(indexName, all, { replaceExisting: true }),
    }
    const replace = call.url.searchParams.get('replaceExistingSynonyms') === 'true'
    return configureList(call, action, 'Synonym set', store, readSynonym, replace)
  }
  if (what === 'rules' && length === 4 && action) {
    const store = { read: () => engine.rules(indexName), write: (all: Rule[]) => engine.setRules(indexName, all, { clearExisting: true }) }
    return configureList(call, action, 'Rule', store, readRule, call.url.searchParams.get('clearExistingRules') === 'true')
  }
  throw new SearchRequestError('Unknown path', 404)
}

/** Synonyms and rules share their endpoints: batch, clear, search, and one by its id. */
async function configureList<Item extends { objectID: string }>(
  call: Call,
  action: string,
  noun: string,
  store: { read: () => Promise<Item[]>; write: (all: Item[]) => Promise<void> },
  readItem: (value: unknown) => Item,
  replace: boolean,
): Promise<unknown> {
  const { method } = call
  if (method === 'POST' && action === 'batch') {
    const items = (await call.list(writeBody)).map(readItem)
    await store.write(replace ? items : merged(await store.read(), items))
    return taskAnswer()
  }
  if (method === 'POST' && action === 'clear') {
    await store.write([])
    return taskAnswer()
  }
  if (method === 'POST' && action === 'search') {
    const { query = '' } = await call.body()
    const wanted = String(query).toLowerCase()
    const hits = (await store.read()).filter((item) => JSON.stringify(item).toLowerCase().includes(wanted))
    return { hits, nbHits: hits.length, page: 0, nbPages: 1 }
  }
  if (method === 'GET') {
    const found = (await store.read()).find((item) => item.objectID === action)
    if (!found) throw new SearchRequestError(`${noun} does not exist`, 404)
    return found
  }
  if (method === 'PUT') {
    const item = readItem({ ...(await call.body(writeBody)), objectID: action })
    await store.write(merged(await store.read(), [item]))
    return taskAnswer({ id: action })
  }
  if (method === 'DELETE') {
    await store.write((await store.read()).filter((item) => item.objectID !== action))
    return taskAnswer({ deletedAt: new Date().toISOString() })
  }
  throw new SearchRequestError('Unknown path', 404)
}

function merged<Item extends { objectID: string }>(before: Item[], items: Item[]): Item[] {
  const replaced = new Set(items.map((item) => item.objectID))
  return [...before.filter((item) => !replaced.has(item.objectID)), ...items]
}
