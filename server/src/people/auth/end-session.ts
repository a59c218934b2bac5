import { endSession } from '#accounts'
import { enqueue, type Scope } from '#platform'
import { takeToken, type SealedTokens } from './store.ts'

/**
 * Signs out of this session; the identity provider is told by the worker. Answers what it was given, for its own sign-out.
 * Of a session that another takes the place of it is not told: both stand on one grant there, and would end together.
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
