import type { IncomingMessage } from 'node:http'
import { addressIn, isNear, log } from '#platform'

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

let isWarned = false
/** A proxy of the private network that nobody trusts: all its visitors would be taken for it, which no quota counts. */
function warnOnce(peer: string | undefined): void {
  if (isWarned || !isNear(peer)) return
  isWarned = true
  log.warn({ peer }, 'X-Forwarded-For comes from a proxy that TRUST_PROXY does not name, and is ignored')
}
