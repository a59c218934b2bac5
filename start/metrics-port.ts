import { createServer, type Server } from 'node:http'

/** Serves the metrics of all processes on a port of its own, at /metrics. */
export async function serveMetricsOn(port: number, collect: () => Promise<string>): Promise<Server> {
  const server = createServer((req, res) => {
    res.setHeader('x-content-type-options', 'nosniff')
    res.setHeader('cache-control', 'no-store')
    if (req.url !== '/metrics' || req.method !== 'GET') return void res.writeHead(404).end()
    collect().then(
      (text) => res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => res.writeHead(503, { 'retry-after': '5' }).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))
  return server.unref()
}
