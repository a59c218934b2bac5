import type { Mode } from '@purlin/contract/markets.ts'
import type { JobScope } from '#platform'

/** A guest has signed in: what was theirs as a guest is to follow them. */
export interface SignIn {
  /** The owner of the guest's things, as `ownerOf` names it. */
  from: string
  /** The owner they are now. */
  into: string
  /** Where they sign in. */
  storefront: Mode
  /** Verified by the identity provider. */
  email: string
}

/** Runs in the transaction of the sign-in; again a little later, for what was under way meanwhile. It may run several times. */
export type FollowSignIn = (scope: Pick<JobScope, 'db'>, signIn: SignIn) => Promise<void>

let followers: readonly FollowSignIn[] = []

/** Connected once per process, where all modules meet (edges/connect-modules.ts). */
export function connectSignIn(...all: readonly FollowSignIn[]): void {
  followers = all
}

export async function followSignIn(scope: Pick<JobScope, 'db'>, signIn: SignIn): Promise<void> {
  for (const follow of followers) await follow(scope, signIn)
}
