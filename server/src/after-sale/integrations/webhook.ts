import { hkdfSync } from 'node:crypto'
import { settings, webhookHeaders } from '#platform'

/** Events a seller's program can be told of. */
export const webhookEvents = [
  'order.paid',
  'order.accepted',
  'order.refused',
  'order.shipped',
  'order.delivered',
  'order.incident-opened',
  'order.closed',
  'order.cancelled',
  'refund.requested',
  'message.written',
  'return.changed',
  'dispute.changed',
  'quote.changed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export interface WebhookEndpoint {
  id: string
  sellerId: number
  url: string
  events: WebhookEvent[]
  createdAt: Date
  /** Until when it is sent nothing, because it responded slowly; null if its last round did not. */
  restingUntil: Date | null
}

export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export interface Delivery {
  id: string
  endpointId: string
  event: WebhookEvent
  body: string
  state: (typeof deliveryStates)[number]
  attempts: number
  /** Status of the last response; null without one. */
  status: number | null
  error: string | null
  createdAt: Date
  lastAt: Date | null
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** Longer than all pauses together. A message for an endpoint that cannot take them all is abandoned before its attempts are used up. */
const maxAgeMs = 48 * hour
/** Pauses after each failed attempt; after the last one the delivery is a dead letter until it is replayed. */
const pauses = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 24 * hour]

/** When to try again after so many failed attempts; null: never. */
export function nextAttempt(failed: number, now: Date): Date | null {
  const pause = pauses[failed - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause)
}

/** When a message that waits from an instant on is abandoned. */
export function expiryOf(from: Date): Date {
  return new Date(from.getTime() + maxAgeMs)
}

/** Derived, so that a copy of the database signs nothing. */
function secretBytes(endpointId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', settings().mail.linkSecret, endpointId, 'purlin webhook', 32))
}

/** The secret as Standard Webhooks write it. */
export function webhookSecret(endpointId: string): string {
  return `whsec_${secretBytes(endpointId).toString('base64')}`
}

export function deliveryHeaders({ id, endpointId, body }: Pick<Delivery, 'id' | 'endpointId' | 'body'>, now: Date): Record<string, string> {
  return webhookHeaders(secretBytes(endpointId), { id, body }, now)
}
