import { consentOf, visitorIdOf } from '@purlin/contract/consent.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { customerIdOf, signInOf } from '#accounts'
import { enqueue, newId, requireQuota } from '#platform'
import { isOwnOrigin } from '../../edges/gateway/own-origin.ts'
import { setRoutesAction } from '../../edges/gateway/route-actions.ts'
import type { Services } from '../../edges/gateway/services.ts'
import { endInput, messageInput, subscriptionInput } from './message.ts'
import { endSubscriptions, isKnownEndpoint, keepSubscription } from './store.ts'
import { publicKeyOf, vapidKey } from './vapid.ts'

const base = '/api/v1/push'
const bodyLimit = 4_000

/** Push messages: browsers subscribe and end it, operators send. A subscription is stored with consent to preferences alone. */
export function routes(app: FastifyInstance, services: Services): void {
  void app.register(async (inner) => {
    setRoutesAction(inner, 'push.join')
    subscriptionRoutes(inner, services)
  })
  void app.register(async (inner) => {
    setRoutesAction(inner, 'content.change')
    inner.post('/api/v1/operator/push', async ({ body }, reply) => {
      const input = v.safeParse(messageInput, body)
      if (!input.success) return reply.code(400).send({ error: input.issues[0].message })
      const payload = input.output
      const key = `${payload.market} ${payload.mode} ${payload.key}`
      await services.asCommand(({ db }) => enqueue(db, { name: 'push.send', key, payload }))
      return reply.code(202).send()
    })
  })
}

function subscriptionRoutes(app: FastifyInstance, services: Services): void {
  const { db, hosts } = services
  /** The storefront of a call; null when it has been refused. Calls that change something come from its own pages. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<SiteSettings | null> => {
    reply.header('cache-control', 'no-store')
    const site = hosts.siteOf(request.headers.host)
    if (!site) void reply.code(404).send({ error: 'There is no shop at this host' })
    else if (request.method !== 'GET' && !isOwnOrigin(request, site))
      void reply.code(403).send({ error: 'This request does not come from our own pages' })
    else {
      await requireQuota('push', { address: request.ip })
      return site
    }
    return null
  }

  app.get(`${base}/key`, async (request, reply) => {
    if (!(await admit(request, reply))) return reply
    return { publicKey: publicKeyOf(await vapidKey(db.alone)) }
  })
  app.post(`${base}/subscriptions`, { bodyLimit }, async (request, reply) => {
    const site = await admit(request, reply)
    if (!site) return reply
    const input = v.safeParse(subscriptionInput, request.body)
    if (!input.success) return reply.code(400).send({ error: 'A subscription has the endpoint of a push service and two keys' })
    const visitorId = visitorIdOf(request)
    // Without an id no withdrawal would reach it.
    if (visitorId === null || !consentOf(request).allows('userPreferences'))
      return reply.code(403).send({ error: 'This needs consent to preferences, and the visitor id that comes with it' })
    const { market, mode, origin } = site
    const { topics = null, ...subscription } = input.output
    // Anybody can invent endpoints: a browser that is known renews its own as often as it likes.
    if (!(await isKnownEndpoint(db.alone, subscription.endpoint))) await requireQuota('new-push', { line: request.ip })
    const viewer = await services.scopeOf(request)?.personal('push.join')
    const customerId = viewer ? customerIdOf(viewer) : null
    // Someone signed in gets messages of their own for as long as this sign-in lasts, and nobody after them.
    const signInId = customerId !== null && viewer?.session ? await signInOf(db, viewer.session.id) : null
    const subscriber = { customerId: signInId === null ? null : customerId, signInId, visitorId }
    const kept = await keepSubscription(db.alone, { id: newId(), ...subscription, market, mode, origin }, subscriber, topics)
    return reply.code(201).send({ topics: kept })
  })
  // Knowing an endpoint is enough to end it: it is as long and random as a secret.
  app.post(`${base}/subscriptions/end`, { bodyLimit }, async (request, reply) => {
    if (!(await admit(request, reply))) return reply
    const input = v.safeParse(endInput, request.body)
    if (!input.success) return reply.code(400).send({ error: 'An endpoint of a push service is needed' })
    await endSubscriptions(db.alone, [input.output.endpoint])
    return reply.code(204).send()
  })
}
