import { endOtherSessions, endSession, endSessionsOf } from '#accounts'
import { enqueue, type Db, type Scope } from '#platform'
import { takeToken, takeTokens, type SealedTokens } from './store.ts'

/**
 * Signs out of this session; the worker ends the sign-in at the identity provider. Returns the tokens, for the provider's
 * own sign-out. A replaced session is not reported: its successor belongs to the same browser session there.
 */
export async function signOut({ db }: Pick<Scope, 'db'>, sessionId: string, isReplaced = false): Promise<SealedTokens | null> {
  const signInId = await endSession(db, sessionId)
  const token = signInId === null ? undefined : await takeToken(db, signInId)
  if (!token) return null
  if (!isReplaced) await tellProvider(db, signInId ?? sessionId, token)
  return token
}

/** Signs somebody out on every device, here and at the identity provider. */
export async function signOutEverywhere(db: Db, who: { customerId: string } | { staffId: string }): Promise<void> {
  const { signInIds } = await endSessionsOf(db, who)
  for (const { signInId, ...token } of await takeTokens(db, signInIds)) await tellProvider(db, signInId, token)
}

/** Signs a customer out on all other devices, here and at the identity provider. */
export async function signOutElsewhere(db: Db, sessionId: string): Promise<void> {
  for (const { signInId, ...token } of await takeTokens(db, await endOtherSessions(db, sessionId))) await tellProvider(db, signInId, token)
}

async function tellProvider(db: Db, signInId: string, { provider, refreshToken }: SealedTokens): Promise<void> {
  if (refreshToken !== null) await enqueue(db, { name: 'auth.revoke', key: signInId, payload: { provider, sealed: refreshToken } })
}
