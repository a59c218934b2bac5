import { markets, type Market } from '@purlin/contract/markets.ts'

/** A place that holds parcels for their recipients. */
export interface PickUpPoint {
  /** The carrier's own. */
  id: string
  kind: 'shop' | 'locker'
  name: string
  line1: string
  postcode: string
  city: string
  country: string
  latitude: number
  longitude: number
  openingHours: OpeningHours[]
  closures: Closure[]
}

/** One stretch of a day: a shop that closes over midday has two. */
export interface OpeningHours {
  /** 1 is Monday, 7 Sunday. */
  day: number
  /** "08:00"; a locker is open from "00:00" to "24:00". */
  opens: string
  closes: string
}

/** First and last day on which a point is closed. */
export interface Closure {
  from: string
  to: string
}

/** A point as its carrier reports it now. */
export interface OfferedPoint extends PickUpPoint {
  /** Metres from the postcode searched. */
  distance: number
  isFull: boolean
}

export interface NearbyPoints {
  points: OfferedPoint[]
  /** Where the postcode searched is, if the carrier says so. */
  centre: { latitude: number; longitude: number } | null
}

/** The heaviest parcel that a shop's counter or a locker's compartment takes. */
const maxGrams = { shop: 20_000, locker: 10_000 } as const

/** Whether any point takes a parcel of this weight. */
export function isHeldAnywhere(grams: number): boolean {
  return grams <= maxGrams.shop
}

export type PointRefusal = 'pick-up-point-gone' | 'pick-up-point-full' | 'pick-up-point-too-heavy'

/** The reason a parcel cannot be sent to a point. */
export function reasonAgainstPoint(
  point: Pick<OfferedPoint, 'country' | 'kind' | 'isFull'> | null,
  { market, grams }: { market: Market; grams: number },
): PointRefusal | null {
  if (point === null || point.country !== markets[market].country) return 'pick-up-point-gone'
  if (point.isFull) return 'pick-up-point-full'
  return grams > maxGrams[point.kind] ? 'pick-up-point-too-heavy' : null
}

/** Days for which a point holds a parcel before it goes back. */
export const heldDays = 7

/** Ids that may become part of an address at the carrier. */
export function isPointId(id: string): boolean {
  return /^[\w-]{1,40}$/.test(id)
}
