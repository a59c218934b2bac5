import * as v from 'valibot'
import type { Collection, CollectionNews, CollectionState, Place } from './carrier.ts'

export type AggregatorCall = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  signal: AbortSignal,
  body?: object,
) => Promise<{ status: number; json: unknown }>

const rate = v.object({ carrier: v.string(), service: v.string() })
const pickup = v.object({
  id: v.string(),
  reference: v.pipe(v.string(), v.maxLength(64)),
  status: v.string(),
  pickup_rates: v.optional(v.array(rate), []),
})

const states: Readonly<Record<string, CollectionState>> = {
  scheduled: 'scheduled',
  canceled: 'cancelled',
  // The embedded carrier reports the end as well; others are heard of through the parcel's own tracker.
  collected: 'collected',
  missed: 'missed',
}

/** Home collection by an aggregator's pickups. Found again by our reference, so that a repeated call books once. */
export function aggregatorPickups(call: AggregatorCall) {
  const read = ({ status, json }: { status: number; json: unknown }) => {
    const parsed = v.safeParse(pickup, json)
    if (status >= 300 || !parsed.success) throw new Error(`The carrier answered a pickup with ${status}`)
    return parsed.output
  }
  return {
    async bookCollection(wanted: Collection, { signal }: { signal: AbortSignal }): Promise<void> {
      const known = await call('GET', `/v2/pickups/${wanted.reference}`, signal)
      const made = read(known.status === 200 ? known : await call('POST', '/v2/pickups', signal, { pickup: wireOf(wanted) }))
      if (made.status === 'scheduled') return
      const [offered] = made.pickup_rates
      if (!offered) throw new Error('The carrier offers no pickup')
      read(await call('POST', `/v2/pickups/${made.id}/buy`, signal, offered))
    },
    async cancelCollection(reference: string, { signal }: { signal: AbortSignal }): Promise<void> {
      const known = await call('GET', `/v2/pickups/${reference}`, signal)
      // One that was never booked, or is over, needs no cancellation.
      if (known.status === 404) return
      const { id, status } = read(known)
      if (status === 'scheduled' || status === 'unknown') read(await call('POST', `/v2/pickups/${id}/cancel`, signal, {}))
    },
  }
}

/** Pickup status reported by a message; null for messages that do not concern the shop. */
export function collectionNewsOf(result: unknown): CollectionNews | null {
  const parsed = v.safeParse(pickup, result)
  const state = parsed.success ? states[parsed.output.status] : undefined
  return parsed.success && state ? { reference: parsed.output.reference, state } : null
}

function wireOf({ reference, address, phone, from, to, instructions }: Collection) {
  return {
    reference,
    min_datetime: from.toISOString(),
    max_datetime: to.toISOString(),
    instructions,
    address: { ...addressOf(address), phone },
  }
}

export function addressOf({ name, company, line1, line2, postcode, city, country }: Place) {
  return { name, company, street1: line1, street2: line2, zip: postcode, city, country }
}
