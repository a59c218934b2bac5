import { randomUUID } from 'node:crypto'
import {
  SearchRequestError,
  type IndexSettings,
  type Rule,
  type SearchDocument,
  type SearchEngine,
  type SearchEvent,
  type Synonym,
} from '../types.ts'
import { filterOf } from '../query/filter-parser.ts'
import { demand, type Grant } from './keys.ts'
import { readParams } from './params.ts'

/** Writes are durable and visible when the engine's promise resolves, so every task is published at once. */
let lastTask = 0
export function taskAnswer(extra: Record<string, unknown> = {}): Record<string, unknown> {
  lastTask += 1
  return { taskID: lastTask, updatedAt: new Date().toISOString(), ...extra }
}

const maxActions = 10_000
const actions = [
  'addObject',
  'updateObject',
  'partialUpdateObject',
  'partialUpdateObjectNoCreate',
  'deleteObject',
  'clear',
  'delete',
] as const
type Action = (typeof actions)[number]

/** `POST /1/indexes/{index}/batch`: actions in order; consecutive ones of a kind go to the engine together. */
export async function applyBatch(engine: SearchEngine, grant: Grant, indexName: string | null, body: Record<string, unknown>) {
  const { requests } = body
  if (!Array.isArray(requests)) throw new SearchRequestError('requests must be a list')
  if (requests.length > maxActions) throw new SearchRequestError(`Too many actions at once: at most ${maxActions}`)
  const steps = requests.map((request: unknown) => readStep(request, indexName))
  for (const step of steps) demand(grant, 'write', step.indexName)
  const objectIDs: string[] = []
  let pending: { indexName: string; documents: SearchDocument[] } | null = null
  const flush = async (): Promise<void> => {
    if (pending) await engine.upsert(pending.indexName, pending.documents)
    pending = null
  }
  for (const step of steps) {
    const whole = step.action === 'addObject' || step.action === 'updateObject'
    if (!whole || (pending && pending.indexName !== step.indexName)) await flush()
    if (whole) {
      pending ??= { indexName: step.indexName, documents: [] }
      pending.documents.push(withId(step.body, step.action === 'addObject'))
      objectIDs.push(pending.documents.at(-1)!.objectID)
      continue
    }
    objectIDs.push(await applyStep(engine, step))
  }
  await flush()
  return taskAnswer({ objectIDs })
}

interface Step {
  action: Action
  indexName: string
  body: Record<string, unknown>
}

function readStep(request: unknown, indexName: string | null): Step {
  const { action, body = {}, indexName: own } = (request ?? {}) as Record<string, unknown>
  if (!actions.includes(action as Action)) throw new SearchRequestError(`Unknown action; known are ${actions.join(', ')}`)
  const target = indexName ?? own
  if (typeof target !== 'string' || target === '') throw new SearchRequestError('indexName is missing')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new SearchRequestError('body must be an object')
  return { action: action as Action, indexName: target, body: body as Record<string, unknown> }
}

async function applyStep(engine: SearchEngine, step: Step): Promise<string> {
  const { indexName, body } = step
  if (step.action === 'clear') {
    await engine.replaceAll(indexName, [], await engine.settings(indexName))
    return ''
  }
  if (step.action === 'delete') {
    await engine.deleteIndex(indexName)
    return ''
  }
  const id = idOf(body)
  if (step.action === 'deleteObject') await engine.remove(indexName, [id])
  else await updatePart(engine, indexName, id, body, step.action === 'partialUpdateObject')
  return id
}

/** Given attributes replace stored ones; operations such as `{ _operation: 'Increment', value: 1 }` are computed. */
export async function updatePart(
  engine: SearchEngine,
  indexName: string,
  id: string,
  changes: Record<string, unknown>,
  create: boolean,
): Promise<void> {
  const [stored] = await engine.getObjects(indexName, [id])
  if (!stored && !create) return
  const next: SearchDocument = { ...stored, objectID: id }
  for (const [name, value] of Object.entries(changes)) {
    if (name !== 'objectID' && name !== '__proto__') next[name] = computed(next[name], value)
  }
  await engine.upsert(indexName, [next])
}

