import type { IndexSettings, Language, SearchDocument } from '../types.ts'
import { SearchRequestError } from '../types.ts'

/** The storage side of the settings: which attributes are searchable text, columns and sort orders. */
export interface Schema {
  language: Language
  fields: { name: string; rank: number }[]
  exact: string[]
  columns: { name: string; countable: boolean; searchable: boolean }[]
  ranking: SortKey[]
  sorts: { name: string; keys: SortKey[] }[]
  distinct: string | null
}

export interface SortKey {
  attribute: string
  descending: boolean
}

export const MAX_FIELDS = 10
/** The field of an index without `searchableAttributes`: all texts of a document except its id. */
export const EVERYTHING = '*'
const FACET = /^(searchable|filterOnly|afterDistinct)\((.+)\)$/

/** Parses "desc(popularity)". @throws SearchRequestError for anything else */
export function parseSortKey(text: string): SortKey {
  const found = /^(asc|desc)\(([^()]+)\)$/.exec(text.trim())
  if (!found) throw new SearchRequestError(`"${text}" is not an order: write asc(attribute) or desc(attribute)`)
  return { attribute: found[2]!.trim(), descending: found[1] === 'desc' }
}

export function schemaOf(settings: IndexSettings): Schema {
  const fields = (settings.searchableAttributes ?? [EVERYTHING]).flatMap((group, rank) =>
    group.split(',').map((name) => ({ name: name.trim().replace(/^(un)?ordered\((.+)\)$/, '$2'), rank })),
  )
  if (fields.length > MAX_FIELDS) throw new SearchRequestError(`at most ${MAX_FIELDS} searchable attributes`)
  const columns = new Map<string, { name: string; countable: boolean; searchable: boolean }>()
  for (const entry of settings.attributesForFaceting ?? []) {
    const found = FACET.exec(entry.trim())
    const name = found ? found[2]!.replace(FACET, '$2').trim() : entry.trim()
    columns.set(name, { name, countable: found?.[1] !== 'filterOnly', searchable: entry.includes('searchable(') })
  }
  const ranking = (settings.customRanking ?? []).map(parseSortKey)
  const sorts = Object.entries(settings.sorts ?? {}).map(([name, order]) => ({
    name,
    keys: order.split(/,(?![^()]*\))/).map(parseSortKey),
  }))
  for (const key of [...ranking, ...sorts.flatMap((sort) => sort.keys)]) {
    if (!columns.has(key.attribute)) columns.set(key.attribute, { name: key.attribute, countable: false, searchable: false })
  }
  const distinct = settings.attributeForDistinct ?? null
  if (distinct !== null) columns.set(distinct, columns.get(distinct) ?? { name: distinct, countable: false, searchable: false })
  return {
    language: settings.language ?? 'en',
    fields,
    exact: settings.exactAttributes ?? [],
    columns: [...columns.values()],
    ranking,
    sorts,
    distinct,
  }
}

/** Weight of each field: as set, otherwise falling with its rank to 1. */
export function fieldWeights(settings: IndexSettings, schema: Schema): number[] {
  const ranks = Math.max(0, ...schema.fields.map((field) => field.rank)) + 1
  return schema.fields.map((field) => settings.attributeWeights?.[field.name] ?? ranks - field.rank)
}

/** Changes when the index has to be rebuilt. */
export function schemaKey(settings: IndexSettings): string {
  return JSON.stringify(schemaOf(settings))
}

export type Scalar = string | number | boolean

/** All scalars at an attribute path: "a.b" goes through objects and arrays. */
export function valuesAt(document: SearchDocument, path: string, into: Scalar[]): Scalar[] {
  if (path === EVERYTHING) {
    for (const [name, value] of Object.entries(document)) if (name !== 'objectID') collect(value, into)
    return into
  }
  const direct = document[path]
  if (direct !== undefined) collect(direct, into)
  else if (path.includes('.')) descend(document, path.split('.'), 0, into)
  return into
}

function descend(value: unknown, steps: string[], at: number, into: Scalar[]): void {
  if (Array.isArray(value)) for (const item of value) descend(item, steps, at, into)
  else if (at === steps.length) collect(value, into)
  else if (typeof value === 'object' && value !== null) descend((value as Record<string, unknown>)[steps[at]!], steps, at + 1, into)
}

function collect(value: unknown, into: Scalar[]): void {
  if (typeof value === 'string' || typeof value === 'boolean') into.push(value)
  else if (typeof value === 'number') {
    if (Number.isFinite(value)) into.push(value)
  } else if (Array.isArray(value)) for (const item of value) collect(item, into)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) collect(item, into)
}
