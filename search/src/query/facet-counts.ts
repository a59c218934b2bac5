import { fold } from '../analysis/fold.ts'
import type { Column } from '../segment/doc-values.ts'
import { tallyFacets } from '../segment/facet-tally.ts'
import { byCodeUnit } from '../segment/term-dictionary.ts'
import type { FacetHit } from '../types.ts'
import type { Segment } from '../segment/segment-reader.ts'
import type { Part } from './snapshot.ts'

export interface FacetStats {
  min: number
  max: number
  avg: number
  sum: number
}

let scratch = new Uint32Array(1024)

// The same loop three times, because a loop over several array types is slow for all of them.
function tally8(ords: Uint8Array, documents: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < documents.length; i++) counts[ords[documents[i]!]!]!++
}

function tally16(ords: Uint16Array, documents: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < documents.length; i++) counts[ords[documents[i]!]!]!++
}

function tally32(ords: Uint32Array, documents: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < documents.length; i++) counts[ords[documents[i]!]!]!++
}

function tallyMany8(ords: Uint8Array, starts: Uint32Array, documents: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < documents.length; i++) {
    const to = starts[documents[i]! + 1]!
    for (let at = starts[documents[i]!]!; at < to; at++) counts[ords[at]!]!++
  }
}

function tallyMany(ords: Uint16Array | Uint32Array, starts: Uint32Array, documents: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < documents.length; i++) {
    const to = starts[documents[i]! + 1]!
    for (let at = starts[documents[i]!]!; at < to; at++) counts[ords[at]!]!++
  }
}

/** Number of documents per value number; in shared scratch memory, to be read before the next call. */
function tally(column: Column, documents: Uint32Array): Uint32Array {
  const size = column.values.count + 1
  if (scratch.length < size) scratch = new Uint32Array(size * 2)
  const counts = scratch.subarray(0, size).fill(0)
  const { single, flat, flatStarts } = column
  if (single) {
    if (single instanceof Uint8Array) tally8(single, documents, counts)
    else if (single instanceof Uint16Array) tally16(single, documents, counts)
    else tally32(single, documents, counts)
    return counts.subarray(1)
  }
  if (flat instanceof Uint8Array) tallyMany8(flat, flatStarts!, documents, counts)
  else tallyMany(flat!, flatStarts!, documents, counts)
  return counts
}

export type ValueCount = [value: string, count: number]

/** Counts of several facets over the matches, in the order requested; the values of each are sorted. */
export function countFacets(attributes: readonly string[], parts: readonly Part[], matched: readonly Uint32Array[]): ValueCount[][] {
  return countFacetsWith(attributes, parts, matched, () => null)
}

/** Changes the counts of a column. */
type Adjust = (name: string, column: Column, counts: Uint32Array) => void

/** As `countFacets`, with counts of each part changed before they are added up. */
export function countFacetsWith(
  attributes: readonly string[],
  parts: readonly Part[],
  matched: readonly Uint32Array[],
  adjustmentOf: (segment: Segment, part: number) => Adjust | null,
): ValueCount[][] {
  const lists = parts.flatMap(({ segment }, index) =>
    matched[index]!.length > 0 ? [countInSegment(segment, attributes, matched[index]!, adjustmentOf(segment, index))] : [],
  )
  return attributes.map((_, at) => lists.reduce<ValueCount[]>((sum, list) => mergeCounts(sum, list[at]!), []))
}

/** Merges two lists sorted by value. */
export function mergeCounts(x: ValueCount[], y: ValueCount[]): ValueCount[] {
  if (x.length === 0) return y
  if (y.length === 0) return x
  const sum: ValueCount[] = []
  let i = 0
  let j = 0
  while (i < x.length && j < y.length) {
    const [value, count] = x[i]!
    const other = y[j]!
    if (value === other[0]) {
      sum.push([value, count + other[1]])
      i++
      j++
    } else if (value < other[0]) sum.push(x[i++]!)
    else sum.push(y[j++]!)
  }
  while (i < x.length) sum.push(x[i++]!)
  while (j < y.length) sum.push(y[j++]!)
  return sum
}

function countInSegment(segment: Segment, attributes: readonly string[], documents: Uint32Array, adjust: Adjust | null): ValueCount[][] {
  const { rows, columns } = segment
  const slots = segment.meta.rows?.slots ?? {}
  const inRows = attributes.filter((name) => slots[name] !== undefined)
  const wanted = inRows.map((name) => ({ name, values: columns.get(name)!.values.count }))
  const tallied = rows && documents.length > 0 ? tallyFacets(rows, segment.meta.rows!, segment.tuples, wanted, documents) : []
  return attributes.map((name) => {
    const column = columns.get(name)
    if (!column || documents.length === 0) return []
    const at = inRows.indexOf(name)
    const counts = at >= 0 ? tallied[at]! : tally(column, documents)
    adjust?.(name, column, counts)
    return nonZeroValues(column, counts)
  })
}

function nonZeroValues(column: Column, counts: Uint32Array): ValueCount[] {
  const found: ValueCount[] = []
  const size = column.values.count
  for (let value = 0; value < size; value++) if (counts[value]! > 0) found.push([column.values.get(value), counts[value]!])
  return found
}

