import type { Column } from '../segment/doc-values.ts'
import type { ValueCount } from './facet-counts.ts'
import type { Part } from './snapshot.ts'

/**
 * Facet counts in groups instead of documents: how many groups have a matching document with the value. A page that
 * shows one hit per group then shows as many hits as the count of the value that was chosen.
 */
export function countGroups(
  attributes: readonly string[],
  parts: readonly Part[],
  matched: readonly Uint32Array[],
  distinct: string,
): ValueCount[][] {
  const ordered = inGroupOrder(parts, matched, distinct)
  return attributes.map((name) => countIn(name, parts, ordered))
}

/** The matches, group by group. */
interface Ordered {
  groups: Float64Array
  parts: Uint8Array
  documents: Uint32Array
}

const places = 2 ** 26

function inGroupOrder(parts: readonly Part[], matched: readonly Uint32Array[], distinct: string): Ordered {
  const total = matched.reduce((sum, documents) => sum + documents.length, 0)
  const keys = new Float64Array(total)
  const partOf = new Uint8Array(total)
  const documentOf = new Uint32Array(total)
  const numberOf = groupNumbers(parts, distinct)
  let at = 0
  let isSorted = true
  for (let part = 0; part < parts.length; part++) {
    for (const document of matched[part]!) {
      // A document without a group counts as a group of its own.
      const group = numberOf(part, document) ?? places + at
      keys[at] = group * places + at
      if (at > 0 && group < Math.floor(keys[at - 1]! / places)) isSorted = false
      partOf[at] = part
      documentOf[at] = document
      at++
    }
  }
  if (!isSorted) keys.sort()
  const ordered: Ordered = { groups: new Float64Array(total), parts: new Uint8Array(total), documents: new Uint32Array(total) }
  for (let i = 0; i < total; i++) {
    const group = Math.floor(keys[i]! / places)
    const from = keys[i]! - group * places
    ordered.groups[i] = group
    ordered.parts[i] = partOf[from]!
    ordered.documents[i] = documentOf[from]!
  }
  return ordered
}

/** Group numbers that are the same in all segments; null for a document without a group. */
function groupNumbers(parts: readonly Part[], distinct: string): (part: number, document: number) => number | null {
  const columns = parts.map(({ segment }) => segment.columns.get(distinct))
  const shared = new Map<string, number>()
  const known = columns.map((column) => new Int32Array(column?.values.count ?? 0).fill(-1))
  const [only] = columns
  return (part, document) => {
    const column = columns[part]
    const ord = column ? firstValue(column, document) : -1
    if (ord < 0) return null
    if (columns.length === 1 && only) return ord
    const numbers = known[part]!
    if (numbers[ord]! < 0) {
      const name = column!.values.get(ord)
      const number = shared.get(name) ?? shared.size
      shared.set(name, number)
      numbers[ord] = number
    }
    return numbers[ord]!
  }
}

function firstValue(column: Column, document: number): number {
  if (column.single) return column.single[document]! - 1
  const at = column.flatStarts![document]!
  return at < column.flatStarts![document + 1]! ? column.flat![at]! : -1
}

function countIn(name: string, parts: readonly Part[], { groups, parts: partOf, documents }: Ordered): ValueCount[] {
  const columns = parts.map(({ segment }) => segment.columns.get(name))
  const values = valueNumbers(columns)
  const counts = new Uint32Array(values.names.length)
  const last = new Float64Array(values.names.length).fill(-1)
  for (let i = 0; i < documents.length; i++) {
    const part = partOf[i]!
    const column = columns[part]
    if (!column) continue
    const document = documents[i]!
    const group = groups[i]!
    const numbers = values.of[part]!
    if (column.single) {
      const ord = column.single[document]! - 1
      if (ord >= 0) note(numbers[ord]!, group)
      continue
    }
    const to = column.flatStarts![document + 1]!
    for (let at = column.flatStarts![document]!; at < to; at++) note(numbers[column.flat![at]!]!, group)
  }
  return values.names.flatMap((value, number): ValueCount[] => (counts[number]! > 0 ? [[value(), counts[number]!]] : []))

  function note(value: number, group: number): void {
    if (last[value] === group) return
    last[value] = group
    counts[value]!++
  }
}

/** One number per value over all segments, and the number that each segment's own value maps to. */
function valueNumbers(columns: readonly (Column | undefined)[]): { names: (() => string)[]; of: Int32Array[] } {
  const names: (() => string)[] = []
  const shared = new Map<string, number>()
  const of = columns.map((column) => {
    const numbers = new Int32Array(column?.values.count ?? 0)
    for (let ord = 0; ord < numbers.length; ord++) {
      if (columns.length === 1) {
        numbers[ord] = names.push(() => column!.values.get(ord)) - 1
        continue
      }
      const name = column!.values.get(ord)
      let number = shared.get(name)
      if (number === undefined) shared.set(name, (number = names.push(() => name) - 1))
      numbers[ord] = number
    }
    return numbers
  })
  return { names, of }
}
