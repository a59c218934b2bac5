import { analyzerFor, type Token } from '../analysis/analyzer.ts'
import { bare } from '../analysis/fold.ts'
import { units, unitScales } from '../analysis/languages.ts'
import { compoundParts, splitInTwo } from '../analysis/compound-words.ts'
import type { SearchParams } from '../types.ts'
import type { Snapshot } from './snapshot.ts'
import { phraseKey } from './synonyms.ts'

/** One word to look for, with what may stand in its place. */
export interface Word {
  kind: 'word'
  surface: string
  stem: string
  /** Letters that may be wrong. */
  typos: number
  isPrefix: boolean
}

/** A whole value of an exact attribute. */
export interface ExactKey {
  kind: 'exact'
  key: string
  isPrefix: boolean
}

export type Leaf = Word | ExactKey

/** Words that must all be found together to count, each way with its weight. */
export interface Alternative {
  weight: number
  leaves: Leaf[]
}

/** A piece of the query that a hit must match in one of these ways. */
export interface Group {
  /** As typed, for messages and highlighting. */
  text: string
  start: number
  end: number
  alternatives: Alternative[]
  /** Adds to the score of what has it; what lacks it stays. */
  isOptional?: boolean
}

export const weights = { stem: 1, synonym: 0.8, joined: 0.95, split: 0.8, unit: 0.95, exact: 1 }
const MAX_WORDS = 32
const MIN_EXACT = 4
const MIN_EXACT_PREFIX = 5

export interface ParsedQuery {
  groups: Group[]
}

/** How many letters of a word may be wrong: 1 from four letters, 2 from eight; none in numbers and references. */
export function typosAllowed(surface: string): number {
  if (/\d/.test(surface)) return 0
  return surface.length >= 8 ? 2 : surface.length >= 4 ? 1 : 0
}

/**
 * How a query is read against an index. With `everyWordMayBeWrong`, words that exist may be
 * misspelled too; with `apart`, words that form a phrase can also be found one without the other.
 */
