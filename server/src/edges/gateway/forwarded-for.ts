import type { IncomingMessage } from 'node:http'
import { addressIn, isOwnNetwork, log } from '#platform'

/** Proxies in a row, and more. What a client wrote before them may be as long as a header, and each address costs time. */
const mostAddresses = 16

/**
 * Rewrites X-Forwarded-For to plain addresses, as far as they are any, from the last one on: proxies append ports ("1.2.3.4:5678"),
 * which would make each connection a network of its own, or words ("unknown"), which would make all visitors one.
 */
export function cleanForwardedFor(request: IncomingMessage, isTrusted: boolean): void {
  const sent = request.headers['x-forwarded-for']
  if (sent === undefined) return
  if (!isTrusted) return warnOnce(request.socket.remoteAddress)
  const found = String(sent).split(',').slice(-mostAddresses).map(addressIn)
  const known = found.slice(found.lastIndexOf(null) + 1)
  if (known.length > 0) request.headers['x-forwarded-for'] = known.join(', ')
  else delete request.headers['x-forwarded-for']
}

let isWarned = false
/** A proxy of a private or shared network that nobody trusts: all its visitors would be taken for it. */
function warnOnce(peer: string | undefined): void {
  if (isWarned || !isOwnNetwork(peer?.replace(/^::ffff:/, '') ?? '')) return
  isWarned = true
  log.warn({ peer }, 'X-Forwarded-For comes from a proxy that TRUST_PROXY does not name, and is ignored')
}
