import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { bears } from '@purlin/server/foundation/platform/bearer.ts'
import { isNear } from '@purlin/server/foundation/platform/near.ts'
import { cutSilentReaders, oneAtATime } from '@purlin/server/foundation/platform/slow-readers.ts'

/**
 * Serves the metrics of all processes on a port of its own, at /metrics: to the bearer of the token, or, without one, to this machine and
 * its private network, unless a proxy passes the request on.
 */
export async function serveMetricsOn(
  port: number,
  collect: () => Promise<string>,
  token = '',
  silence?: Parameters<typeof cutSilentReaders>[1],
): Promise<Server> {
  const mayRead = ({ headers, socket }: IncomingMessage): boolean =>
    token ? bears(headers.authorization, token) : headers['x-forwarded-for'] === undefined && isNear(socket.remoteAddress)
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    res.setHeader('x-content-type-options', 'nosniff')
    res.setHeader('cache-control', 'no-store')
    if (req.url !== '/metrics' || req.method !== 'GET' || !mayRead(req)) return void res.writeHead(404).end()
    collect().then(
      (text) => res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => res.writeHead(503, { 'retry-after': '5' }).end(),
    )
  }
  const bounds = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2000, maxHeaderSize: 16_384 }
  const server = createServer(bounds, (req, res) => oneAtATime(req, res, () => answer(req, res)))
  cutSilentReaders(server, silence)
  server.maxConnections = 100
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))
  return server.unref()
}
