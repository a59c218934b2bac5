import { fold } from '@purlin/search/analysis/fold.ts'
import { languages, units } from '@purlin/search/analysis/languages.ts'
import { canonicalNumber } from '@purlin/search/analysis/numbers.ts'
import { negation, rooted, telling, type Lexicon } from './query-lexicon.ts'
import { articles, lacking, negations, type ConditionGroup } from './query-words.ts'

/** A part of a query that may mean more than its words. */
export type QueryPart = { text: string; start: number; end: number } & Meaning

export type Meaning =
  /** "18v", "4x40 mm", "size 43": amounts with a unit, '' when none is said, and the attributes that are named. */
  | { kind: 'measure'; amounts: number[]; unit: string; keys?: readonly string[] }
  /** "e27", "m8", "ip44" */
  | { kind: 'code'; code: string }
  /** Values of attributes, by their names in this language or in another one. */
  | { kind: 'value'; values: readonly string[]; isForeign: boolean }
  /** Values that goods must not have, and those that are said to be without something: "ohne Akku" is on the box. */
  | { kind: 'without'; phrase: string; values: readonly string[]; named: readonly string[] | null }
  /** Words that are understood together. */
  | { kind: 'words' }
  | { kind: 'brand'; name: string }
  | { kind: 'condition'; group: ConditionGroup }

interface Token {
  word: string
  start: number
  end: number
}

/** Past the end of a query. */
const none: Token = { word: '', start: Infinity, end: Infinity }

const tokenAt = (tokens: readonly Token[], at: number): Token => tokens[at] ?? none

interface Reading {
  query: string
  tokens: Token[]
  lexicon: Lexicon
}

/** Understands at most this many parts: every one is a filter. */
const maxParts = 6

