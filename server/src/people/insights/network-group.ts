import { createHmac } from 'node:crypto'
import { isNear, networkOf, settings } from '#platform'

/**
 * One of 65,536 groups of networks, by a keyed hash. It tells whether views come from one place or from many, and is shared by
 * too many lines to tell whose they are. An IPv6 customer has a whole /48 at most; our own network is a single group.
 */
export function networkGroupOf(address: string): number {
  const network = isNear(address) ? 'near' : networkOf(address).split(':').slice(0, 3).join(':')
  return createHmac('sha256', settings().mail.linkSecret).update(`network-group:${network}`).digest().readUInt16BE()
}
