import type { RowMeta } from './rows.ts'
import type { Tuples } from './tuples.ts'

/** Tallies several attributes in one walk; each result holds, by value number, how many documents have it. */
export function tallyRows(
  rows: Uint8Array,
  meta: RowMeta,
  tuples: Tuples | null,
  wanted: readonly { name: string; values: number }[],
  documents: Uint32Array,
): Uint32Array[] {
  const bases = new Map<string, number>()
  let size = 0
  for (const { name, values } of wanted) {
    bases.set(name, size)
    size += values + 1
  }
  const counts = new Uint32Array(size)
  // Results have far fewer tuples than documents; of a handful of documents each may have its own.
  const groups = documents.length > A_HANDFUL ? (tuples?.groups ?? []) : []
  const chosen = groups.flatMap(({ names, examples }, at) => {
    const both = names.filter((name) => bases.has(name))
    const steps = both.reduce((sum, name) => sum + meta.slots[name]!.repeat, 0)
    return steps > 1 ? [{ names: both, examples, at }] : []
  })
  const byTuple = new Set(chosen.flatMap((group) => group.names))
  const single = wanted.filter(({ name }) => !byTuple.has(name)).map(({ name }) => name)
  if (single.length > 0) countRows(rows, meta.stride, documents, counts, slotsOf(meta, single, bases))
  for (const { names, examples, at } of chosen) {
    const tally = tallyFor(examples.length)
    const isWide = documents.length * 2 > examples.length
    const count = isWide ? countWide : countTuples
    const met = count(tuples!.codes, tuples!.groups.length, at, documents, tally, examples.length)
    weighRows(rows, meta.stride, examples, tally, met, counts, slotsOf(meta, names, bases))
  }
  return wanted.map(({ name, values }) => counts.subarray(bases.get(name)! + 1, bases.get(name)! + 1 + values))
}

const A_HANDFUL = 32
let kept = { tally: new Uint32Array(1024), met: new Uint32Array(1024) }

/** Counters that are zero between uses. */
function tallyFor(size: number): Uint32Array {
  if (kept.tally.length < size) kept = { tally: new Uint32Array(size), met: new Uint32Array(size) }
  return kept.tally
}

/** Where in a row the values of one or two bytes stand, and where the counters of each begin. */
interface Slots {
  offsets: Int32Array
  bases: Int32Array
  pairOffsets: Int32Array
  pairBases: Int32Array
}

function slotsOf(meta: RowMeta, names: readonly string[], bases: ReadonlyMap<string, number>): Slots {
  const found: [number[], number[], number[], number[]] = [[], [], [], []]
  for (const name of names) {
    const { offset, width, repeat } = meta.slots[name]!
    const first = width === 1 ? 0 : 2
    for (let nth = 0; nth < repeat; nth++) {
      found[first]!.push(offset + nth * width)
      found[first + 1]!.push(bases.get(name)!)
    }
  }
  const [offsets, of, pairOffsets, ofPairs] = found
  return {
    offsets: new Int32Array(offsets),
    bases: new Int32Array(of),
    pairOffsets: new Int32Array(pairOffsets),
    pairBases: new Int32Array(ofPairs),
  }
}

function countRows(rows: Uint8Array, stride: number, documents: Uint32Array, counts: Uint32Array, slots: Slots): void {
  const { offsets, bases, pairOffsets, pairBases } = slots
  for (let i = 0; i < documents.length; i++) {
    const row = documents[i]! * stride
    for (let slot = 0; slot < offsets.length; slot++) counts[bases[slot]! + rows[row + offsets[slot]!]!]!++
    for (let slot = 0; slot < pairOffsets.length; slot++) {
      const place = row + pairOffsets[slot]!
      counts[pairBases[slot]! + (rows[place]! | (rows[place + 1]! << 8))]!++
    }
  }
}

/** Counts one group's tuples; returns those that were met. */
function countTuples(codes: Uint16Array, width: number, at: number, documents: Uint32Array, tally: Uint32Array): Uint32Array {
  const { met } = kept
  let count = 0
  for (let i = 0; i < documents.length; i++) {
    const code = codes[documents[i]! * width + at]!
    if (tally[code]!++ === 0) met[count++] = code
  }
  return met.subarray(0, count)
}

/** The same for many documents: not asking each time whether a tuple is new takes half the time. */
function countWide(codes: Uint16Array, width: number, at: number, documents: Uint32Array, tally: Uint32Array, tuples: number): Uint32Array {
  for (let i = 0; i < documents.length; i++) tally[codes[documents[i]! * width + at]!]!++
  const { met } = kept
  let count = 0
  for (let code = 0; code < tuples; code++) if (tally[code]! > 0) met[count++] = code
  return met.subarray(0, count)
}

/** As `countRows`, for the example of each tuple met, as often as it was; clears the counters. */
function weighRows(
  rows: Uint8Array,
  stride: number,
  examples: Uint32Array,
  tally: Uint32Array,
  met: Uint32Array,
  counts: Uint32Array,
  slots: Slots,
): void {
  const { offsets, bases, pairOffsets, pairBases } = slots
  for (let i = 0; i < met.length; i++) {
    const tuple = met[i]!
    const times = tally[tuple]!
    tally[tuple] = 0
    const row = examples[tuple]! * stride
    for (let slot = 0; slot < offsets.length; slot++) counts[bases[slot]! + rows[row + offsets[slot]!]!]! += times
    for (let slot = 0; slot < pairOffsets.length; slot++) {
      const place = row + pairOffsets[slot]!
      counts[pairBases[slot]! + (rows[place]! | (rows[place + 1]! << 8))]! += times
    }
  }
}
