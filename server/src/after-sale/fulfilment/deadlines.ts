import type { Market } from '@purlin/contract/markets.ts'
import type { LineQuantities, SellerOrderState } from '#orders'
import { addDays, localDay, workingDayAfter } from '#pricing'

export type DueKind = 'accept' | 'ship' | 'arrive' | 'collect' | 'close'
/** Those counted from the seller's promise; a pick-up point says itself how long it holds a parcel. */
export type DoorDue = Exclude<DueKind, 'collect'>
export type DueStep = 'remind' | 'escalate' | 'act'

/** The states whose pieces a deadline waits for. */
export const awaitedStates: Record<DueKind, readonly SellerOrderState[]> = {
  accept: ['pending'],
  ship: ['accepted', 'preparing'],
  arrive: ['shipped'],
  collect: ['shipped'],
  close: ['delivered'],
}

/** Whether a seller order still has pieces that the deadline waits for. */
export function isAwaited(kind: DueKind, lines: readonly LineQuantities[]): boolean {
  return lines.some(({ quantities }) => awaitedStates[kind].some((state) => (quantities[state] ?? 0) > 0))
}

/** Working days a seller has to accept an order. */
const acceptDays = 2
/** Calendar days after delivery until nothing can be withdrawn any more: the return period and a day for the post. */
const closeDays = 15

interface Promise {
  daysMin: number
  daysMax: number
}
const usual: Promise = { daysMin: 2, daysMax: 4 }

/** The end of the working day by which the next move is due. Source: the seller's promise and the market's calendar. */
export function dueAt(kind: DoorDue, market: Market, from: Date, { daysMin, daysMax }: Promise = usual): Date {
  const day = localDay(market, from)
  switch (kind) {
    case 'accept':
      return endOfDay(workingDayAfter(market, day, acceptDays))
    case 'ship':
      // The last day on which a parcel can still arrive as promised.
      return endOfDay(workingDayAfter(market, day, Math.max(1, daysMax - daysMin)))
    case 'arrive':
      return endOfDay(workingDayAfter(market, day, daysMax))
    case 'close':
      return endOfDay(addDays(day, closeDays))
  }
}

/** A missed deadline first reminds the seller, a working day later reaches the operator, and then is acted upon. */
const steps: Record<DueKind, readonly { does: DueStep; daysLater: number }[]> = {
  accept: [
    { does: 'remind', daysLater: 1 },
    { does: 'escalate', daysLater: 1 },
    { does: 'act', daysLater: 0 },
  ],
  ship: [
    { does: 'remind', daysLater: 1 },
    { does: 'escalate', daysLater: 2 },
    { does: 'act', daysLater: 0 },
  ],
  // Parcels arrive late more often than never.
  arrive: [
    { does: 'remind', daysLater: 3 },
    { does: 'escalate', daysLater: 5 },
    { does: 'act', daysLater: 0 },
  ],
  // The carrier reports what was collected or goes back; when it is silent, people look.
  collect: [
    { does: 'remind', daysLater: 2 },
    { does: 'escalate', daysLater: 3 },
    { does: 'act', daysLater: 0 },
  ],
  close: [{ does: 'act', daysLater: 0 }],
}

/** The consequence of a deadline that has passed `step` times, and the time of the next one; null when it was the last. */
export function consequence(kind: DueKind, market: Market, step: number, now: Date): { does: DueStep; nextAt: Date | null } {
  const own = steps[kind]
  const { does, daysLater } = own[step] ?? { does: 'act' as const, daysLater: 0 }
  return { does, nextAt: step + 1 < own.length ? endOfDay(workingDayAfter(market, localDay(market, now), daysLater)) : null }
}

/** Late in the evening in every market. */
export function endOfDay(day: string): Date {
  return new Date(`${day}T21:00:00Z`)
}
