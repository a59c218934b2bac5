import { floats } from './arena.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { exactRange, expand } from './term-expansion.ts'
import { b, bm25, collect, gather, k1, raise, scratchFor, type Allowed, type Source, type Bm25 } from './bm25-scorer.ts'
import type { Snapshot } from './snapshot.ts'
import type { Alternative, Group, Leaf } from './query-parser.ts'

const everybody: Allowed = { bits: null, range: null }
/** A match of a whole exact attribute outscores any words. */
const EXACT_SCORE = 100

/** Matching documents in document order, with their scores. */
export interface Matched {
  documents: Uint32Array
  scores: Float64Array | null
}

/** Inverse document frequency of each leaf and average document length, over the whole index: the same for all segments. */
export interface Statistics {
  idf: Map<Leaf, number>
  averageLength: number
}

interface Weighted {
  key: string
  /** Weighted frequency per code. */
  frequencies: Float64Array
  /** Weighted length per document. */
  lengths: Float32Array
}
const weightedCache = new WeakMap<Segment, Weighted>()

/** Frequencies and lengths of a segment under the field weights of its index. */
function weighted(segment: Segment, weights: readonly number[]): Weighted {
  const key = weights.join()
  let found = weightedCache.get(segment)
  if (found?.key === key) return found
  const fields = segment.meta.fields
  const codes = fields === 0 ? 0 : segment.frequencies.length / fields
  const frequencies = new Float64Array(codes)
  for (let code = 0; code < codes; code++)
    for (let field = 0; field < fields; field++) frequencies[code]! += segment.frequencies[code * fields + field]! * weights[field]!
  const lengths = new Float32Array(segment.count)
  for (let at = 0; at < segment.count; at++) {
    let length = 0
    for (let field = 0; field < fields; field++) length += segment.fieldLengths[at * fields + field]! * weights[field]!
    lengths[at] = length
  }
  found = { key, frequencies, lengths }
  weightedCache.set(segment, found)
  return found
}

export function statisticsOf(snapshot: Snapshot, groups: readonly Group[]): Statistics {
  const { weights } = snapshot.config
  let documents = 0
  let length = 0
  for (const { segment } of snapshot.parts) {
    documents += segment.count
    segment.meta.totalLengths.forEach((total, field) => (length += total * weights[field]!))
  }
  const idf = new Map<Leaf, number>()
  for (const group of groups) {
    for (const { leaves } of group.alternatives) {
      for (const leaf of leaves) {
        if (leaf.kind === 'exact') continue
        let exact = 0
        let best = 0
        for (const { segment } of snapshot.parts) {
          const found = expand(leaf, segment)
          exact += found.exactFrequency
          best += found.bestFrequency
        }
        const frequency = exact > 0 ? exact : best
        idf.set(leaf, Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5)))
      }
    }
  }
  return { idf, averageLength: documents > 0 && length > 0 ? length / documents : 1 }
}

/** Documents of a segment that match every group (with `any`, at least one) and pass the filters. */
export function matchGroups(
  segment: Segment,
  weights: readonly number[],
  groups: readonly Group[],
  statistics: Statistics,
  allowed: () => Allowed,
  any: boolean,
): Matched {
  const compiled = groups.map((group) => sourcesOf(segment, weights, group.alternatives, statistics))
  const optional = groups.map((group) => group.isOptional === true)
  any ||= groups.length > 0 && optional.every(Boolean)
  // Small segments seldom have all the words: then the filter need not be evaluated.
  const lacks = compiled.map((sources, index) => sources.length === 0 && (any || !optional[index]))
  if (any ? lacks.every(Boolean) : lacks.some(Boolean)) return { documents: new Uint32Array(0), scores: new Float64Array(0) }
  return any
    ? unite(segment, weights, compiled, statistics, allowed())
    : intersect(segment, weights, compiled, statistics, allowed(), optional)
}

function sourcesOf(segment: Segment, weights: readonly number[], alternatives: readonly Alternative[], statistics: Statistics): Source[] {
  const sources: Source[] = []
  const rarity = (leaves: readonly Leaf[]) => leaves.reduce((sum, leaf) => sum + (statistics.idf.get(leaf) ?? 0), 0)
  const typed = alternatives.length > 0 ? rarity(alternatives[0]!.leaves) : 0
  for (const alternative of alternatives) {
    const { leaves } = alternative
    // A substitute never outscores the words typed, however rare it is.
    const weight = alternative.weight * Math.min(1, typed / (rarity(leaves) || typed || 1))
    if (leaves.length === 1) sources.push(...leafSources(segment, leaves[0]!, weight, statistics))
    else {
      const each = leaves.map((leaf) => leafSources(segment, leaf, 1, statistics))
      if (each.some((list) => list.length === 0)) continue
      const { documents, scores } = intersect(segment, weights, each, statistics, everybody, [])
      sources.push({ documents, from: 0, to: documents.length, factor: weight, codes: null, scores })
    }
  }
  return sources
}

