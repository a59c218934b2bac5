import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { addressWire, failed, type Reply } from './answers.ts'
import type { Pickup, Store } from './store.ts'

export interface PickupOptions {
  store: Store
  /** How many times faster than the calendar the drivers work. */
  speed: number
  now: () => number
}

const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
)
const wanted = v.object({
  pickup: v.object({
    reference: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    min_datetime: time,
    max_datetime: time,
    instructions: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(300))), null),
    address: addressWire,
  }),
})
/** Statuses reported by drivers; in the sandbox the client sets them, as in the test modes of real carriers. */
const reported = v.object({ status: v.picklist(['collected', 'missed', 'canceled']) })

/** Drivers who come to the door: pickups of an aggregator's API. Another time or address is another pickup. */
export function createPickupApi({ store, speed, now }: PickupOptions) {
  function create(body: unknown): Reply {
    const parsed = v.safeParse(wanted, body)
    if (!parsed.success) return failed(422, 'PICKUP.INVALID_PARAMS')
    const { reference, min_datetime: from, max_datetime: to, instructions, address } = parsed.output.pickup
    if (Date.parse(to) <= Date.parse(from)) return failed(422, 'PICKUP.INVALID_TIMES')
    const known = store.findPickup(reference)
    if (known) return { status: 200, body: pickupWire(known) }
    const id = `pickup_${randomUUID().replaceAll('-', '')}`
    const pickup: Pickup = { id, reference, from, to, address, instructions, status: 'unknown', told: 'unknown', endsAt: null }
    store.savePickup(pickup, null)
    return { status: 201, body: pickupWire(pickup) }
  }

  function change(pickup: Pickup, status: Pickup['status'], endsAt: number | null): Reply {
    const next = { ...pickup, status, endsAt }
    store.savePickup(next, now())
    return { status: 200, body: pickupWire(next) }
  }

  function buy(pickup: Pickup): Reply {
    if (pickup.status === 'scheduled') return { status: 200, body: pickupWire(pickup) }
    if (pickup.status !== 'unknown') return failed(422, 'PICKUP.UNABLE_TO_BUY')
    const left = Math.max(0, Date.parse(pickup.to) - now())
    return change(pickup, 'scheduled', now() + Math.round(left / speed))
  }

  function cancel(pickup: Pickup): Reply {
    if (pickup.status === 'collected' || pickup.status === 'missed') return failed(422, 'PICKUP.UNABLE_TO_CANCEL')
    return pickup.status === 'canceled' ? { status: 200, body: pickupWire(pickup) } : change(pickup, 'canceled', null)
  }

  /** Undefined for an address of another part of the API. */
  return (method: string, path: string, body: unknown): Reply | undefined => {
    if (method === 'POST' && path === '/v2/pickups') return create(body)
    const [, space = '', key = '', act = ''] = /^\/(v2|sandbox)\/pickups\/([\w-]{1,64})(?:\/(buy|cancel))?$/.exec(path) ?? []
    if (key === '') return undefined
    const pickup = store.findPickup(key)
    if (!pickup) return failed(404, 'PICKUP.NOT_FOUND')
    if (space === 'v2' && method === 'GET' && act === '') return { status: 200, body: pickupWire(pickup) }
    if (space === 'v2' && method === 'POST' && act !== '') return act === 'buy' ? buy(pickup) : cancel(pickup)
    const parsed = v.safeParse(reported, body)
    if (space === 'sandbox' && method === 'POST' && parsed.success) return change(pickup, parsed.output.status, null)
    return failed(422, 'PICKUP.INVALID_PARAMS')
  }
}

/** The pickup as it is now: a driver has come when its time is over. */
export function pickupAt(pickup: Pickup, now: number): Pickup {
  const isOver = pickup.status === 'scheduled' && pickup.told === 'scheduled' && pickup.endsAt !== null && pickup.endsAt <= now
  return isOver ? { ...pickup, status: 'collected', endsAt: null } : pickup
}

export function pickupWire({ id, reference, status, from, to, address, instructions }: Pickup) {
  return {
    id,
    object: 'Pickup',
    reference,
    status,
    min_datetime: from,
    max_datetime: to,
    address,
    instructions,
    pickup_rates: [{ id: `pickuprate_${id.slice(7)}`, carrier: 'PurlinPost', service: 'Home collection', rate: '19.00', currency: 'EUR' }],
  }
}
