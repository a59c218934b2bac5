import type { FollowSignIn } from '#auth'
import { handOverOrders, shareOrders } from './store.ts'

/**
 * A guest has signed in. Orders that name the address they have proved to own become theirs; what else this browser could
 * see it still sees, and no more: somebody else may have ordered on it.
 */
export const ordersFollowSignIn: FollowSignIn = async ({ db }, { from, into, email }) => {
  await shareOrders(db, from, into)
  await handOverOrders(db, from, into, email)
}
