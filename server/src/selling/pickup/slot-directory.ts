import * as v from 'valibot'
import type { OfferedSlot } from './slot.ts'

/** A carrier's calendar of deliveries by appointment. Requested by pages, for which somebody waits: it fails rather than take long. */
export interface SlotDirectory {
  /** Slots at a place from one day to another, both included, earliest first. */
  between(place: { country: string; postcode: string; from: string; to: string }): Promise<OfferedSlot[]>
}

const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/))
const time = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
const found = v.object({
  delivery_slots: v.pipe(v.array(v.object({ date: day, from: time, to: time, is_full: v.optional(v.boolean(), false) })), v.maxLength(200)),
})
const patienceMs = 1_500
const maxResponseLength = 100_000

/** The calendar beside an aggregator's API, which has none of its own: the embedded carrier speaks it. */
export function carrierSlots({ url, apiKey }: { url: string; apiKey: string }): SlotDirectory {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  return {
    async between({ country, postcode, from, to }) {
      const query = new URLSearchParams({ country, postcode, from, to })
      const answer = await fetch(`${url}/v2/delivery_slots?${query}`, {
        signal: AbortSignal.timeout(patienceMs),
        redirect: 'error',
        headers: { authorization, accept: 'application/json' },
      })
      const body = await answer.text()
      if (answer.status !== 200 || body.length > maxResponseLength) throw new Error(`The carrier answered its slots with ${answer.status}`)
      return v
        .parse(found, JSON.parse(body))
        .delivery_slots.filter((slot) => slot.date >= from && slot.date <= to && slot.from < slot.to)
        .map((slot) => ({ day: slot.date, from: slot.from, to: slot.to, isFull: slot.is_full }))
        .toSorted((a, b) => a.day.localeCompare(b.day) || a.from.localeCompare(b.from))
    },
  }
}
