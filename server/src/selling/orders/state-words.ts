import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { CustomerOrderState, SellerOrderState } from './order-states.ts'

/** An order's state in the market's language. */
export function stateLabel(market: Market, state: CustomerOrderState | SellerOrderState): string {
  return wordsFor(market)(`order.state.${state}`)
}
