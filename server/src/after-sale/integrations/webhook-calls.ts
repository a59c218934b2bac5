import * as v from 'valibot'
import { sellerIdOf } from '#accounts'
import { isEndpointUrl, newId, requireQuota, type Scope } from '#platform'
import { endpoint, found, type Outcome } from './endpoint.ts'
import { id, next, time } from './schemas.ts'
import { enqueueDelivery } from './send-webhooks.ts'
import { deliveryStates, webhookEvents, webhookSecret, type Delivery } from './webhook.ts'
import {
  insertEndpoint,
  readDeliveries,
  readDelivery,
  readEndpoint,
  readEndpoints,
  removeEndpoint,
  resetDelivery,
} from './webhook-store.ts'

const pageSize = 50
const maxEndpoints = 10
const common = { tag: 'Webhooks', scope: 'webhooks:manage', action: 'sellerOrder.see' } as const
const event = v.picklist(webhookEvents)
const shown = v.object({ id, url: v.string(), events: v.array(event), createdAt: time })
const logged = v.object({
  id: v.pipe(v.string(), v.uuid(), v.description('The `webhook-id` of every attempt')),
  event,
  state: v.picklist(deliveryStates),
  attempts: v.number(),
  status: v.pipe(v.nullable(v.number()), v.description('Status of the last response')),
  error: v.pipe(
    v.nullable(v.string()),
    v.description(
      'Why the last attempt failed; `expired` if the message was abandoned because the address could not take it within two days',
    ),
  ),
  body: v.string(),
  createdAt: time,
  lastAt: v.nullable(time),
})
const params = v.strictObject({ webhookId: id })

/** The seller's own endpoint; another's is as unknown as none. */
async function ownEndpoint(scope: Scope, webhookId: string) {
  const known = await readEndpoint(scope.db, webhookId)
  return known?.sellerId === sellerIdOf(scope) ? known : undefined
}

async function create(scope: Scope, url: string, events: readonly (typeof webhookEvents)[number][]): Promise<Outcome> {
  if (!isEndpointUrl(url)) return { ok: false, reason: 'url-refused' }
  const sellerId = sellerIdOf(scope) ?? 0
  const fresh = { id: newId(), sellerId, url: new URL(url).href, events: [...new Set(events)], createdAt: scope.now }
  const made = await insertEndpoint(scope.db, fresh, maxEndpoints)
  return made ? { ok: true, body: { ...made, secret: webhookSecret(made.id) } } : { ok: false, reason: 'endpoint-exists-or-too-many' }
}

async function listDeliveries(scope: Scope, webhookId: string, after: string | null, state: Delivery['state'] | null): Promise<Outcome> {
  const known = await ownEndpoint(scope, webhookId)
  if (!known) return found(null)
  const rows = await readDeliveries(scope.db, webhookId, { after, state, limit: pageSize + 1 })
  const deliveries = rows.slice(0, pageSize)
  return { ok: true, body: { deliveries, next: rows.length > pageSize ? (deliveries.at(-1)?.id ?? null) : null } }
}

async function replay(scope: Scope, deliveryId: string): Promise<Outcome> {
  const known = await readDelivery(scope.db, deliveryId)
  // As many statements for an unknown message as for another seller's.
  const own = await ownEndpoint(scope, known?.endpointId ?? deliveryId)
  if (!known || !own) return found(null)
  await requireQuota('webhook-replay', { key: String(own.sellerId) })
  // The job first, as in the worker, which locks the job and then the message.
  await enqueueDelivery(scope, deliveryId, scope.now)
  await resetDelivery(scope.db, deliveryId, scope.now)
  return { ok: true, body: { id: deliveryId, state: 'waiting' } }
}

export const webhookCalls = [
  endpoint({
    ...common,
    id: 'listWebhooks',
    method: 'get',
    path: '/webhooks',
    summary: 'Where the seller is told of events',
    result: v.object({ webhooks: v.array(shown) }),
    handle: async (scope) => ({ ok: true, body: { webhooks: await readEndpoints(scope.db, sellerIdOf(scope) ?? 0) } }),
  }),
  endpoint({
    ...common,
    id: 'createWebhook',
    method: 'post',
    path: '/webhooks',
    status: 201,
    summary: 'Adds an address to be told of events: https, on the usual port, of a public host',
    description:
      'Messages are those under `webhooks` in this document, in any order. They are signed as Standard Webhooks describe: webhook-signature contains one or more signatures separated by spaces. Each of version 1 is `v1,` followed by the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the bytes of the body as received. The key is the part of the secret after `whsec_`, decoded from Base64; the secret is returned here and never again. webhook-timestamp is the time of the attempt in seconds since 1970: refuse a message that is more than five minutes old. A message counts as delivered when the answer is 2xx within ten seconds; otherwise it is sent again up to seven times within a day and a half. An address that takes longer than two seconds is sent nothing for six times as long as it took, and what it has not taken after two days is abandoned: its log says `expired`, and it can be replayed. Redirects are not followed. The same message may arrive twice, with the same webhook-id.',
    // The secret must not be stored with the key's outcome; an address is added once anyway.
    isKeyed: false,
    body: v.strictObject({
      url: v.pipe(v.string(), v.maxLength(500)),
      events: v.pipe(v.array(event), v.minLength(1), v.maxLength(webhookEvents.length)),
    }),
    result: v.object({ ...shown.entries, secret: v.string() }),
    handle: (scope, { body: { url, events } }) => create(scope, url, events),
  }),
  endpoint({
    ...common,
    id: 'deleteWebhook',
    method: 'delete',
    path: '/webhooks/{webhookId}',
    status: 204,
    summary: 'Removes an address; what waits for it is not sent any more',
    params,
    result: null,
    handle: async (scope, { params: { webhookId } }) =>
      (await removeEndpoint(scope.db, webhookId, sellerIdOf(scope) ?? 0, scope.now)) ? { ok: true, body: null } : found(null),
  }),
  endpoint({
    ...common,
    id: 'listDeliveries',
    method: 'get',
    path: '/webhooks/{webhookId}/deliveries',
    summary: 'Messages of the last thirty days to an address with the result of the last attempt, newest first',
    params,
    query: v.strictObject({ after: v.optional(id), state: v.optional(v.picklist(deliveryStates)) }),
    result: v.object({ deliveries: v.array(logged), next }),
    handle: (scope, { params: { webhookId }, query: { after = null, state = null } }) => listDeliveries(scope, webhookId, after, state),
  }),
  endpoint({
    ...common,
    id: 'replayDelivery',
    method: 'post',
    path: '/deliveries/{deliveryId}/replay',
    summary: 'Sends a message again, with the same webhook-id',
    params: v.strictObject({ deliveryId: id }),
    result: v.object({ id, state: v.literal('waiting') }),
    handle: (scope, { params: { deliveryId } }) => replay(scope, deliveryId),
  }),
]