function computed(before: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('_operation' in value)) return value
  const { _operation: operation, value: by } = value as { _operation: unknown; value?: unknown }
  const list = Array.isArray(before) ? (before as unknown[]) : []
  switch (operation) {
    case 'Increment':
      return (typeof before === 'number' ? before : 0) + Number(by)
    case 'Decrement':
      return (typeof before === 'number' ? before : 0) - Number(by)
    case 'Add':
      return [...list, by]
    case 'AddUnique':
      return list.includes(by) ? list : [...list, by]
    case 'Remove':
      return list.filter((item) => item !== by)
    default:
      throw new SearchRequestError('Unknown _operation; known are Increment, Decrement, Add, AddUnique, Remove')
  }
}

export function withId(body: Record<string, unknown>, mayMake: boolean): SearchDocument {
  if (mayMake && body.objectID === undefined) return { ...body, objectID: randomUUID() }
  return { ...body, objectID: idOf(body) }
}

function idOf(body: Record<string, unknown>): string {
  const { objectID } = body
  if (typeof objectID === 'number') return String(objectID)
  if (typeof objectID !== 'string' || objectID === '') throw new SearchRequestError('objectID is missing')
  return objectID
}

/** Index settings supported by the engine; unknown names are refused, Algolia's others are dropped. */
export function readSettings(body: Record<string, unknown>): IndexSettings {
  const { queryLanguages, indexLanguages, ...rest } = body
  const known = [
    'language',
    'searchableAttributes',
    'attributeWeights',
    'attributesForFaceting',
    'exactAttributes',
    'customRanking',
    'sorts',
    'attributeForDistinct',
    'headAttribute',
    'unretrievableAttributes',
    'attributesToRetrieve',
    'stopWords',
    'hitsPerPage',
    'maxValuesPerFacet',
    'paginationLimitedTo',
  ]
  const language =
    rest.language ??
    (Array.isArray(indexLanguages)
      ? (indexLanguages as unknown[])[0]
      : Array.isArray(queryLanguages)
        ? (queryLanguages as unknown[])[0]
        : undefined)
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(rest)) {
    if (!known.includes(name)) throw new SearchRequestError(`Unknown setting: ${name.slice(0, 60)}`)
    out[name] = rest[name]
  }
  return language === undefined ? out : ({ ...out, language } as IndexSettings)
}

export function readSynonym(value: unknown): Synonym {
  const { objectID, type, input, synonyms } = (value ?? {}) as Record<string, unknown>
  const kind = type === 'onewaysynonym' ? 'oneWaySynonym' : type
  if (typeof objectID !== 'string' || objectID === '') throw new SearchRequestError('objectID is missing')
  if (kind !== 'synonym' && kind !== 'oneWaySynonym') throw new SearchRequestError('type must be synonym or oneWaySynonym')
  if (!Array.isArray(synonyms) || synonyms.some((word) => typeof word !== 'string'))
    throw new SearchRequestError('synonyms must be a list of strings')
  if (kind === 'synonym') return { objectID, type: kind, synonyms: synonyms as string[] }
  if (typeof input !== 'string') throw new SearchRequestError('input is missing')
  return { objectID, type: kind, input, synonyms: synonyms as string[] }
}

export function readRule(value: unknown): Rule {
  const rule = value as Partial<Rule> | null
  if (typeof rule?.objectID !== 'string' || rule.objectID === '') throw new SearchRequestError('objectID is missing')
  if (typeof rule.consequence !== 'object' || rule.consequence === null) throw new SearchRequestError('consequence is missing')
  if (rule.conditions !== undefined && !Array.isArray(rule.conditions)) throw new SearchRequestError('conditions must be a list')
  const { automaticFacetFilters: _, ...params } = rule.consequence.params ?? {}
  // An invalid filter would refuse every query the rule applies to.
  filterOf(readParams(params))
  return rule as Rule
}

/** Insights events of the official clients. @throws SearchRequestError 400 naming the error */
export function readEvents(body: Record<string, unknown>): SearchEvent[] {
  const { events } = body
  if (!Array.isArray(events) || events.length > 1_000) throw new SearchRequestError('events must be a list of at most 1000')
  return events.map((value: unknown) => {
    const event = (value ?? {}) as Record<string, unknown>
    const { eventType, eventName, index, userToken } = event
    if (eventType !== 'click' && eventType !== 'conversion' && eventType !== 'view')
      throw new SearchRequestError('eventType must be click, conversion or view')
    if (typeof eventName !== 'string' || typeof index !== 'string') throw new SearchRequestError('eventName and index are needed')
    if (typeof userToken !== 'string' || !/^[\w=/+-]{1,129}$/.test(userToken))
      throw new SearchRequestError('userToken must be 1 to 129 letters, digits or -_=/+')
    return event as unknown as SearchEvent
  })
}
