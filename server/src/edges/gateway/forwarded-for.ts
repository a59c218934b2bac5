import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { isNear, log } from '#platform'

/**
 * Rewrites X-Forwarded-For to plain addresses, as far as they are any, from the last one on: proxies append ports ("1.2.3.4:5678"),
 * which would make each connection a network of its own, or words ("unknown"), which would make all visitors one.
 */
export function cleanForwardedFor(request: IncomingMessage, isTrusted: boolean): void {
  const sent = request.headers['x-forwarded-for']
  if (sent === undefined) return
  if (!isTrusted) return warnOnce(request.socket.remoteAddress)
  const found = String(sent).split(',').map(addressIn)
  const known = found.slice(found.lastIndexOf(null) + 1)
  if (known.length > 0) request.headers['x-forwarded-for'] = known.join(', ')
  else delete request.headers['x-forwarded-for']
}

/** An address without port and brackets, IPv4 never in the form of IPv6; null if it is none. */
export function addressIn(text: string): string | null {
  const [, inBrackets, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? []
  const address = inBrackets ?? withPort ?? text.trim()
  if (isIPv4(address)) return address
  if (!isIP(address) || address.includes('%')) return null
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
    .exec(short)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16))
  return mapped ? mapped.flatMap((part) => [part >> 8, part & 255]).join('.') : short
}

let isWarned = false
/** A proxy of the private network that nobody trusts: all its visitors would be taken for it, which no quota counts. */
function warnOnce(peer: string | undefined): void {
  if (isWarned || !isNear(peer)) return
  isWarned = true
  log.warn({ peer }, 'X-Forwarded-For comes from a proxy that TRUST_PROXY does not name, and is ignored')
}
