import * as v from 'valibot'
import type { PointFinder } from './point-finder.ts'
import type { Closure, OfferedPoint, OpeningHours } from './point.ts'

const text = (longest: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest))
const geo = v.object({
  latitude: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
  longitude: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
})
const time = v.pipe(v.string(), v.regex(/^\d{2}:\d{2}(?::\d{2})?$/))
const date = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}/))
const location = v.object({
  location: v.object({
    ids: v.pipe(v.array(v.object({ locationId: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)) })), v.minLength(1)),
    type: v.string(),
  }),
  name: text(80),
  distance: v.optional(v.number(), 0),
  place: v.object({
    address: v.object({
      countryCode: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
      postalCode: text(10),
      addressLocality: text(80),
      streetAddress: text(100),
    }),
    geo,
  }),
  openingHours: v.optional(v.pipe(v.array(v.object({ opens: time, closes: time, dayOfWeek: v.string() })), v.maxLength(28)), []),
  closurePeriods: v.optional(v.pipe(v.array(v.object({ fromDate: date, toDate: date })), v.maxLength(20)), []),
  serviceTypes: v.optional(v.array(v.string()), []),
})
const found = v.object({ locations: v.pipe(v.array(location), v.maxLength(50)), origin: v.optional(v.object({ geo })) })

const patienceMs = 1_500
const radius = 25_000
const limit = 8
const maxResponseLength = 200_000

/** Pick-up points from an API of the shape of DHL's Location Finder: locations near an address, and one by its id. */
export function locationFinder({ url, apiKey }: { url: string; apiKey: string }): PointFinder {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`

  async function call(path: string): Promise<{ status: number; json: unknown }> {
    const answer = await fetch(`${url}/location-finder/v1/${path}`, {
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'error',
      headers: { authorization, accept: 'application/json' },
    })
    const body = await answer.text()
    if (body.length > maxResponseLength) throw new Error('The carrier sent too much')
    return { status: answer.status, json: JSON.parse(body) }
  }

  return {
    async near({ country, postcode }) {
      const query = new URLSearchParams({ countryCode: country, postalCode: postcode, radius: String(radius), limit: String(limit) })
      const { status, json } = await call(`find-by-address?${query}`)
      if (status !== 200) throw new Error(`The carrier answered a search for pick-up points with ${status}`)
      const { locations, origin } = v.parse(found, json)
      return { points: locations.map(pointOf).toSorted((a, b) => a.distance - b.distance), centre: origin?.geo ?? null }
    },
    async find(id) {
      const { status, json } = await call(`locations/${encodeURIComponent(id)}`)
      if (status === 404) return null
      if (status !== 200) throw new Error(`The carrier answered a pick-up point with ${status}`)
      const point = pointOf(v.parse(location, json))
      return point.id === id ? point : null
    },
  }
}

function pointOf({
  location: { ids, type },
  name,
  distance,
  place,
  openingHours,
  closurePeriods,
  serviceTypes,
}: v.InferOutput<typeof location>): OfferedPoint {
  const { countryCode, postalCode, addressLocality, streetAddress } = place.address
  return {
    id: ids[0]?.locationId ?? '',
    kind: type === 'locker' ? 'locker' : 'shop',
    name: plain(name),
    line1: plain(streetAddress),
    postcode: plain(postalCode),
    city: plain(addressLocality),
    country: countryCode,
    ...place.geo,
    distance: Math.max(0, Math.round(distance)),
    openingHours: openingHours.flatMap(hoursOf),
    closures: closurePeriods.map(({ fromDate, toDate }): Closure => ({ from: fromDate.slice(0, 10), to: toDate.slice(0, 10) })),
    isFull: !serviceTypes.some((each) => each.startsWith('parcel:pick-up')),
  }
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function hoursOf({ opens, closes, dayOfWeek }: { opens: string; closes: string; dayOfWeek: string }): OpeningHours[] {
  const day = days.findIndex((name) => dayOfWeek.endsWith(name)) + 1
  const end = closes.slice(0, 5)
  return day === 0 ? [] : [{ day, opens: opens.slice(0, 5), closes: end === '23:59' ? '24:00' : end }]
}

/** External text is printed on labels and pages as plain text. */
function plain(written: string): string {
  return written.replace(/[\p{Cc}\p{Cf}<>]/gu, '').trim()
}