export function parseQuery(
  snapshot: Snapshot,
  params: SearchParams,
  everyWordMayBeWrong: boolean,
  apart = params.optionalWords !== undefined,
): ParsedQuery {
  const { schema, stopWords, synonymTable } = snapshot.config
  const analyzer = analyzerFor(schema.language)
  const query = params.query ?? ''
  const all = analyzer.analyze(query)
  const telling = all.filter((token) => !token.isStopWord && !stopWords.has(token.surface))
  const tokens = (telling.length > 0 ? telling : all.slice(-1)).slice(0, MAX_WORDS)
  const prefix = params.queryType ?? 'prefixLast'
  const typo = params.typoTolerance ?? true
  const parts = snapshot.parts

  const standsAlone = (surface: string): boolean => parts.some(({ segment }) => segment.surfaces.find(surface) >= 0)
  const isKnownStem = (stem: string): boolean =>
    parts.some(({ segment }) => segment.stems.find(stem) >= 0 || (segment.parts !== null && segment.parts.terms.find(stem) >= 0))
  const begins = (surface: string): boolean =>
    parts.some(({ segment }) => {
      const at = segment.surfaces.lowerBound(surface)
      return at < segment.surfaces.count && segment.surfaces.get(at).startsWith(surface)
    })

  function isPrefixAt(index: number): boolean {
    if (prefix === 'prefixNone') return false
    if (prefix === 'prefixAll') return true
    const token = tokens[index]!
    return index === tokens.length - 1 && token.end === query.length
  }

  function wordOf(surface: string, stem: string, isPrefix: boolean): Word {
    const isKnown = standsAlone(surface) || isKnownStem(stem) || (isPrefix && surface.length > 2 && begins(surface))
    const longEnough = everyWordMayBeWrong && !isKnown && surface.length === 3 && !/\d/.test(surface) ? 1 : typosAllowed(surface)
    const may = typo === false ? 0 : Math.min(longEnough, typo === 'strict' ? 1 : 2)
    return { kind: 'word', surface, stem, typos: isKnown && !everyWordMayBeWrong ? 0 : may, isPrefix }
  }

  function single(index: number): Alternative[] {
    const token = tokens[index]!
    const isPrefix = isPrefixAt(index)
    const word = wordOf(token.surface, token.stem, isPrefix && !(token.isNumber && token.also !== undefined))
    const alternatives: Alternative[] = [{ weight: 1, leaves: [word] }]
    if (token.isNumber) alternatives.push(...numberAlternatives(token))
    else if (!standsAlone(token.surface) && !isKnownStem(token.stem)) {
      const cut = schema.language === 'de' ? compoundParts(token.surface, standsAlone) : null
      const pieces = cut ?? splitInTwo(token.surface, standsAlone)
      if (pieces) alternatives.push({ weight: weights.split, leaves: pieces.map((piece) => wordOf(piece, analyzer.stem(piece), false)) })
    }
    return alternatives
  }

  function numberAlternatives(token: Token): Alternative[] {
    const found: Alternative[] = []
    const exactly = (term: string): Leaf => ({ kind: 'word', surface: term, stem: term, typos: 0, isPrefix: false })
    if (token.glued)
      found.push({
        weight: weights.split,
        leaves: [exactly(token.glued.value), wordOf(token.glued.word, analyzer.stem(token.glued.word), false)],
      })
    const measured = /^([\d.]+)([a-z]+)$/.exec(token.surface)
    const scale = measured && unitScales[measured[2]!]
    if (measured && scale) {
      for (const [unit, other] of Object.entries(unitScales)) {
        if (other.kind !== scale.kind || unit === measured[2]) continue
        const value = (Number(measured[1]) * scale.scale) / other.scale
        if (value >= 0.001 && value < 1e7) found.push({ weight: weights.unit, leaves: [exactly(String(Number(value.toFixed(4))) + unit)] })
      }
    }
    return found
  }

  /** Words next to each other that are one thing: a synonym's phrase, a reference, a word written apart. */
  function span(from: number): { length: number; alternatives: Alternative[] } | null {
    const longest = Math.min(tokens.length - from, Math.max(synonymTable.longest, schema.exact.length > 0 ? 6 : 2, 2))
    for (let length = longest; length >= 1; length--) {
      const covered = tokens.slice(from, from + length)
      const extra: Alternative[] = []
      const phrases = length <= synonymTable.longest ? synonymTable.phrases.get(phraseKey(covered)) : undefined
      for (const phrase of phrases ?? []) {
        extra.push({
          weight: weights.synonym,
          leaves: phrase.map((token) => ({ kind: 'word', surface: token.surface, stem: token.stem, typos: 0, isPrefix: false })),
        })
      }
      const key = exactKey(covered, from + length === tokens.length)
      if (key) extra.push({ weight: weights.exact, leaves: [key] })
      if (length === 2 && !covered[1]!.isStopWord) {
        const joined = covered[0]!.surface + covered[1]!.surface
        if (standsAlone(joined))
          extra.push({ weight: weights.joined, leaves: [wordOf(joined, analyzer.stem(joined), isPrefixAt(from + 1))] })
        else extra.push(...movedBlank(covered, joined))
      }
      if (extra.length === 0) continue
      if (length === 1) return { length, alternatives: [...single(from), ...extra] }
      // The words as typed keep every way each of them has, combined only in their first.
      const leaves = covered.map((_, i) => single(from + i)[0]!.leaves[0]!)
      return { length, alternatives: [{ weight: 1, leaves }, ...extra] }
    }
    return null
  }

  /** "lase rlevel": the blank is one letter off. Words that are left out of searches count as words here. */
  function movedBlank(covered: Token[], joined: string): Alternative[] {
    if (covered.every((token) => standsAlone(token.surface)) || covered.some((token) => token.isNumber)) return []
    const isStop = (word: string) => analyzer.word(word).isStopWord
    const pieces = splitInTwo(joined, (word) => isStop(word) || (word.length > 1 && standsAlone(word)), 1)
    const leaves = (pieces ?? []).filter((piece) => !isStop(piece)).map((piece) => wordOf(piece, analyzer.stem(piece), false))
    return leaves.length > 0 ? [{ weight: weights.joined, leaves }] : []
  }

  function exactKey(covered: Token[], isLast: boolean): ExactKey | null {
    if (schema.exact.length === 0) return null
    const raw = query.slice(covered[0]!.start, covered.at(-1)!.end)
    const key = bare(raw)
    if (key.length < MIN_EXACT || !/\d/.test(key) || units.has(key)) return null
    const isThere = parts.some(({ segment }) => segment.exact.terms.find(key) >= 0)
    if (isThere) return { kind: 'exact', key, isPrefix: false }
    if (!isLast || prefix === 'prefixNone' || key.length < MIN_EXACT_PREFIX) return null
    const isBegun = parts.some(({ segment }) => {
      const at = segment.exact.terms.lowerBound(key)
      return at < segment.exact.terms.count && segment.exact.terms.get(at).startsWith(key)
    })
    return isBegun ? { kind: 'exact', key, isPrefix: true } : null
  }

  const groups: Group[] = []
  for (let i = 0; i < tokens.length;) {
    const found = span(i)
    const length = found?.length ?? 1
    const start = tokens[i]!.start
    const end = tokens[i + length - 1]!.end
    if (found && apart && length > 1) {
      for (let j = i; j < i + length; j++) {
        const token = tokens[j]!
        groups.push({ text: query.slice(token.start, token.end), start: token.start, end: token.end, alternatives: single(j) })
      }
      found.alternatives.shift()
    }
    groups.push({ text: query.slice(start, end), start, end, alternatives: found?.alternatives ?? single(i) })
    i += length
  }
  const optional = new Set(
    [params.optionalWords ?? []].flat().flatMap((text) => analyzer.analyze(String(text)).map((token) => token.surface)),
  )
  if (optional.size > 0) {
    for (const group of groups)
      group.isOptional = analyzer.analyze(group.text).every((token) => token.isStopWord || optional.has(token.surface))
  }
  return { groups }
}
