import type { StoredRange } from '../segment/document-numbers.ts'
import { copyOfUints, floats, uints } from './arena.ts'
import type { Bits } from './bitsets.ts'

export const k1 = 2
export const b = 0.75

/** A postings list with its scores: computed from frequencies, or already known. */
export interface Source {
  documents: Uint32Array
  from: number
  to: number
  /** Weight times idf. */
  factor: number
  codes: Uint8Array | Uint16Array | Uint32Array | null
  scores: Float64Array | null
}

/** The filter on documents: a bitset of those that are live and pass, and a numeric range. */
export interface Allowed {
  bits: Bits | null
  range: NumberRange | null
}

/** A closed range of a numeric attribute; `numbers` holds one per document. */
export type NumberRange = StoredRange

interface Scratch {
  /** Documents seen in the current list, and in any list; cleared between uses. */
  seen: Uint32Array
  any: Uint32Array
  best: Float64Array
  total: Float64Array
  list: Uint32Array
  places: Uint32Array
}

const scratchOf = (size: number): Scratch => ({
  seen: new Uint32Array((size >>> 5) + 1),
  any: new Uint32Array((size >>> 5) + 1),
  best: new Float64Array(size),
  total: new Float64Array(size),
  list: new Uint32Array(size),
  places: new Uint32Array(size + 1),
})
let scratch = scratchOf(1024)

export function scratchFor(count: number): Scratch {
  if (scratch.list.length < count) scratch = scratchOf(Math.ceil(count * 1.25))
  return scratch
}

export interface Bm25 {
  frequencies: Float64Array
  lengths: Float32Array
  flat: number
  slope: number
}

export function bm25(source: Source, at: number, document: number, by: Bm25): number {
  if (source.codes) {
    const frequency = by.frequencies[source.codes[at]!]!
    return (source.factor * (k1 + 1) * frequency) / (frequency + by.flat + by.slope * by.lengths[document]!)
  }
  return source.scores ? source.factor * source.scores[at]! : source.factor
}

/** All documents of some postings lists that pass the filter, in order, each with its best score. */
export function gather(
  sources: readonly Source[],
  count: number,
  allowed: Allowed,
  by: Bm25,
): { documents: Uint32Array; scores: Float64Array } {
  return sources.length === 1 ? fromOne(sources[0]!, count, allowed, by) : fromMany(sources, count, allowed, by)
}

function fromOne(source: Source, count: number, allowed: Allowed, by: Bm25): { documents: Uint32Array; scores: Float64Array } {
  const { places } = scratchFor(count)
  const found = allowedPlaces(source, allowed, places)
  const documents = uints(found)
  const scores = floats(found)
  if (source.codes) weighPlaces(source.documents, source.codes, places, found, source.factor, by, documents, scores)
  else {
    for (let i = 0; i < found; i++) {
      documents[i] = source.documents[places[i]!]!
      scores[i] = bm25(source, places[i]!, documents[i]!, by)
    }
  }
  return { documents, scores }
}

/**
 * Indexes into a postings list whose documents pass; returns how many there are. Each index is written and overwritten
 * by the next one unless it counts: whether a price passes is unpredictable, and a mispredicted branch costs more than
 * the rest of the loop.
 */
function allowedPlaces({ documents, from, to }: Source, { bits, range }: Allowed, places: Uint32Array): number {
  let found = 0
  if (range !== null) {
    const { numbers, from: least, to: most } = range
    for (let at = from; at < to; at++) {
      const number = numbers[documents[at]!]!
      places[found] = at
      found += Number(number >= least) & Number(number <= most)
    }
    return bits === null ? found : allowedOf(documents, bits, places, found)
  }
  if (bits === null) {
    for (let at = from; at < to; at++) places[found++] = at
    return found
  }
  for (let at = from; at < to; at++) {
    const document = documents[at]!
    places[found] = at
    found += (bits[document >>> 5]! >>> (document & 31)) & 1
  }
  return found
}

/** Keeps those of the first `count` indexes whose documents have their bit set. */
function allowedOf(documents: Uint32Array, bits: Bits, places: Uint32Array, count: number): number {
  let found = 0
  for (let i = 0; i < count; i++) {
    const document = documents[places[i]!]!
    places[found] = places[i]!
    found += (bits[document >>> 5]! >>> (document & 31)) & 1
  }
  return found
}

