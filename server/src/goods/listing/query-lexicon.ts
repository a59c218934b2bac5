import { languages as languageCodes, type Language } from '@purlin/contract/markets.ts'
import { fold } from '@purlin/search/analysis/fold.ts'
import { languages, units, unitScales } from '@purlin/search/analysis/languages.ts'
import type { Reference } from '#catalogue'
import { conditionPhrases, negations, type ConditionGroup } from './query-words.ts'

/** What the words of a query may mean in one language, from the catalogue's own names. */
export interface Lexicon {
  language: Language
  /** Values of attributes by the words of their names: "wall hung" → ["wall_hung"]. */
  values: ReadonlyMap<string, readonly string[]>
  /** The same by names in the other four languages. */
  foreignValues: ReadonlyMap<string, readonly string[]>
  brands: ReadonlyMap<string, string>
  conditions: ReadonlyMap<string, ConditionGroup>
  /** Units of attributes that only this catalogue has: "stufen", "dents". */
  ownUnits: ReadonlyMap<string, string>
  /** Attributes by the words of their names: "size" → ["size", "shoe_size"]. */
  attributes: ReadonlyMap<string, readonly string[]>
  /** Number of words of the longest phrase. */
  longest: number
}

/** Stands for any negation in a phrase, so that "no battery" is "without battery". */
export const negation = '¬'

type Names = Pick<Reference, 'attributes' | 'brands' | 'categories' | 'words'>

const lexicons = new WeakMap<object, Map<Language, Lexicon>>()

/** The lexicon of a language; compiled once per version of the catalogue's reference data. */
export function lexiconOf(catalogue: Names, language: Language): Lexicon {
  let known = lexicons.get(catalogue.words)
  if (!known) lexicons.set(catalogue.words, (known = new Map()))
  let lexicon = known.get(language)
  if (!lexicon) known.set(language, (lexicon = compile(catalogue, language)))
  return lexicon
}

function compile({ attributes, brands, categories, words }: Names, language: Language): Lexicon {
  const values = new Map<string, string[]>()
  const foreignValues = new Map<string, string[]>()
  // A word that names goods here is no value of another language: "câble" is not "con cable".
  const own = new Set(categories.all.flatMap(({ names }) => wordsOf(names[language] ?? '').map((word) => rooted([word]))))
  const addForeign = (phrase: string, value: string): void => {
    if (!values.has(phrase) && !own.has(phrase)) add(foreignValues, phrase, value)
  }
  for (const { value, names } of words.values()) {
    for (const phrase of phrasesOf(names[language] ?? '', language)) add(values, phrase, value)
  }
  // A colour is also meant by the name of a family of colours: "grey" is light grey and anthracite grey, "black" also matt black.
  for (const { value, names, hex } of words.values()) {
    const parts = telling(wordsOf(names[language] ?? ''), language).map((word) => rooted([word]))
    if (parts.length < 2 || parts.includes(negation)) continue
    for (const part of parts) if (hex !== null || values.has(part)) add(values, part, value)
  }
  for (const { value, names } of words.values()) {
    for (const other of languageCodes) {
      if (other === language) continue
      for (const phrase of phrasesOf(names[other] ?? '', other)) addForeign(phrase, value)
    }
    // The keys of the vocabulary are English words of the trade: "torx", where the label says "TX".
    addForeign(rooted(fold(value.replaceAll('_', ' ')).split(' ')), value)
  }
  const conditions = new Map(
    (['new', 'refurbished', 'used'] as const).flatMap((group) =>
      conditionPhrases[language][group].map((phrase) => [phrase, group] as const),
    ),
  )
  const ownUnits = new Map(
    [...attributes.values()].flatMap(({ units: named }) => {
      const own = fold(named?.[language] ?? '')
      return own.length > 1 && /^\p{L}+$/u.test(own) && !units.has(own) ? [[own, fold(named?.en ?? own)] as const] : []
    }),
  )
  const named = new Map<string, string[]>()
  for (const { key, names } of attributes.values())
    for (const word of telling(wordsOf(names[language] ?? ''), language)) add(named, rooted([word]), key)
  const phrases = [...values.keys(), ...foreignValues.keys(), ...conditions.keys()]
  return {
    language,
    values,
    foreignValues,
    brands: new Map([...brands.values()].map(({ name }) => [wordsOf(name).join(' '), name])),
    conditions,
    ownUnits,
    attributes: named,
    longest: Math.max(1, ...phrases.map((phrase) => phrase.split(' ').length)),
  }
}

const add = (map: Map<string, string[]>, phrase: string, value: string): void => {
  const known = map.get(phrase)
  if (!known) map.set(phrase, [value])
  else if (!known.includes(value)) known.push(value)
}

/** Phrases that mean a value, by its name: the whole, its parts between commas, and the beginning of a negative one. */
function phrasesOf(name: string, language: Language): string[] {
  return name.split(/[,;]/).flatMap((part) => {
    const words = telling(wordsOf(part), language)
    if (words.length === 0) return []
    const beginnings = words[0] === negation && words.length > 2 ? [rooted(words.slice(0, 2))] : []
    return [rooted(words), ...beginnings]
  })
}

/** The words that carry meaning, with negations made alike. */
export function telling(words: readonly string[], language: Language): string[] {
  const { stopWords } = languages[language]
  return words
    .map((word) => (negations[language].has(word) ? negation : word))
    .filter((word) => word === negation || (!stopWords.has(word) && word.length > 0))
}

export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A phrase without the endings of gender and number, by which "blanche" is "blanc" and "weiße" is "weiß". */
export function rooted(words: readonly string[]): string {
  return words.map(rootOf).join(' ')
}

function rootOf(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  return word.replace(/(?<=.{3})(?<!s)s$/, '').replace(/(?<=.{3})(?:he|es|en|er|em|as|os|is|[eaoi])$/, '')
}

/** Units that measure the same, and how many of the smallest one a unit is. */
export function scaleOf(unit: string, { ownUnits }: Pick<Lexicon, 'ownUnits'>): { kind: string; scale: number } {
  const plain = fold(unit)
  const symbol = units.get(plain) ?? ownUnits.get(plain) ?? plain
  return unitScales[symbol] ?? { kind: symbol, scale: 1 }
}
