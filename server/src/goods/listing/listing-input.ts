import { listingLimits } from '@purlin/contract/listing-limits.ts'
import { sortKeys, type SortKey } from './words.ts'

export const listingKinds = ['category', 'search', 'seller', 'brand', 'operation', 'deals'] as const
export type ListingKind = (typeof listingKinds)[number]

/** The raw input: anything may be missing, repeated or absurd. */
export interface ListingInput {
  kind: ListingKind
  id?: number | null
  query?: string | null
  filters?: readonly { key: string; values: readonly string[] }[] | null
  ranges?: readonly { key: string; min?: number | null; max?: number | null }[] | null
  sort?: SortKey | null
  page?: number | null
  pageSize?: number | null
  /** Model that the visitor came for: its card comes first. */
  modelId?: string | null
  /** Parts of the query that are taken as they stand, whatever they may mean. */
  literal?: readonly string[] | null
}

/** The normalised input: the same listing always has the same text. */
export interface ListingRequest {
  kind: ListingKind
  id: number | null
  query: string
  filters: { key: string; values: string[] }[]
  ranges: { key: string; min: number | null; max: number | null }[]
  sort: SortKey
  page: number
  pageSize: number
  modelId: string | null
  literal: string[]
}

/** Offered to visitors (and documented in contract/graphql/listing.graphql); 500 is for feeds. Source. */
export const pageSizes = [48, 24, 72, 100, 60, 10] as const
export const pageSizeMax = 500

/** Default page sizes: pages with more content besides the products show fewer. Source: R-714. */
const usualSizes: Partial<Record<ListingKind, number>> = { seller: 24, deals: 24 }

/** The sizes offered on a kind of page, its default first. */
export function pageSizesOf(kind: ListingKind): readonly [number, ...number[]] {
  const usual = usualSizes[kind] ?? pageSizes[0]
  return [usual, ...pageSizes.filter((size) => size !== usual)]
}

const limits = { ...listingLimits, queryLength: 200, valueLength: 120, page: 1_000 }

/** Truncates absurd input and sorts unordered parts: filters, their values and ranges. */
export function normalizeListing(input: ListingInput): ListingRequest {
  const byKey = new Map<string, Set<string>>()
  for (const { key, values } of (input.filters ?? []).slice(0, limits.filters)) {
    const kept = byKey.get(key) ?? new Set()
    for (const value of values.slice(0, limits.values)) if (value !== '' && value.length <= limits.valueLength) kept.add(value)
    if (kept.size > 0) byKey.set(key, kept)
  }
  const ranges = new Map<string, { key: string; min: number | null; max: number | null }>()
  for (const { key, min, max } of (input.ranges ?? []).slice(0, limits.filters)) {
    const bounds = { key, min: finite(min), max: finite(max) }
    if (bounds.min !== null || bounds.max !== null) ranges.set(key, bounds)
  }
  const query = listingQuery(input.query)
  return {
    kind: input.kind,
    id: Number.isSafeInteger(input.id) ? (input.id as number) : null,
    query,
    filters: [...byKey].map(([key, values]) => ({ key, values: [...values].toSorted() })).toSorted(ordered),
    ranges: [...ranges.values()].toSorted(ordered),
    sort: sortKeys.find((key) => key === input.sort) ?? 'relevance',
    page: whole(input.page, 1, limits.page) ?? 1,
    pageSize: whole(input.pageSize, 1, pageSizeMax) ?? pageSizesOf(input.kind)[0],
    literal: input.kind === 'search' ? literalParts(input.literal, query) : [],
    modelId: /^\d{1,19}$/.test(input.modelId ?? '') ? (input.modelId as string) : null,
  }
}

/** The words of a search, as they are looked for. */
export function listingQuery(query: string | null | undefined): string {
  return (query ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, limits.queryLength)
}

/** Parts that the query has, each once, in order. */
function literalParts(parts: ListingInput['literal'], query: string): string[] {
  const text = query.toLowerCase()
  const kept = (parts ?? []).slice(0, limits.literal).map((part) => part.normalize('NFC').toLowerCase().trim())
  return [...new Set(kept)].filter((part) => part !== '' && text.includes(part)).toSorted()
}

function ordered(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1
}

function finite(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function whole(value: number | null | undefined, min: number, max: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= min ? Math.min(value, max) : null
}
