import type { AddedToCart } from './add-to-cart.ts'
import type { Cart } from './cart.ts'
import type { describeRefusal } from './refusal-words.ts'

/** Result of a command on the cart; the cart itself is read after the commit, and only when requested. */
export interface CartAnswer {
  refusal: ReturnType<typeof describeRefusal> | null
  /** The cart after the command, when the command knows it. */
  left?: Cart | null
  offers?: AddedToCart['offers']
}
