import { wordsFor, type Words } from '@purlin/words/catalogues.ts'
import type { Market } from '@purlin/contract/markets.ts'

/** The shop's messages in a market's language: journeys locate elements by their visible text. */
export function wordsOf(market: Market): Words {
  return wordsFor(market)
}
