import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { addressWire, failed, type Reply } from './answers.ts'
import { createPickupApi } from './pickups.ts'
import { createPointApi } from './points.ts'
import { createRemovalApi } from './remove-people.ts'
import { slotApi } from './slots.ts'
import { estimateOf, heldMsOf, planByAppointment, planOf, visit, type Detail, type Fate } from './plan.ts'
import type { Shipment, Store } from './store.ts'
import { happened, shipmentWire, trackerWire } from './wire.ts'

export interface ApiOptions {
  store: Store
  apiKey: string
  speed: number
  now: () => number
  fateOf: (reference: string) => Fate
  origin: () => string
  /** For tests: pick-up points that have closed for good. */
  isGone?: (id: string) => boolean
}

const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
)
const deliveryWindow = v.object({ min_datetime: time, max_datetime: time })

const wanted = v.object({
  shipment: v.object({
    reference: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    from_address: addressWire,
    to_address: addressWire,
    parcel: v.object({ weight: v.pipe(v.number(), v.minValue(0)) }),
    options: v.optional(
      v.looseObject({
        days_min: v.optional(v.number()),
        days_max: v.optional(v.number()),
        delivery_window: v.optional(v.union([deliveryWindow, v.strictObject({})])),
        hold_for_pickup: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/))), null),
      }),
      {},
    ),
  }),
})
const bought = v.object({ rate: v.object({ id: v.string() }) })
/** Moves a parcel in the sandbox, as the test modes of real carriers do. */
const reported = v.object({ status: v.string(), status_detail: v.string() })
const beforeDepot = new Set(['received_at_origin_facility', 'arrived_at_facility', 'arrived_at_destination'])
const gramsPerOunce = 28.349523125
const endings = ['in_transit', 'out_for_delivery', 'available_for_pickup', 'delivered', 'return_to_sender', 'failure'] as const

