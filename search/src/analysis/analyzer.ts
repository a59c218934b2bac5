import type { Language } from '../types.ts'
import { charClass, DIGIT, fold, LETTER, OTHER } from './fold.ts'
import { languages } from './languages.ts'
import { readNumber } from './numbers.ts'
import { stemmerFor } from './stem.ts'

/** A word of a text: what is written (folded), what it is searched by, and where it stands. */
export interface Token {
  surface: string
  stem: string
  position: number
  start: number
  end: number
  /** Further terms of the same place: 18 beside 18v. */
  also?: string[]
  isNumber: boolean
  /** A number with a word that is no unit written onto it. */
  glued?: { value: string; word: string }
  isStopWord: boolean
}

export interface Analyzer {
  language: Language
  /** Words of a text, stop words marked rather than dropped. */
  analyze(text: string): Token[]
  /** Folded word and its stem. */
  word(raw: string): { surface: string; stem: string; isStopWord: boolean }
  stem(surface: string): string
}

const CACHE_LIMIT = 200_000
const analyzers = new Map<Language, Analyzer>()

/** The one analyzer of a language: folding, elision, units, dimensions and stems. */
export function analyzerFor(language: Language): Analyzer {
  let analyzer = analyzers.get(language)
  if (!analyzer) analyzers.set(language, (analyzer = makeAnalyzer(language)))
  return analyzer
}

/** ä and ae, ö and oe, ü and ue are one letter to people without a German keyboard. */
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
  const stemOf = stemmerFor(language)
  const isGerman = language === 'de'
  const known = new Map<string, { surface: string; stem: string; isStopWord: boolean }>()

  function word(raw: string) {
    let found = known.get(raw)
    if (!found) {
      const plain = fold(raw)
      const surface = isGerman ? foldUmlauts(plain) : plain
      found = { surface, stem: stemOf(surface), isStopWord: rules.stopWords.has(plain) || rules.stopWords.has(surface) }
      if (known.size >= CACHE_LIMIT) known.clear()
      known.set(raw, found)
    }
    return found
  }

  function analyze(text: string): Token[] {
    const tokens: Token[] = []
    let position = 0
    let i = 0
    const length = text.length
    while (i < length) {
      const code = text.charCodeAt(i)
      const kind = charClass(code)
      if (kind === OTHER) {
        i++
        continue
      }
      if (kind === DIGIT) {
        const number = readNumber(text, i, rules.decimal)
        const [first, ...also] = number.terms
        const surface = number.glued ? number.value + stemOf(number.unit) : first!
        const token: Token = { surface, stem: surface, position, start: i, end: number.end, isNumber: true, isStopWord: false }
        if (also.length > 0) token.also = also
        if (number.glued) token.glued = { value: number.value, word: number.unit }
        tokens.push(token)
        position++
        i = number.end
        continue
      }
      // Ø8 is a diameter of 8, not a word.
      if ((code === 0xd8 || code === 0xf8) && (i + 1 === length || charClass(text.charCodeAt(i + 1)) !== LETTER)) {
        i++
        continue
      }
      let end = i + 1
      while (end < length && charClass(text.charCodeAt(end)) !== OTHER) end++
      const next = end < length ? text.charCodeAt(end) : 0
      const isApostrophe = next === 0x27 || next === 0x2019
      if (
        isApostrophe &&
        end + 1 < length &&
        charClass(text.charCodeAt(end + 1)) !== OTHER &&
        rules.elisions.has(fold(text.slice(i, end)))
      ) {
        i = end + 1
        continue
      }
      const { surface, stem, isStopWord } = word(text.slice(i, end))
      if (surface !== '') {
        tokens.push({ surface, stem, position, start: i, end, isNumber: false, isStopWord })
        position++
      }
      // The possessive: carpenter's.
      const isPossessive =
        isApostrophe && (text.charCodeAt(end + 1) | 0x20) === 0x73 && (end + 2 >= length || charClass(text.charCodeAt(end + 2)) === OTHER)
      i = isPossessive ? end + 2 : end
    }
    return joinNumberedWords(tokens, text)
  }

  /** "12 lignes" is also found as "12lignes": the joined form is one more term of the number's place. */
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

  return { language, analyze, word, stem: stemOf }
}
