import { enqueue, postWebhook, type CallContext, type JobScope, type Posted } from '#platform'
import { deliveryHeaders, nextAttempt, type Delivery, type WebhookEndpoint } from './webhook.ts'
import { abandonDeliveries, nextRoundAt, noteAttempts, readDue, readEndpoint, writeRest } from './webhook-store.ts'

export interface Round {
  endpointId: string
}

interface Sent {
  delivery: Delivery
  posted: Posted
}
/** `busy`: the endpoint's seller, or the slow endpoints together, have no place left. */
export type RoundResult = 'busy' | 'removed' | { sent: Sent[]; restMs: number }

/** Messages that a round sends to its endpoint at most, and at the same time. */
const maxMessages = 30
const maxConcurrent = 3
/** No message is started later in a round. With the time that one may take, a round is shorter than a call of the worker. */
const roundMs = 2000
/** A response that takes as long ends the round, and the endpoint rests several times as long as it took. */
const slowMs = 2000
const restTimes = 6

/** Concurrent rounds in this process: other sellers have places left, and endpoints that were not slow have as well. */
const maxRounds = { ofSeller: 3, slow: 10 }
const busyMs = 2000
const underWay = new Map<string, number>()

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

function takePlace({ sellerId, restingUntil }: WebhookEndpoint): (() => void) | null {
  const ofSeller = takeSlot(`seller ${sellerId}`, maxRounds.ofSeller)
  const ofSlow = restingUntil ? takeSlot('slow', maxRounds.slow) : () => undefined
  const release = () => {
    ofSeller?.()
    ofSlow?.()
  }
  if (ofSeller && ofSlow) return release
  release()
  return null
}

/** Sends what is due for an endpoint, outside any transaction. */
export async function sendRound({ db, now, signal }: CallContext, { endpointId }: Round, limits = { slowMs }): Promise<RoundResult> {
  const endpoint = await readEndpoint(db, endpointId)
  if (!endpoint) return 'removed'
  if (endpoint.restingUntil && endpoint.restingUntil > now) return { sent: [], restMs: 0 }
  const release = takePlace(endpoint)
  if (!release) return 'busy'
  try {
    const due = await readDue(db, endpointId, now, maxMessages)
    const sent: Sent[] = []
    const startedAt = performance.now()
    let slowestMs = 0
    const next = () => (slowestMs < limits.slowMs && performance.now() - startedAt < roundMs && !signal.aborted ? due.shift() : undefined)
    const sendInOrder = async () => {
      for (let delivery = next(); delivery; delivery = next()) {
        const sentAt = performance.now()
        const posted = await postWebhook(endpoint.url, delivery.body, deliveryHeaders(delivery, new Date()), { signal }).catch(
          (error: unknown) => {
            if (signal.aborted) return null
            throw error
          },
        )
        // The worker stops: the message stays due.
        if (!posted) return
        slowestMs = Math.max(slowestMs, performance.now() - sentAt)
        sent.push({ delivery, posted })
      }
    }
    await Promise.all(Array.from({ length: maxConcurrent }, sendInOrder))
    return { sent, restMs: slowestMs < limits.slowMs ? 0 : slowestMs * restTimes }
  } finally {
    release()
  }
}

/** Logs the results of a round and enqueues the next one. */
export async function followRound(scope: JobScope, { endpointId }: Round, result: RoundResult): Promise<void> {
  const { db, now } = scope
  if (result === 'busy') return enqueueRound(scope, endpointId, { from: new Date(now.getTime() + busyMs * (1 + Math.random())) })
  if (result === 'removed') await abandonDeliveries(db, endpointId, { error: 'endpoint-removed', isAll: true, now })
  else {
    const { sent, restMs } = result
    const attempts = sent.map(({ delivery: { id, attempts: before }, posted }) => {
      const nextAt = posted.error === null ? null : nextAttempt(before + 1, now)
      return { id, posted, nextAt, state: posted.error === null ? 'delivered' : nextAt ? 'waiting' : 'dead' } as const
    })
    await noteAttempts(db, attempts, now)
    if (sent.length > 0) await writeRest(db, endpointId, restMs > 0 ? new Date(now.getTime() + restMs) : null)
    await abandonDeliveries(db, endpointId, { error: 'expired', isAll: false, now })
  }
  await enqueueRound(scope, endpointId)
}

/** Enqueues the endpoint's round for when the first of its messages is due, but not before its rest is over; none if no message waits. */
export async function enqueueRound(
  { db, now }: JobScope,
  endpointId: string,
  { from = now, keepsEarlier = false }: { from?: Date; keepsEarlier?: boolean } = {},
): Promise<void> {
  const runAt = await nextRoundAt(db, endpointId, from)
  if (runAt) await enqueue(db, { name: 'integrations.send-round', key: endpointId, payload: { endpointId }, runAt, keepsEarlier })
}
