import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { settings } from '#platform'

/**
 * A visitor id vouches for itself: ten bytes are drawn, the last six are their MAC. It is a UUID of version 8 (RFC 9562), which
 * leaves the content to its issuer. So whether this server issued an id needs no row and no second cookie. (decision 084)
 */
const drawnBytes = 10
const macBytes = 6

export function newVisitorId(): string {
  const drawn = randomBytes(drawnBytes)
  drawn.writeUInt8((drawn.readUInt8(6) & 0x0f) | 0x80, 6)
  drawn.writeUInt8((drawn.readUInt8(8) & 0x3f) | 0x80, 8)
  return Buffer.concat([drawn, macOf(drawn)])
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** False for ids that somebody invented, and for those issued before ids were signed. */
export function isIssuedVisitor(visitorId: string): boolean {
  const bytes = Buffer.from(visitorId.replaceAll('-', ''), 'hex')
  return bytes.length === drawnBytes + macBytes && timingSafeEqual(bytes.subarray(drawnBytes), macOf(bytes.subarray(0, drawnBytes)))
}

function macOf(drawn: Buffer): Buffer {
  return createHmac('sha256', settings().mail.linkSecret).update('visitor-id:').update(drawn).digest().subarray(0, macBytes)
}
