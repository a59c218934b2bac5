import { setTimeout as sleep } from 'node:timers/promises'
import { endOtherSessions, endSession, endSessionsOf } from '#accounts'
import { dequeue, enqueue, log, type Db, type Scope } from '#platform'
import { endAtProvider } from './identity-client.ts'
import { unseal } from './secrets.ts'
import { takeToken, takeTokens, type SealedTokens } from './store.ts'

/** A sign-in that has ended here, with the tokens that end it at the identity provider. */
export interface EndedSignIn extends SealedTokens {
  signInId: string
}

/** The job that ends a sign-in at the provider if the request has not. */
export const revokeJob = 'auth.revoke'
/** A head start for the request that signs out. */
const headStartMs = 5000

/** Signs out of this session. A replaced session is not reported: its successor belongs to the same browser session at the provider. */
export async function signOut({ db }: Pick<Scope, 'db'>, sessionId: string, isReplaced = false): Promise<EndedSignIn | null> {
  const signInId = await endSession(db, sessionId)
  const tokens = signInId === null ? undefined : await takeToken(db, signInId)
  if (!tokens || signInId === null) return null
  const ended = { signInId, ...tokens }
  if (!isReplaced) await tellProvider(db, ended, headStartMs)
  return ended
}

/** Signs somebody out on every device, here and at the identity provider; `isWaiting`: the caller passes the result to `endNow`. */
export async function signOutEverywhere(
  db: Db,
  who: { customerId: string } | { staffId: string },
  { isWaiting = false } = {},
): Promise<EndedSignIn[]> {
  const { signInIds } = await endSessionsOf(db, who)
  const all = await takeTokens(db, signInIds)
  for (const ended of all) await tellProvider(db, ended, isWaiting ? headStartMs : 0)
  return all
}

/** Signs a customer out on all other devices, here and at the identity provider. */
export async function signOutElsewhere(db: Db, sessionId: string): Promise<void> {
  for (const ended of await takeTokens(db, await endOtherSessions(db, sessionId))) await tellProvider(db, ended)
}

async function tellProvider(db: Db, { signInId, provider, refreshToken }: EndedSignIn, delayMs = 0): Promise<void> {
  if (refreshToken === null) return
  const runAt = new Date(Date.now() + delayMs)
  await enqueue(db, { name: revokeJob, key: signInId, payload: { provider, sealed: refreshToken }, runAt })
}

/** Ends a sign-in at the identity provider. @throws ProviderUnavailable */
export async function endSealed(provider: SealedTokens['provider'], sealed: string): Promise<void> {
  const refreshToken = await unseal('token', sealed)
  if (refreshToken !== null) await endAtProvider(provider, refreshToken)
}

/** The longest a sign-out waits for the identity provider. */
const patienceMs = 1500
/** After an unanswered call no sign-out waits, so that a hanging provider holds up few requests. */
const pauseMs = 4000
/** The other devices of a sign-out everywhere are left to the worker. */
const maxAtOnce = 10

let pausedUntil = 0

/**
 * Ends sign-ins at the provider before the sign-out is answered, so that a sign-in right after it finds no session there. What the
 * provider does not answer in time, or at all, the worker ends.
 */
export async function endNow(db: Db, all: readonly EndedSignIn[]): Promise<void> {
  if (all.length === 0 || Date.now() < pausedUntil) return
  const ending = Promise.all(all.slice(0, maxAtOnce).map((ended) => endOne(db, ended))).then(
    () => 'ended',
    (error: unknown) => {
      log.warn({ reason: String(error) }, 'a sign-out is left to the worker')
      return 'refused'
    },
  )
  const outcome = await Promise.race([ending, sleep(patienceMs, 'unanswered', { ref: false })])
  if (outcome === 'unanswered') pausedUntil = Date.now() + pauseMs
}

async function endOne(db: Db, { signInId, provider, refreshToken }: EndedSignIn): Promise<void> {
  if (refreshToken === null) return
  await endSealed(provider, refreshToken)
  await dequeue(db.alone, revokeJob, signInId)
}
