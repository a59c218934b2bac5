import type { FollowSignIn } from '#auth'
import type { Scope } from '#platform'
import { cartOwnerIn } from './cart-owner.ts'
import { moveCarts } from './store.ts'

/** A guest has signed in: their cart goes on as the customer's on this storefront. */
export const cartFollowsSignIn: FollowSignIn = (scope, { from, into, storefront }) => mergeCarts(scope, from, cartOwnerIn(into, storefront))

/**
 * Brings the carts of one owner into another's, as at sign-in. No line is lost; of a line in both the greater
 * quantity stays, so doing it again, or the other way round, gives the same lines.
 * @param from for example 's:<session>', and `into` 'c:<customer>'
 */
export async function mergeCarts(scope: Pick<Scope, 'db'>, from: string, into: string): Promise<void> {
  if (from === into || from === '' || into === '') return
  await moveCarts(scope.db, from, into)
}
