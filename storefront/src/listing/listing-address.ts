import { listingLimits } from '@purlin/contract/listing-limits.ts'
import { queryString } from '@purlin/contract/path-helper.ts'
import type { ListingInput, SortKey } from '../generated/documents.ts'
import { sortOf } from './sort-of.ts'
import { queryText, type QueryValues } from '@purlin/web/query-text.ts'

/** The selection in a listing's address: `?f[brand]=12&min[price]=10&literal=18v&sort=price_asc&page=2&size=72`. */
export interface ListingChoice {
  filters: Record<string, string[]>
  ranges: Record<string, { min: string; max: string }>
  sort: SortKey | null
  page: number
  size: number | null
  /** Parts of the query that are searched for as typed, whatever they may mean. */
  literal: string[]
}

/** Parses the address; invalid parts are left out, never an error. */
export function readChoice(query: QueryValues): ListingChoice {
  const filters: ListingChoice['filters'] = {}
  for (const [key, value] of entriesOf(query['f']).slice(0, listingLimits.filters)) {
    const values = (Array.isArray(value) ? value : typeof value === 'string' ? [value] : Object.values(value)).filter(
      (one): one is string => typeof one === 'string' && one !== '',
    )
    if (values.length > 0) filters[key] = [...new Set(values)].slice(0, listingLimits.values)
  }
  const ranges: ListingChoice['ranges'] = {}
  for (const end of ['min', 'max'] as const) {
    for (const [key, value] of entriesOf(query[end])) {
      const number = typeof value === 'string' ? value.trim().replace(',', '.') : ''
      if (!/^\d{1,9}(\.\d{1,4})?$/.test(number)) continue
      ranges[key] = { ...(ranges[key] ?? { min: '', max: '' }), [end]: number }
    }
  }
  return {
    filters,
    ranges,
    sort: sortOf(queryText(query, 'sort')),
    page: wholeNumber(queryText(query, 'page')) ?? 1,
    size: sizeOf(queryText(query, 'size')),
    literal: literalOf(queryText(query, 'literal')),
  }
}

const between = '|'

function literalOf(text: string): string[] {
  const parts = text.split(between).map((part) => part.replace(/\s+/g, ' ').trim().toLowerCase())
  return [...new Set(parts)].filter((part) => part !== '').slice(0, listingLimits.literal)
}

/** The parts as the one value of the parameter. */
export function literalText(parts: readonly string[]): string {
  return parts.toSorted().join(between)
}

/** The same with a part of the query taken literally; back to page one. */
export function withLiteral(choice: ListingChoice, part: string): ListingChoice {
  return { ...choice, page: 1, literal: [...new Set([...choice.literal, part.toLowerCase()])].toSorted() }
}

/** The same with a part understood again. */
export function withoutLiteral(choice: ListingChoice, part: string): ListingChoice {
  return { ...choice, page: 1, literal: choice.literal.filter((one) => one !== part) }
}

/** The largest page size offered to visitors; whole catalogues are for feeds. Source: R-714. */
const largestSize = 100

function sizeOf(text: string): number | null {
  const size = wholeNumber(text)
  return size !== null && size <= largestSize ? size : null
}

/** A valid page number of a listing; longer numbers cannot refer to a page. */
function wholeNumber(text: string): number | null {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}

function entriesOf(value: QueryValues[string] | undefined): [string, QueryValues[string]][] {
  return typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
}

/** The address of a selection: always the same text for the same selection; page one and defaults are left out. */
export function addressOf(path: string, { filters, ranges, sort, page, size, literal }: ListingChoice): string {
  const query: Record<string, string | number | readonly string[] | null> = {}
  for (const key of Object.keys(filters).toSorted()) query[`f[${key}]`] = filters[key]?.toSorted() ?? []
  for (const key of Object.keys(ranges).toSorted()) {
    const { min, max } = ranges[key] ?? {}
    if (min) query[`min[${key}]`] = min
    if (max) query[`max[${key}]`] = max
  }
  query['literal'] = literal.length > 0 ? literalText(literal) : null
  query['sort'] = sort
  query['size'] = size
  query['page'] = page > 1 ? page : null
  return path + queryString(query)
}

/**
 * The plain address of a selection when its form sent empty fields, as forms do without a script to remove them;
 * null when the address is plain already.
 */
export function tidiedAddress(path: string, query: QueryValues): string | null {
  const isLeftEmpty = ['min', 'max', 'f'].some((part) => entriesOf(query[part]).some(([, value]) => value === ''))
  return isLeftEmpty || query['sort'] === '' || query['size'] === '' ? addressOf(path, readChoice(query)) : null
}

/** Names the facet all values of which are shown; other facets show their first. */
export const allField = 'all'

export function withAll(address: string, key: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${allField}=${encodeURIComponent(key)}`
}

export function withPage(choice: ListingChoice, page: number): ListingChoice {
  return { ...choice, page }
}

/** The same without one value; back to page one. */
export function withoutValue(choice: ListingChoice, key: string, value: string): ListingChoice {
  const kept = (choice.filters[key] ?? []).filter((one) => one !== value)
  const { [key]: _, ...others } = choice.filters
  return { ...choice, page: 1, filters: kept.length > 0 ? { ...others, [key]: kept } : others }
}

export function withoutRange(choice: ListingChoice, key: string): ListingChoice {
  const { [key]: _, ...ranges } = choice.ranges
  return { ...choice, page: 1, ranges }
}

export function withoutFilters(choice: ListingChoice): ListingChoice {
  return { ...choice, page: 1, filters: {}, ranges: {} }
}

export function countOf({ filters, ranges }: ListingChoice): number {
  return Object.values(filters).reduce((sum, values) => sum + values.length, 0) + Object.keys(ranges).length
}

/** The variables of the gateway's `listing`. */
export function inputOf(
  what: Pick<ListingInput, 'kind' | 'id' | 'query'>,
  { filters, ranges, sort, page, size, literal }: ListingChoice,
): ListingInput {
  const end = (text: string) => (text === '' ? null : Number(text))
  return {
    ...what,
    filters: Object.entries(filters).map(([key, values]) => ({ key, values })),
    ranges: Object.entries(ranges).map(([key, { min, max }]) => ({ key, min: end(min), max: end(max) })),
    sort,
    page,
    pageSize: size,
    ...(literal.length > 0 && { literal }),
  }
}
