import { buildPushPayload } from '@block65/webcrypto-web-push'
import { job, log, on } from '#platform'
import type { PersonalPush, PushMessage } from './message.ts'
import { personalSubscriptions } from './push-to.ts'
import { claimSubscriptions, endSubscriptions, endSubscriptionsOfVisitor, readSubscriptions, type Subscription } from './store.ts'
import { publicKeyOf, vapidKey } from './vapid.ts'

const pageSize = 100
const timeoutMs = 10_000
/** A message of yesterday is no news. */
const ttlSeconds = 12 * 3600

export const handlers = [
  on('consent.withdrawn', 'push.end-for-visitor', {
    commit: async ({ db }, { visitorId, withdrawn }) => {
      if (visitorId !== null && withdrawn.includes('userPreferences')) await endSubscriptionsOfVisitor(db, visitorId)
    },
  }),
]

/** Sends one message to all subscriptions of a storefront to offers that have not had their share of the week; those their services no longer know are deleted. */
export const jobs = [
  job<PushMessage>('push.send', {
    run: async (context, message) => {
      const jwk = await vapidKey(context.db)
      let after = typeof context.state === 'string' ? context.state : null
      for (;;) {
        const page = await readSubscriptions(context.db, { ...message, after, limit: pageSize })
        const last = page.at(-1)
        if (!last) return
        const claimed = await claimSubscriptions(
          context.db,
          page.map(({ id }) => id),
          message.key,
        )
        const due = page.filter(({ id }) => claimed.has(id))
        const gone = await Promise.all(due.map(async (each) => ((await send(each, message, jwk)) ? [] : [each.endpoint])))
        after = last.id
        await context.checkpoint(after, async ({ db }) => void (await endSubscriptions(db, gone.flat())))
      }
    },
  }),
  job<PersonalPush>('push.send-to', {
    run: async (context, message) => {
      // A crash after sending must not send again: the attempt is recorded first.
      if (context.state !== null && context.state !== undefined) return
      const to = await personalSubscriptions(context.db, message)
      const claimed = await claimSubscriptions(
        context.db,
        to.map(({ id }) => id),
        message.key,
      )
      // News about an order is awaited: the cap is for what the shop would like to say.
      const due = message.topic === 'orders' ? to : to.filter(({ id }) => claimed.has(id))
      await context.checkpoint('sent', async () => undefined)
      const jwk = await vapidKey(context.db)
      const gone = await Promise.all(due.map(async (each) => ((await send(each, message, jwk)) ? [] : [each.endpoint])))
      await context.checkpoint('done', async ({ db }) => void (await endSubscriptions(db, gone.flat())))
    },
  }),
]

/** False when the subscription has ended. One that fails otherwise misses this message and no other. */
async function send({ endpoint, keys, origin }: Subscription, { title, body, path }: PushMessage, jwk: JsonWebKey): Promise<boolean> {
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
    return answer.status !== 404 && answer.status !== 410
  } catch (error) {
    log.warn({ err: error, service: new URL(endpoint).host }, 'A push message was not taken')
    return true
  }
}
