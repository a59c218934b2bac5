import { createRequire } from 'node:module'
import type { Language } from '../types.ts'
import { languages } from './languages.ts'

interface Stemmer {
  stem(word: string): string
}
const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as { newStemmer(algorithm: string): Stemmer }

/** German tools are named after what they do: a Schrauber is no Schraube, a Leiter no Leitung. Their stem keeps its ending. */
const germanTool = /^(.*(?:schraub|bohr|schleif|leit|mess)er)n?$/

/** French adjectives whose feminine has another stem than their masculine. */
const frenchFeminine: Record<string, string> = {
  blanche: 'blanc',
  fraiche: 'frais',
  seche: 'sec',
  longue: 'long',
  neuve: 'neuf',
  epaisse: 'epais',
}

const stemmers = new Map<Language, (word: string) => string>()

/** The stem of a folded word; words with digits and very short ones are their own stem. */
export function stemmerFor(language: Language): (word: string) => string {
  let stem = stemmers.get(language)
  if (!stem) {
    const snowball = newStemmer(languages[language].stemmer)
    // The Italian stemmer treats -ano and -ada as verb endings, which would separate trapano from trapani.
    const singular = language === 'it' ? (word: string) => word.replace(/i$/, 'o').replace(/e$/, 'a') : (word: string) => word
    const tool = (word: string) => (language === 'de' ? germanTool.exec(word)?.[1] : undefined)
    const masculine = (word: string) => (language === 'fr' ? (frenchFeminine[word.replace(/s$/, '')] ?? word) : singular(word))
    stem = (word) => (word.length < 3 || /\d/.test(word) ? word : (tool(word) ?? (snowball.stem(masculine(word)) || word)))
    stemmers.set(language, stem)
  }
  return stem
}
