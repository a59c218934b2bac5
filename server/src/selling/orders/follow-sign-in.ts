import type { FollowSignIn } from '#auth'
import { handOverOrders, shareOrders } from './store.ts'

/**
 * Handles the sign-in of a guest. Orders with the e-mail address they have proved to own become theirs; everything else
 * this browser could see stays visible, and no more: somebody else may have ordered on it.
 */
export const ordersFollowSignIn: FollowSignIn = async ({ db }, { from, into, email }) => {
  await shareOrders(db, from, into)
  await handOverOrders(db, from, into, email)
}
