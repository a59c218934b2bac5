import type { Market } from '@purlin/contract/markets.ts'
import type { PostalAddress } from '#addresses'
import { localDay, localTime, workingDayAfter } from '#pricing'

/** Goods too large for a parcel are fetched at the buyer's door. */
export type CollectionState = 'offered' | 'accepted' | 'booked' | 'missed' | 'cancelled' | 'collected'
export const slots = ['morning', 'afternoon'] as const
export type Slot = (typeof slots)[number]

export interface Collection {
  requestId: string
  state: CollectionState
  day: string
  slot: Slot
  address: PostalAddress
  round: number
  bookedRound: number | null
}

export interface Appointment {
  day: string
  slot: Slot
}

/** Working days ahead that can be chosen, from the second one on. */
const firstDay = 2
const dayCount = 5
/** Changes of one collection: a driver's plan is not a toy. */
export const maxRounds = 12

const hours: Record<Slot, { from: number; to: number }> = { morning: { from: 8, to: 13 }, afternoon: { from: 13, to: 18 } }

/** The appointments that can be chosen now, earliest first. */
export function appointmentsFrom(market: Market, now: Date): Appointment[] {
  const today = localDay(market, now)
  return Array.from({ length: dayCount }, (_, index) => workingDayAfter(market, today, firstDay + index)).flatMap((day) =>
    slots.map((slot) => ({ day, slot })),
  )
}

export const isSame = (a: Appointment, b: Appointment): boolean => a.day === b.day && a.slot === b.slot

/** An appointment as a form sends it. */
export const valueOf = ({ day, slot }: Appointment): string => `${day}/${slot}`

/** Beginning and end of an appointment by the market's clock. */
export function hoursOf(market: Market, { day, slot }: Appointment): { from: Date; to: Date } {
  const { from, to } = hours[slot]
  const at = (hour: number): Date => {
    const utc = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
    return new Date(utc.getTime() - (localTime(market, utc).hour - hour) * 3_600_000)
  }
  return { from: at(from), to: at(to) }
}

/**
 * Beginning and end of the agreed appointment, or of the one at which the goods were collected; null if there is none, or if a driver has
 * collected them on a booking that the buyer had changed.
 */
export function agreedHours(market: Market, collection: Collection): { from: Date; to: Date } | { from: null; to: null } {
  const { state, round, bookedRound } = collection
  const isKnown = state === 'accepted' || state === 'booked' || (state === 'collected' && bookedRound === round)
  return isKnown ? hoursOf(market, collection) : { from: null, to: null }
}

/** Whether the buyer may still change the collection; not once the driver has been there. */
export const canChange = (state: CollectionState): boolean => state !== 'collected'

/** Whether the address has been removed with the buyer's other data, or some months after the collection was agreed. */
export const isForgotten = ({ address }: Pick<Collection, 'address'>): boolean => Object.keys(address).length === 0

/** The carrier's reference of one round, which names the return and the change. */
export const referenceOf = (requestId: string, round: number): string => `${requestId}-${round}`

export function readReference(reference: string): { requestId: string; round: number } | null {
  const [, requestId = '', round = ''] = /^([0-9a-f-]{36})-(\d{1,3})$/.exec(reference) ?? []
  return requestId === '' ? null : { requestId, round: Number(round) }
}
