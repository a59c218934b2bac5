import { createHmac, timingSafeEqual } from 'node:crypto'
import { settings } from '#platform'

const lastsMs = 30 * 86_400_000

/** A link that opens one upload to its holder for thirty days: to be used only in mails to the operator. */
export function uploadLink(origin: string, id: string, now: Date): string {
  const until = Math.floor((now.getTime() + lastsMs) / 1000)
  return `${origin}/uploads/${id}?until=${until}&signature=${signatureOf(id, until)}`
}

export function isSigned(id: string, until: unknown, signature: unknown, now: Date): boolean {
  if (typeof until !== 'string' || !/^\d{10}$/.test(until) || typeof signature !== 'string') return false
  const right = Buffer.from(signatureOf(id, Number(until)))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right) && Number(until) * 1000 > now.getTime()
}

function signatureOf(id: string, until: number): string {
  return createHmac('sha256', settings().mail.linkSecret).update(`upload:${id}:${until}`).digest('base64url')
}
