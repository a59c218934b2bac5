import type { IndexSettings, SearchDocument } from '../types.ts'
import type { Filter } from '../query/filter-parser.ts'

/** A naive model of an index: a map in which every query scans all documents. */

export const settings: IndexSettings = {
  language: 'en',
  searchableAttributes: ['title', 'text'],
  attributesForFaceting: ['searchable(brand)', 'tags', 'isNew', 'filterOnly(price)', 'rating', 'categories.lvl0', 'categories.lvl1'],
  customRanking: ['desc(popularity)', 'asc(price)'],
  sorts: { price_asc: 'asc(price)', brand_desc: 'desc(brand),asc(price)' },
  attributeForDistinct: 'model',
  paginationLimitedTo: 10_000,
}

export interface Product extends SearchDocument {
  title: string
  text: string
  brand?: string
  tags?: string[]
  isNew?: boolean
  price?: number
  rating?: number
  popularity?: number
  model?: string
  categories?: { lvl0: string; lvl1: string }
}

/** Words that are their own stem in English. */
export const vocabulary = ['bolt', 'nut', 'saw', 'drill', 'panel', 'lamp', 'pump', 'tank', 'glue', 'sand']

export function print(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.length === 1 ? print(filter.of[0]!) : `(${filter.of.map(print).join(filter.kind === 'and' ? ' AND ' : ' OR ')})`
    case 'not':
      return `NOT ${print(filter.of)}`
    case 'value':
      return `${filter.attribute}:"${filter.value.replaceAll('"', '\\"')}"`
    case 'compare':
      return `${filter.attribute} ${filter.operator} ${filter.number}`
    case 'range':
      return `${filter.attribute}:${filter.from} TO ${filter.to}`
  }
}

export function valuesOf(document: SearchDocument, path: string): unknown[] {
  const value = path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

export function passes(filter: Filter, document: SearchDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((part) => passes(part, document))
    case 'or':
      return filter.of.some((part) => passes(part, document))
    case 'not':
      return !passes(filter.of, document)
    case 'value':
      return valuesOf(document, filter.attribute).some((value) => String(value) === filter.value)
    case 'range':
      return valuesOf(document, filter.attribute).some((value) => Number(value) >= filter.from && Number(value) <= filter.to)
    case 'compare': {
      const numbers = valuesOf(document, filter.attribute).map(Number)
      const { number } = filter
      if (filter.operator === '!=') return !numbers.includes(number)
      return numbers.some((value) => {
        if (filter.operator === '<') return value < number
        if (filter.operator === '<=') return value <= number
        if (filter.operator === '>') return value > number
        if (filter.operator === '>=') return value >= number
        return value === number
      })
    }
  }
}

export const hasWords = (document: Product, words: readonly string[]): boolean =>
  words.every((word) => ` ${document.title} ${document.text} `.includes(` ${word} `))

type Key = readonly [attribute: string, descending: boolean]

/** Missing values last, in either direction; ties by objectID. */
export function ordered<T extends SearchDocument>(documents: readonly T[], keys: readonly Key[]): T[] {
  return [...documents].sort((x, y) => {
    for (const [attribute, descending] of keys) {
      const a = valuesOf(x, attribute)[0] as string | number | undefined
      const b = valuesOf(y, attribute)[0] as string | number | undefined
      if (a === b) continue
      if (a === undefined) return 1
      if (b === undefined) return -1
      return (a < b ? -1 : 1) * (descending ? -1 : 1)
    }
    return x.objectID < y.objectID ? -1 : 1
  })
}

export const byRanking: Key[] = [
  ['popularity', true],
  ['price', false],
]
export const byPrice: Key[] = [['price', false], ...byRanking]
export const byBrand: Key[] = [['brand', true], ['price', false], ...byRanking]

export function facetCounts(documents: readonly SearchDocument[], attribute: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const document of documents)
    for (const value of new Set(valuesOf(document, attribute).map(String))) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The number of groups with each value; documents without a model form their own groups. */
export function groupCounts(documents: readonly Product[], attribute: string): Record<string, number> {
  const groups = new Map<string, Set<string>>()
  for (const document of documents)
    for (const value of valuesOf(document, attribute).map(String)) {
      const of = groups.get(value) ?? new Set()
      groups.set(value, of.add(document.model === undefined ? `own ${document.objectID}` : `model ${document.model}`))
    }
  return Object.fromEntries([...groups].map(([value, of]) => [value, of.size]))
}

/** The first of each group in the given order; documents without the attribute form their own groups. */
export function firstOfGroups<T extends SearchDocument>(documents: readonly T[], attribute: string): T[] {
  const seen = new Set<unknown>()
  return documents.filter((document) => {
    const value = document[attribute]
    if (value === undefined) return true
    if (seen.has(value)) return false
    seen.add(value)
    return true
  })
}
