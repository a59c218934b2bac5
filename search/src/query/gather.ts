import { copyOfFloats, copyOfUints, floats, uints } from './arena.ts'
import type { Bits } from './bits.ts'

export const k1 = 2
export const b = 0.75

/** Documents of one list with what each is worth: by its frequencies, or already known. */
export interface Source {
  documents: Uint32Array
  from: number
  to: number
  /** Weight times idf. */
  factor: number
  codes: Uint8Array | Uint16Array | Uint32Array | null
  scores: Float64Array | null
}

/** What a document must be to be taken at all: alive and let through, with a number within bounds. */
export interface Allowed {
  bits: Bits | null
  range: NumberRange | null
}

/** Numbers of one attribute that pass, by document. */
export interface NumberRange {
  numbers: Float64Array
  from: number
  to: number
}

interface Scratch {
  /** Documents met in the list at hand, and in any list; all clear between uses. */
  seen: Uint32Array
  any: Uint32Array
  best: Float64Array
  total: Float64Array
  list: Uint32Array
}

const scratchOf = (size: number): Scratch => ({
  seen: new Uint32Array((size >>> 5) + 1),
  any: new Uint32Array((size >>> 5) + 1),
  best: new Float64Array(size),
  total: new Float64Array(size),
  list: new Uint32Array(size),
})
let scratch = scratchOf(1024)

export function scratchFor(count: number): Scratch {
  if (scratch.list.length < count) scratch = scratchOf(Math.ceil(count * 1.25))
  return scratch
}

export interface Weigher {
  frequencies: Float64Array
  lengths: Float32Array
  flat: number
  slope: number
}

export function worth(source: Source, at: number, document: number, by: Weigher): number {
  if (source.codes) {
    const frequency = by.frequencies[source.codes[at]!]!
    return (source.factor * (k1 + 1) * frequency) / (frequency + by.flat + by.slope * by.lengths[document]!)
  }
  return source.scores ? source.factor * source.scores[at]! : source.factor
}

/** All documents of some lists that are allowed, in order, each with the best it is worth in any. */
export function gather(
  sources: readonly Source[],
  count: number,
  allowed: Allowed,
  by: Weigher,
): { documents: Uint32Array; scores: Float64Array } {
  return sources.length === 1 ? fromOne(sources[0]!, count, allowed, by) : fromMany(sources, count, allowed, by)
}

function fromOne(source: Source, count: number, allowed: Allowed, by: Weigher): { documents: Uint32Array; scores: Float64Array } {
  const { best, list } = scratchFor(count)
  const { documents, codes, from, to } = source
  const { bits, range } = allowed
  const { frequencies, lengths, flat, slope } = by
  const scale = source.factor * (k1 + 1)
  let found = 0
  for (let at = from; at < to; at++) {
    const document = documents[at]!
    if (bits !== null && (bits[document >>> 5]! & (1 << (document & 31))) === 0) continue
    if (range !== null && !(range.numbers[document]! >= range.from && range.numbers[document]! <= range.to)) continue
    if (codes !== null) {
      const frequency = frequencies[codes[at]!]!
      best[found] = (scale * frequency) / (frequency + flat + slope * lengths[document]!)
    } else best[found] = worth(source, at, document, by)
    list[found++] = document
  }
  return { documents: copyOfUints(list, found), scores: copyOfFloats(best, found) }
}

/** First which documents there are, then which of them are allowed, in their order; only these are weighed. */
function fromMany(
  sources: readonly Source[],
  count: number,
  allowed: Allowed,
  by: Weigher,
): { documents: Uint32Array; scores: Float64Array } {
  const { seen, best, list } = scratchFor(count)
  for (const { documents, from, to } of sources) {
    for (let at = from; at < to; at++) {
      const document = documents[at]!
      seen[document >>> 5]! |= 1 << (document & 31)
    }
  }
  const found = keepAllowed(seen, list, best, (count + 31) >>> 5, allowed)
  for (const source of sources) {
    if (source.codes) weigh(source, source.codes, seen, best, by)
    else {
      for (let at = source.from; at < source.to; at++) {
        const document = source.documents[at]!
        if ((seen[document >>> 5]! & (1 << (document & 31))) === 0) continue
        const value = worth(source, at, document, by)
        if (value > best[document]!) best[document] = value
      }
    }
  }
  const documents = copyOfUints(list, found)
  const scores = floats(found)
  for (let at = 0; at < found; at++) {
    const document = documents[at]!
    scores[at] = best[document]!
    seen[document >>> 5] = 0
  }
  return { documents, scores }
}

/** Clears the bits of what is not allowed and lists the rest, each worth nothing yet. */
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
      if (range !== null && !(range.numbers[document]! >= range.from && range.numbers[document]! <= range.to)) {
        kept ^= bit
        continue
      }
      best[document] = -Infinity
      list[found++] = document
    }
    seen[i] = kept
  }
  return found
}

function weigh(source: Source, codes: NonNullable<Source['codes']>, seen: Uint32Array, best: Float64Array, by: Weigher): void {
  const { documents, to } = source
  const { frequencies, lengths, flat, slope } = by
  const scale = source.factor * (k1 + 1)
  for (let at = source.from; at < to; at++) {
    const document = documents[at]!
    if ((seen[document >>> 5]! & (1 << (document & 31))) === 0) continue
    const frequency = frequencies[codes[at]!]!
    const value = (scale * frequency) / (frequency + flat + slope * lengths[document]!)
    if (value > best[document]!) best[document] = value
  }
}

/** The documents whose bits are set, in order, with their values; the bits are cleared. Sorting a list would cost far more. */
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
