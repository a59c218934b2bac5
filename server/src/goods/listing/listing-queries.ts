import type { Mode } from '@purlin/contract/markets.ts'
import type { SearchParams } from '@purlin/search/types.ts'
import type { FacetField } from './facet-plan.ts'
import type { ListingRequest } from './listing-input.ts'
import type { SortKey } from './words.ts'

/** Ranking boosts. Source: spec §9, R-659…R-661. */
export const boosts = { MODEL_ID: 200, GOOD_DEALS_PODIUM: 150, SPONSORED: 75 }

/** A filter of an address as a query: one clause that must match. */
export interface Clause {
  key: string
  facetFilter?: string[]
  numericFilters?: string[]
}

/** An attribute value in the engine's filter syntax: "-5" is a value, not the negation of 5. */
export function valueFilter(attribute: string, value: string | number): string {
  const text = String(value)
  return `${attribute}:${text.startsWith('-') ? `\\${text}` : text}`
}

/** Filters and ranges as clauses by facet; unknown keys are dropped. */
export function clausesOf(request: ListingRequest, fields: ReadonlyMap<string, FacetField>): Clause[] {
  const clauses: Clause[] = []
  for (const { key, values } of request.filters) {
    const field = fields.get(key)
    if (!field) continue
    if (key === 'rating') {
      const from = Math.min(...values.map(Number).filter(Number.isFinite))
      if (Number.isFinite(from)) clauses.push({ key, numericFilters: [`rating >= ${from}`] })
    } else if (field.kind !== 'range') {
      clauses.push({ key, facetFilter: values.map((value) => valueFilter(field.attribute, value)) })
    }
  }
  for (const { key, min, max } of request.ranges) {
    const field = fields.get(key)
    if (!field?.numeric) continue
    const numericFilters = [
      ...(min === null ? [] : [`${field.attribute} >= ${min}`]),
      ...(max === null ? [] : [`${field.attribute} <= ${max}`]),
    ]
    clauses.push({ key, numericFilters })
  }
  return clauses
}

/** The page's own subject, independent of filters. Null when its id is missing: such a page has no products. */
export function scopeFilters({ kind, id }: ListingRequest, mode: Mode): string[][] | null {
  const storefront = [`storefronts:${mode}`]
  if (kind === 'search') return [storefront]
  if (kind === 'deals') return [storefront, [`dealOn:${mode}`]]
  if (id === null) return null
  const attribute = { category: 'categoryIds', seller: 'sellerIds', brand: 'brandId', operation: 'commercialOperationIds' }[kind]
  return [storefront, [`${attribute}:${id}`]]
}

/** One query of the listing. `without` omits a facet's own refinement, so that its other values can be counted. */
export function queryParams(
  request: ListingRequest,
  scope: string[][],
  clauses: readonly Clause[],
  extra: SearchParams,
  without?: string,
): SearchParams {
  const kept = clauses.filter(({ key }) => key !== without)
  const numericFilters = kept.flatMap((clause) => clause.numericFilters ?? [])
  return {
    query: request.query,
    facetFilters: [...scope, ...kept.flatMap(({ facetFilter }) => (facetFilter ? [facetFilter] : []))],
    ...(numericFilters.length > 0 ? { numericFilters } : {}),
    distinct: true,
    facetingAfterDistinct: true,
    ...extra,
  }
}

/**
 * Boosts, never exclusions, and only under relevance sorting. Such filters rank before the words of a query, so a search
 * boosts within its page instead, as all lists do for sponsored cards (`raiseWithinPage`).
 */
export function optionalFilters(request: ListingRequest, mode: Mode): string[] {
  if (request.sort !== 'relevance' || request.query !== '') return []
  return [
    ...(request.modelId === null ? [] : [`modelId:${request.modelId}<score=${boosts.MODEL_ID}>`]),
    `podiumOn:${mode}<score=${boosts.GOOD_DEALS_PODIUM}>`,
  ]
}

interface Raisable {
  modelId: string | null
  podiumOn: Mode[]
  sponsoredOn: Mode[]
  /** Requested with searches: whether a rule pinned the hit, whether it is the thing searched for, and how well the words fit. */
  _rankingInfo?: { promoted?: boolean; filters?: number; score?: number }
}

/** Boost points that move a card up one place on a search page. */
const pointsPerPlace = 10
/** A boosted card passes those whose words fit at most this much better (V-82). */
const amongEquals = 0.9

/**
 * The boosts within a page: a boosted card climbs a few places, 7 if sponsored, 15 as a top deal, 20 as the model the
 * visitor came for, and passes none whose words fit clearly better (V-82), so that no boost lifts a barely relevant hit, and
 * sponsored cards never fill a first page (V-33). A card pinned by an operator's rule stays in its place.
 */
export function raiseWithinPage<T extends Raisable>(hits: readonly T[], request: ListingRequest, mode: Mode): T[] {
  if (request.sort !== 'relevance') return [...hits]
  const points = (hit: T): number => {
    if (request.modelId !== null && hit.modelId === request.modelId) return boosts.MODEL_ID
    if (hit.podiumOn.includes(mode)) return boosts.GOOD_DEALS_PODIUM
    return hit.sponsoredOn.includes(mode) ? boosts.SPONSORED : 0
  }
  const isPlaced = (hit: T): boolean => hit._rankingInfo?.promoted === true
  const scoreOf = (hit: T): number => hit._rankingInfo?.score ?? 0
  const pointsOf = (hit: T): number => hit._rankingInfo?.filters ?? 0
  const fitsBetter = (other: T, hit: T): boolean =>
    pointsOf(other) > pointsOf(hit) || (pointsOf(other) === pointsOf(hit) && scoreOf(other) * amongEquals > scoreOf(hit))
  /** The place after the last card that fits clearly better; before the first place when there is none. */
  const barrier = (hit: T, at: number): number =>
    hits.findLastIndex((other, place) => place < at && !isPlaced(other) && fitsBetter(other, hit)) + 0.5
  const climbing = hits
    .flatMap((hit, at) => {
      if (isPlaced(hit)) return []
      const wish = at - points(hit) / pointsPerPlace
      const from = wish < at ? barrier(hit, at) : at
      return [{ hit, wish, place: from < 0 ? wish : Math.max(wish, from) }]
    })
    .toSorted((a, b) => a.place - b.place || a.wish - b.wish)
    .values()
  return hits.map((hit) => (isPlaced(hit) ? hit : (climbing.next().value as { hit: T }).hit))
}

/** The index for a sort order: its replica, in the viewer's tax mode. */
export function sortedIndex(index: string, sort: SortKey, priceAttribute: string): string {
  if (sort === 'relevance') return index
  return sort === 'price_asc' || sort === 'price_desc' ? `${index}_${sort}_${priceAttribute.slice('price_'.length)}` : `${index}_${sort}`
}
