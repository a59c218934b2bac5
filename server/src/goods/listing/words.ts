import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor, type PlainKey } from '@purlin/words/catalogues.ts'

export const sortKeys = ['relevance', 'price_asc', 'price_desc', 'rating', 'newest', 'discount'] as const
export type SortKey = (typeof sortKeys)[number]

/** Facets that are not product attributes. */
export type FacetWord = 'category' | 'price' | 'brand' | 'condition' | 'delivery' | 'seller' | 'rating' | 'eco' | 'local' | 'stock'

export function facetLabel(market: Market, key: FacetWord): string {
  return wordsFor(market)(`facet.${key}`)
}

/** Values with a label of their own; all others are shown as they are. */
const valueKeys: Readonly<Record<string, PlainKey>> = {
  'condition:new': 'facet.condition.new',
  'condition:refurbished': 'facet.condition.refurbished',
  'condition:used': 'facet.condition.used',
  'delivery:free': 'facet.delivery.free',
  'delivery:1day': 'facet.delivery.1day',
  'delivery:relay': 'facet.delivery.relay',
}

export function facetValueLabel(market: Market, key: string, value: string): string {
  const t = wordsFor(market)
  if (key === 'rating') return t('facet.stars', { stars: Number(value) })
  const name = valueKeys[`${key}:${value}`]
  return name ? t(name) : value
}

export function sortLabel(market: Market, key: SortKey): string {
  return wordsFor(market)(`sort.${key}`)
}
