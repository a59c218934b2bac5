import { SearchRequestError, type SearchParams } from '../types.ts'

type Kind = 'string' | 'number' | 'boolean' | 'list' | 'nested' | 'object' | 'distinct' | 'typo' | 'ignored'

const limits = { query: 512, tag: 200, text: 10_000, listItems: 1_000, nestedItems: 2_000, itemLength: 2_000 }

/** All known parameters, by kind; those of kind `ignored` are Algolia's and have no effect here. */
const known: Record<string, Kind> = {
  query: 'string',
  page: 'number',
  hitsPerPage: 'number',
  offset: 'number',
  length: 'number',
  filters: 'string',
  facetFilters: 'nested',
  numericFilters: 'nested',
  optionalFilters: 'nested',
  sumOrFiltersScores: 'boolean',
  facets: 'list',
  maxValuesPerFacet: 'number',
  sortFacetValuesBy: 'string',
  attributesToRetrieve: 'list',
  attributesToHighlight: 'list',
  highlightPreTag: 'string',
  highlightPostTag: 'string',
  distinct: 'distinct',
  ruleContexts: 'list',
  responseFields: 'list',
  enableRules: 'boolean',
  clickAnalytics: 'boolean',
  analytics: 'boolean',
  analyticsTags: 'list',
  userToken: 'string',
  typoTolerance: 'typo',
  queryType: 'string',
  removeWordsIfNoResults: 'string',
  getRankingInfo: 'boolean',
  literalWords: 'list',
  maxFacetHits: 'number',
  facetQuery: 'string',
  cursor: 'string',
  restrictSearchableAttributes: 'list',
  optionalWords: 'list',
  attributesToSnippet: 'ignored',
  snippetEllipsisText: 'ignored',
  restrictHighlightAndSnippetArrays: 'ignored',
  tagFilters: 'ignored',
  facetingAfterDistinct: 'boolean',
  percentileComputation: 'ignored',
  synonyms: 'ignored',
  advancedSyntax: 'ignored',
  ignorePlurals: 'ignored',
  queryLanguages: 'ignored',
  naturalLanguages: 'ignored',
  enablePersonalization: 'ignored',
  personalizationImpact: 'ignored',
  enableABTest: 'ignored',
  enableReRanking: 'ignored',
  decompoundQuery: 'ignored',
  replaceSynonymsInHighlight: 'ignored',
  minProximity: 'ignored',
  relevancyStrictness: 'ignored',
  explain: 'ignored',
}

const oneOf: Record<string, readonly string[]> = {
  sortFacetValuesBy: ['count', 'alpha'],
  queryType: ['prefixLast', 'prefixAll', 'prefixNone'],
  removeWordsIfNoResults: ['none', 'lastWords', 'firstWords', 'allOptional', 'exceptHead'],
}

/**
 * Converts a caller's input into typed search parameters. Accepts both forms: an object, or the
 * `params` string in query-string form whose lists are JSON.
 * @throws SearchRequestError 400 naming the invalid parameter
 */
export function readParams(raw: Record<string, unknown>): SearchParams {
  const { params, ...rest } = raw
  if (params !== undefined && typeof params !== 'string') throw new SearchRequestError('params must be a string')
  const merged: Record<string, unknown> = { ...(params === undefined ? {} : fromQueryString(params)), ...rest }
  const out: SearchParams = {}
  for (const name of Object.keys(merged)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) throw new SearchRequestError(`Unknown parameter: ${name.slice(0, 60)}`)
    const value = merged[name]
    if (kind === 'ignored' || value === undefined || value === null) continue
    out[name] = readValue(name, kind, value)
  }
  return out
}

/** Reads `query=drill&facets=["brand"]&page=2`, percent-encoded. */
export function fromQueryString(text: string): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    out[name] = kind === 'string' || kind === undefined ? value : parseLoose(value)
  }
  return out
}

function parseLoose(value: string): unknown {
  if (!/^(?:[[{"\d-]|true$|false$|null$)/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function readValue(name: string, kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'string':
      return readString(name, value)
    case 'number':
      return readNumber(name, value)
    case 'boolean':
      if (typeof value !== 'boolean') throw new SearchRequestError(`${name} must be true or false`)
      return value
    case 'distinct':
      if (typeof value === 'boolean') return value
      return readNumber(name, value)
    case 'typo':
      if (value === 'true' || value === 'false') return value === 'true'
      if (typeof value === 'boolean' || value === 'min' || value === 'strict') return value
      throw new SearchRequestError(`${name} must be true, false, "min" or "strict"`)
    case 'list':
      return readList(name, value)
    case 'nested':
      return readNested(name, value)
    default:
      return value
  }
}

function readString(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new SearchRequestError(`${name} must be a string`)
  const most = /^(?:query|facetQuery)$/.test(name) ? limits.query : /^highlight(?:Pre|Post)Tag$/.test(name) ? limits.tag : limits.text
  if (value.length > most) throw new SearchRequestError(`${name} is too long: ${value.length} characters, at most ${most}`)
  const allowed = oneOf[name]
  if (allowed && !allowed.includes(value)) throw new SearchRequestError(`${name} must be one of ${allowed.join(', ')}`)
  // A lone surrogate is not a character: it would break the first encoder it meets.
  return value.toWellFormed()
}

function readNumber(name: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0)
    throw new SearchRequestError(`${name} must be a whole number, 0 or more`)
  return number
}

function readList(name: string, value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
    throw new SearchRequestError(`${name} must be a list of strings`)
  if (list.length > limits.listItems) throw new SearchRequestError(`${name} has too many values: at most ${limits.listItems}`)
  checkLengths(name, list as string[])
  return (list as string[]).filter((item) => item !== '').map((item) => item.toWellFormed())
}

function readNested(name: string, value: unknown): string | (string | string[])[] {
  if (typeof value === 'string') return readString(name, value)
  if (!Array.isArray(value)) throw new SearchRequestError(`${name} must be a string or a list`)
  let items = 0
  for (const group of value as unknown[]) {
    const members = Array.isArray(group) ? (group as unknown[]) : [group]
    items += members.length
    if (members.some((member) => typeof member !== 'string')) throw new SearchRequestError(`${name} must hold strings, or lists of strings`)
    checkLengths(name, members as string[])
  }
  if (items > limits.nestedItems) throw new SearchRequestError(`${name} has too many values: at most ${limits.nestedItems}`)
  return (value as (string | string[])[]).map((group) =>
    Array.isArray(group) ? group.map((member) => member.toWellFormed()) : group.toWellFormed(),
  )
}

function checkLengths(name: string, items: string[]): void {
  if (items.some((item) => item.length > limits.itemLength))
    throw new SearchRequestError(`${name} has a value longer than ${limits.itemLength} characters`)
}
