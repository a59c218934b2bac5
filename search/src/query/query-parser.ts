import { analyzerFor, type Analyzer, type Token } from '../analysis/analyzer.ts'
import { bare } from '../analysis/fold.ts'
import { languages, units, unitScales } from '../analysis/languages.ts'
import { compoundParts, splitInTwo } from '../analysis/compound-words.ts'
import type { SearchParams } from '../types.ts'
import { begins, hasPrefix, isKnownStem, standsAlone, typosAllowed } from './known-words.ts'
import type { Snapshot } from './snapshot.ts'
import { spellLikeSynonyms } from './spelling.ts'
import { phraseKey } from './synonyms.ts'

/** A word to search for, with its allowed edits and completions. */
export interface Word {
  kind: 'word'
  surface: string
  stem: string
  /** Edits allowed. */
  typos: number
  isPrefix: boolean
  /** Still being typed: the beginning of longer words, and not a word itself. */
  isUnfinished?: boolean
}

/** A whole value of an exact attribute. */
export interface ExactKey {
  kind: 'exact'
  key: string
  isPrefix: boolean
}

export type Leaf = Word | ExactKey

/** One way to match: words that must all match, with a weight. */
export interface Alternative {
  weight: number
  leaves: Leaf[]
}

/** A part of the query that a hit must match in one of several ways. */
export interface Group {
  /** As typed, for messages and highlighting. */
  text: string
  start: number
  end: number
  alternatives: Alternative[]
  /** Adds to the score of matching documents and excludes none. */
  isOptional?: boolean
}

export const weights = { stem: 1, synonym: 0.8, qualifiedSynonym: 0.9, joined: 0.95, split: 0.8, unit: 0.95, exact: 1 }
const MAX_WORDS = 32
const MIN_EXACT = 4
const MIN_EXACT_PREFIX = 5

export interface ParsedQuery {
  groups: Group[]
}

/** A query being parsed: its tokens, and the index it is parsed against. */
interface Reading {
  snapshot: Snapshot
  analyzer: Analyzer
  query: string
  tokens: Token[]
  prefix: NonNullable<SearchParams['queryType']>
  typo: NonNullable<SearchParams['typoTolerance']>
  everyWordMayBeWrong: boolean
}

/**
 * Parses a query against the words of an index. With `everyWordMayBeWrong`, known words may be misspelled too; with
 * `apart`, the words of a phrase are also found one without the other.
 */
export function parseQuery(
  snapshot: Snapshot,
  params: SearchParams,
  everyWordMayBeWrong: boolean,
  apart = params.optionalWords !== undefined,
): ParsedQuery {
  const reading = startReading(snapshot, params, everyWordMayBeWrong)
  const { tokens, query, analyzer } = reading
  const groups: Group[] = []
  const groupOf = (from: number, length: number, alternatives: Alternative[]): Group => {
    const start = tokens[from]!.start
    const end = tokens[from + length - 1]!.end
    return { text: query.slice(start, end), start, end, alternatives }
  }
  for (let i = 0; i < tokens.length;) {
    const found = spanAt(reading, i)
    const length = found?.length ?? 1
    const alternatives = found?.alternatives ?? alternativesAt(reading, i)
    if (apart && length > 1) {
      for (let j = i; j < i + length; j++) groups.push(groupOf(j, 1, alternativesAt(reading, j)))
      alternatives.shift()
    }
    groups.push(groupOf(i, length, alternatives))
    i += length
  }
  markOptional(groups, params.optionalWords, analyzer)
  return { groups }
}

function startReading(snapshot: Snapshot, params: SearchParams, everyWordMayBeWrong: boolean): Reading {
  const { schema, stopWords } = snapshot.config
  const analyzer = analyzerFor(schema.language)
  const query = params.query ?? ''
  const all = analyzer.analyze(query)
  const isLast = (token: Token) => params.queryType !== 'prefixNone' && token.end === query.length
  const telling = all
    .filter((token) => !token.isStopWord && !stopWords.has(token.surface))
    .map((token) => (params.typoTolerance === false ? token : spellLikeSynonyms(snapshot, analyzer, token, isLast(token))))
  return {
    snapshot,
    analyzer,
    query,
    tokens: (telling.length > 0 ? telling : all.slice(-1)).slice(0, MAX_WORDS),
    prefix: params.queryType ?? 'prefixLast',
    typo: params.typoTolerance ?? true,
    everyWordMayBeWrong,
  }
}

