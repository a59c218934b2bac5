import type { Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'

/** "Refurbished - very good condition", in the market's language. */
export function conditionLabel(market: Market, condition: Condition): string {
  return wordsFor(market)(`condition.${condition}`)
}

/** The bracketed marker in a second-hand title: "[Used - good condition]"; null for new goods (decision 14). */
export function conditionMarker(market: Market, condition: Condition): string | null {
  return condition === 'new' ? null : `[${conditionLabel(market, condition)}]`
}

/** The title as displayed, with the marker for second-hand goods. */
export function withMarker(market: Market, title: string, condition: Condition): string {
  const marker = conditionMarker(market, condition)
  return marker ? `${title} ${marker}` : title
}

export function isSecondHand(condition: Condition): boolean {
  return condition !== 'new'
}
