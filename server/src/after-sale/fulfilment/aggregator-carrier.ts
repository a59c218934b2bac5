import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { ForgedNews, type Booked, type Carrier, type CarrierMessage, type CarrierNews, type Consignment } from './carrier.ts'
import { addressOf, aggregatorPickups, collectionNewsOf } from './aggregator-pickups.ts'
import type { ParcelEvent, ParcelEventKind } from './parcel.ts'

export interface AggregatorSettings {
  /** Base address of the API, without the version. */
  url: string
  apiKey: string
  webhookSecret: string
}

const when = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
)
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null)
const maxDetails = 200
const detail = v.object({
  status: v.string(),
  status_detail: maybe(v.string()),
  datetime: when,
  tracking_location: maybe(v.object({ city: maybe(v.string()) })),
})
const tracker = v.object({
  tracking_code: v.string(),
  est_delivery_date: maybe(when),
  // Reported by the embedded carrier; aggregators leave it to the shop.
  hold_until: maybe(when),
  tracking_details: v.optional(v.pipe(v.array(detail), v.maxLength(maxDetails)), []),
})
const shipment = v.object({
  id: v.string(),
  tracking_code: maybe(v.string()),
  rates: v.optional(v.array(v.object({ id: v.string(), rate: v.string() })), []),
  postage_label: maybe(v.object({ label_pdf_url: maybe(v.string()), label_url: maybe(v.string()) })),
  tracker: maybe(tracker),
})
const found = v.object({ trackers: v.array(tracker) })
const message = v.object({ id: v.pipe(v.string(), v.maxLength(100)), description: v.string(), result: v.unknown() })

const toleranceMs = 5 * 60_000
const maxLabelBytes = 2_000_000
const maxPlaceLength = 60
const gramsPerOunce = 28.349523125

/**
 * Parcels through an aggregator's API of EasyPost's shape: shipments, their purchase, trackers, pickups, and messages signed over time,
 * method, path and body. The embedded carrier speaks it too.
 */
