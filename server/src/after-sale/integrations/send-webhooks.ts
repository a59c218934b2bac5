import type { EventPayloads } from '#events'
import { sellerOfPart } from '#orders'
import { boundedCache, enqueue, newId, postWebhook, type CallContext, type JobScope, type Posted } from '#platform'
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

/** Null: nothing is to be sent any more. `busy`: the endpoint has not answered earlier messages yet, or does not answer at all. */
export type Attempted = Posted | 'busy' | null

/**
 * Deliveries under way in this process, of each endpoint and seller. An endpoint that never answers must keep neither the other endpoints
 * of its seller waiting nor those of other sellers.
 */
const underWay = new Map<string, number>()
const atOncePerEndpoint = 3
const atOncePerSeller = 6
/** Endpoints that have just let a message wait until its time was over, and until when they are left alone. */
const resting = boundedCache<number>(1000)
const restMs = 60_000
const busyMs = 5000

/** Takes a slot of the key's concurrency limit; returns the function that releases it, or null if none is free. */
function takeSlot(key: string, most: number): (() => void) | null {
  const others = underWay.get(key) ?? 0
  if (others >= most) return null
  underWay.set(key, others + 1)
  return () => {
    const left = (underWay.get(key) ?? 1) - 1
    if (left > 0) underWay.set(key, left)
    else underWay.delete(key)
  }
}

/** One attempt, outside any transaction. */
export async function attemptDelivery({ db, now, signal }: CallContext, { deliveryId }: Deliver): Promise<Attempted> {
  const delivery = await readDelivery(db, deliveryId)
  if (delivery?.state !== 'waiting') return null
  const endpoint = await readEndpoint(db, delivery.endpointId)
  if (!endpoint) return { status: null, error: 'endpoint-removed' }
  if ((resting.get(endpoint.id) ?? 0) > now.getTime()) return 'busy'
  const releaseEndpoint = takeSlot(endpoint.id, atOncePerEndpoint)
  const releaseSeller = releaseEndpoint && takeSlot(`seller ${endpoint.sellerId}`, atOncePerSeller)
  try {
    if (!releaseSeller) return 'busy'
    const posted = await postWebhook(endpoint.url, delivery.body, deliveryHeaders(delivery, now), { signal })
    if (posted.error === 'timeout') resting.set(endpoint.id, Date.now() + restMs)
    return posted
  } finally {
    releaseEndpoint?.()
    releaseSeller?.()
  }
}

/** Logs the result of an attempt and plans the next one. What had to wait for earlier messages has not been attempted. */
export async function followAttempt(scope: JobScope, { deliveryId }: Deliver, posted: Attempted): Promise<void> {
  const { db, now } = scope
  if (posted === 'busy') return enqueueDelivery(scope, deliveryId, new Date(now.getTime() + busyMs + Math.random() * restMs))
  const delivery = posted && (await readDelivery(db, deliveryId))
  if (!posted || delivery?.state !== 'waiting') return
  const at = posted.error === null || posted.error === 'endpoint-removed' ? null : nextAttempt(delivery.attempts + 1, now)
  await noteAttempt(db, deliveryId, posted.error === null ? 'delivered' : at ? 'waiting' : 'dead', posted, now)
  if (at) await enqueueDelivery(scope, deliveryId, at)
}