/** Minimum, maximum, mean and sum of a facet's numbers; null if there are none. Uses the counts when possible. */
export function statsOf(
  attribute: string,
  parts: readonly Part[],
  matched: readonly Uint32Array[],
  counted: readonly ValueCount[],
): FacetStats | null {
  const columns = parts.map(({ segment }) => segment.columns.get(attribute))
  if (!columns.some((column) => column?.meta.isNumeric)) return null
  if (columns.every((column) => column && !column.meta.isMultiNumeric)) return statsOfCounts(counted)
  return statsOfNumbers(attribute, parts, matched)
}

function statsOfCounts(counted: readonly ValueCount[]): FacetStats | null {
  let min = Infinity
  let max = -Infinity
  let sum = 0
  let count = 0
  for (const [value, times] of counted) {
    const number = Number(value)
    if (value === '' || Number.isNaN(number)) continue
    if (number < min) min = number
    if (number > max) max = number
    sum += number * times
    count += times
  }
  return count === 0 ? null : { min, max, avg: sum / count, sum }
}

function statsOfNumbers(attribute: string, parts: readonly Part[], matched: readonly Uint32Array[]): FacetStats | null {
  let min = Infinity
  let max = -Infinity
  let sum = 0
  let count = 0
  for (let index = 0; index < parts.length; index++) {
    const column = parts[index]!.segment.columns.get(attribute)
    const documents = matched[index]!
    if (column?.number) {
      const { number } = column
      for (let i = 0; i < documents.length; i++) {
        const value = number.at(documents[i]!)
        if (value !== value) continue
        if (value < min) min = value
        if (value > max) max = value
        sum += value
        count++
      }
    } else if (column?.numbers) {
      const { numbers, numberStarts } = column
      for (let i = 0; i < documents.length; i++) {
        const to = numberStarts![documents[i]! + 1]!
        for (let at = numberStarts![documents[i]!]!; at < to; at++) {
          const value = numbers[at]!
          if (value < min) min = value
          if (value > max) max = value
          sum += value
          count++
        }
      }
    }
  }
  return count === 0 ? null : { min, max, avg: sum / count, sum }
}

/** The values of a facet to return: most frequent first or by name, up to the limit. */
export function topValues(counts: readonly ValueCount[], limit: number, by: 'count' | 'alpha'): ValueCount[] {
  const sorted = inOrder(counts) ? counts : counts.slice().sort((x, y) => byCodeUnit(x[0], y[0]))
  if (by === 'alpha') return sorted.slice(0, limit)
  // Count and index in one number: a typed array sorts numbers without a comparator.
  const keys = new Float64Array(sorted.length)
  for (let i = 0; i < keys.length; i++) keys[i] = (MAX_COUNT - sorted[i]![1]) * MAX_VALUES + i
  keys.sort()
  const top: ValueCount[] = []
  for (let i = 0; i < keys.length && i < limit; i++) top.push(sorted[keys[i]! % MAX_VALUES]!)
  return top
}

const MAX_COUNT = 2 ** 28
const MAX_VALUES = 2 ** 24

function inOrder(counts: readonly ValueCount[]): boolean {
  for (let i = 1; i < counts.length; i++) if (counts[i]![0] < counts[i - 1]![0]) return false
  return true
}

const MAX_QUOTED = 50_000
const quotedValues = new Map<string, string>()

/** Facets as JSON, with cached value strings. */
export function writeFacets(facets: readonly (readonly [name: string, values: readonly ValueCount[]])[]): string {
  let text = ''
  for (const [name, values] of facets) {
    text += `${text === '' ? '{' : ','}${quoted(name)}:`
    for (let i = 0; i < values.length; i++) text += `${i === 0 ? '{' : ','}${quoted(values[i]![0])}:${values[i]![1]}`
    text += '}'
  }
  return text === '' ? '{}' : `${text}}`
}

function quoted(value: string): string {
  let text = quotedValues.get(value)
  if (text === undefined) {
    if (quotedValues.size >= MAX_QUOTED) quotedValues.clear()
    quotedValues.set(value, (text = JSON.stringify(value)))
  }
  return text
}

/** Facet values containing a word with the given prefix. */
export function searchFacet(counts: readonly ValueCount[], query: string, limit: number, pre: string, post: string): FacetHit[] {
  const wanted = fold(query.trim())
  const found: FacetHit[] = []
  for (const [value, count] of counts) {
    const at = wanted === '' ? 0 : positionOf(value, wanted)
    if (at < 0) continue
    const highlighted =
      wanted === '' ? value : value.slice(0, at) + pre + value.slice(at, at + wanted.length) + post + value.slice(at + wanted.length)
    found.push({ value, highlighted, count })
  }
  return found.sort((x, y) => y.count - x.count || byCodeUnit(x.value, y.value)).slice(0, limit)
}

function positionOf(value: string, wanted: string): number {
  const plain = fold(value)
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1]!)) return plain.length === value.length ? at : 0
  }
  return -1
}
