import { fold } from '@purlin/search/analysis/fold.ts'
import type { Market } from '@purlin/contract/markets.ts'
import { attributeText, showAttribute, type Reference } from '#catalogue'
import { valueFilter, type Clause } from './listing-queries.ts'
import { scaleOf, wordsOf, type Lexicon } from './query-lexicon.ts'
import type { QueryPart } from './query-parts.ts'
import { rootsOf, type TitleWords } from './title-words.ts'
import { facetLabel, facetValueLabel } from './words.ts'

/** What a hit tells about the goods that a query is about. */
export interface Evidence {
  attr?: Readonly<Record<string, string | number>>
  brandName?: string
  categoryIds?: readonly number[]
  /** The points of a hit that has the noun of the query. */
  _rankingInfo?: { filters?: number }
}

/** A part of a query as a filter. */
export interface UnderstoodFilter {
  kind: 'attribute' | 'without' | 'brand' | 'condition' | 'category'
  part: QueryPart
  clauses: Clause[]
  /** Labels in the market's language: "Voltage", "18 V"; no name where the words say it. */
  name: string | null
  value: string
  /** Filters of little strength are given up first when nothing fits all of them. */
  strength: number
}

interface Context {
  market: Market
  catalogue: Reference
  lexicon: Lexicon
  /** The best hits for the words of the query. */
  hits: readonly Evidence[]
  /** Read for negations only. */
  titles: TitleWords | null
}

/** Goods count as having an attribute from this share of the hits on. */
const shareWithAttribute = 0.25
/** A number without a unit needs more: of so many hits the value. */
const shareWithBareNumber = 0.2
/** An attribute is meant if so many times as many hits have the value there as in the next one. */
const clearFrom = 4
/** Goods measured in inches are sold in rounded millimetres. */
const inchTolerance = 0.03

/**
 * The meaning of the parts of a query among the goods that its words find: "125" is a diameter where grinders are, "wood" no
 * material where wood screws are. A part that says nothing of these goods stays words. (V-84)
 */
export function resolveParts(parts: readonly QueryPart[], context: Context): UnderstoodFilter[] {
  const understood: UnderstoodFilter[] = []
  for (const part of parts) {
    const found = resolvePart(part, context)
    if (!found) continue
    const keys = new Set(found.clauses.map(({ key }) => key))
    if (!understood.some(({ clauses }) => clauses.some(({ key }) => keys.has(key)))) understood.push(found)
  }
  return understood
}

function resolvePart(part: QueryPart, context: Context): UnderstoodFilter | null {
  const { market, hits } = context
  switch (part.kind) {
    case 'condition': {
      const clauses = [{ key: 'condition', facetFilter: [valueFilter('conditionGroup', part.group)] }]
      const value = facetValueLabel(market, 'condition', part.group)
      return { kind: 'condition', part, clauses, name: facetLabel(market, 'condition'), value, strength: 3 }
    }
    case 'brand': {
      if (!hits.some(({ brandName }) => brandName === part.name)) return null
      const clauses = [{ key: 'brand', facetFilter: [valueFilter('brandName', part.name)] }]
      return { kind: 'brand', part, clauses, name: facetLabel(market, 'brand'), value: part.name, strength: 5 }
    }
    case 'measure':
      return part.amounts.length > 1 ? dimensionOf(part, context) : measureOf(part, context)
    case 'code':
      return codeOf(part, context)
    case 'words':
      return null
    case 'value':
      return valueOf(part, part.values, context)
    case 'without':
      return (part.named && valueOf(part, part.named, context)) ?? exclusionOf(part, context)
  }
}

type PartOf<Kind extends QueryPart['kind']> = Extract<QueryPart, { kind: Kind }>