function markOptional(groups: readonly Group[], optionalWords: SearchParams['optionalWords'], analyzer: Analyzer): void {
  const optional = new Set([optionalWords ?? []].flat().flatMap((text) => analyzer.analyze(String(text)).map((token) => token.surface)))
  if (optional.size === 0) return
  for (const group of groups)
    group.isOptional = analyzer.analyze(group.text).every((token) => token.isStopWord || optional.has(token.surface))
}

function isPrefixAt({ prefix, tokens, query }: Reading, index: number): boolean {
  if (prefix === 'prefixNone') return false
  if (prefix === 'prefixAll') return true
  return index === tokens.length - 1 && tokens[index]!.end === query.length
}

function wordOf({ snapshot, typo, everyWordMayBeWrong }: Reading, surface: string, stem: string, isPrefix: boolean): Word {
  const isWord = standsAlone(snapshot, surface)
  const isBegun = isPrefix && begins(snapshot, surface)
  const isKnown = isWord || isKnownStem(snapshot, stem) || (isBegun && surface.length > 2)
  const longEnough = everyWordMayBeWrong && !isKnown && surface.length === 3 && !/\d/.test(surface) ? 1 : typosAllowed(surface)
  const may = typo === false ? 0 : Math.min(longEnough, typo === 'strict' ? 1 : 2)
  const word: Word = { kind: 'word', surface, stem, typos: isKnown && !everyWordMayBeWrong ? 0 : may, isPrefix }
  if (isBegun && !isWord) word.isUnfinished = true
  return word
}

/** The ways in which one token can match. */
function alternativesAt(reading: Reading, index: number): Alternative[] {
  const { snapshot, analyzer, tokens } = reading
  const token = tokens[index]!
  const isPrefix = isPrefixAt(reading, index)
  const word = wordOf(reading, token.surface, token.stem, isPrefix && !isWholeNumber(snapshot, token))
  const alternatives: Alternative[] = [{ weight: 1, leaves: [word] }]
  if (token.isNumber) alternatives.push(...numberAlternatives(reading, token))
  else if (!standsAlone(snapshot, token.surface) && !isKnownStem(snapshot, token.stem)) {
    const isWord = (surface: string) => standsAlone(snapshot, surface)
    const cut = snapshot.config.schema.language === 'de' ? compoundParts(token.surface, isWord) : null
    const pieces = cut ?? splitInTwo(token.surface, isWord)
    if (pieces)
      alternatives.push({ weight: weights.split, leaves: pieces.map((piece) => wordOf(reading, piece, analyzer.stem(piece), false)) })
  }
  return alternatives
}

/** A number with its unit, or one that documents contain: size 43 does not begin 433. */
function isWholeNumber(snapshot: Snapshot, { isNumber, also, surface }: Token): boolean {
  return isNumber && (also !== undefined || standsAlone(snapshot, surface))
}

