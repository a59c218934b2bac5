import type { Segment } from '../segment/segment-reader.ts'
import { uints } from './arena.ts'
import { asRange, countBits, everything, hasBit, passing, type Bits } from './bitsets.ts'
import type { Filter } from './filter-parser.ts'
import type { NumberRange } from './bm25-scorer.ts'
import { matchGroups, statisticsOf, type Matched, type Statistics } from './boolean-scorer.ts'
import type { Part, Snapshot } from './snapshot.ts'
import { expand } from './term-expansion.ts'
import type { Group } from './query-parser.ts'

/** The matches in each segment, before ranking. */
export interface Found {
  parts: Part[]
  matched: Matched[]
  total: number
  groups: Group[]
}

const identities = new WeakMap<Segment, Uint32Array>()

function identity(segment: Segment): Uint32Array {
  let list = identities.get(segment)
  if (!list) identities.set(segment, (list = Uint32Array.from({ length: segment.count }, (_, at) => at)))
  return list
}

/** Live documents that pass the filter; null when all do. */
export function allowedIn(part: Part, filter: Filter | null): Bits | null {
  const { segment, deleted } = part
  if (!filter && !deleted) return null
  const bits = filter ? passing(filter, segment) : everything(segment.count)
  if (!deleted) return bits
  const alive = bits.slice()
  for (let i = 0; i < alive.length; i++) alive[i]! &= ~deleted[i]!
  return alive
}

/** Whether a document is live and passes the filter. */
export function passes(part: Part, at: number, filter: Filter | null): boolean {
  const allowed = allowedIn(part, filter)
  return allowed === null || hasBit(allowed, at)
}

function listOf(bits: Bits | null, segment: Segment): Uint32Array {
  if (!bits) return identity(segment)
  const list = uints(countBits(bits))
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i]!
    while (word !== 0) {
      const bit = 31 - Math.clz32(word & -word)
      list[count++] = (i << 5) + bit
      word &= word - 1
    }
  }
  return list
}

type NumberFilter = Extract<Filter, { kind: 'compare' | 'range' }>

/**
 * Numeric conditions in an AND are cheaper to check on the matches of the words and other filters than to turn into a
 * bitset for the whole segment: price ranges hardly ever repeat, so a cached bitset would be useless.
 */
function split(filter: Filter | null, hasWords: boolean): { first: Filter | null; then: NumberFilter[] } {
  if (!filter) return { first: null, then: [] }
  const all = filter.kind === 'and' ? filter.of : [filter]
  const then = all.filter((one): one is NumberFilter => one.kind === 'compare' || one.kind === 'range')
  const rest = all.filter((one) => one.kind !== 'compare' && one.kind !== 'range')
  if (then.length === 0 || (rest.length === 0 && !hasWords)) return { first: filter, then: [] }
  return { first: rest.length === 0 ? null : rest.length === 1 ? rest[0]! : { kind: 'and', of: rest }, then }
}

/** The conditions as ranges of columns, lower and upper bounds of an attribute combined, and conditions that are not ranges. */
function rangesOf(filters: readonly NumberFilter[], segment: Segment): { ranges: NumberRange[]; others: NumberFilter[] } {
  const ranges = new Map<NumberRange['numbers'], NumberRange>()
  const others: NumberFilter[] = []
  for (const filter of filters) {
    const range = asRange(filter, segment)
    if (range) {
      const { from, to } = ranges.get(range.numbers) ?? { from: -Infinity, to: Infinity }
      ranges.set(range.numbers, { numbers: range.numbers, from: Math.max(from, range.from), to: Math.min(to, range.to) })
    } else others.push(filter)
  }
  return { ranges: [...ranges.values()], others }
}

function keepBits({ documents, scores }: Matched, bits: Bits): Matched {
  let count = 0
  for (let i = 0; i < documents.length; i++) {
    if (!hasBit(bits, documents[i]!)) continue
    documents[count] = documents[i]!
    if (scores !== null) scores[count] = scores[i]!
    count++
  }
  return { documents: documents.subarray(0, count), scores: scores && scores.subarray(0, count) }
}

function keepRange({ documents, scores }: Matched, { numbers, from, to }: NumberRange): Matched {
  let count = 0
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]!
    const number = numbers[document]!
    if (!(number >= from && number <= to)) continue
    documents[count] = document
    if (scores !== null) scores[count] = scores[i]!
    count++
  }
  return { documents: documents.subarray(0, count), scores: scores && scores.subarray(0, count) }
}

/** Every document that passes the filter and, if there are words, matches all of them (with `any`, at least one). */
export function find(snapshot: Snapshot, groups: Group[], filter: Filter | null, any: boolean): Found {
  const { parts, config } = snapshot
  const statistics: Statistics | null = groups.length > 0 ? statisticsOf(snapshot, groups) : null
  const { first, then } = split(filter, statistics !== null)
  let total = 0
  const matched = parts.map((part): Matched => {
    const { segment } = part
    const { ranges, others } = rangesOf(then, segment)
    // With words, the first range is checked while documents are gathered, before they are scored.
    const range = statistics ? (ranges.shift() ?? null) : null
    let kept: Matched = statistics
      ? matchGroups(segment, config.weights, groups, statistics, () => ({ bits: allowedIn(part, first), range }), any)
      : { documents: listOf(allowedIn(part, first), segment), scores: null }
    if (kept.documents.length === 0) return kept
    // The lists belong to this query and are overwritten.
    for (const filter of others) kept = keepBits(kept, passing(filter, segment))
    for (const one of ranges) kept = keepRange(kept, one)
    total += kept.documents.length
    return kept
  })
  return { parts, matched, total, groups }
}

/** Whether any term of the index matches this part of the query. */
export function isFindable(snapshot: Snapshot, group: Group): boolean {
  return group.alternatives.some(({ leaves }) =>
    snapshot.parts.some(({ segment }) => leaves.every((leaf) => leaf.kind === 'exact' || expand(leaf, segment).variants.length > 0)),
  )
}