function measureOf(part: PartOf<'measure'>, context: Context): UnderstoodFilter | null {
  const [amount] = part.amounts
  if (amount === undefined) return null
  const keys = keysOf(context, 'number').filter(
    (key) => (part.unit === '' || isSameKind(context, key, part.unit)) && (part.keys?.includes(key) ?? true),
  )
  const ranked = keys
    .map((key) => {
      const wanted = part.unit === '' ? amount : converted(context, key, amount, part.unit)
      return { key, wanted, count: countOf(context, (attr) => isSame(attr[key], wanted)) }
    })
    .toSorted((a, b) => b.count - a.count)
  const [best, second] = ranked
  const least = part.unit === '' && part.keys === undefined ? context.hits.length * shareWithBareNumber : 1
  // Of an awning, 2.5 m may be the width or the projection: that stays words.
  const isClear = best && best.count > (second?.count ?? 0) * clearFrom
  if (isClear && best.count >= Math.max(1, least)) return attributeFilter(part, context, best.key, [best.wanted], 4)
  return part.unit === 'in' && ranked.length > 0 ? inchesOf(part, context, ranked) : null
}

function inchesOf(part: PartOf<'measure'>, context: Context, ranked: readonly { key: string; wanted: number }[]): UnderstoodFilter | null {
  const common = ranked
    .map(({ key, wanted }) => ({ key, wanted, count: countOf(context, (attr) => isNear(attr[key], wanted)) }))
    .toSorted((a, b) => b.count - a.count)[0]
  if (!common || common.count === 0) return null
  const near = context.hits.flatMap(({ attr }) => {
    const value = attr?.[common.key]
    return value !== undefined && isNear(value, common.wanted) ? [value] : []
  })
  return attributeFilter(part, context, common.key, [...new Set(near)], 2)
}

/** "60x60" is a format of tiles, "80x120" a width and a length, "4x40" a diameter and a length. */
function dimensionOf(part: PartOf<'measure'>, context: Context): UnderstoodFilter | null {
  const asText = keysOf(context, 'string').flatMap((key) => {
    const values = valuesOf(context, key).filter((value) => isSameFormat(String(value), part.amounts))
    return values.length > 0 ? [{ key, values }] : []
  })[0]
  if (asText) return attributeFilter(part, context, asText.key, asText.values, 4)
  const keys = keysOf(context, 'number').filter((key) => isLength(context, key))
  const [a, b] = part.amounts as [number, number]
  const pairs = keys
    .flatMap((first) => keys.filter((second) => second !== first).map((second) => ({ first, second })))
    .map(({ first, second }) => {
      const one = converted(context, first, a, part.unit)
      const other = converted(context, second, b, part.unit)
      return { first, second, one, other, count: countOf(context, (attr) => isSame(attr[first], one) && isSame(attr[second], other)) }
    })
    .toSorted((x, y) => y.count - x.count)
  const best = pairs[0]
  if (!best || best.count === 0) return null
  const one = attributeFilter(part, context, best.first, [best.one], 4)
  const other = attributeFilter(part, context, best.second, [best.other], 4)
  return {
    ...one,
    clauses: [...one.clauses, ...other.clauses],
    name: `${one.name} × ${other.name}`,
    value: `${one.value} × ${other.value}`,
  }
}

function codeOf(part: PartOf<'code'>, context: Context): UnderstoodFilter | null {
  for (const key of keysOf(context, 'string')) {
    const values = valuesOf(context, key).filter((value) => wordsOf(String(value)).includes(part.code))
    if (values.length > 0) return attributeFilter(part, context, key, values, 2)
  }
  return null
}

function valueOf(part: QueryPart, values: readonly string[], context: Context): UnderstoodFilter | null {
  const key = keyWith(values, context)
  return key === null ? null : attributeFilter(part, context, key, values, 2)
}

/** The attribute that most hits have one of these values in. */
function keyWith(values: readonly string[], context: Context): string | null {
  const ranked = keysOf(context, 'string')
    .map((key) => ({ key, count: countOf(context, (attr) => values.includes(String(attr[key]))) }))
    .toSorted((a, b) => b.count - a.count)
  return ranked[0] && ranked[0].count > 0 ? ranked[0].key : null
}

/** Categories that a negation excludes at most. */
const maxExcluded = 40

