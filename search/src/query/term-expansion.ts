import type { Segment } from '../segment/segment-reader.ts'
import type { Leaf, Word } from './query-parser.ts'

/** A postings list to search, with its weight. */
export interface Variant {
  stem: number
  weight: number
  distance: number
}

export interface Expansion {
  variants: Variant[]
  /** Documents with the word itself (its stem); 0 when there are only variants. */
  exactFrequency: number
  /** The largest number of documents of any one variant. */
  bestFrequency: number
  /** Best correction of a misspelled word, for "did you mean". */
  correction: { surface: string; distance: number; frequency: number } | null
}

export const variantWeights = { exact: 1, prefix: 0.7, typo: [1, 0.6, 0.35], prefixTypo: [0.7, 0.45, 0.25], head: 0.8, modifier: 0.5 }
const MAX_PREFIX = 256
const MAX_TYPO = 32
/** Minimum length at which a German word is searched for inside longer ones. */
const LONG_ENOUGH = 5
/** Minimum length at which a prefix may contain a typo: below it, half of all words share a prefix. */
const LONG_ENOUGH_TO_BEGIN_WRONG = 5
const CACHE_SIZE = 2000
const caches = new WeakMap<Segment, Map<string, Expansion>>()

const keys = new WeakMap<Word, string>()

/** One word is looked up in every segment, and by several steps of a query. */
function keyOf(leaf: Word): string {
  let key = keys.get(leaf)
  if (key === undefined)
    keys.set(leaf, (key = `${leaf.typos}${leaf.isUnfinished ? 'u' : leaf.isPrefix ? 'p' : 'w'}${leaf.surface}\u0000${leaf.stem}`))
  return key
}

/** Expands a word to terms of a segment: itself, completions, misspellings, and compounds that contain it. */
export function expand(leaf: Word, segment: Segment): Expansion {
  let cache = caches.get(segment)
  if (!cache) caches.set(segment, (cache = new Map()))
  const key = keyOf(leaf)
  let found = cache.get(key)
  if (!found) {
    found = compute(leaf, segment)
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value!)
    cache.set(key, found)
  }
  return found
}

export const frequencyOf = (segment: Segment, stem: number): number => segment.postStarts[stem + 1]! - segment.postStarts[stem]!

function compute(leaf: Word, segment: Segment): Expansion {
  const byStem = new Map<number, Variant>()
  const add = (stem: number, weight: number, distance: number) => {
    const known = byStem.get(stem)
    if (!known || known.weight < weight) byStem.set(stem, { stem, weight, distance })
  }
  const completions = leaf.isPrefix ? prefixed(leaf.surface, segment) : []
  const found = segment.stems.find(leaf.stem)
  // What is typed so far may happen to have the stem of another word: "dri" has that of "dry".
  const exact = leaf.isUnfinished && !completions.includes(found) ? -1 : found
  if (exact >= 0) add(exact, variantWeights.exact, 0)
  for (const stem of completions) add(stem, variantWeights.prefix, 0)
  if (segment.parts) addCompounds(leaf, segment, add)
  const correction = leaf.typos > 0 ? addTypos(leaf, segment, add) : null
  const variants = [...byStem.values()].sort((a, b) => b.weight - a.weight || a.stem - b.stem)
  return {
    variants,
    exactFrequency: exact >= 0 ? frequencyOf(segment, exact) : 0,
    bestFrequency: variants.reduce((most, variant) => Math.max(most, frequencyOf(segment, variant.stem)), 0),
    correction,
  }
}

/** Stems of the words with this prefix; if there are too many, those in most documents. */
function prefixed(surface: string, segment: Segment): number[] {
  const stems = new Set<number>()
  const from = segment.surfaces.lowerBound(surface)
  const to = segment.surfaces.lowerBound(surface + '\uffff')
  for (let at = from; at < to; at++) stems.add(segment.surfaceStem[at]!)
  if (stems.size <= MAX_PREFIX) return [...stems]
  return [...stems].sort((a, b) => frequencyOf(segment, b) - frequencyOf(segment, a) || a - b).slice(0, MAX_PREFIX)
}

