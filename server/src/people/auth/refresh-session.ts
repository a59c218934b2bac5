import { isEmail } from '@purlin/contract/email.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { failSessions, vouchForSessions } from '#accounts'
import { log, type Db } from '#platform'
import { GrantRefused, redeemRefreshToken, type Tokens } from './identity-client.ts'
import { followConfirmedEmail } from './ports.ts'
import { seal, unseal } from './secrets.ts'
import { releaseRefreshLease, leaseToken, peekToken, replaceToken, takeToken } from './store.ts'

/** Markers in the session's JSON. Source: spec §3, R-332. */
export const refreshError = 'RefreshAccessTokenError'
export const missingToken = 'MissingToken'

export type Refreshed = 'refreshed' | 'unavailable' | 'busy' | typeof refreshError | typeof missingToken

/** Polls of a refresh token that another caller has leased. Source: spec §9, R-673. */
const unlockPoll = { tries: 20, everyMs: 50 } as const
/** A refresh without a response by then counts as `unavailable`; a late response is still stored. */
const maxPatienceMs = 3000

/**
 * Checks with the identity provider whether the session may continue. Of all concurrent callers, in any process, one uses
 * the refresh token and the others wait for its result: a token used twice signs people out. A provider that does not
 * respond ends nothing. `busy`: another process has not released the token after twenty polls.
 */
export async function refreshSession(db: Db, signInId: string, patienceMs = maxPatienceMs): Promise<Refreshed> {
  const found = await peekToken(db.alone, signInId)
  if (!found || found.isMissing) return missingToken
  const { provider, generation } = found
  for (let tries = 0; ; tries++) {
    const sealed = await leaseToken(db.alone, signInId, generation)
    if (sealed !== undefined)
      return Promise.race([
        useToken(db, { signInId, provider, generation, sealed }),
        sleep(patienceMs, 'unavailable' as const, { ref: false }),
      ])
    const now = await peekToken(db.alone, signInId)
    // Ended by whichever caller was first.
    if (!now) return refreshError
    if (now.generation > generation) return 'refreshed'
    if (tries === unlockPoll.tries) return 'busy'
    await sleep(unlockPoll.everyMs)
  }
}

interface Leased {
  signInId: string
  provider: Parameters<typeof redeemRefreshToken>[0]
  generation: number
  sealed: string
}

async function useToken(db: Db, { signInId, provider, generation, sealed }: Leased): Promise<Refreshed> {
  const refreshToken = await unseal('token', sealed)
  // Sealed with a secret that has since been changed.
  if (refreshToken === null) return ended(db, signInId)
  try {
    const tokens = await redeemRefreshToken(provider, refreshToken)
    await replaceToken(db.alone, signInId, generation, {
      refreshToken: await seal('token', tokens.refreshToken ?? refreshToken),
      idToken: tokens.idToken === null ? null : await seal('token', tokens.idToken),
    })
    await vouchForSessions(db.alone, signInId, tokens.freshUntil)
    await followClaims(db, tokens)
    return 'refreshed'
  } catch (error) {
    if (error instanceof GrantRefused) return ended(db, signInId)
    log.warn({ reason: String(error), cause: String((error as Error).cause) }, 'a session was not refreshed')
    await releaseRefreshLease(db.alone, signInId, generation)
    return 'unavailable'
  }
}

async function ended(db: Db, signInId: string): Promise<Refreshed> {
  await failSessions(db.alone, signInId, refreshError)
  await takeToken(db.alone, signInId)
  return refreshError
}

/** The account's address may have been changed at the provider, which has confirmed it. */
async function followClaims(db: Db, { issuer, claims }: Pick<Tokens, 'issuer' | 'claims'>): Promise<void> {
  const { sub, email, email_verified: isVerified } = claims ?? {}
  if (isVerified === true && typeof sub === 'string' && typeof email === 'string' && isEmail(email))
    await followConfirmedEmail(db.alone, issuer, sub, email)
}
