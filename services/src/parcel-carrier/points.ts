import { createHash } from 'node:crypto'
import { isAddressCountry, type AddressCountry } from '@purlin/contract/addresses.ts'
import { failed, type Reply } from './answers.ts'
import { locate, metresBetween, moved, spotIn, townsOf, type Spot, type Town } from './places.ts'
import { pointNames } from './point-names.ts'

export interface Point extends Spot {
  id: string
  country: AddressCountry
  type: 'servicepoint' | 'locker'
  name: string
  street: string
  postcode: string
  city: string
  /** Parcels it can hold. */
  capacity: number
}

export interface PointOptions {
  now: () => number
  /** Parcels on their way to a point, or waiting there. */
  heldAt: (id: string) => number
  /** For tests: points that have closed for good. */
  isGone?: (id: string) => boolean
}

const known = new Map<AddressCountry, Point[]>()
const perTown = { 9: 60, 6: 24, 3: 9 }

/** The same points after every start: they follow from the towns alone. */
export function pointsOf(country: AddressCountry): Point[] {
  const read = known.get(country)
  if (read) return read
  const made = townsOf(country).flatMap((town, index) => pointsIn(town, index))
  known.set(country, made)
  return made
}

function pointsIn(town: Town, townIndex: number): Point[] {
  const { country, name: city, postcodes, radiusKm } = town
  const { locker, shops, streets, isNumberFirst } = pointNames[country]
  const count = perTown[radiusKm as keyof typeof perTown] ?? 9
  return Array.from({ length: count }, (_, index): Point => {
    const id = `${country}-${String(townIndex * 100 + index + 1).padStart(5, '0')}`
    const share = (index + shareOf(id, 'share') * 0.8) / count
    const isLocker = index % 3 === 2
    const number = 1 + Math.floor(shareOf(id, 'number') * 140)
    const street = pick(streets, id, 'street')
    const code = postcodes[Math.floor(share * postcodes.length)] ?? ''
    const spot = spotIn(town, share)
    return {
      ...moved(spot, (shareOf(id, 'north') - 0.5) * 0.8, (shareOf(id, 'east') - 0.5) * 0.8),
      id,
      country,
      type: isLocker ? 'locker' : 'servicepoint',
      name: isLocker ? `${locker} ${townIndex * 100 + index + 1}` : pick(shops, id, 'shop'),
      street: isNumberFirst ? `${number} ${street}` : `${street} ${number}`,
      postcode: country === 'GB' ? `${code} ${1 + Math.floor(shareOf(id, 'sector') * 9)}${inwardOf(id)}` : code,
      city,
      capacity: isLocker ? 16 : 40,
    }
  })
}

const letters = 'ABDEFGHJLNPQRSTUWXYZ'
function inwardOf(id: string): string {
  return ['one', 'two'].map((of) => letters[Math.floor(shareOf(id, of) * letters.length)]).join('')
}

const maxRadius = 25_000
const maxPoints = 20

/** The locations of a carrier's finder: near an address, and one by its id. Undefined for an address of another part of the API. */
export function createPointApi({ now, heldAt, isGone = () => false }: PointOptions) {
  const show = (point: Point, distance: number | null) => locationWire(point, distance, now(), heldAt(point.id) >= point.capacity)

  return (method: string, url: URL): Reply | undefined => {
    if (method !== 'GET') return undefined
    const [, id = ''] = /^\/location-finder\/v1\/locations\/([\w-]{1,40})$/.exec(url.pathname) ?? []
    if (id !== '') {
      const country = id.slice(0, 2)
      const point = isAddressCountry(country) ? pointsOf(country).find((each) => each.id === id) : undefined
      return point && !isGone(id) ? { status: 200, body: show(point, null) } : failed(404, 'LOCATION.NOT_FOUND')
    }
    if (url.pathname !== '/location-finder/v1/find-by-address') return undefined
    const country = url.searchParams.get('countryCode') ?? ''
    const radius = Math.min(maxRadius, Number(url.searchParams.get('radius') ?? maxRadius))
    const limit = Math.min(maxPoints, Number(url.searchParams.get('limit') ?? maxPoints))
    const postcode = url.searchParams.get('postalCode') ?? ''
    if (!isAddressCountry(country) || postcode === '' || !(radius > 0) || !(limit >= 1)) return failed(400, 'LOCATION.INVALID_PARAMS')
    const origin = locate(country, postcode)
    const near = origin
      ? pointsOf(country)
          .filter((point) => !isGone(point.id))
          .map((point) => ({ point, distance: metresBetween(origin, point) }))
          .filter(({ distance }) => distance <= radius)
          .toSorted((a, b) => a.distance - b.distance)
          .slice(0, limit)
      : []
    return {
      status: 200,
      body: { locations: near.map(({ point, distance }) => show(point, distance)), ...(origin && { origin: { geo: origin } }) },
    }
  }
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const day = 86_400_000

export function locationWire(point: Point, distance: number | null, now: number, isFull: boolean) {
  const { id, country, type, name, street, postcode, city, latitude, longitude } = point
  return {
    url: `/locations/${id}`,
    location: { ids: [{ locationId: id, provider: 'parcel' }], type },
    name,
    ...(distance !== null && { distance }),
    place: {
      address: { countryCode: country, postalCode: postcode, addressLocality: city, streetAddress: street },
      geo: { latitude, longitude },
    },
    openingHours: openingHoursOf(point),
    closurePeriods: type === 'locker' ? [] : closuresOf(id, now),
    // A full point takes parcels to send, and none to hold.
    serviceTypes: isFull ? ['parcel:drop-off'] : ['parcel:drop-off', 'parcel:pick-up'],
  }
}

function openingHoursOf({ id, country, type }: Point) {
  const { siesta } = pointNames[country]
  const on = (days: readonly string[], opens: string, closes: string) =>
    days.map((name) => ({ opens, closes, dayOfWeek: `http://schema.org/${name}` }))
  if (type === 'locker') return on([...weekdays, 'Saturday', 'Sunday'], '00:00:00', '23:59:00')
  const opens = shareOf(id, 'opens') < 0.5 ? '08:00:00' : '09:00:00'
  const closes = shareOf(id, 'closes') < 0.5 ? '18:30:00' : '20:00:00'
  const week = siesta ? [...on(weekdays, opens, siesta[0]), ...on(weekdays, siesta[1], closes)] : on(weekdays, opens, closes)
  return [...week, ...on(['Saturday'], '09:00:00', shareOf(id, 'saturday') < 0.5 ? '13:00:00' : '17:00:00')]
}

/** Christmas for every shop, and a week's leave for some. */
function closuresOf(id: string, now: number) {
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10)
  const year = new Date(now).getUTCFullYear()
  const leave = now + Math.floor(8 + shareOf(id, 'leave') * 20) * day
  return [
    { type: 'holiday', fromDate: `${year}-12-25`, toDate: `${year}-12-26` },
    ...(shareOf(id, 'takes-leave') < 0.15 ? [{ type: 'vacation', fromDate: iso(leave), toDate: iso(leave + 6 * day) }] : []),
  ]
}

function pick(from: readonly string[], id: string, of: string): string {
  return from[Math.floor(shareOf(id, of) * from.length)] ?? ''
}

function shareOf(id: string, of: string): number {
  return createHash('sha256').update(`${of}:${id}`).digest().readUInt32BE() / 2 ** 32
}
