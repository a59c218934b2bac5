import { wordsFor, type Words } from '@purlin/words/catalogues.ts'
import type { Market } from '@purlin/contract/markets.ts'

/** The shop's words in a market's language: journeys find things by what people read. */
export function wordsOf(market: Market): Words {
  return wordsFor(market)
}