function numberAlternatives(reading: Reading, token: Token): Alternative[] {
  const found: Alternative[] = []
  const exactly = (term: string): Leaf => ({ kind: 'word', surface: term, stem: term, typos: 0, isPrefix: false })
  if (token.glued) {
    const { value, word } = token.glued
    found.push({ weight: weights.split, leaves: [exactly(value), wordOf(reading, word, reading.analyzer.stem(word), false)] })
  }
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

/** Adjacent words that form a unit: the phrase of a synonym, a part number, a compound written as separate words. */
function spanAt(reading: Reading, from: number): { length: number; alternatives: Alternative[] } | null {
  const { schema, synonymTable } = reading.snapshot.config
  const { tokens } = reading
  const longest = Math.min(tokens.length - from, Math.max(synonymTable.longest, schema.exact.length > 0 ? 6 : 2, 2))
  for (let length = longest; length >= 1; length--) {
    const extra = spanAlternatives(reading, from, length)
    if (extra.length === 0) continue
    if (length === 1) return { length, alternatives: [...alternativesAt(reading, from), ...extra] }
    // Of the words as typed, only the first alternative of each is combined.
    const leaves = Array.from({ length }, (_, i) => alternativesAt(reading, from + i)[0]!.leaves[0]!)
    return { length, alternatives: [{ weight: 1, leaves }, ...extra] }
  }
  return null
}

/** Alternatives for several tokens together, in addition to the tokens themselves. */
function spanAlternatives(reading: Reading, from: number, length: number): Alternative[] {
  const { snapshot, analyzer, tokens } = reading
  const { synonymTable } = snapshot.config
  const covered = tokens.slice(from, from + length)
  const extra: Alternative[] = []
  const phrases = length <= synonymTable.longest ? synonymTable.phrases.get(phraseKey(covered)) : undefined
  for (const phrase of phrases ?? []) {
    const leaves = phrase.map(exactWord)
    for (const said of qualifiersOf(reading, covered, phrase)) {
      const { isHeadLast } = languages[analyzer.language]
      extra.push({ weight: weights.qualifiedSynonym, leaves: isHeadLast ? [exactWord(said), ...leaves] : [...leaves, exactWord(said)] })
    }
    extra.push({ weight: weights.synonym, leaves })
  }
  const key = exactKey(reading, covered, from + length === tokens.length)
  if (key) extra.push({ weight: weights.exact, leaves: [key] })
  if (length === 2 && !covered[1]!.isStopWord) {
    const joined = covered[0]!.surface + covered[1]!.surface
    if (standsAlone(snapshot, joined))
      extra.push({ weight: weights.joined, leaves: [wordOf(reading, joined, analyzer.stem(joined), isPrefixAt(reading, from + 1))] })
    else extra.push(...movedBlank(reading, covered, joined))
  }
  return extra
}

const exactWord = ({ surface, stem }: Token): Word => ({ kind: 'word', surface, stem, typos: 0, isPrefix: false })

/** Words of a phrase that say more than its synonym: "white emulsion" is wall paint, and white. (V-82) */
function qualifiersOf({ snapshot, analyzer }: Reading, covered: readonly Token[], phrase: readonly Token[]): readonly Token[] {
  if (covered.length < 2) return []
  const { isHeadLast } = languages[analyzer.language]
  const others = isHeadLast ? covered.slice(0, -1) : covered.slice(1)
  return others.filter(({ stem }) => isKnownStem(snapshot, stem) && !phrase.some((token) => token.stem === stem))
}

/** "lase rlevel": a misplaced space. Stop words count as words here. */
function movedBlank(reading: Reading, covered: readonly Token[], joined: string): Alternative[] {
  const { snapshot, analyzer } = reading
  if (covered.every((token) => standsAlone(snapshot, token.surface)) || covered.some((token) => token.isNumber)) return []
  const isStop = (word: string) => analyzer.word(word).isStopWord
  const pieces = splitInTwo(joined, (word) => isStop(word) || (word.length > 1 && standsAlone(snapshot, word)), 1)
  const leaves = (pieces ?? []).filter((piece) => !isStop(piece)).map((piece) => wordOf(reading, piece, analyzer.stem(piece), false))
  return leaves.length > 0 ? [{ weight: weights.joined, leaves }] : []
}

function exactKey({ snapshot, query, prefix }: Reading, covered: readonly Token[], isLast: boolean): ExactKey | null {
  if (snapshot.config.schema.exact.length === 0) return null
  const key = bare(query.slice(covered[0]!.start, covered.at(-1)!.end))
  if (key.length < MIN_EXACT || !/\d/.test(key) || units.has(key)) return null
  const isThere = snapshot.parts.some(({ segment }) => segment.exact.terms.find(key) >= 0)
  if (isThere) return { kind: 'exact', key, isPrefix: false }
  if (!isLast || prefix === 'prefixNone' || key.length < MIN_EXACT_PREFIX) return null
  const isBegun = snapshot.parts.some(({ segment }) => hasPrefix(segment.exact, key))
  return isBegun ? { kind: 'exact', key, isPrefix: true } : null
}