function addCompounds(leaf: Word, segment: Segment, add: (stem: number, weight: number, distance: number) => void): void {
  const { terms, starts, compounds } = segment.parts!
  const part = terms.find(leaf.stem)
  if (part < 0) {
    if (segment.stems.find(leaf.stem) < 0) addLongerWords(leaf.surface, segment, add)
    return
  }
  for (let i = starts[part]!; i < starts[part + 1]!; i++) {
    const entry = compounds[i]!
    add(entry >>> 1, entry & 1 ? variantWeights.modifier : variantWeights.head, 0)
  }
}

/** A word that never occurs alone may still be the head or modifier of a longer one. */
function addLongerWords(surface: string, segment: Segment, add: (stem: number, weight: number, distance: number) => void): void {
  if (surface.length < LONG_ENOUGH || /\d/.test(surface)) return
  const { surfaces, surfaceStem } = segment
  for (let index = 0; index < surfaces.count; index++) {
    const extra = surfaces.lengthOf(index) - surface.length
    if (extra < 3) continue
    let at = surface.length - 1
    while (at >= 0 && surfaces.charAt(index, extra + at) === surface.charCodeAt(at)) at--
    if (at < 0) add(surfaceStem[index]!, variantWeights.head, 0)
  }
  const to = surfaces.lowerBound(surface + '\uffff')
  for (let index = surfaces.lowerBound(surface); index < to; index++) add(surfaceStem[index]!, variantWeights.modifier, 0)
}

/** Of four letters, one may be missing, added or swapped, but not another one: "sofa" is not "soft". (V-83) */
function isMisspellingOf(typed: string, word: string): boolean {
  return typed.length !== 4 || word.length !== 4 || [...typed].toSorted().join('') === [...word].toSorted().join('')
}

function addTypos(leaf: Word, segment: Segment, add: (stem: number, weight: number, distance: number) => void): Expansion['correction'] {
  const near = new Map<number, number>()
  const keep = (surface: number, distance: number) => {
    const known = near.get(surface)
    if (known === undefined || distance < known) near.set(surface, distance)
  }
  segment.trie.near(leaf.surface, leaf.typos, false, keep)
  const found: { surface: number; distance: number; frequency: number; isPrefix: boolean }[] = []
  const isWord = (surface: number) => {
    const first = segment.surfaces.charAt(surface, 0)
    return first < 48 || first > 57
  }
  for (const [surface, distance] of near) {
    if (isWord(surface) && isMisspellingOf(leaf.surface, segment.surfaces.get(surface)))
      found.push({ surface, distance, frequency: frequencyOf(segment, segment.surfaceStem[surface]!), isPrefix: false })
  }
  if (leaf.isPrefix && leaf.surface.length >= LONG_ENOUGH_TO_BEGIN_WRONG) {
    const whole = new Set(near.keys())
    near.clear()
    segment.trie.near(leaf.surface, Math.min(leaf.typos, leaf.surface.length >= 8 ? 2 : 1), true, keep)
    for (const [surface, distance] of near) {
      if (!whole.has(surface) && isWord(surface))
        found.push({ surface, distance, frequency: frequencyOf(segment, segment.surfaceStem[surface]!), isPrefix: true })
    }
  }
  found.sort(
    (a, b) => a.distance - b.distance || Number(a.isPrefix) - Number(b.isPrefix) || b.frequency - a.frequency || a.surface - b.surface,
  )
  for (const { surface, distance, isPrefix } of found.slice(0, MAX_TYPO)) {
    add(segment.surfaceStem[surface]!, (isPrefix ? variantWeights.prefixTypo : variantWeights.typo)[distance]!, distance)
  }
  const best = found.find((entry) => entry.distance > 0 && !entry.isPrefix)
  return best ? { surface: segment.surfaces.get(best.surface), distance: best.distance, frequency: best.frequency } : null
}

/** Range of values of an exact attribute that a key stands for. */
export function exactRange(leaf: Extract<Leaf, { kind: 'exact' }>, segment: Segment): { from: number; to: number } {
  const { terms } = segment.exact
  if (!leaf.isPrefix) {
    const at = terms.find(leaf.key)
    return at < 0 ? { from: 0, to: 0 } : { from: at, to: at + 1 }
  }
  const from = terms.lowerBound(leaf.key)
  return { from, to: Math.min(terms.lowerBound(leaf.key + '\uffff'), from + 1000) }
}