/** The part of an aggregator's API that a shop needs: shipments, their purchase, trackers, pickups. The key is the user name of Basic. */
export function createApi({ store, apiKey, speed, now, fateOf, origin, isGone }: ApiOptions) {
  const show = (shipment: Shipment, status = 200): Reply => ({ status, body: shipmentWire(shipment, origin(), now()) })

  function create(body: unknown): Reply {
    const parsed = v.safeParse(wanted, body)
    if (!parsed.success) return failed(422, 'SHIPMENT.INVALID_PARAMS')
    const { reference, from_address: from, to_address: to, options, parcel } = parsed.output.shipment
    const known = store.find(reference)
    if (known) return show(known)
    const { days_min: daysMin = 2, days_max: daysMax = 4, hold_for_pickup: point, delivery_window: asked } = options
    const id = `shp_${randomUUID().replaceAll('-', '')}`
    const grams = Math.round(parcel.weight * gramsPerOunce)
    const service = asked ? 'Appointment' : point === null ? 'Standard' : 'Pick-up point'
    const window = asked && 'min_datetime' in asked ? { from: asked.min_datetime, to: asked.max_datetime } : null
    const shipment: Shipment = {
      id,
      reference,
      from,
      to,
      service,
      point,
      daysMin,
      daysMax,
      grams,
      code: null,
      estimate: null,
      plan: [],
      ...(asked && { window }),
    }
    store.save(shipment, null)
    return show(shipment, 201)
  }

  function buy(shipment: Shipment, body: unknown): Reply {
    if (shipment.code !== null) return failed(422, 'SHIPMENT.POSTAGE.EXISTS')
    const parsed = v.safeParse(bought, body)
    if (!parsed.success || parsed.output.rate.id !== `rate_${shipment.id.slice(4)}`) return failed(422, 'RATE.NOT_FOUND')
    const bookedAt = now()
    const { reference, from, to, daysMin, daysMax } = shipment
    const code = codeOf(shipment)
    const { window } = shipment
    const fate = fateOf(reference)
    const places = { from: { city: from.city, country: from.country }, to: { city: to.city, country: to.country } }
    const plan =
      window !== undefined
        ? planByAppointment({ bookedAt, ...places, window, fate, speed })
        : planOf({
            reference,
            bookedAt,
            ...places,
            daysMin,
            daysMax,
            fate,
            isHeld: Boolean(shipment.point),
            speed,
          })
    const next = {
      ...shipment,
      code,
      plan,
      estimate: window ? window.to : estimateOf({ bookedAt, daysMax, speed }),
      heldMs: heldMsOf(speed),
    }
    store.save(next, nextAfter(plan, 1))
    return show(next)
  }

  function report(code: string, body: unknown): Reply {
    const shipment = store.byCode(code)
    const parsed = v.safeParse(reported, body)
    const status = parsed.success ? endings.find((each) => each === parsed.output.status) : undefined
    if (!shipment) return failed(404, 'TRACKER.NOT_FOUND')
    if (!parsed.success || !status) return failed(422, 'TRACKER.INVALID_PARAMS')
    const at = now()
    const { status_detail } = parsed.output
    const detail: Detail = {
      status,
      status_detail,
      message: status_detail,
      datetime: new Date(at).toISOString(),
      tracking_location: { city: null, country: shipment.to.country },
    }
    const next = { ...shipment, plan: [...happened(shipment, at), detail] }
    store.save(next, at)
    return { status: 200, body: trackerWire(next, at) }
  }

  /** The recipient has chosen a time, or another one. */
  function schedule(code: string, body: unknown): Reply {
    const shipment = store.byCode(code)
    const parsed = v.safeParse(deliveryWindow, body)
    if (!shipment) return failed(404, 'TRACKER.NOT_FOUND')
    const past = happened(shipment, now())
    const isOver = past.some(({ status }) => ['delivered', 'return_to_sender', 'failure'].includes(status))
    if (!parsed.success || isOver || shipment.window === undefined) return failed(422, 'TRACKER.INVALID_PARAMS')
    const window = { from: parsed.output.min_datetime, to: parsed.output.max_datetime }
    const { from, to, plan } = shipment
    const places = { from: { city: from.city, country: from.country }, to: { city: to.city, country: to.country } }
    const door = visit({ now: now(), ...places, window, isMissed: false, speed })
    // Still on its way to the depot, it goes on as planned; the van comes at the new time, and finds somebody.
    const leaves = Date.parse(door[0]?.datetime ?? '')
    const ahead = plan
      .slice(past.length)
      .filter(({ status_detail, datetime }) => beforeDepot.has(status_detail) && Date.parse(datetime) < leaves)
    const next = { ...shipment, window, estimate: window.to, plan: [...past, ...ahead, ...door] }
    store.save(next, nextAfter(next.plan, past.length))
    return { status: 200, body: trackerWire(next, now()) }
  }

  const pickups = createPickupApi({ store, speed, now })
  const removals = createRemovalApi(store)
  const points = createPointApi({ now, heldAt: store.heldAt, ...(isGone && { isGone }) })

  return ({ method, url, authorization, body }: { method: string; url: URL; authorization: string; body: unknown }): Reply => {
    if (!isKey(authorization, apiKey)) return failed(401, 'APIKEY.INACTIVE')
    const [, key = '', act = ''] = /^\/v2\/shipments\/([\w-]{1,64})(\/buy)?$/.exec(url.pathname) ?? []
    const shipment = key ? store.find(key) : undefined
    const [, sandboxed = ''] = /^\/sandbox\/trackers\/([A-Z0-9]{8,20})$/.exec(url.pathname) ?? []
    if (method === 'POST' && url.pathname === '/v2/shipments') return create(body)
    if (method === 'POST' && shipment && act) return buy(shipment, body)
    if (method === 'GET' && shipment && !act) return show(shipment)
    const [, scheduled = ''] = /^\/v2\/trackers\/([A-Z0-9]{8,20})\/delivery_window$/.exec(url.pathname) ?? []
    if (method === 'POST' && scheduled) return schedule(scheduled, body)
    if (method === 'POST' && sandboxed) return report(sandboxed, body)
    if (method === 'GET' && url.pathname === '/v2/trackers') {
      const tracked = store.byCode(url.searchParams.get('tracking_code') ?? '')
      return { status: 200, body: { trackers: tracked ? [trackerWire(tracked, now())] : [], has_more: false } }
    }
    const path = url.pathname
    return removals(method, path) ?? pickups(method, path, body) ?? points(method, url) ?? slotApi(method, url) ?? failed(404, 'NOT_FOUND')
  }
}

/** When the next thing happens that the shop has not heard of; the booking itself it knows from the response. */
export function nextAfter(plan: readonly Detail[], told: number): number | null {
  const next = plan[told]
  return next ? Date.parse(next.datetime) : null
}

function codeOf({ reference, to }: Shipment): string {
  const digits = createHash('sha256').update(reference).digest().readBigUInt64BE().toString().slice(-12).padStart(12, '0')
  return `PP${digits}${to.country}`
}

function isKey(authorization: string, apiKey: string): boolean {
  const given = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('utf8')
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(`${apiKey}:`))
}
