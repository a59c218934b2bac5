import type { FollowSignIn } from '#auth'
import type { Scope } from '#platform'
import { cartOwnerIn } from './cart-owner.ts'
import { moveCarts } from './store.ts'

/** Moves a guest's cart to the customer on this storefront, at sign-in. */
export const cartFollowsSignIn: FollowSignIn = (scope, { from, into, storefront }) => mergeCarts(scope, from, cartOwnerIn(into, storefront))

/**
 * Merges one owner's carts into another's, as at sign-in. No line is lost; a line in both keeps the greater quantity,
 * so the operation is idempotent and commutative.
 * @param from for example 's:<session>', and `into` 'c:<customer>'
 */
export async function mergeCarts(scope: Pick<Scope, 'db'>, from: string, into: string): Promise<void> {
  if (from === into || from === '' || into === '') return
  await moveCarts(scope.db, from, into)
}
