import type { IncomingMessage, ServerResponse } from 'node:http'
import { senderSharesOf } from '#platform'
import { senderCounter } from '../../foundation/platform/connection-limits.ts'
import type { RequestKind } from '../../foundation/platform/waiting-queues.ts'

/** Requests of one network that wait or are under way as what they are; of an IPv6 /48 four times as many. A browser has six connections. */
const mostRanked = 12

/**
 * The kind as which a request waits. Each sender chooses what to ask for, and so the queue: beyond a few at a time the requests of one
 * network wait as listings do, or one that fills the queues of the checkout would keep everybody else from any page. Our own network is
 * exempt, as from quotas.
 */
export function rankSenders(addressOf: (req: IncomingMessage) => string) {
  const underWay = senderCounter()
  return (kind: RequestKind, response: ServerResponse): RequestKind => {
    const shares = response.req.socket && !response.destroyed ? senderSharesOf(addressOf(response.req)) : []
    if (shares.length === 0) return kind
    const count = underWay.add(shares)
    response.once('close', () => underWay.remove(shares))
    return count <= mostRanked || kind === 'suggestions' ? kind : 'listing'
  }
}
