import { compareSortValues, type DocValuesWriter } from './doc-values.ts'
import { gatherGroups, writeGroups } from './document-groups.ts'
import type { Schema, SortKey } from './schema.ts'
import type { Numbers } from './segment-format.ts'
import { byCodeUnit } from './term-dictionary.ts'

interface Sorted {
  schema: Schema
  columns: readonly DocValuesWriter[]
}

/** Minimum average number of documents that share a value. */
const LEAST_TOGETHER = 8

/**
 * The order in which documents are stored: those that share a value of the most selective facet are neighbours, the
 * best first among them. Most matches of a query belong to a few families or categories; stored together, their prices,
 * lengths and facet values are read in streams, while in ranking order each would be a cache miss. Writes `ranks`, the
 * place of each stored document in ranking order; without it documents are stored in that order.
 */
export function sortIndex(
  { schema, columns, ids, dead }: Sorted & { ids: readonly string[]; dead: ReadonlySet<number> },
  sections: Map<string, Numbers>,
): Uint32Array {
  const ranked = comparator({ schema, columns }, schema.ranking)
  const live = ids.map((_, number) => number).filter((number) => !dead.has(number))
  const best = Uint32Array.from(live.sort((a, b) => ranked(a, b) || byCodeUnit(ids[a]!, ids[b]!)))
  const by = mostSelective(columns, best.length)
  const distinct = columns[schema.columns.findIndex(({ name }) => name === schema.distinct)]
  const arranged = by ? bySelective(by, best) : best
  const order = distinct ? gatherGroups(distinct, arranged) : arranged
  if (distinct) writeGroups(distinct, order, sections)
  if (order.some((document, place) => document !== best[place])) sections.set('ranks', ranksOf(best, order, ids.length))
  return order
}

function ranksOf(best: Uint32Array, order: Uint32Array, documents: number): Uint32Array {
  const rankOf = new Uint32Array(documents)
  best.forEach((document, rank) => (rankOf[document] = rank))
  return order.map((document) => rankOf[document]!)
}

/** Writes, for each named sort order, the place of every document in it. */
export function writeSortOrders({ schema, columns }: Sorted, order: Uint32Array, sections: Map<string, Numbers>): void {
  const rankOf = sections.get('ranks')
  for (const [at, sort] of schema.sorts.entries()) {
    const compare = comparator({ schema, columns }, sort.keys)
    const ranks = new Uint32Array(order.length)
    Array.from(order, (_, i) => i)
      .sort((a, b) => compare(order[a]!, order[b]!) || (rankOf ? rankOf[a]! - rankOf[b]! : a - b))
      .forEach((document, rank) => (ranks[document] = rank))
    sections.set(`s${at}`, ranks)
  }
}

function comparator({ schema, columns }: Sorted, keys: readonly SortKey[]): (a: number, b: number) => number {
  const sorted = keys.map((key) => ({
    column: columns[schema.columns.findIndex((column) => column.name === key.attribute)]!,
    descending: key.descending,
  }))
  return (a, b) => {
    for (const { column, descending } of sorted) {
      const order = compareSortValues(column.sortValue(a), column.sortValue(b), descending)
      if (order !== 0) return order
    }
    return 0
  }
}

/** The column with the most values that are still shared by enough documents. */
function mostSelective(columns: readonly DocValuesWriter[], documents: number): DocValuesWriter | null {
  return columns.reduce<DocValuesWriter | null>((most, column) => {
    const values = column.countOfValues()
    return values >= 2 && values * LEAST_TOGETHER <= documents && values > (most?.countOfValues() ?? 0) ? column : most
  }, null)
}

function bySelective(by: DocValuesWriter, best: Uint32Array): Uint32Array {
  const cursor = new Uint32Array(by.countOfValues() + 2)
  for (const document of best) cursor[by.lastValue(document) + 2]!++
  for (let value = 1; value < cursor.length; value++) cursor[value]! += cursor[value - 1]!
  const order = new Uint32Array(best.length)
  for (const document of best) order[cursor[by.lastValue(document) + 1]!++] = document
  return order
}
