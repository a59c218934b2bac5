import type { Segment } from '../segment/segment-reader.ts'
import type { Column } from '../segment/doc-values.ts'
import type { StoredRange } from '../segment/document-numbers.ts'
import type { Filter } from './filter-parser.ts'

/** One bit per document of a segment. */
export type Bits = Uint32Array

const CACHE_BYTES = 64 * 1024 * 1024
/** Of a small segment the keys and objects around them are larger than the bits themselves. */
const MOST_CACHED = 500
const caches = new WeakMap<Segment, Map<string, Bits>>()

export const bitsFor = (count: number): Bits => new Uint32Array((count + 31) >>> 5)
export const hasBit = (bits: Bits, at: number): boolean => (bits[at >>> 5]! & (1 << (at & 31))) !== 0
export const setBit = (bits: Bits, at: number): void => {
  bits[at >>> 5]! |= 1 << (at & 31)
}

export function countBits(bits: Bits): number {
  let total = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i]!
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return total
}

const keys = new WeakMap<Filter, string>()

/** A filter is evaluated in every segment. */
function keyOf(filter: Filter): string {
  let key = keys.get(filter)
  if (key === undefined) keys.set(filter, (key = JSON.stringify(filter)))
  return key
}

/** Documents that pass; the result is shared and must not be written to. */
export function passing(filter: Filter, segment: Segment): Bits {
  let cache = caches.get(segment)
  if (!cache) caches.set(segment, (cache = new Map()))
  const key = keyOf(filter)
  const known = cache.get(key)
  if (known) {
    cache.delete(key)
    cache.set(key, known)
    return known
  }
  const bits = compute(filter, segment)
  const limit = Math.max(8, Math.floor(CACHE_BYTES / Math.max(1, bits.byteLength)))
  while (cache.size >= Math.min(limit, MOST_CACHED)) cache.delete(cache.keys().next().value!)
  cache.set(key, bits)
  return bits
}

function compute(filter: Filter, segment: Segment): Bits {
  switch (filter.kind) {
    case 'and': {
      const bits = everything(segment.count)
      for (const part of filter.of) {
        const other = passing(part, segment)
        for (let i = 0; i < bits.length; i++) bits[i]! &= other[i]!
      }
      return bits
    }
    case 'or': {
      const bits = bitsFor(segment.count)
      // The values of one attribute share a bitset.
      for (const part of filter.of) {
        if (part.kind === 'value') addValue(bits, part, segment)
        else {
          const other = passing(part, segment)
          for (let i = 0; i < bits.length; i++) bits[i]! |= other[i]!
        }
      }
      return bits
    }
    case 'not': {
      const bits = everything(segment.count)
      const other = passing(filter.of, segment)
      for (let i = 0; i < bits.length; i++) bits[i]! &= ~other[i]!
      return bits
    }
    case 'value': {
      const bits = bitsFor(segment.count)
      addValue(bits, filter, segment)
      return bits
    }
    case 'compare':
      return compared(filter, segment)
    case 'range':
      return numbersWhere(columnOf(segment, filter.attribute), segment.count, (value) => value >= filter.from && value <= filter.to)
  }
}

export function everything(count: number): Bits {
  const bits = bitsFor(count).fill(0xffffffff)
  if (count & 31) bits[bits.length - 1] = (1 << (count & 31)) - 1
  return bits
}

/** An undeclared attribute matches nothing: one query may go to several indexes with different settings. */
function columnOf(segment: Segment, attribute: string): Column | undefined {
  return segment.columns.get(attribute)
}

