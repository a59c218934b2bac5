import { endSession } from '#accounts'
import { enqueue, type Scope } from '#platform'
import { takeToken, type SealedTokens } from './store.ts'

/**
 * Signs out of this session; the worker notifies the identity provider. Returns the tokens, for the provider's own
 * sign-out. A replaced session is not reported: both share one grant there and would end together.
 */
export async function signOut({ db }: Pick<Scope, 'db'>, sessionId: string, isReplaced = false): Promise<SealedTokens | null> {
  const signInId = await endSession(db, sessionId)
  const token = signInId === null ? undefined : await takeToken(db, signInId)
  if (!token) return null
  if (token.refreshToken !== null && !isReplaced)
    await enqueue(db, {
      name: 'auth.revoke',
      key: signInId ?? sessionId,
      payload: { provider: token.provider, sealed: token.refreshToken },
    })
  return token
}
