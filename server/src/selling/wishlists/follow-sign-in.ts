import type { FollowSignIn } from '#auth'
import { moveListsTo, takeTurn } from './store.ts'

/** A guest has signed in: what they wished for goes on as the customer's. No product is lost, and doing it again changes nothing. */
export const wishlistsFollowSignIn: FollowSignIn = async ({ db }, { from, into }) => {
  if (from === into) return
  await takeTurn(db, into)
  await moveListsTo(db, from, into)
}
