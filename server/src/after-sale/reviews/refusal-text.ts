import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { refusalReasons } from './review.ts'

/** The operator's reason in the market's language. */
export function refusalText(market: Market, reason: string): string {
  const known = refusalReasons.find((each) => each === reason) ?? 'unrelated'
  return wordsFor(market)(`review.refused.${known}`)
}
