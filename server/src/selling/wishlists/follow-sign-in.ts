import type { FollowSignIn } from '#auth'
import { moveListsTo, takeTurn } from './store.ts'

/** Moves a guest's wishlists to the customer at sign-in. No product is lost; running it again changes nothing. */
export const wishlistsFollowSignIn: FollowSignIn = async ({ db }, { from, into }) => {
  if (from === into) return
  await takeTurn(db, into)
  await moveListsTo(db, from, into)
}
