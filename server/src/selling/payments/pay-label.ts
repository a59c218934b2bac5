import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'

/** The wording the law requires on the order button (2011/83/EU art. 8.2), by market. */
export function payLabel(market: Market): string {
  return wordsFor(market)('payment.buy')
}