function leafSources(segment: Segment, leaf: Leaf, weight: number, statistics: Statistics): Source[] {
  if (leaf.kind === 'exact') {
    const { from, to } = exactRange(leaf, segment)
    if (from >= to) return []
    const { starts, documents } = segment.exact
    const list = leaf.isPrefix
      ? Uint32Array.from(new Set(documents.subarray(starts[from], starts[to]))).sort()
      : documents.subarray(starts[from], starts[to])
    return [{ documents: list, from: 0, to: list.length, factor: leaf.isPrefix ? EXACT_SCORE / 2 : EXACT_SCORE, codes: null, scores: null }]
  }
  const idf = statistics.idf.get(leaf)!
  return expand(leaf, segment).variants.map((variant) => ({
    documents: segment.postDocuments,
    from: segment.postStarts[variant.stem]!,
    to: segment.postStarts[variant.stem + 1]!,
    factor: weight * variant.weight * idf,
    codes: segment.postCodes,
    scores: null,
  }))
}

/** First index from `from` on whose document is not before `wanted`, by galloping search. */
function advance(list: Uint32Array, from: number, to: number, wanted: number): number {
  if (from >= to || list[from]! >= wanted) return from
  let step = 1
  let low = from
  while (low + step < to && list[low + step]! < wanted) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, to)
  low++
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Raises `best` to the score that each document has in a postings list; documents not in the list keep their value. */
function lookUp(source: Source, documents: Uint32Array, best: Float64Array, by: Bm25): void {
  const list = source.documents
  const { from, to } = source
  const count = documents.length
  if ((to - from) * 8 < count) {
    let place = 0
    for (let at = from; at < to && place < count; at++) {
      const document = list[at]!
      place = advance(documents, place, count, document)
      if (place < count && documents[place] === document) best[place] = Math.max(best[place]!, bm25(source, at, document, by))
    }
    return
  }
  let at = from
  for (let place = 0; place < count; place++) {
    const document = documents[place]!
    at = advance(list, at, to, document)
    if (at === to) return
    if (list[at] === document) best[place] = Math.max(best[place]!, bm25(source, at, document, by))
  }
}

/** Postings up to this many times longer than the list of documents are scanned: galloping does not pay over short distances. */
const NEAR = 16

/** As `lookUp`, over several postings lists. */
function lookUpAll(sources: readonly Source[], size: number, documents: Uint32Array, best: Float64Array, count: number, by: Bm25): void {
  if (size > documents.length * NEAR || documents.length > size * NEAR) {
    for (const source of sources) lookUp(source, documents, best, by)
    return
  }
  const { seen, list: slots } = scratchFor(count)
  for (let place = 0; place < documents.length; place++) {
    const document = documents[place]!
    seen[document >>> 5]! |= 1 << (document & 31)
    slots[document] = place
  }
  for (const source of sources) raise(source, count, seen, best, slots, by)
  for (let place = 0; place < documents.length; place++) seen[documents[place]! >>> 5] = 0
}

/** Conjunction, rarest group first: the matches so far are looked up in the longer postings, not the other way round. */
function intersect(
  segment: Segment,
  weights: readonly number[],
  groups: Source[][],
  statistics: Statistics,
  allowed: Allowed,
  optional: readonly boolean[],
): Matched {
  const none = { documents: new Uint32Array(0), scores: new Float64Array(0) }
  if (groups.length === 0 || groups.some((sources, index) => sources.length === 0 && !optional[index])) return none
  const by = weigher(segment, weights, statistics)
  const sizeOf = (sources: Source[]) => sources.reduce((sum, source) => sum + source.to - source.from, 0)
  const ordered = groups
    .map((sources, index) => ({ sources, size: sizeOf(sources), isOptional: optional[index] === true }))
    .sort((x, y) => Number(x.isOptional) - Number(y.isOptional) || x.size - y.size)
  let { documents, scores } = gather(ordered[0]!.sources, segment.count, allowed, by)

  for (const { sources, size, isOptional } of ordered.slice(1)) {
    if (documents.length === 0) return none
    const best = floats(documents.length).fill(-1)
    lookUpAll(sources, size, documents, best, segment.count, by)
    let kept = 0
    for (let i = 0; i < documents.length; i++) {
      if (best[i]! < 0 && !isOptional) continue
      documents[kept] = documents[i]!
      scores[kept++] = scores[i]! + Math.max(0, best[i]!)
    }
    documents = documents.subarray(0, kept)
    scores = scores.subarray(0, kept)
  }
  return rounded({ documents, scores })
}

/** Disjunction: every document that matches any group, with the sum of its scores. */
function unite(segment: Segment, weights: readonly number[], groups: Source[][], statistics: Statistics, allowed: Allowed): Matched {
  const by = weigher(segment, weights, statistics)
  const { total, any } = scratchFor(segment.count)
  let found = 0
  for (const sources of groups) {
    if (sources.length === 0) continue
    const { documents, scores } = gather(sources, segment.count, allowed, by)
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i]!
      const bit = 1 << (document & 31)
      if ((any[document >>> 5]! & bit) === 0) {
        any[document >>> 5]! |= bit
        total[document] = scores[i]!
        found++
      } else total[document]! += scores[i]!
    }
  }
  return rounded(collect(any, total, found, (segment.count + 31) >>> 5))
}

/** Rounds the sums, so that the order of addition cannot decide between equal scores. */
function rounded(matched: { documents: Uint32Array; scores: Float64Array }): Matched {
  for (let i = 0; i < matched.scores.length; i++) matched.scores[i] = Math.fround(matched.scores[i]!)
  return matched
}

function weigher(segment: Segment, weights: readonly number[], statistics: Statistics): Bm25 {
  return { ...weighted(segment, weights), flat: k1 * (1 - b), slope: (k1 * b) / statistics.averageLength }
}
