import type { Market } from '@purlin/contract/markets.ts'
import type { Refused } from '@purlin/contract/refusals.ts'
import type { AddedAll } from './add-all-to-cart.ts'
import type { AddedToCart } from './add-to-cart.ts'
import type { Cart } from './cart.ts'
import { describeRefusal } from './refusal-words.ts'

/** Result of a command on the cart; the cart itself is read after the commit, and only when requested. */
export interface CartAnswer {
  refusal: ReturnType<typeof describeRefusal> | null
  /** The cart after the command, when the command knows it. */
  left?: Cart | null
  offers?: AddedToCart['offers']
}

/** The articles of a list that are in the cart now, and those left out, each with its reason. */
export function toAddedItems(market: Market, outcome: AddedAll | Refused) {
  const left = outcome.ok ? outcome.left : []
  return {
    added: outcome.ok ? outcome.added : 0,
    left: left.map(({ offerId, refusal }) => ({ offerId, refusal: describeRefusal(market, refusal) })),
    refusal: outcome.ok ? null : describeRefusal(market, outcome),
  }
}
