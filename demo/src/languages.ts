import type { Language, Market } from '@purlin/contract/markets.ts'

export type { Language, Market } from '@purlin/contract/markets.ts'
export { slugOf } from '@purlin/contract/slug.ts'

/** In the order of the grammar's word lists. */
export const languages = ['en', 'fr', 'de', 'es', 'it'] as const satisfies Language[]
/** The order is part of offer ids: append only. */
export const demoMarkets = ['gb', 'fr', 'de', 'es', 'it'] as const satisfies Market[]

export type InFive = Record<Language, string>

export function inFive(textOf: (language: Language, index: number) => string): InFive {
  return Object.fromEntries(languages.map((language, index) => [language, textOf(language, index)])) as InFive
}

/** Five words in the grammar's order, by language. */
export function byLanguage(words: readonly string[]): InFive {
  return inFive((_, index) => words[index] ?? '')
}
