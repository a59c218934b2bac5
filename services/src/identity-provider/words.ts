import { wordsIn, type PlainKey, type Words } from '@purlin/words/catalogues.ts'

/** A message of these pages that needs no arguments. */
export type Word = Extract<PlainKey, `identity.${string}`>
export type Translate = Words

export const wordsOf = wordsIn
