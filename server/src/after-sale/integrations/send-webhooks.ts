import type { EventPayloads } from '#events'
import { sellerOfPart } from '#orders'
import { enqueue, newId, type JobScope } from '#platform'
import { enqueueRound } from './send-round.ts'
import type { WebhookEndpoint, WebhookEvent } from './webhook.ts'
import type { WebhookData } from './webhook-bodies.ts'
import { insertDelivery, readDelivery, readEndpoints, readEndpointsOf } from './webhook-store.ts'

/** Notes a message for each endpoint of the seller that wants this event; the worker sends them. Ids only: details are read with the key. */
export async function tellSeller<Event extends WebhookEvent>(
  scope: JobScope,
  sellerId: number,
  event: Event,
  data: WebhookData<Event>,
): Promise<void> {
  await tellEndpoints(scope, await readEndpoints(scope.db, sellerId), event, data)
}

async function tellEndpoints<Event extends WebhookEvent>(
  scope: JobScope,
  endpoints: readonly WebhookEndpoint[],
  event: Event,
  data: WebhookData<Event>,
): Promise<void> {
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

/** A job for each message: transactions of orders must not wait for each other at the one job of a popular seller's endpoint. */
export function enqueueDelivery({ db }: Pick<JobScope, 'db'>, deliveryId: string, runAt: Date): Promise<void> {
  return enqueue(db, { name: 'integrations.deliver', key: deliveryId, payload: { deliveryId }, runAt })
}

/** Has the endpoint's next round send a new message. */
export async function joinRound(scope: JobScope, { deliveryId }: Deliver): Promise<void> {
  const delivery = await readDelivery(scope.db, deliveryId)
  if (delivery?.state === 'waiting') await enqueueRound(scope, delivery.endpointId, { keepsEarlier: true })
}
