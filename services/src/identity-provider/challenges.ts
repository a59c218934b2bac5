import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IdentityContext } from './context.ts'

/** Challenges for passkeys are signed values: a page with a button for passkeys, seen by anybody, stores nothing. */

const endLength = 4
const randomLength = 16
const bodyLength = endLength + randomLength
export const challengeMinutes = 15

/** `subject` is the purpose with its sign-in or account: a challenge is worth nothing elsewhere. */
export function newChallenge(context: IdentityContext, subject: string): Uint8Array<ArrayBuffer> {
  const end = Buffer.alloc(endLength)
  end.writeUInt32BE(Math.floor(Date.now() / 1000) + challengeMinutes * 60)
  const body = Buffer.concat([end, randomBytes(randomLength)])
  return new Uint8Array(Buffer.concat([body, sign(context, subject, body)]))
}

/** Whether we issued this challenge for the subject, within the last minutes. */
export function isOwnChallenge(context: IdentityContext, subject: string, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, bodyLength)
  const given = bytes.subarray(bodyLength)
  const expected = sign(context, subject, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  return body.readUInt32BE() > Date.now() / 1000
}

function sign({ cookieSecret }: IdentityContext, subject: string, body: Buffer): Buffer {
  return createHmac('sha256', cookieSecret).update(`challenge\n${subject}\n`).update(body).digest()
}
