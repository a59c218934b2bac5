import type { AddedToCart } from './add-to-cart.ts'
import type { Cart } from './cart.ts'
import type { tellRefusal } from './refusal-words.ts'

/** What a command on the cart answers; the cart itself is shown after the commit, and only when asked for. */
export interface CartAnswer {
  refusal: ReturnType<typeof tellRefusal> | null
  /** As the command left it, when it knows. */
  left?: Cart | null
  offers?: AddedToCart['offers']
}
