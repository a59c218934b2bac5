import type { Language, Market } from '@purlin/contract/markets.ts'

export type { Language, Market } from '@purlin/contract/markets.ts'

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

/** Slug of an address: "Perceuse à percussion 18 V" is "perceuse-a-percussion-18-v". German umlauts are transliterated. */
export function slugOf(text: string, language: Language, maxLength = 80): string {
  const folded = (language === 'de' ? text.replace(/ä/gi, 'ae').replace(/ö/gi, 'oe').replace(/ü/gi, 'ue') : text)
    .replace(/ß/g, 'ss')
    .replace(/ø/gi, 'd')
    .replace(/²/g, '2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (folded.length <= maxLength) return folded
  return folded.slice(0, folded.lastIndexOf('-', maxLength)).replace(/-+$/, '')
}
