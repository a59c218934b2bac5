import { createHash } from 'node:crypto'
import { failed, type Reply } from './answers.ts'

const hours = [
  ['08:00', '12:00'],
  ['12:00', '16:00'],
  ['16:00', '20:00'],
] as const
const day = 86_400_000
const maxDays = 31

/** The vans' calendar: three windows on working days, one on Saturdays; some are full. The same after every start. */
export function slotsBetween(country: string, postcode: string, from: string, to: string) {
  const first = Date.parse(`${from}T00:00:00Z`)
  const count = Math.min(maxDays, Math.floor((Date.parse(`${to}T00:00:00Z`) - first) / day) + 1)
  // A van drives one area: the outward part of a British postcode, the first two digits of others.
  const area = country === 'GB' ? postcode.split(' ')[0] : postcode.slice(0, 2)
  return Array.from({ length: Math.max(0, count) }, (_, index) => new Date(first + index * day)).flatMap((at) => {
    const date = at.toISOString().slice(0, 10)
    const weekday = at.getUTCDay()
    const open = weekday === 0 ? [] : weekday === 6 ? hours.slice(0, 1) : hours
    return open.map(([start, end]) => ({ date, from: start, to: end, is_full: shareOf(`${country}${area}${date}${start}`) < 0.2 }))
  })
}

/** The carrier's calendar of deliveries by appointment. Undefined for an address of another part of the API. */
export function slotApi(method: string, url: URL): Reply | undefined {
  if (method !== 'GET' || url.pathname !== '/v2/delivery_slots') return undefined
  const of = (name: string) => url.searchParams.get(name) ?? ''
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!/^[A-Z]{2}$/.test(of('country')) || of('postcode') === '' || !isDay(of('from')) || !isDay(of('to')))
    return failed(422, 'SLOTS.INVALID_PARAMS')
  return { status: 200, body: { delivery_slots: slotsBetween(of('country'), of('postcode'), of('from'), of('to')) } }
}

function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
