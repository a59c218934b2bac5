import type { SearchResponse } from '@purlin/search/types.ts'
import type { Reference } from '#catalogue'
import type { PriceDisplay } from '#pricing'
import { facetLabel, type FacetWord } from './words.ts'
import type { Market } from '@purlin/contract/markets.ts'

/** A facet of a listing: its key in addresses, and the index attribute behind it. */
export interface FacetField {
  key: string
  attribute: string
  label: string
  kind: 'values' | 'range' | 'boolean' | 'category'
  unit: string | null
  numeric: boolean
}

/** Index attribute with the prices in this viewer's tax mode. */
export function priceAttribute(display: PriceDisplay): 'price_b2c' | 'price_b2b' | 'price_b2b_vat' {
  if (!display.business) return 'price_b2c'
  return display.prefersVat ? 'price_b2b_vat' : 'price_b2b'
}

/** Facets of every listing; product attributes come after them. */
export function commonFacets(market: Market, display: PriceDisplay): FacetField[] {
  const field = (key: FacetWord, attribute: string, kind: FacetField['kind'] = 'values'): FacetField => ({
    key,
    attribute,
    label: facetLabel(market, key),
    kind,
    unit: null,
    numeric: kind === 'range',
  })
  return [
    field('category', 'categoryIds', 'category'),
    field('price', priceAttribute(display), 'range'),
    field('brand', 'brandName'),
    field('delivery', 'deliveryTags'),
    field('condition', 'conditionGroup'),
    field('rating', 'starsUp'),
    field('seller', 'sellerName'),
    field('stock', 'inStock', 'boolean'),
    field('eco', 'isEcoResponsible', 'boolean'),
    ...(market === 'fr' ? [field('local', 'isLocal', 'boolean')] : []),
  ]
}

export function attributeFacet(catalogue: Reference, language: 'es' | 'fr' | 'en' | 'de' | 'it', key: string): FacetField | null {
  const attribute = catalogue.attributes.get(key)
  if (!attribute?.facet) return null
  return {
    key,
    attribute: `attr.${key}`,
    label: attribute.names[language] ?? attribute.names.en ?? key,
    kind: 'values',
    unit: attribute.units ? (attribute.units[language] ?? attribute.units.en ?? null) : null,
    numeric: attribute.kind === 'number',
  }
}

/** Share of products that must have an attribute to justify a facet, and the maximum number of facets. */
const worthFrom = 0.12
const attributeFacetsMax = 12

/** Attribute keys that justify a facet for these hits, most common first. */
export function worthwhileAttributes(answer: Pick<SearchResponse, 'facets' | 'nbHits'>, reserved: ReadonlySet<string>): string[] {
  const counts = Object.entries(answer.facets?.attrKeys ?? {})
  const total = Math.max(answer.nbHits, ...counts.map(([, count]) => count))
  return counts
    .filter(([key, count]) => count >= total * worthFrom && !reserved.has(key))
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, attributeFacetsMax)
    .map(([key]) => key)
}