/** Goods with none of the values, and in no category whose goods have the words in their names: combi drills are cordless. */
function exclusionOf(part: PartOf<'without'>, context: Context): UnderstoodFilter | null {
  const { lexicon, titles, hits } = context
  const key = keyWith(part.values, context)
  const named = titles?.categoriesWith(rootsOf(part.phrase, lexicon.language), lexicon.language) ?? []
  const isFound = named.some((id) => hits.some(({ categoryIds }) => categoryIds?.includes(id)))
  const categories = isFound ? named.slice(0, maxExcluded) : []
  if (key === null && categories.length === 0) return null
  const clauses = [
    ...(key === null ? [] : part.values.map((value) => ({ key, facetFilter: [`attr.${key}:-${value}`] }))),
    // Not the key of the category facet, which a visitor may use besides.
    ...categories.map((id) => ({ key: 'without', facetFilter: [`categoryIds:-${id}`] })),
  ]
  const labels = key === null ? { name: null, value: part.phrase } : attributeFilter(part, context, key, part.values, 6)
  return { kind: 'without', part, clauses, name: labels.name, value: labels.value, strength: 6 }
}

function attributeFilter(
  part: QueryPart,
  { market, catalogue }: Context,
  key: string,
  values: readonly (string | number)[],
  strength: number,
): UnderstoodFilter {
  const shown = values.map((value) => showAttribute(catalogue, market, key, value))
  return {
    kind: 'attribute',
    part,
    clauses: [{ key, facetFilter: values.map((value) => valueFilter(`attr.${key}`, value)) }],
    name: shown[0]?.label ?? key,
    value: shown.length > 2 ? part.text : shown.map((one, index) => (one ? attributeText(one) : String(values[index]))).join(' / '),
    strength,
  }
}

/** Attributes of this type that enough of the hits have, and that can be filtered by. */
function keysOf({ hits, catalogue }: Context, type: 'number' | 'string'): string[] {
  const counts = new Map<string, number>()
  for (const { attr } of hits)
    for (const [key, value] of Object.entries(attr ?? {})) if (typeof value === type) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].flatMap(([key, count]) =>
    count >= hits.length * shareWithAttribute && catalogue.attributes.get(key)?.facet === true ? [key] : [],
  )
}

function valuesOf({ hits }: Context, key: string): (string | number)[] {
  return [...new Set(hits.flatMap(({ attr }) => attr?.[key] ?? []))]
}

function countOf({ hits }: Context, fits: (attr: Readonly<Record<string, string | number>>) => boolean): number {
  return hits.filter(({ attr }) => attr !== undefined && fits(attr)).length
}

const unitOf = ({ catalogue, lexicon }: Context, key: string): string => {
  const named = catalogue.attributes.get(key)?.units
  return named?.en ?? named?.[lexicon.language] ?? ''
}

function isSameKind(context: Context, key: string, unit: string): boolean {
  const own = unitOf(context, key)
  return own !== '' && scaleOf(own, context.lexicon).kind === scaleOf(unit, context.lexicon).kind
}

const isLength = (context: Context, key: string): boolean => isSameKind(context, key, 'mm')

function converted(context: Context, key: string, amount: number, unit: string): number {
  if (unit === '') return amount
  const value = (amount * scaleOf(unit, context.lexicon).scale) / scaleOf(unitOf(context, key), context.lexicon).scale
  return Number(value.toFixed(4))
}

const isSame = (value: string | number | undefined, wanted: number): boolean =>
  typeof value === 'number' && Math.abs(value - wanted) < 0.000_1 * Math.max(1, wanted)

const isNear = (value: string | number | undefined, wanted: number): boolean =>
  typeof value === 'number' && Math.abs(value - wanted) <= inchTolerance * wanted

function isSameFormat(value: string, amounts: readonly number[]): boolean {
  const sides = fold(value).match(/\d+(?:[.,]\d+)?/g) ?? []
  return (
    sides.length >= 2 && sides.length === amounts.length && sides.every((side, index) => Number(side.replace(',', '.')) === amounts[index])
  )
}