function addValue(bits: Bits, filter: { attribute: string; value: string }, segment: Segment): void {
  if (filter.attribute === 'objectID') {
    const place = segment.find(filter.value)
    if (place >= 0) setBit(bits, place)
    return
  }
  const column = columnOf(segment, filter.attribute)
  if (!column) return
  const value = column.find(filter.value)
  if (value >= 0) {
    for (let i = column.documentStarts[value]!; i < column.documentStarts[value + 1]!; i++) setBit(bits, column.documents[i]!)
  }
  const number = Number(filter.value)
  if (!column.meta.countable && column.meta.isNumeric && filter.value.trim() !== '' && !Number.isNaN(number)) {
    const equal = numbersWhere(column, segment.count, (other) => other === number)
    for (let i = 0; i < bits.length; i++) bits[i]! |= equal[i]!
  }
}

function compared(filter: Extract<Filter, { kind: 'compare' }>, segment: Segment): Bits {
  const column = columnOf(segment, filter.attribute)
  const { number, operator } = filter
  switch (operator) {
    case '<':
      return numbersWhere(column, segment.count, (value) => value < number)
    case '<=':
      return numbersWhere(column, segment.count, (value) => value <= number)
    case '>':
      return numbersWhere(column, segment.count, (value) => value > number)
    case '>=':
      return numbersWhere(column, segment.count, (value) => value >= number)
    case '=':
      return numbersWhere(column, segment.count, (value) => value === number)
    case '!=': {
      const bits = everything(segment.count)
      const equal = numbersWhere(column, segment.count, (value) => value === number)
      for (let i = 0; i < bits.length; i++) bits[i]! &= ~equal[i]!
      return bits
    }
  }
}

/** Documents with at least one number that passes. True and false count as 1 and 0. */
function numbersWhere(column: Column | undefined, count: number, test: (value: number) => boolean): Bits {
  const bits = bitsFor(count)
  if (!column) return bits
  if (column.number) {
    column.number.each(test, (document) => setBit(bits, document))
  } else if (column.numbers) {
    for (let i = 0; i < count; i++) {
      for (let j = column.numberStarts![i]!; j < column.numberStarts![i + 1]!; j++) if (test(column.numbers[j]!)) setBit(bits, i)
    }
  }
  for (const [text, number] of [
    ['true', 1],
    ['false', 0],
  ] as const) {
    const value = column.find(text)
    if (value < 0 || !test(number)) continue
    for (let i = column.documentStarts[value]!; i < column.documentStarts[value + 1]!; i++) setBit(bits, column.documents[i]!)
  }
  return bits
}

/** A numeric condition as a range of one column; null when it cannot be written as one. */
export function asRange(filter: Extract<Filter, { kind: 'compare' | 'range' }>, segment: Segment): StoredRange | null {
  const column = columnOf(segment, filter.attribute)
  const range = rangeOf(filter)
  if (!column?.number || !range || hasBooleans(column)) return null
  return column.number.range(range.from, range.to)
}

const withBooleans = new WeakMap<Column, boolean>()

function hasBooleans(column: Column): boolean {
  let known = withBooleans.get(column)
  if (known === undefined) withBooleans.set(column, (known = column.find('true') >= 0 || column.find('false') >= 0))
  return known
}

/** The numbers that pass as one closed range; null when they form none. */
function rangeOf(filter: Extract<Filter, { kind: 'compare' | 'range' }>): { from: number; to: number } | null {
  if (filter.kind === 'range') return filter
  const { number, operator } = filter
  if (operator === '>=') return { from: number, to: Infinity }
  if (operator === '<=') return { from: -Infinity, to: number }
  if (operator === '=') return { from: number, to: number }
  if (operator === '>') return { from: after(number, 1), to: Infinity }
  if (operator === '<') return { from: -Infinity, to: after(number, -1) }
  return null
}

const wide = new Float64Array(1)
const narrowBits = new BigInt64Array(wide.buffer)

/** The adjacent floating-point number, up or down. */
function after(number: number, direction: 1 | -1): number {
  if (!Number.isFinite(number)) return number
  if (number === 0) return direction * Number.MIN_VALUE
  wide[0] = number
  narrowBits[0] = narrowBits[0]! + BigInt(number > 0 ? direction : -direction)
  return wide[0]
}
