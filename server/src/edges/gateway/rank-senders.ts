import type { IncomingMessage, ServerResponse } from 'node:http'
import { senderHashOf } from '#platform'
import type { RequestKind } from '../../foundation/platform/waiting-queues.ts'

/** Requests of one network that wait or are under way as what they are. A browser has six connections. */
const mostRanked = 12

/**
 * The kind as which a request waits. Each sender chooses what to ask for, and so the queue: beyond a few at a time the requests of one
 * network wait as listings do, or one that fills the queues of the checkout would keep everybody else from any page. Our own network is
 * exempt, as from quotas.
 */
export function rankSenders(addressOf: (req: IncomingMessage) => string) {
  const underWay = new Map<string, number>()
  return (kind: RequestKind, response: ServerResponse): RequestKind => {
    const sender = response.req.socket ? senderHashOf(addressOf(response.req)) : null
    if (sender === null || response.destroyed) return kind
    const count = (underWay.get(sender) ?? 0) + 1
    underWay.set(sender, count)
    response.once('close', () => {
      const left = (underWay.get(sender) ?? 1) - 1
      if (left > 0) underWay.set(sender, left)
      else underWay.delete(sender)
    })
    return count <= mostRanked || kind === 'suggestions' ? kind : 'listing'
  }
}
