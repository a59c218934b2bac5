import { createServer, type RequestListener, type Server } from 'node:http'
import { type ConnectionOptions, limitConnections } from '@purlin/server/foundation/platform/connection-limits.ts'
import { cutSilentReaders, oneAtATime } from '@purlin/server/foundation/platform/slow-readers.ts'

/**
 * A server of an embedded service, with the gateway's bounds on slow senders and readers: Node looks for late requests every 30 s otherwise, and
 * headers and bodies that never end would be kept for 40 (V-15). With `perNetwork` it also has the gateway's limits of connections and
 * requests by network.
 */
export function openServer(listener: RequestListener, perNetwork?: Omit<ConnectionOptions, 'refuse'>): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 60_000,
    maxHeaderSize: 16_384,
  })
  const admits = perNetwork
    ? limitConnections(server, {
        ...perNetwork,
        refuse: (_request, response) =>
          response
            .writeHead(429, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', connection: 'close' })
            .end('Too many connections from your network'),
      })
    : () => true
  cutSilentReaders(server)
  server.maxConnections = 2000
  return server.on('request', (request, response) => {
    oneAtATime(request, response, () => {
      if (admits(request, response)) listener(request, response)
    })
  })
}
