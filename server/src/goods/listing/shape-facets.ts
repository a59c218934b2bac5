import { markets, type Market } from '@purlin/contract/markets.ts'
import type { SearchResponse } from '@purlin/search/types.ts'
import { attributeText, inLanguage, showAttribute, type Reference } from '#catalogue'
import type { FacetField } from './facet-plan.ts'
import type { ListingRequest } from './listing-input.ts'
import { facetValueLabel } from './words.ts'

export interface Facet {
  key: string
  label: string
  kind: FacetField['kind']
  unit: string | null
  values: FacetValue[]
  min: number | null
  max: number | null
}

export interface FacetValue {
  value: string
  label: string
  count: number
  selected: boolean
  hex: string | null
}

/** Maximum number of a facet's values on a page, in addition to the selected ones. */
const valuesMax = 60
/** A measurement with more values than this becomes a range. */
const distinctNumbersMax = 15

interface Context {
  market: Market
  catalogue: Reference
  request: ListingRequest
}

/** A facet from the engine's counts; null when there is nothing to choose from. */
export function shapeFacet(field: FacetField, answer: SearchResponse, context: Context): Facet | null {
  const { market, request } = context
  const counts = Object.entries(answer.facets?.[field.attribute] ?? {})
  const stats = answer.facets_stats?.[field.attribute]
  const selected = new Set(request.filters.find(({ key }) => key === field.key)?.values)
  const ranged = request.ranges.some(({ key }) => key === field.key)
  const base = { key: field.key, label: field.label, unit: field.unit, min: stats?.min ?? null, max: stats?.max ?? null }

  if (field.kind === 'range') return stats && (stats.min < stats.max || ranged) ? { ...base, kind: 'range', values: [] } : null
  if (field.numeric && selected.size === 0 && (ranged || counts.length > distinctNumbersMax)) return { ...base, kind: 'range', values: [] }

  const values = shapeValues(field, counts, selected, context)
  if (values.length === 0 || (values.length < 2 && selected.size === 0 && field.kind === 'values')) return null
  const { min, max } = field.numeric ? base : { min: null, max: null }
  return { ...base, kind: field.kind, values, min, max, label: field.label }

  function shapeValues(of: FacetField, found: [string, number][], chosen: ReadonlySet<string>, { catalogue }: Context): FacetValue[] {
    if (of.kind === 'category') return categoryValues(found, chosen, context)
    if (of.key === 'rating') return ratingValues(found, chosen, market)
    if (of.kind === 'boolean') found = found.filter(([value]) => value === 'true')
    const missing = [...chosen].filter((value) => !found.some(([one]) => one === value)).map((value): [string, number] => [value, 0])
    const all = [...found, ...missing].map(([value, count]) => facetValue(of, value, count, chosen.has(value), market, catalogue))
    const sorted = of.numeric
      ? all.toSorted((a, b) => Number(a.value) - Number(b.value))
      : all.toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
    return sorted.filter((value, index) => index < valuesMax || value.selected)
  }
}

function facetValue(field: FacetField, value: string, count: number, selected: boolean, market: Market, catalogue: Reference): FacetValue {
  if (!field.attribute.startsWith('attr.'))
    return { value, label: field.kind === 'boolean' ? field.label : facetValueLabel(market, field.key, value), count, selected, hex: null }
  const shown = showAttribute(catalogue, market, field.key, field.numeric ? Number(value) : value)
  return { value, label: shown ? attributeText(shown) : value, count, selected, hex: catalogue.words.get(value)?.hex ?? null }
}

/** "4 stars and up" includes the fives, and counts models, as the list shows them. (V-26) */
function ratingValues(counts: [string, number][], selected: ReadonlySet<string>, market: Market): FacetValue[] {
  return [4, 3, 2].flatMap((from) => {
    const count = counts.find(([step]) => Number(step) === from)?.[1] ?? 0
    const value = String(from)
    return count > 0 || selected.has(value)
      ? [{ value, label: facetValueLabel(market, 'rating', value), count, selected: selected.has(value), hex: null }]
      : []
  })
}

/** The next category level: within a category its children, elsewhere the departments; plus the selected ones. */
function categoryValues(counts: [string, number][], selected: ReadonlySet<string>, { market, catalogue, request }: Context): FacetValue[] {
  const { byId } = catalogue.categories
  const here = request.kind === 'category' && request.id !== null ? byId.get(request.id) : undefined
  const chosen = [...selected].flatMap((id) => byId.get(Number(id)) ?? [])
  const below = new Set(
    [...(here ? here.children : catalogue.categories.departments), ...chosen.flatMap(({ children }) => children), ...chosen].map(
      ({ id }) => id,
    ),
  )
  const count = new Map(counts.map(([id, n]) => [Number(id), n]))
  return [...below].flatMap((id) => {
    const category = byId.get(id)
    const n = count.get(id) ?? 0
    if (!category || (n === 0 && !selected.has(String(id)))) return []
    return [
      {
        value: String(id),
        label: inLanguage(category.names, markets[market].language),
        count: n,
        selected: selected.has(String(id)),
        hex: null,
      },
    ]
  })
}
