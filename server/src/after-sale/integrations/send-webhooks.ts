import type { EventPayloads } from '#events'
import { sellerOfPart } from '#orders'
import { enqueue, newId, postWebhook, type CallContext, type JobScope, type Posted } from '#platform'
import { nextAttempt, deliveryHeaders, type WebhookEndpoint, type WebhookEvent } from './webhook.ts'
import { insertDelivery, noteAttempt, readDelivery, readEndpoint, readEndpoints, readEndpointsOf } from './webhook-store.ts'

const jobName = 'integrations.deliver'

/** Notes a message for each endpoint of the seller that wants this event; the worker sends them. Ids only: details are read with the key. */
export async function tellSeller(scope: JobScope, sellerId: number, event: WebhookEvent, data: object): Promise<void> {
  await tellEndpoints(scope, await readEndpoints(scope.db, sellerId), event, data)
}

async function tellEndpoints(scope: JobScope, endpoints: readonly WebhookEndpoint[], event: WebhookEvent, data: object): Promise<void> {
  const { db, now } = scope
  for (const { id: endpointId } of endpoints.filter(({ events }) => events.includes(event))) {
    const id = newId()
    await insertDelivery(db, {
      id,
      endpointId,
      event,
      body: JSON.stringify({ type: event, timestamp: now.toISOString(), data }),
      createdAt: now,
    })
    await enqueueDelivery(scope, id, now)
  }
}

export function enqueueDelivery({ db }: Pick<JobScope, 'db'>, deliveryId: string, runAt: Date): Promise<void> {
  return enqueue(db, { name: jobName, key: deliveryId, payload: { deliveryId }, runAt })
}

export async function tellOfPaid(
  scope: JobScope,
  { customerOrderId, market, sellerOrderIds = [] }: EventPayloads['order.paid'],
): Promise<void> {
  const endpoints = await readEndpointsOf(scope.db, sellerOrderIds.map(sellerOfPart))
  for (const orderId of sellerOrderIds) {
    const ofSeller = endpoints.filter(({ sellerId }) => sellerId === sellerOfPart(orderId))
    await tellEndpoints(scope, ofSeller, 'order.paid', { orderId, customerOrderId, market })
  }
}

export interface Deliver {
  deliveryId: string
}

/** Null: nothing is to be sent any more. `busy`: the seller's endpoints have not answered earlier messages yet. */
export type Attempted = Posted | 'busy' | null

/** Deliveries of each seller under way in this process. An endpoint that never answers must not keep those of other sellers waiting. */
const underWay = new Map<number, number>()
const atOncePerSeller = 4
const busyMs = 5000

/** One attempt, outside any transaction. */
export async function attemptDelivery({ db, now, signal }: CallContext, { deliveryId }: Deliver): Promise<Attempted> {
  const delivery = await readDelivery(db, deliveryId)
  if (delivery?.state !== 'waiting') return null
  const endpoint = await readEndpoint(db, delivery.endpointId)
  if (!endpoint) return { status: null, error: 'endpoint-removed' }
  const { sellerId } = endpoint
  const others = underWay.get(sellerId) ?? 0
  if (others >= atOncePerSeller) return 'busy'
  underWay.set(sellerId, others + 1)
  try {
    return await postWebhook(endpoint.url, delivery.body, deliveryHeaders(delivery, now), { signal })
  } finally {
    const left = (underWay.get(sellerId) ?? 1) - 1
    if (left > 0) underWay.set(sellerId, left)
    else underWay.delete(sellerId)
  }
}

/** Logs the result of an attempt and plans the next one. What had to wait for earlier messages has not been attempted. */
export async function followAttempt(scope: JobScope, { deliveryId }: Deliver, posted: Attempted): Promise<void> {
  const { db, now } = scope
  if (posted === 'busy') return enqueueDelivery(scope, deliveryId, new Date(now.getTime() + busyMs * (1 + Math.random())))
  const delivery = posted && (await readDelivery(db, deliveryId))
  if (!posted || delivery?.state !== 'waiting') return
  const at = posted.error === null || posted.error === 'endpoint-removed' ? null : nextAttempt(delivery.attempts + 1, now)
  await noteAttempt(db, deliveryId, posted.error === null ? 'delivered' : at ? 'waiting' : 'dead', posted, now)
  if (at) await enqueueDelivery(scope, deliveryId, at)
}
