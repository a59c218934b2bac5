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
  const chosen = (tuples?.groups ?? []).flatMap(({ names, examples }, at) => {
    const both = names.filter((name) => bases.has(name))
    const steps = both.reduce((sum, name) => sum + meta.slots[name]!.repeat, 0)
    // Results have far fewer tuples than documents, so that even looking at all tuples of the segment is little.
    return steps > 1 && documents.length * 4 > examples.length ? [{ names: both, examples, at }] : []
  })
  const byTuple = new Set(chosen.flatMap((group) => group.names))
  const single = wanted.filter(({ name }) => !byTuple.has(name)).map(({ name }) => name)
  if (single.length > 0) countRows(rows, meta.stride, documents, counts, slotsOf(meta, single, bases))
  if (chosen.length > 0) {
    const tallies = chosen.map(({ examples }, nth) => talliesFor(nth, examples.length))
    countTuples(tuples!, chosen, documents, tallies)
    for (const [at, { names, examples }] of chosen.entries())
      weighRows(rows, meta.stride, examples, tallies[at]!, counts, slotsOf(meta, names, bases))
  }
  return wanted.map(({ name, values }) => counts.subarray(bases.get(name)! + 1, bases.get(name)! + 1 + values))
}

const kept: Uint32Array[] = []

/** Counters at zero, used again and again. */
function talliesFor(nth: number, size: number): Uint32Array {
  if ((kept[nth]?.length ?? 0) < size) kept[nth] = new Uint32Array(size * 2)
  return kept[nth]!.subarray(0, size).fill(0)
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

/** The same for rows that stand for several documents each. */
function weighRows(rows: Uint8Array, stride: number, documents: Uint32Array, times: Uint32Array, counts: Uint32Array, slots: Slots): void {
  const { offsets, bases, pairOffsets, pairBases } = slots
  for (let i = 0; i < documents.length; i++) {
    const weight = times[i]!
    if (weight === 0) continue
    const row = documents[i]! * stride
    for (let slot = 0; slot < offsets.length; slot++) counts[bases[slot]! + rows[row + offsets[slot]!]!]! += weight
    for (let slot = 0; slot < pairOffsets.length; slot++) {
      const place = row + pairOffsets[slot]!
      counts[pairBases[slot]! + (rows[place]! | (rows[place + 1]! << 8))]! += weight
    }
  }
}

/** How many documents have each tuple. Two groups at a time: a counter that was just written is slow to be read again. */
function countTuples({ groups, codes }: Tuples, chosen: readonly { at: number }[], documents: Uint32Array, tallies: Uint32Array[]): void {
  const width = groups.length
  let nth = 0
  for (; nth + 1 < chosen.length; nth += 2) {
    const first = chosen[nth]!.at
    const second = chosen[nth + 1]!.at
    const ofFirst = tallies[nth]!
    const ofSecond = tallies[nth + 1]!
    for (let i = 0; i < documents.length; i++) {
      const row = documents[i]! * width
      ofFirst[codes[row + first]!]!++
      ofSecond[codes[row + second]!]!++
    }
  }
  if (nth === chosen.length) return
  const last = chosen[nth]!.at
  const ofLast = tallies[nth]!
  for (let i = 0; i < documents.length; i++) ofLast[codes[documents[i]! * width + last]!]!++
}
