import type { Actor, LineMove, LineQuantities, SellerOrderState } from '#orders'

export const parcelEventKinds = [
  'registered',
  'collected',
  'in-transit',
  'out-for-delivery',
  'attempt-failed',
  'appointment-missed',
  'at-pick-up-point',
  'delayed',
  'delivered',
  'lost',
  'returned',
] as const
export type ParcelEventKind = (typeof parcelEventKinds)[number]

export interface ParcelEvent {
  /** The carrier's own id: an event reported twice is recorded once. */
  sourceId: string
  kind: ParcelEventKind
  at: Date
  /** Town or depot. */
  place: string | null
}

export type ParcelState = 'preparing' | 'on-the-way' | 'out-for-delivery' | 'waiting-for-you' | 'delivered' | 'lost' | 'returned'
const stateAfter: Record<ParcelEventKind, ParcelState> = {
  registered: 'preparing',
  collected: 'on-the-way',
  'in-transit': 'on-the-way',
  'out-for-delivery': 'out-for-delivery',
  'attempt-failed': 'on-the-way',
  'appointment-missed': 'on-the-way',
  'at-pick-up-point': 'waiting-for-you',
  delayed: 'on-the-way',
  delivered: 'delivered',
  lost: 'lost',
  returned: 'returned',
}

/** Carriers report late and out of order: the event that happened last decides. */
export function stateOfParcel(events: readonly Pick<ParcelEvent, 'kind' | 'at'>[]): ParcelState {
  const last = events.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rank(a.kind) - rank(b.kind)).at(-1)
  return last ? stateAfter[last.kind] : 'preparing'
}
const rank = (kind: ParcelEventKind): number => parcelEventKinds.indexOf(kind)

const atDoor: ReadonlySet<ParcelEventKind> = new Set([
  'out-for-delivery',
  'attempt-failed',
  'appointment-missed',
  'at-pick-up-point',
  'delivered',
])

/** Whether the carrier has been with the parcel where it was to be delivered. */
export function wasAtDoor(events: readonly Pick<ParcelEvent, 'kind'>[]): boolean {
  return events.some(({ kind }) => atDoor.has(kind))
}

/** A parcel at a pick-up point has arrived as far as its carrier is concerned. */
export const isUnderWay = (state: ParcelState): boolean => !['waiting-for-you', 'delivered', 'lost', 'returned'].includes(state)

/** Whether a parcel under way has missed the day it was expected on. */
export function isLate(state: ParcelState, expectedBy: Date | null, now: Date): boolean {
  return isUnderWay(state) && expectedBy !== null && expectedBy < now
}

interface Effect {
  actor: Actor
  reason: string
  steps: readonly [from: SellerOrderState, to: SellerOrderState][]
}
const collected: [SellerOrderState, SellerOrderState] = ['preparing', 'shipped']
const onItsWay: Effect = { actor: 'carrier', reason: 'collected', steps: [collected] }
/** The moves an event makes of the pieces in its parcel. An event implies those before it, which may never have arrived. */
const effects: Partial<Record<ParcelEventKind, Effect>> = {
  collected: onItsWay,
  'in-transit': onItsWay,
  'out-for-delivery': onItsWay,
  'attempt-failed': onItsWay,
  'appointment-missed': onItsWay,
  'at-pick-up-point': onItsWay,
  delivered: { actor: 'carrier', reason: 'delivered', steps: [collected, ['shipped', 'delivered'], ['incident-open', 'delivered']] },
  lost: { actor: 'carrier', reason: 'carrier-lost', steps: [collected, ['shipped', 'incident-open']] },
  returned: { actor: 'carrier', reason: 'returned-to-sender', steps: [collected, ['shipped', 'incident-open']] },
}

/** A parcel comes back from the pick-up point that held it. */
const notCollected: Effect = { actor: 'carrier', reason: 'not-collected', steps: [collected, ['shipped', 'incident-open']] }

export interface EventMoves {
  actor: Actor
  reason: string
  moves: LineMove[]
}

/** The moves after an event: of pieces of this parcel that are in a state before it, and still are so in the line as a whole. */
export function movesAfter(
  kind: ParcelEventKind,
  inParcel: readonly LineQuantities[],
  lines: readonly LineQuantities[],
  isHeld = false,
): EventMoves | null {
  const effect = isHeld && kind === 'returned' ? notCollected : effects[kind]
  if (!effect) return null
  const moves = inParcel.flatMap(({ offerId, quantities }) => {
    const line = { ...lines.find((each) => each.offerId === offerId)?.quantities }
    const held = { ...quantities }
    return effect.steps.flatMap(([from, to]) => {
      const quantity = Math.min(held[from] ?? 0, line[from] ?? 0)
      held[to] = (held[to] ?? 0) + quantity
      line[to] = (line[to] ?? 0) + quantity
      return quantity > 0 ? [{ offerId, quantity, from, to }] : []
    })
  })
  return { actor: effect.actor, reason: effect.reason, moves }
}
