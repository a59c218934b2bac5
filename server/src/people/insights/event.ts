import { eventNames } from '@purlin/contract/event-names.ts'
import * as v from 'valibot'

export const maxEvents = 50
const maxFields = 20
/** Bytes of an event's data. */
const maxData = 2048
const dayMs = 86_400_000

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** When the browser created an event: its id begins with the time. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const word = (longest: number) => v.pipe(v.string(), v.maxLength(longest), v.regex(/^[\w./:-]*$/))
/** Postgres stores neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
type Field = string | number | boolean | null

function isField(value: unknown): value is Field {
  if (typeof value === 'string') return value.length <= 300 && isStorable(value)
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

/** Bytes of a row with its entries in indexes, without an event's data. */
export const rowBytes = 300

/** The bytes that data take up, about as they are stored. */
export function bytesOf(data: Readonly<Record<string, unknown>>): number {
  return Object.entries(data).reduce(
    (sum, [key, value]) => sum + key.length + 6 + (typeof value === 'string' ? Buffer.byteLength(value) : 8),
    2,
  )
}

/** A schema of records and unions says the same, and took half of the time of a batch to check. */
function isData(value: unknown): value is Record<string, Field> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const keys = Object.keys(value)
  const values: readonly unknown[] = Object.values(value)
  if (keys.length > maxFields || !keys.every((key) => fieldName.test(key)) || !values.every(isField)) return false
  return bytesOf(value as Record<string, Field>) <= maxData
}
const fieldName = /^(?!__proto__$)\w{1,40}$/

export const eventInput = v.object({
  id: v.pipe(v.string(), v.regex(uuidV7)),
  name: v.picklist(eventNames),
  page: v.object({ name: word(60), type: word(40) }),
  data: v.optional(v.custom<Record<string, Field>>(isData, `at most ${maxFields} fields of plain values, ${maxData} bytes in all`), {}),
})
export type EventInput = v.InferOutput<typeof eventInput>

export const batchInput = v.object({ events: v.pipe(v.array(eventInput), v.minLength(1), v.maxLength(maxEvents)) })

/** Whether an id's time is credible: clocks differ, and a beacon may wait for a connection, but not for longer than a day. */
export function isTimely(id: string, now: number): boolean {
  const at = timeOf(id)
  return at > now - dayMs && at < now + 5 * 60_000
}

export type Device = 'mobile' | 'tablet' | 'desktop'

export function deviceOf(userAgent: string | undefined): Device {
  const text = userAgent ?? ''
  if (/ipad|tablet|android(?!.*mobile)/i.test(text)) return 'tablet'
  return /mobi|iphone|ipod/i.test(text) ? 'mobile' : 'desktop'
}
