import { createServer, request as httpRequest, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface TestReply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface TestServer {
  port: number
  ask(path: string, options?: { method?: string; host?: string; headers?: Record<string, string>; body?: string }): Promise<TestReply>
  close(): Promise<void>
}

/** A real server on a free port. Paths are sent verbatim: unlike `fetch`, nothing is normalised. */
export async function listen(handler: RequestListener): Promise<TestServer> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A test that fails before closing its server must still end.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    port,
    ask: (path, { method = 'GET', host = 'localhost', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port, path, method, headers: { host, ...headers }, setHost: false }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () => {
            const encoding = response.headers['content-encoding']
            const raw = Buffer.concat(parts)
            const plain =
              raw.length === 0 ? raw : encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: plain.toString('utf8') })
          })
          response.on('error', reject)
        })
        request.on('error', reject)
        request.end(body)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
