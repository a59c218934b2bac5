import { compareSortValues, sortValueOf } from '../segment/doc-values.ts'
import type { Segment } from '../segment/segment-reader.ts'
import type { SortKey } from '../segment/schema.ts'
import { byCodeUnit } from '../segment/term-dictionary.ts'
import { hasBit, passing } from './bitsets.ts'
import type { Filter } from './filter-parser.ts'
import type { Matched } from './boolean-scorer.ts'
import type { Part } from './snapshot.ts'

/** A hit before its document is read. */
export interface Candidate {
  part: number
  document: number
  /** Sum of the scores of optional filters. */
  boost: number
  score: number
  /** Proximity and order of the words; more is better. Compared only between equals. */
  closeness: number
}

/** The criteria that rank the matches of one segment. */
export interface Ranking {
  matched: Matched
  boosts: Float64Array | null
  /** Position of each document in a sort order, which replaces the score. */
  ranks: Uint32Array | null
  /** Position of each document in custom-ranking order, the tie-breaker; null when documents are stored in it. */
  ties: Uint32Array | null
  closeness: ((document: number) => number) | null
  /** Proximity per index into the matches, NaN where not computed yet. */
  known: Float32Array | null
}

export function closenessAt(ranking: Ranking, place: number): number {
  if (!ranking.closeness) return 0
  ranking.known ??= new Float32Array(ranking.matched.documents.length).fill(NaN)
  let value = ranking.known[place]!
  if (value !== value) ranking.known[place] = value = ranking.closeness(ranking.matched.documents[place]!)
  return value
}

/** Whether the first of two matches ranks before the second. */
export function isBefore(ranking: Ranking, x: number, y: number): boolean {
  const { matched, boosts, ranks, ties, closeness } = ranking
  const { documents, scores } = matched
  if (ranks) return ranks[documents[x]!]! < ranks[documents[y]!]!
  if (boosts && boosts[x] !== boosts[y]) return boosts[x]! > boosts[y]!
  if (scores && scores[x] !== scores[y]) return scores[x]! > scores[y]!
  if (closeness) {
    const nearX = closenessAt(ranking, x)
    const nearY = closenessAt(ranking, y)
    if (nearX !== nearY) return nearX > nearY
  }
  return ties ? ties[documents[x]!]! < ties[documents[y]!]! : documents[x]! < documents[y]!
}

/** Indexes of the best `size` matches, best first; of those in `places`, or of all. */
export function bestPlaces(ranking: Ranking, size: number, places: Uint32Array | null): Uint32Array {
  const total = places ? places.length : ranking.matched.documents.length
  const { boosts, matched, ties } = ranking
  const { documents, scores } = matched
  if (size <= 0 || total === 0) return new Uint32Array(0)
  // With a single criterion, only that one is compared.
  const ranks = ranking.ranks ?? (boosts || scores ? null : ties)
  if (!ranks && !boosts && !scores) {
    const count = Math.min(size, total)
    return places ? places.slice().sort().slice(0, count) : Uint32Array.from({ length: count }, (_, i) => i)
  }
  // A heap with the worst of the best on top; most matches lose to it on the first criterion.
  const heap = new Uint32Array(Math.min(size, total))
  const leading = ranks ? null : (boosts ?? scores)
  let least = -Infinity
  let last = Infinity
  let count = 0
  for (let i = 0; i < total; i++) {
    const place = places ? places[i]! : i
    if (leading !== null ? leading[place]! < least : ranks![documents[place]!]! > last) continue
    if (count < heap.length) {
      let at = count++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (!isBefore(ranking, heap[parent]!, place)) break
        heap[at] = heap[parent]!
        at = parent
      }
      heap[at] = place
    } else if (isBefore(ranking, place, heap[0]!)) sink(ranking, heap, count, place)
    if (count < heap.length) continue
    if (leading !== null) least = leading[heap[0]!]!
    else last = ranks![documents[heap[0]!]!]!
  }
  return heap.sort((x, y) => (x === y ? 0 : isBefore(ranking, x, y) ? -1 : 1))
}

function sink(ranking: Ranking, heap: Uint32Array, count: number, place: number): void {
  let at = 0
  for (;;) {
    let child = at * 2 + 1
    if (child >= count) break
    if (child + 1 < count && isBefore(ranking, heap[child]!, heap[child + 1]!)) child++
    if (!isBefore(ranking, place, heap[child]!)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = place
}

/** Merges sorted lists up to `size` entries. */
export function firstOf<T>(lists: readonly (readonly T[])[], size: number, compare: (x: T, y: T) => number): T[] {
  const left = lists.filter((list) => list.length > 0)
  const at = left.map(() => 0)
  const first: T[] = []
  while (left.length > 1 && first.length < size) {
    let best = 0
    for (let i = 1; i < left.length; i++) if (compare(left[i]![at[i]!]!, left[best]![at[best]!]!) < 0) best = i
    first.push(left[best]![at[best]!++]!)
    if (at[best] === left[best]!.length) {
      left.splice(best, 1)
      at.splice(best, 1)
    }
  }
  return left.length === 1 ? [...first, ...left[0]!.slice(at[0], at[0]! + size - first.length)] : first
}

/** Order between hits of different segments. */
export function candidateOrder(
  parts: readonly Part[],
  keys: readonly SortKey[],
  isSorted: boolean,
): (x: Candidate, y: Candidate) => number {
  const valueOf = (candidate: Candidate, key: SortKey) =>
    sortValueOf(parts[candidate.part]!.segment.columns.get(key.attribute)!, candidate.document)
  return (x, y) => {
    if (!isSorted) {
      const difference = y.boost - x.boost || y.score - x.score || y.closeness - x.closeness
      if (difference !== 0) return difference
    }
    if (x.part === y.part && !isSorted) {
      const { ranks } = parts[x.part]!.segment
      return ranks ? ranks[x.document]! - ranks[y.document]! : x.document - y.document
    }
    for (const key of keys) {
      const order = compareSortValues(valueOf(x, key), valueOf(y, key), key.descending)
      if (order !== 0) return order
    }
    const idOf = (candidate: Candidate) => parts[candidate.part]!.segment.ids.get(candidate.document)
    return byCodeUnit(idOf(x), idOf(y))
  }
}

/**
 * Optional-filter score per match. Filters of one list are alternatives: the best counts, or with `sum` all of them;
 * separate lists add up.
 */
export function boostsOf(lists: readonly Filter[][], sum: boolean, segment: Segment, documents: Uint32Array): Float64Array | null {
  if (lists.length === 0) return null
  const boosts = new Float64Array(documents.length)
  for (const list of lists) {
    const scored = list.map((filter) => ({ bits: passing(filter, segment), points: pointsOf(filter) }))
    for (let i = 0; i < documents.length; i++) {
      let points = 0
      for (const one of scored) {
        if (!hasBit(one.bits, documents[i]!)) continue
        points = sum ? points + one.points : Math.max(points, one.points)
      }
      boosts[i]! += points
    }
  }
  return boosts
}

function pointsOf(filter: Filter): number {
  if (filter.kind === 'value') return filter.score
  if (filter.kind === 'not') return pointsOf(filter.of)
  return 1
}