export function aggregatorCarrier({ url, apiKey, webhookSecret }: AggregatorSettings): Carrier {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<{ status: number; json: unknown }> {
    const answer = await fetch(`${url}${path}`, {
      method,
      signal,
      redirect: 'error',
      headers: { authorization, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, json: await answer.json() }
  }
  const read = ({ status, json }: { status: number; json: unknown }) => {
    const parsed = v.safeParse(shipment, json)
    if (status >= 300 || !parsed.success) throw new Error(`The carrier answered a shipment with ${status}`)
    return parsed.output
  }

  async function book(consignment: Consignment, { signal }: { signal: AbortSignal }): Promise<Booked> {
    // An attempt before may have got through: the reference finds its shipment.
    const known = await call('GET', `/v2/shipments/${consignment.parcelId}`, signal)
    const created = read(known.status === 200 ? known : await call('POST', '/v2/shipments', signal, { shipment: wireOf(consignment) }))
    const [cheapest] = created.rates.toSorted((a, b) => Number(a.rate) - Number(b.rate))
    const isBought = created.tracking_code !== null && created.postage_label !== null
    if (!isBought && !cheapest) throw new Error('The carrier offers no rate')
    const bought = isBought ? created : read(await call('POST', `/v2/shipments/${created.id}/buy`, signal, { rate: { id: cheapest?.id } }))
    const address = bought.postage_label?.label_pdf_url ?? bought.postage_label?.label_url
    if (bought.tracking_code === null || !address) throw new Error('The carrier gave no label')
    const { tracking_code } = bought
    return {
      ...newsOf({ est_delivery_date: null, hold_until: null, tracking_details: [], ...bought.tracker, tracking_code }),
      label: await fetchLabel(address, url, signal),
    }
  }

  return {
    ...aggregatorPickups(call),
    book,
    async track(trackingNumber, { signal }) {
      const { status, json } = await call('GET', `/v2/trackers?tracking_code=${encodeURIComponent(trackingNumber)}`, signal)
      const parsed = v.safeParse(found, json)
      if (status !== 200 || !parsed.success) throw new Error(`The carrier answered a tracker with ${status}`)
      const own = parsed.output.trackers.find(({ tracking_code }) => tracking_code === trackingNumber)
      return own ? newsOf(own) : null
    },
    async schedule(trackingNumber, appointment, { signal }) {
      const { status } = await call(
        'POST',
        `/v2/trackers/${encodeURIComponent(trackingNumber)}/delivery_window`,
        signal,
        windowOf(appointment),
      )
      // A parcel that has arrived, or that the carrier no longer knows, has no appointment any more.
      if (status >= 300 && status !== 404 && status !== 422) throw new Error(`The carrier answered an appointment with ${status}`)
    },
    async forget({ kind, reference }, { signal }) {
      const path = `/v2/${kind === 'parcel' ? 'shipments' : 'pickups'}/${reference}`
      if ((await call('GET', path, signal)).status === 404) return
      const { status } = await call('DELETE', `${path}/personal_data`, signal)
      // With an aggregator that lacks this call the job ends as a dead letter: its operator has to be asked.
      if (status >= 300) throw new Error(`The carrier answered a removal of personal data with ${status}`)
    },
    verify(rawBody, headers, now): CarrierMessage {
      const [timestamp, path, signature] = ['x-timestamp', 'x-path', 'x-hmac-signature-v2'].map((name) => String(headers[name] ?? ''))
      const expected = createHmac('sha256', webhookSecret).update(`${timestamp}POST${path}${rawBody}`).digest('hex')
      if (!isSame(signature ?? '', `hmac-sha256-hex=${expected}`)) throw new ForgedNews('The signature is wrong')
      if (path !== webhookPath) throw new ForgedNews('It was signed for another address')
      const age = Math.abs(now.getTime() - Date.parse(timestamp ?? ''))
      if (!(age <= toleranceMs)) throw new ForgedNews('It was signed long ago')
      const parsed = v.safeParse(message, parse(rawBody))
      if (!parsed.success) throw new ForgedNews('It is no message')
      const { id, description, result } = parsed.output
      const about = description.startsWith('tracker.') ? v.safeParse(tracker, result) : null
      const collection = description.startsWith('pickup.') ? collectionNewsOf(result) : null
      return { id, news: about?.success ? newsOf(about.output) : null, collection }
    },
  }
}

export const webhookPath = '/webhooks/carrier'

function wireOf({ parcelId, sender, recipient, pickUpPointId, appointment, daysMin, daysMax, grams }: Consignment) {
  return {
    reference: parcelId,
    from_address: addressOf(sender),
    to_address: addressOf(recipient),
    // Ounces, to a tenth.
    parcel: { weight: Math.max(0.1, Math.round((grams / gramsPerOunce) * 10) / 10) },
    options: {
      label_format: 'PDF',
      days_min: daysMin,
      days_max: daysMax,
      ...(pickUpPointId && { hold_for_pickup: pickUpPointId }),
      ...(appointment && { delivery_window: appointment === 'later' ? {} : windowOf(appointment) }),
    },
  }
}

const windowOf = ({ from, to }: { from: Date; to: Date }) => ({ min_datetime: from.toISOString(), max_datetime: to.toISOString() })

/** Labels come from the carrier's own host, or over TLS. */
async function fetchLabel(address: string, base: string, signal: AbortSignal): Promise<Uint8Array> {
  const target = new URL(address)
  if (target.protocol !== 'https:' && target.origin !== new URL(base).origin) throw new Error('The label is at an insecure address')
  const answer = await fetch(target, { signal, redirect: 'error' })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const isPdf = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (!answer.ok || !isPdf || bytes.length > maxLabelBytes) throw new Error('The carrier gave no label')
  return bytes
}

const kinds: Readonly<Record<string, ParcelEventKind>> = {
  pre_transit: 'registered',
  in_transit: 'in-transit',
  out_for_delivery: 'out-for-delivery',
  available_for_pickup: 'at-pick-up-point',
  delivered: 'delivered',
  return_to_sender: 'returned',
}
const kindsByDetail: Readonly<Record<string, ParcelEventKind>> = {
  received_at_origin_facility: 'collected',
  delayed: 'delayed',
  weather_delay: 'delayed',
  delivery_exception: 'attempt-failed',
  appointment_missed: 'appointment-missed',
  lost: 'lost',
}

function newsOf({ tracking_code, est_delivery_date, hold_until, tracking_details }: v.InferOutput<typeof tracker>): CarrierNews {
  const events = tracking_details.flatMap(({ status, status_detail, datetime, tracking_location }): ParcelEvent[] => {
    const kind = kindsByDetail[status_detail ?? ''] ?? kinds[status]
    const place = tracking_location?.city?.slice(0, maxPlaceLength) || null
    return kind ? [{ sourceId: `${datetime}:${status_detail ?? status}`.slice(0, 100), kind, at: new Date(datetime), place }] : []
  })
  return { trackingNumber: tracking_code, expectedBy: dateOf(est_delivery_date), heldUntil: dateOf(hold_until), events }
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
