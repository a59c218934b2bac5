import { createServer, type IncomingMessage, type Server } from 'node:http'
import { bears } from '@purlin/server/foundation/platform/bearer.ts'
import { isNear } from '@purlin/server/foundation/platform/near.ts'

/**
 * Serves the metrics of all processes on a port of its own, at /metrics: to the bearer of the token, or, without one, to this machine and
 * its private network, unless a proxy passes the request on.
 */
export async function serveMetricsOn(port: number, collect: () => Promise<string>, token = ''): Promise<Server> {
  const mayRead = ({ headers, socket }: IncomingMessage): boolean =>
    token ? bears(headers.authorization, token) : headers['x-forwarded-for'] === undefined && isNear(socket.remoteAddress)
  const server = createServer((req, res) => {
    res.setHeader('x-content-type-options', 'nosniff')
    res.setHeader('cache-control', 'no-store')
    if (req.url !== '/metrics' || req.method !== 'GET' || !mayRead(req)) return void res.writeHead(404).end()
    collect().then(
      (text) => res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => res.writeHead(503, { 'retry-after': '5' }).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))
  return server.unref()
}
