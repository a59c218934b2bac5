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

/** At a pick-up point nobody can be out; a parcel that nobody collects goes back. */
function heldEndOf(fate: Fate, days: number): readonly Step[] {
  const arrives = fate === 'late' ? 2 : 0.9
  const ready: Step = ['available_for_pickup', 'available_for_pickup', 'Ready to collect', arrives, 'to']
  if (fate === 'lost') return endOf.lost
  if (fate === 'returned') return [ready, ['return_to_sender', 'return', 'Not collected', arrives + heldDays / days, 'from']]
  const collected: Step = ['delivered', 'delivered', 'Collected by the recipient', arrives + 1 / days, 'to']
  return fate === 'late' ? [['in_transit', 'delayed', 'Delayed on its way', 0.9, 'between'], ready, collected] : [ready, collected]
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
