import { isVouchedFor } from '#accounts'
import { boundedCache, log, type Db } from '#platform'
import { refreshError, refreshSession, type Refreshed } from './refresh-session.ts'

/** The longest a request waits for the identity provider; the refresh continues in the background. */
const patienceMs = 1000
/** After an unanswered refresh no request waits, so that an outage of the provider delays no page. */
const pauseMs = 4000
const maxAtOnce = 50

const underWay = new Map<string, Promise<Refreshed>>()
let pausedUntil = 0
/** Sign-ins with a hanging refresh, and the time until which they are left alone. */
const busy = boundedCache<number>(1000)

/**
 * Whether a session that the identity provider has not confirmed recently may continue. Every request with such a
 * session triggers a refresh, so that a password reset, a sign-out everywhere or a closed account ends it within the
 * life of an access token. A provider that does not respond ends nothing.
 */
export async function mayGoOn(db: Db, signInId: string): Promise<boolean> {
  return (await refreshOnce(db, signInId)) !== refreshError
}

function refreshOnce(db: Db, signInId: string): Promise<Refreshed> {
  const known = underWay.get(signInId)
  if (known) return known
  if (Date.now() < Math.max(pausedUntil, busy.get(signInId) ?? 0) || underWay.size >= maxAtOnce) return Promise.resolve('unavailable')
  const refreshing = refreshUnlessVouched(db, signInId)
    .then((outcome) => {
      if (outcome === 'unavailable') pausedUntil = Date.now() + pauseMs
      if (outcome === 'busy') busy.set(signInId, Date.now() + pauseMs)
      return outcome
    })
    .catch((error: unknown): Refreshed => {
      log.warn({ reason: String(error) }, 'a session was not refreshed')
      return 'unavailable'
    })
    .finally(() => underWay.delete(signInId))
  underWay.set(signInId, refreshing)
  return refreshing
}

/** A request may have read its session just before another one refreshed it. */
async function refreshUnlessVouched(db: Db, signInId: string): Promise<Refreshed> {
  return (await isVouchedFor(db.alone, signInId)) ? 'refreshed' : refreshSession(db, signInId, patienceMs)
}
