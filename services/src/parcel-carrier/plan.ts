import { createHash } from 'node:crypto'

export type Fate = 'delivered' | 'late' | 'lost' | 'returned'

/** One line of a parcel's tracking, in the vocabulary of the aggregators' APIs. */
export interface Detail {
  status: 'pre_transit' | 'in_transit' | 'out_for_delivery' | 'available_for_pickup' | 'delivered' | 'return_to_sender' | 'failure'
  status_detail: string
  message: string
  datetime: string
  tracking_location: { city: string | null; country: string | null }
}

export interface Journey {
  reference: string
  bookedAt: number
  from: { city: string; country: string }
  to: { city: string; country: string }
  daysMin: number
  daysMax: number
  fate: Fate
  /** Goes to a pick-up point, which holds it for its recipient. */
  isHeld?: boolean
  /** How many times faster than the calendar the carrier works. */
  speed: number
}

const day = 86_400_000

type Step = readonly [status: Detail['status'], detail: string, message: string, at: number, where: 'from' | 'to' | 'between']

/** Everything that will happen to a parcel; what lies in the future is not reported yet. Times are parts of the promised days. */
export function planOf({ reference, bookedAt, from, to, daysMin, daysMax, fate, isHeld = false, speed }: Journey): Detail[] {
  const days = daysMin + (daysMax - daysMin) * 0.5
  const steps: Step[] = [
    ['pre_transit', 'label_created', 'Label created', 0, 'from'],
    ['in_transit', 'received_at_origin_facility', 'Collected from the sender', 0.15, 'from'],
    ['in_transit', 'arrived_at_facility', 'Arrived at the sorting centre', 0.4, 'between'],
    ...(isHeld ? heldEndOf(fate, days) : endOf[fate]),
  ]
  // A little apart, so that two parcels of one order do not arrive in the same second.
  const spread = 1 + shareOf(reference, 'spread') * 0.2
  return steps.map(([status, status_detail, message, part, where]) => ({
    status,
    status_detail,
    message,
    datetime: new Date(bookedAt + (part * spread * days * day) / speed).toISOString(),
    tracking_location: where === 'between' ? { city: null, country: from.country } : where === 'from' ? from : to,
  }))
}

const endOf: Record<Fate, readonly Step[]> = {
  delivered: [
    ['out_for_delivery', 'out_for_delivery', 'Out for delivery', 0.85, 'to'],
    ['delivered', 'delivered', 'Delivered', 1, 'to'],
  ],
  late: [
    ['in_transit', 'delayed', 'Delayed on its way', 0.9, 'between'],
    ['in_transit', 'arrived_at_destination', 'Arrived at the depot', 1.9, 'to'],
    ['out_for_delivery', 'out_for_delivery', 'Out for delivery', 2.1, 'to'],
    ['delivered', 'delivered', 'Delivered', 2.2, 'to'],
  ],
  lost: [
    ['in_transit', 'delayed', 'Delayed on its way', 0.9, 'between'],
    ['failure', 'lost', 'The parcel cannot be found', 1.8, 'between'],
  ],
  returned: [
    ['in_transit', 'delivery_exception', 'Nobody at home', 0.9, 'to'],
    ['in_transit', 'delivery_exception', 'Nobody at home', 1.2, 'to'],
    ['return_to_sender', 'return', 'Back with the sender', 1.8, 'from'],
  ],
}

/** Days for which a pick-up point holds a parcel. */
const heldDays = 7

/** How long a point holds a parcel, by the carrier's own clock. */
export const heldMsOf = (speed: number): number => (heldDays * day) / Math.max(1, speed)

/** At a pick-up point nobody can be out; a parcel that nobody collects goes back. */
function heldEndOf(fate: Fate, days: number): readonly Step[] {
  const arrives = fate === 'late' ? 2 : 0.9
  const ready: Step = ['available_for_pickup', 'available_for_pickup', 'Ready to collect', arrives, 'to']
  if (fate === 'lost') return endOf.lost
  if (fate === 'returned') return [ready, ['return_to_sender', 'return', 'Not collected', arrives + heldDays / days, 'from']]
  const collected: Step = ['delivered', 'delivered', 'Collected by the recipient', arrives + 1 / days, 'to']
  return fate === 'late' ? [['in_transit', 'delayed', 'Delayed on its way', 0.9, 'between'], ready, collected] : [ready, collected]
}

