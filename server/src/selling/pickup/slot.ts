import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { localTime } from '#pricing'

/** A stretch of a day, by the market's clock, in which a carrier brings bulky goods. */
export interface Slot {
  /** "2026-12-01" */
  day: string
  /** "08:00" */
  from: string
  to: string
  /** When it was chosen after the order; absent if it came with the order. */
  chosenAt?: string
}

export interface OfferedSlot extends Slot {
  isFull: boolean
}

/** A slot as a form sends it: "2026-12-01/08:00-12:00". */
export function slotId({ day, from, to }: Slot): string {
  return `${day}/${from}-${to}`
}

export function readSlotId(id: string): Slot | null {
  const [, day, from, to] = /^(\d{4}-\d{2}-\d{2})\/(\d{2}:\d{2})-(\d{2}:\d{2})$/.exec(id) ?? []
  return day && from && to && !Number.isNaN(Date.parse(`${day}T${from}:00Z`)) ? { day, from, to } : null
}

/** Beginning and end of a slot. */
export function slotTimes(market: Market, { day, from, to }: Slot): { from: Date; to: Date } {
  const at = (time: string): Date => {
    const utc = new Date(`${day}T${time}:00Z`)
    return new Date(utc.getTime() - (localTime(market, utc).hour - utc.getUTCHours()) * 3_600_000)
  }
  return { from: at(from), to: at(to) }
}

export function showSlot(market: Market, slot: Slot) {
  return { id: slotId(slot), ...slotTimes(market, slot), chosenAt: slot.chosenAt ? new Date(slot.chosenAt) : null }
}

/** "Tuesday 1 December, 08:00–12:00" */
export function slotText(market: Market, slot: Slot): string {
  return wordsFor(market)('slot.when', slotTimes(market, slot))
}
