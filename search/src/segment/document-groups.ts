import type { DocValuesWriter } from './doc-values.ts'
import type { RowMeta } from './facet-rows.ts'
import { growing32 } from './growable-array.ts'
import type { Numbers } from './segment-format.ts'

/**
 * The groups of `attributeForDistinct`. Documents of a group are neighbours, and groups are numbered in the order in which they
 * are stored: matches, which come in that order, are grouped by comparing each with the one before. Most values of a group are
 * the same in all of its documents; the few countable attributes that vary are listed per group.
 */
export interface DocumentGroups {
  /** Number of the group per document, ascending; a document without a value is a group of its own. */
  of: Uint32Array
  /** First document of each group, and one more entry. */
  starts: Uint32Array
  /** Columns whose values vary within each group. */
  varying: Uint16Array
  varyingStarts: Uint32Array
}

/** The order with the documents of each group moved behind the first of them. */
export function gatherGroups(by: DocValuesWriter, order: Uint32Array): Uint32Array {
  const members = new Map<unknown, number[]>()
  for (const document of order) {
    const value = by.sortValue(document)
    if (value === null) continue
    const list = members.get(value)
    if (list) list.push(document)
    else members.set(value, [document])
  }
  const gathered = new Uint32Array(order.length)
  let at = 0
  for (const document of order) {
    const list = members.get(by.sortValue(document))
    if (!list) gathered[at++] = document
    else if (list[0] === document) for (const member of list) gathered[at++] = member
  }
  return gathered
}

/** Writes the groups of documents that have been gathered. */
export function writeGroups(by: DocValuesWriter, order: Uint32Array, sections: Map<string, Numbers>): void {
  const of = new Uint32Array(order.length)
  const starts = growing32()
  let last: unknown = null
  for (let at = 0; at < order.length; at++) {
    const value = by.sortValue(order[at]!)
    if (at === 0 || value === null || value !== last) starts.push(at)
    of[at] = starts.length - 1
    last = value
  }
  starts.push(order.length)
  sections.set('groups', of).set('groupStarts', starts.done())
}

/** Writes which columns vary within each group, once the columns and their rows are written. */
export function writeVarying(
  columns: readonly { name: string; isMulti: boolean; countable: boolean }[],
  rows: RowMeta | null,
  sections: Map<string, Numbers>,
): void {
  const starts = sections.get('groupStarts') as Uint32Array
  const varying = growing32()
  const varyingStarts = new Uint32Array(starts.length)
  const comparers = columns.flatMap((column, at) => (column.countable ? [{ at, isSame: comparerOf(column, at, rows, sections) }] : []))
  for (let group = 0; group + 1 < starts.length; group++) {
    const from = starts[group]!
    const to = starts[group + 1]!
    if (to - from > 1)
      for (const { at, isSame } of comparers) {
        for (let document = from + 1; document < to; document++) {
          if (isSame(document)) continue
          varying.push(at)
          break
        }
      }
    varyingStarts[group + 1] = varying.length
  }
  sections.set('groupVarying', Uint16Array.from(varying.done())).set('groupVaryingStarts', varyingStarts)
}

/** Whether a document has the same values as the one before. */
function comparerOf(
  column: { name: string; isMulti: boolean },
  at: number,
  rows: RowMeta | null,
  sections: Map<string, Numbers>,
): (document: number) => boolean {
  const slot = rows?.slots[column.name]
  if (rows && slot) {
    const bytes = sections.get('rows') as Uint8Array
    const width = slot.width * slot.repeat
    return (document) => {
      const place = document * rows.stride + slot.offset
      for (let i = place; i < place + width; i++) if (bytes[i] !== bytes[i - rows.stride]) return false
      return true
    }
  }
  if (!column.isMulti) {
    const single = sections.get(`c${at}.ord`)
    return (document) => !single || single[document] === single[document - 1]
  }
  const flat = sections.get(`c${at}.ords`)!
  const starts = sections.get(`c${at}.ordStarts`)!
  return (document) => {
    const from = starts[document]!
    const before = starts[document - 1]!
    const count = from - before
    if (starts[document + 1]! - from !== count) return false
    for (let i = 0; i < count; i++) if (flat[from + i] !== flat[before + i]) return false
    return true
  }
}

export function openGroups(section: <T extends Numbers>(name: string) => T): DocumentGroups {
  return {
    of: section('groups'),
    starts: section('groupStarts'),
    varying: section('groupVarying'),
    varyingStarts: section('groupVaryingStarts'),
  }
}