function weighPlaces(
  list: Uint32Array,
  codes: NonNullable<Source['codes']>,
  places: Uint32Array,
  count: number,
  factor: number,
  by: Bm25,
  documents: Uint32Array,
  scores: Float64Array,
): void {
  const { frequencies, lengths, flat, slope } = by
  const scale = factor * (k1 + 1)
  for (let i = 0; i < count; i++) {
    const at = places[i]!
    const document = list[at]!
    const frequency = frequencies[codes[at]!]!
    documents[i] = document
    scores[i] = (scale * frequency) / (frequency + flat + slope * lengths[document]!)
  }
}

/** Collects the documents of all lists first, then filters them; only those left are scored. */
function fromMany(sources: readonly Source[], count: number, allowed: Allowed, by: Bm25): { documents: Uint32Array; scores: Float64Array } {
  const { seen, best, list } = scratchFor(count)
  for (const { documents, from, to } of sources) {
    for (let at = from; at < to; at++) {
      const document = documents[at]!
      seen[document >>> 5]! |= 1 << (document & 31)
    }
  }
  const found = keepAllowed(seen, list, best, (count + 31) >>> 5, allowed)
  for (const source of sources) raise(source, count, seen, best, null, by)
  const documents = copyOfUints(list, found)
  const scores = floats(found)
  for (let at = 0; at < found; at++) {
    const document = documents[at]!
    scores[at] = best[document]!
    seen[document >>> 5] = 0
  }
  return { documents, scores }
}

/** Clears the bits of documents that do not pass and lists the rest, without a score yet. */
function keepAllowed(seen: Uint32Array, list: Uint32Array, best: Float64Array, words: number, { bits, range }: Allowed): number {
  let found = 0
  for (let i = 0; i < words; i++) {
    let word = seen[i]!
    if (word === 0) continue
    if (bits !== null) word &= bits[i]!
    let kept = word
    while (word !== 0) {
      const bit = word & -word
      word ^= bit
      const document = (i << 5) + 31 - Math.clz32(bit)
      best[document] = -Infinity
      list[found] = document
      if (range === null) found++
      else {
        const number = range.numbers[document]!
        const passes = Number(number >= range.from) & Number(number <= range.to)
        found += passes
        kept &= ~(bit & (passes - 1))
      }
    }
    seen[i] = kept
  }
  return found
}

/**
 * Raises `best` to the score of each document of a list that has its bit set: at its own number, or at its slot when
 * there are `slots`.
 */
export function raise(source: Source, count: number, seen: Bits, best: Float64Array, slots: Uint32Array | null, by: Bm25): void {
  const { places } = scratchFor(count)
  const { documents, codes } = source
  const found = allowedPlaces(source, { bits: seen, range: null }, places)
  if (!codes) {
    for (let i = 0; i < found; i++) {
      const document = documents[places[i]!]!
      const slot = slots === null ? document : slots[document]!
      best[slot] = Math.max(best[slot]!, bm25(source, places[i]!, document, by))
    }
    return
  }
  const { frequencies, lengths, flat, slope } = by
  const scale = source.factor * (k1 + 1)
  for (let i = 0; i < found; i++) {
    const at = places[i]!
    const document = documents[at]!
    const frequency = frequencies[codes[at]!]!
    const value = (scale * frequency) / (frequency + flat + slope * lengths[document]!)
    const slot = slots === null ? document : slots[document]!
    if (value > best[slot]!) best[slot] = value
  }
}

/** The documents whose bits are set, in order, with their values; clears the bits. Sorting a list would cost far more. */
export function collect(
  seen: Uint32Array,
  values: Float64Array,
  found: number,
  words: number,
): { documents: Uint32Array; scores: Float64Array } {
  const documents = uints(found)
  const scores = floats(found)
  let at = 0
  for (let i = 0; i < words; i++) {
    let word = seen[i]!
    if (word === 0) continue
    seen[i] = 0
    while (word !== 0) {
      const document = (i << 5) + 31 - Math.clz32(word & -word)
      documents[at] = document
      scores[at++] = values[document]!
      word &= word - 1
    }
  }
  return { documents, scores }
}
