import { createRequire } from 'node:module'
import type { Language } from '../types.ts'
import { languages } from './languages.ts'

interface Stemmer {
  stem(word: string): string
}
const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as { newStemmer(algorithm: string): Stemmer }

const stemmers = new Map<Language, (word: string) => string>()

/** The stem of a folded word; words with digits and very short ones are their own stem. */
export function stemmerFor(language: Language): (word: string) => string {
  let stem = stemmers.get(language)
  if (!stem) {
    const snowball = newStemmer(languages[language].stemmer)
    // The Italian stemmer treats -ano and -ada as verb endings, which would separate trapano from trapani.
    const singular = language === 'it' ? (word: string) => word.replace(/i$/, 'o').replace(/e$/, 'a') : (word: string) => word
    stem = (word) => (word.length < 3 || /\d/.test(word) ? word : snowball.stem(singular(word)) || word)
    stemmers.set(language, stem)
  }
  return stem
}