/** The parts of a query in order, without those that the visitor wants taken as they stand. (V-84) */
export function readParts(query: string, lexicon: Lexicon, literal: readonly string[] = []): QueryPart[] {
  const tokens = [...query.matchAll(/[\p{L}\p{N}]+(?:[.,]\d+)?/gu)].map((match) => ({
    word: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))
  const reading = { query, tokens, lexicon }
  const kept = new Set(literal.map(fold))
  const parts: QueryPart[] = []
  for (let at = 0; at < tokens.length && parts.length < maxParts;) {
    const found = partAt(reading, at)
    if (!found) {
      at += 1
      continue
    }
    const { length, end = tokenAt(tokens, at + length - 1).end, ...meaning } = found
    const { start } = tokenAt(tokens, at)
    const text = query.slice(start, end)
    if (!kept.has(fold(text))) parts.push({ text, start, end, ...meaning })
    while (tokenAt(tokens, at).start < end) at += 1
  }
  return parts
}

/** A meaning with the number of tokens it covers, or where it ends. */
type Covered = Meaning & { length: number; end?: number }

function partAt(reading: Reading, at: number): Covered | null {
  const { tokens, lexicon } = reading
  const { word } = tokenAt(tokens, at)
  if (/^\d/.test(word)) return measureAt(reading, at)
  const named = namedMeasureAt(reading, at)
  if (named) return named
  if (negations[lexicon.language].has(word)) return negatedAt(reading, at)
  return phraseAt(reading, at) ?? codeAt(word)
}

/** Codes have letters before digits; numbers with a unit are measures. */
function codeAt(word: string): Covered | null {
  return /^[a-z]{1,4}\d{1,4}$/.test(word) ? { kind: 'code', code: word, length: 1 } : null
}

const amount = String.raw`(\d{1,6}(?:[.,]\d{1,3})?)`
const times = String.raw`[ \u00a0]?(?:mm|cm|m)?[ \u00a0]?[x×*][ \u00a0]?`
const dimension = new RegExp(
  `${amount}${times}${amount}(?:${times}${amount})?(?:[ \\u00a0]?(mm|cm|m)(?![\\p{L}\\p{N}]))?(?![\\p{L}\\p{N}])`,
  'iuy',
)
const single = new RegExp(`${amount}(?:[ \\u00a0]?(\\p{L}{1,12}[²³]?|["″]))?(?![\\p{L}\\p{N}])`, 'iuy')

function measureAt({ query, tokens, lexicon }: Reading, at: number): Covered | null {
  const { start } = tokenAt(tokens, at)
  const { decimal } = languages[lexicon.language]
  const amountOf = (text: string): number => Number(canonicalNumber(text, decimal))
  dimension.lastIndex = start
  const sides = dimension.exec(query)
  if (sides) {
    const amounts = sides.slice(1, 4).flatMap((side) => (side === undefined ? [] : [amountOf(side)]))
    return { kind: 'measure', amounts, unit: sides[4]?.toLowerCase() ?? '', length: 1, end: start + sides[0].length }
  }
  single.lastIndex = start
  const found = single.exec(query)
  if (!found) return null
  const [, digits = ''] = found
  const word = fold(found[2] ?? '')
  const unit = word === '"' || word === '″' ? 'in' : (units.get(word) ?? lexicon.ownUnits.get(word))
  const value = amountOf(digits)
  if (!Number.isFinite(value)) return null
  if (unit !== undefined) return { kind: 'measure', amounts: [value], unit, length: 1, end: start + found[0].length }
  return { kind: 'measure', amounts: [value], unit: '', length: 1, end: start + digits.length }
}

/** "size 43", "taille 42": a bare number after the name of an attribute. */
function namedMeasureAt(reading: Reading, at: number): Covered | null {
  const { tokens, lexicon } = reading
  const keys = lexicon.attributes.get(rooted([tokenAt(tokens, at).word]))
  const next = tokens[at + 1]
  if (!keys || next === undefined || !/^\d/.test(next.word)) return null
  const found = measureAt(reading, at + 1)
  return found?.kind === 'measure' && found.unit === '' ? { ...found, keys, length: 2 } : null
}

/** "sans fil" and "ohne Akku" are names of values themselves; "not cordless" excludes what is cordless. */
function negatedAt(reading: Reading, at: number): Covered | null {
  const { tokens, lexicon } = reading
  const named = lacking.has(tokenAt(tokens, at).word) ? longest(reading, at, (phrase) => lexicon.values.get(phrase)) : null
  let next = at + 1
  while (articles.has(tokenAt(tokens, next).word)) next += 1
  const excluded =
    next < tokens.length
      ? longest(reading, next, (phrase) => lexicon.values.get(phrase) ?? lexicon.foreignValues.get(phrase) ?? endOf(lexicon, phrase))
      : null
  if (named && (!excluded || named.length > next - at + excluded.length))
    return { kind: 'value', values: named.found, isForeign: false, length: named.length }
  if (!excluded) return null
  const phrase = tokens
    .slice(next, next + excluded.length)
    .map(({ word }) => word)
    .join(' ')
  return { kind: 'without', phrase, values: excluded.found, named: named?.found ?? null, length: next - at + excluded.length }
}

/** The end of a compound in a name: the "Kabel" of "mit Netzkabel". */
function endOf({ language, values }: Lexicon, phrase: string): readonly string[] | undefined {
  if (language !== 'de' || phrase.length < 4) return undefined
  const found = [...values].flatMap(([name, of]) => (name.endsWith(phrase) && !name.includes(' ') ? of : []))
  return found.length > 0 ? found : undefined
}

function phraseAt(reading: Reading, at: number): Covered | null {
  const { lexicon, tokens } = reading
  const plain = (length: number): string =>
    tokens
      .slice(at, at + length)
      .map(({ word }) => word)
      .join(' ')
  for (let length = Math.min(lexicon.longest, tokens.length - at); length > 0; length--) {
    const words = plain(length)
    const group = lexicon.conditions.get(words)
    if (group) return { kind: 'condition', group, length }
    const name = lexicon.brands.get(words)
    if (name !== undefined) return { kind: 'brand', name, length }
  }
  const own = longest(reading, at, (phrase) => lexicon.values.get(phrase))
  if (own) return { kind: 'value', values: own.found, isForeign: false, length: own.length }
  const foreign = longest(reading, at, (phrase) => lexicon.foreignValues.get(phrase))
  return foreign && { kind: 'value', values: foreign.found, isForeign: true, length: foreign.length }
}

/** The longest phrase from a word on that has a meaning; it neither begins nor ends with a stop word. */
function longest<T>(
  { tokens, lexicon }: Reading,
  at: number,
  meaning: (phrase: string) => T | undefined,
): { found: T; length: number } | null {
  for (let length = Math.min(lexicon.longest + 2, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length).map(({ word }) => word)
    const ends = [words[0] ?? '', words.at(-1) ?? '']
    const meaningful = telling(words, lexicon.language)
    if (meaningful.length === 0 || meaningful.length > lexicon.longest || telling(ends, lexicon.language).length < 2) continue
    if (meaningful.at(-1) === negation) continue
    const found = meaning(rooted(meaningful))
    if (found !== undefined) return { found, length }
  }
  return null
}

/** The query without some of its parts. */
export function withoutParts(query: string, parts: readonly Pick<QueryPart, 'start' | 'end'>[]): string {
  let text = ''
  let from = 0
  for (const { start, end } of parts) {
    text += query.slice(from, start)
    from = end
  }
  return (text + query.slice(from)).replace(/\s+/g, ' ').trim()
}
