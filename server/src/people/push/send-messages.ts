import { buildPushPayload } from '@block65/webcrypto-web-push'
import { log, type Db } from '#platform'
import type { PushMessage } from './message.ts'
import { countFailures, endSubscriptions, forgetFailures, type Subscription } from './store.ts'
import { publicKeyOf } from './vapid.ts'

const timeoutMs = 10_000
/** A message of yesterday is no news. */
const ttlSeconds = 12 * 3600

/** `busy`: the service responds, and takes nothing from anybody for now. */
type Outcome = 'taken' | 'gone' | 'refused' | 'busy' | 'unreachable'

export interface Sent {
  gone: string[]
  taken: string[]
  failed: string[]
}

/**
 * Sends a message to subscriptions, each by itself. One that fails misses this message. `isOnline` says whether a push service has
 * responded before: while none does, the fault is ours, and nobody's subscription has failed.
 */
export async function sendMessages(to: readonly Subscription[], message: PushMessage, jwk: JsonWebKey, isOnline = false): Promise<Sent> {
  const outcomes = await Promise.all(to.map(async (each) => ({ ...each, outcome: await send(each, message, jwk) })))
  const online = isOnline || outcomes.some(({ outcome }) => outcome !== 'unreachable')
  const idsOf = (...of: Outcome[]) => outcomes.filter(({ outcome }) => of.includes(outcome)).map(({ id }) => id)
  return {
    gone: outcomes.filter(({ outcome }) => outcome === 'gone').map(({ endpoint }) => endpoint),
    taken: idsOf('taken'),
    failed: online ? idsOf('refused', 'unreachable') : [],
  }
}

/** Deletes the subscriptions that have ended, and those that have taken none of several messages in a row. */
export async function noteSent(db: Db, { gone, taken, failed }: Sent): Promise<void> {
  await endSubscriptions(db, gone)
  await forgetFailures(db, taken)
  await countFailures(db, failed)
}

async function send({ endpoint, keys, origin }: Subscription, { title, body, path }: PushMessage, jwk: JsonWebKey): Promise<Outcome> {
  try {
    const { headers, body: sealed } = await buildPushPayload(
      { data: { title, body, url: origin + path }, options: { ttl: ttlSeconds } },
      { endpoint, keys, expirationTime: null },
      { subject: `${origin}/contact`, publicKey: publicKeyOf(jwk), privateKey: jwk.d },
    )
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body: sealed,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    return outcomeOf(answer)
  } catch (error) {
    log.warn({ err: error, service: new URL(endpoint).host }, 'A push message was not taken')
    return 'unreachable'
  }
}

function outcomeOf({ ok, status }: Response): Outcome {
  if (ok) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'busy' : 'refused'
}
