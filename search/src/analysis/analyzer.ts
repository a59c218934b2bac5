import type { Language } from '../types.ts'
import { charClass, DIGIT, fold, LETTER, OTHER } from './fold.ts'
import { languages } from './languages.ts'
import { readNumber } from './numbers.ts'
import { stemmerFor } from './stem.ts'

/** A token: the folded surface, the search term, and the position. */
export interface Token {
  surface: string
  stem: string
  position: number
  start: number
  end: number
  /** Further terms at the same position: 18 in addition to 18v. */
  also?: string[]
  isNumber: boolean
  /** A number with a word attached that is not a unit. */
  glued?: { value: string; word: string }
  isStopWord: boolean
}

export interface Analyzer {
  language: Language
  /** Tokens of a text, with stop words marked rather than dropped. */
  analyze(text: string): Token[]
  /** Folded word and its stem. */
  word(raw: string): { surface: string; stem: string; isStopWord: boolean }
  stem(surface: string): string
}

const CACHE_LIMIT = 200_000
/** Longer words are not indexed. */
const MAX_TOKEN_LENGTH = 255
const analyzers = new Map<Language, Analyzer>()

/** The one analyzer of a language: folding, elision, units, dimensions and stems. */
export function analyzerFor(language: Language): Analyzer {
  let analyzer = analyzers.get(language)
  if (!analyzer) analyzers.set(language, (analyzer = makeAnalyzer(language)))
  return analyzer
}

/** ä and ae, ö and oe, ü and ue are equivalent for people without a German keyboard. */
function foldUmlauts(word: string): string {
  return word.includes('e')
    ? word
        .replace(/ae/g, 'a')
        .replace(/oe/g, 'o')
        .replace(/(?<![aeoq])ue/g, 'u')
    : word
}

function makeAnalyzer(language: Language): Analyzer {
  const rules = languages[language]
  const stem = stemmerFor(language)
  const word = wordReader(language, rules, stem)
  return {
    language,
    word,
    stem,
    analyze(text) {
      const tokens: Token[] = []
      for (let at = 0; at < text.length;) at = readToken(text, at, { rules, stem, word }, tokens)
      return joinNumberedWords(tokens, text)
    },
  }
}

type Rules = (typeof languages)[Language]
type Reader = Pick<Analyzer, 'stem' | 'word'> & { rules: Rules }

/** Folds and stems words, with a cache: texts repeat the same words. */
function wordReader(language: Language, { stopWords }: Rules, stem: (surface: string) => string): Analyzer['word'] {
  const known = new Map<string, ReturnType<Analyzer['word']>>()
  return (raw) => {
    let found = known.get(raw)
    if (!found) {
      const plain = fold(raw)
      const surface = language === 'de' ? foldUmlauts(plain) : plain
      found = { surface, stem: stem(surface), isStopWord: stopWords.has(plain) || stopWords.has(surface) }
      if (known.size >= CACHE_LIMIT) known.clear()
      known.set(raw, found)
    }
    return found
  }
}

/** Reads the token at a position of the text, if there is one, and returns where to continue. */
function readToken(text: string, at: number, reader: Reader, tokens: Token[]): number {
  const code = text.charCodeAt(at)
  const kind = charClass(code)
  if (kind === OTHER) return at + 1
  if (kind === DIGIT) return readNumberToken(text, at, reader, tokens)
  // Ø8 is a diameter of 8, not a word.
  if ((code === 0xd8 || code === 0xf8) && (at + 1 === text.length || charClass(text.charCodeAt(at + 1)) !== LETTER)) return at + 1
  return readWordToken(text, at, reader, tokens)
}

function readNumberToken(text: string, start: number, { rules, stem }: Reader, tokens: Token[]): number {
  const number = readNumber(text, start, rules.decimal)
  const [first, ...also] = number.terms
  const surface = number.glued ? number.value + stem(number.unit) : first!
  const token: Token = { surface, stem: surface, position: tokens.length, start, end: number.end, isNumber: true, isStopWord: false }
  if (also.length > 0) token.also = also
  if (number.glued) token.glued = { value: number.value, word: number.unit }
  tokens.push(token)
  return number.end
}

function readWordToken(text: string, start: number, { rules, word }: Reader, tokens: Token[]): number {
  let end = start + 1
  while (end < text.length && charClass(text.charCodeAt(end)) !== OTHER) end++
  const next = end < text.length ? text.charCodeAt(end) : 0
  const isApostrophe = next === 0x27 || next === 0x2019
  const goesOn = end + 1 < text.length && charClass(text.charCodeAt(end + 1)) !== OTHER
  // No real word is this long, and its term would be carried through every merge.
  if (end - start > MAX_TOKEN_LENGTH) return end
  if (isApostrophe && goesOn && rules.elisions.has(fold(text.slice(start, end)))) return end + 1
  const { surface, stem, isStopWord } = word(text.slice(start, end))
  if (surface !== '') tokens.push({ surface, stem, position: tokens.length, start, end, isNumber: false, isStopWord })
  // The possessive: carpenter's.
  const isPossessive =
    isApostrophe && (text.charCodeAt(end + 1) | 0x20) === 0x73 && (end + 2 >= text.length || charClass(text.charCodeAt(end + 2)) === OTHER)
  return isPossessive ? end + 2 : end
}

/** "12 lignes" is also found as "12lignes": the joined form is an additional term at the number's position. */
function joinNumberedWords(tokens: Token[], text: string): Token[] {
  for (let i = 0; i + 1 < tokens.length; i++) {
    const number = tokens[i]!
    const next = tokens[i + 1]!
    if (!number.isNumber || next.isNumber || next.isStopWord || number.also || next.start - number.end !== 1) continue
    if (text.charCodeAt(number.end) !== 0x20 && text.charCodeAt(number.end) !== 0xa0 && text.charCodeAt(number.end) !== 0x202f) continue
    number.also = [number.surface + next.stem]
  }
  return tokens
}
