import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { failureAnswer } from './send-failure.ts'

/** How long a refused connection is not read: nobody who comes back sooner costs anything. */
const holdMs = 3000
const jitterSeconds = 3

export interface BusyAnswer {
  headers: Record<string, string>
  body: string
}

/**
 * The answer to a request that gets no turn: programs are told when to come back, and a page of a browser comes back by itself. The times
 * differ, so that those who were refused together do not return together. Source: V-12.
 */
export function busyAnswer(req: IncomingMessage, hosts: SiteHosts, random = Math.random): BusyAnswer {
  const seconds = String(holdMs / 1000 + Math.floor(random() * jitterSeconds))
  const { headers, body } = failureAnswer(req.headers, { status: 503, message: 'Too many requests at once, try again later' }, hosts)
  return {
    headers: {
      ...headers,
      'retry-after': seconds,
      // Whatever was asked, it may be asked again.
      'x-not-begun': 'busy',
      'cache-control': 'no-store',
      ...(req.method === 'GET' && { refresh: seconds }),
    },
    body,
  }
}

/**
 * Lets a connection rest after its refusal: clients that ask again at once would otherwise keep the process busy with refusing
 * them. Not for connections of our own proxies, which carry other people's requests as well.
 */
export function holdBack(response: ServerResponse): void {
  response.once('finish', () => {
    const { socket } = response.req
    socket.pause()
    const stop = () => clearTimeout(timer)
    const timer = setTimeout(() => {
      socket.off('close', stop)
      socket.resume()
    }, holdMs).unref()
    socket.once('close', stop)
  })
}