const step = (
  status: Detail['status'],
  status_detail: string,
  message: string,
  at: number,
  tracking_location: Detail['tracking_location'],
): Detail => ({
  status,
  status_detail,
  message,
  datetime: new Date(at).toISOString(),
  tracking_location,
})

export interface Appointment {
  bookedAt: number
  from: Detail['tracking_location']
  to: Detail['tracking_location']
  /** Null while the time is to be agreed. */
  window: { from: string; to: string } | null
  fate: Fate
  speed: number
}

/** Days for which the depot keeps bulky goods that nobody has an appointment for. */
const keptDays = 7

/** Bulky goods wait at the depot for their appointment; one that is missed needs another. */
export function planByAppointment({ bookedAt, from, to, window, fate, speed }: Appointment): Detail[] {
  const at = (time: number) => bookedAt + (time - bookedAt) / speed
  const lead = window ? Math.max(day, Date.parse(window.from) - bookedAt) : 3 * day
  const depot = [
    step('pre_transit', 'label_created', 'Label created', bookedAt, from),
    step('in_transit', 'received_at_origin_facility', 'Collected from the sender', at(bookedAt + lead * 0.1), from),
    step('in_transit', 'arrived_at_facility', 'Arrived at the sorting centre', at(bookedAt + lead * 0.4), {
      city: null,
      country: from.country,
    }),
  ]
  if (fate === 'lost')
    return [
      ...depot,
      step('failure', 'lost', 'The parcel cannot be found', at(bookedAt + lead * 1.2), { city: null, country: from.country }),
    ]
  const ready = step('in_transit', 'arrived_at_destination', 'Arrived at the depot', at(bookedAt + lead * 0.8), to)
  if (window === null) return [...depot, ready, backAfter(Date.parse(ready.datetime), { from, speed })]
  return [...depot, ready, ...visit({ now: bookedAt, from, to, window, isMissed: fate === 'returned', speed })]
}

/** The van at the door; for a parcel at the depot whose recipient has chosen a time. */
export function visit(
  of: Pick<Appointment, 'from' | 'to' | 'speed'> & { now: number; window: { from: string; to: string }; isMissed: boolean },
): Detail[] {
  const { now, from, to, window, isMissed, speed } = of
  const at = (time: number) => now + Math.max(0, time - now) / speed
  const [begins, ends] = [Date.parse(window.from), Date.parse(window.to)]
  const out = step('out_for_delivery', 'out_for_delivery', 'Out for delivery', at(begins - 3_600_000), to)
  if (!isMissed) return [out, step('delivered', 'delivered', 'Delivered', at((begins + ends) / 2), to)]
  const missed = step('in_transit', 'appointment_missed', 'Nobody there at the appointment', at(ends), to)
  return [out, missed, backAfter(Date.parse(missed.datetime), { from, speed })]
}

function backAfter(since: number, { from, speed }: Pick<Appointment, 'from' | 'speed'>): Detail {
  return step('return_to_sender', 'return', 'No appointment was made', since + (keptDays * day) / speed, from)
}

/** When the parcel was promised, by the carrier's own clock; a carrier that stands still promises by the calendar. */
export function estimateOf({ bookedAt, daysMax, speed }: Pick<Journey, 'bookedAt' | 'daysMax' | 'speed'>): string {
  return new Date(bookedAt + (daysMax * day) / Math.max(1, speed)).toISOString()
}

/** Most parcels arrive in time; the same parcel always has the same fate. */
export function usualFate(reference: string): Fate {
  const share = shareOf(reference, 'fate')
  if (share < 0.04) return 'lost'
  if (share < 0.06) return 'returned'
  return share < 0.16 ? 'late' : 'delivered'
}

/** A number from 0 to 1 that depends on the parcel alone. */
function shareOf(reference: string, of: string): number {
  return createHash('sha256').update(`${of}:${reference}`).digest().readUInt32BE() / 2 ** 32
}
