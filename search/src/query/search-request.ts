import { SearchRequestError, type IndexSettings, type SearchParams } from '../types.ts'
import type { Schema } from '../segment/schema.ts'
import {
  allOf,
  filterOf,
  parseFacetFilter,
  parseFilterList,
  parseFilters,
  parseNumericFilter,
  restrictionOf,
  type Filter,
} from './filter-parser.ts'

/** A query's parameters, checked and complete. */
export interface Request {
  params: SearchParams
  query: string
  offset: number
  length: number
  page: number
  hitsPerPage: number
  filter: Filter | null
  optional: Filter[][]
  facets: string[]
  maxValuesPerFacet: number
  distinct: number
  retrieve: string[] | null
  unretrievable: ReadonlySet<string>
  highlight: string[]
}

const MAX_PAGE_SIZE = 1000
const MAX_QUERY = 512

function integer(value: unknown, name: string, fallback: number, max: number): number {
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new SearchRequestError(`${name}: expected a whole number from 0`)
  if (value > max) throw new SearchRequestError(`${name}: at most ${max}`)
  return value
}

/** A list, a JSON list in a string, or comma-separated names. */
export function names(value: unknown, name: string): string[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') {
    if (!value.trim().startsWith('[')) return value.split(',').map((part) => part.trim())
    try {
      return names(JSON.parse(value), name)
    } catch {
      throw new SearchRequestError(`${name}: not valid JSON`)
    }
  }
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw new SearchRequestError(`${name}: expected a list of texts`)
  return value
}

/** `more` are filters added by rules: each is parsed by itself and combined as a tree. */
export function readRequest(
  params: SearchParams,
  settings: IndexSettings,
  schema: Schema,
  more: readonly Partial<SearchParams>[] = [],
): Request {
  if (params.query !== undefined && params.query !== null && typeof params.query !== 'string')
    throw new SearchRequestError('query: expected a text')
  const query = params.query ?? ''
  if (query.length > MAX_QUERY) throw new SearchRequestError(`query: at most ${MAX_QUERY} characters`)
  const hitsPerPage = integer(params.hitsPerPage, 'hitsPerPage', settings.hitsPerPage ?? 20, MAX_PAGE_SIZE)
  const page = integer(params.page, 'page', 0, 1e9)
  const offset = params.offset === undefined || params.offset === null ? page * hitsPerPage : integer(params.offset, 'offset', 0, 1e9)
  const length =
    params.offset === undefined || params.offset === null ? hitsPerPage : integer(params.length, 'length', hitsPerPage, MAX_PAGE_SIZE)
  const filter = allOf(
    [restrictionOf(params.restrictions, schema.columns), ...[params, ...more].map(filterOf)].filter((tree) => tree !== null),
  )
  const optional = [params, ...more].flatMap((one) => [...optionalOf(one.optionalFilters), ...scoredOf(one.filters)])
  const countable = new Set(schema.columns.filter((column) => column.countable).map((column) => column.name))
  const asked = names(params.facets, 'facets')
  const facets = asked.includes('*') ? [...countable] : [...new Set(asked)].filter((name) => countable.has(name))
  const retrieve =
    params.attributesToRetrieve === undefined || params.attributesToRetrieve === null
      ? settings.attributesToRetrieve
      : names(params.attributesToRetrieve, 'attributesToRetrieve')
  const highlight =
    params.attributesToHighlight === undefined || params.attributesToHighlight === null
      ? ['*']
      : names(params.attributesToHighlight, 'attributesToHighlight')
  return {
    params,
    query,
    offset,
    length,
    page,
    hitsPerPage,
    filter,
    optional,
    facets,
    maxValuesPerFacet: integer(params.maxValuesPerFacet, 'maxValuesPerFacet', settings.maxValuesPerFacet ?? 100, 1000),
    distinct: distinctOf(params.distinct),
    retrieve: retrieve && !retrieve.includes('*') ? retrieve : null,
    unretrievable: new Set(settings.unretrievableAttributes ?? []),
    highlight: highlight.includes('*') ? schema.fields.map((field) => field.name) : highlight,
  }
}

function distinctOf(value: unknown): number {
  if (value === undefined || value === null || value === false) return 0
  if (value === true) return 1
  return integer(value, 'distinct', 0, 100)
}

/** Filters with a score rank what they let through as optional ones do. */
function scoredOf(filters: unknown): Filter[][] {
  return typeof filters === 'string' && filters.includes('<score=') ? scoredAlternatives(parseFilters(filters)) : []
}

function scoredAlternatives(filter: Filter): Filter[][] {
  if (filter.kind === 'and') return filter.of.flatMap(scoredAlternatives)
  const alternatives = filter.kind === 'or' ? filter.of : [filter]
  return alternatives.some((one) => one.kind === 'value' && one.score !== 1) ? [alternatives] : []
}

function optionalOf(value: unknown): Filter[][] {
  const parse = (text: string) =>
    /[<>=]\s*-?[\d.]+\s*$/.test(text) && !/<score=-?\d+>$/.test(text) ? parseNumericFilter(text) : parseFacetFilter(text)
  return parseFilterList(value, parse, 'optionalFilters').map((filter) => (filter.kind === 'or' ? filter.of : [filter]))
}
