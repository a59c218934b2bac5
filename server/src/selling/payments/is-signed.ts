import { createHmac, timingSafeEqual } from 'node:crypto'

/** Accepted clock difference of a message, so that a captured message cannot be replayed later. */
const toleranceSeconds = 300

/** "t=1790000000,v1=<hex>", signed over time and body. */
export function isSigned(secret: string, body: string, signature: string, now: number): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature)
  if (!match) return false
  const [, time = '', given = ''] = match
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds) return false
  const right = createHmac('sha256', secret).update(`${time}.${body}`).digest()
  return timingSafeEqual(right, Buffer.from(given, 'hex'))
}
