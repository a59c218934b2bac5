import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from './s3-store.ts'

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Signature version 4 of a request as documented by AWS, computed from the received request. */
export function signatureOf(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  secret: string,
): { given: string; right: string } {
  const { method = '', url = '', headers } = request
  const [, scope = '', signed = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ??
    []
  const [path = '', query = ''] = url.split('?')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
  const canonical = [method, path, query, lines.join(''), signed, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return { given, right: hmac(key, text).toString('hex') }
}

/** The part of S3 that the shop uses, in memory. Refuses wrong signatures, wrong hashes and bodies without a length. */
export async function fakeS3(): Promise<{
  settings: S3Settings
  objects: Map<string, { body: Buffer; type: string }>
  failNext(times: number): void
  close(): Promise<void>
}> {
  const objects = new Map<string, { body: Buffer; type: string }>()
  const secretAccessKey = 'fake-secret'
  let failing = 0
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body, type }) =>
      response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body),
    )
  })
  const said = (status: number, text = '') => ({ status, body: Buffer.from(text), type: 'application/xml' })
  async function answer(request: IncomingMessage): Promise<{ status: number; body: Buffer; type: string }> {
    const body = await buffer(request)
    if (failing > 0) return said(503, `<Code>SlowDown</Code>${failing--}`)
    const { given, right } = signatureOf(request, secretAccessKey)
    if (given === '' || given !== right) return said(403, '<Code>SignatureDoesNotMatch</Code>')
    const key = request.url ?? ''
    if (!key.startsWith('/purlin/')) return said(404, '<Code>NoSuchBucket</Code>')
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return said(411, '<Code>MissingContentLength</Code>')
      if (request.headers['x-amz-content-sha256'] !== sha256(body)) return said(400, '<Code>XAmzContentSHA256Mismatch</Code>')
      objects.set(key, { body, type: String(request.headers['content-type']) })
      return said(200)
    }
    const found = objects.get(key)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return said(204)
    }
    return found ? { status: 200, ...found } : said(404, '<Code>NoSuchKey</Code>')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { endpoint: `http://127.0.0.1:${port}`, bucket: 'purlin', region: 'eu-west-1', accessKeyId: 'fake', secretAccessKey },
    objects,
    failNext: (times) => {
      failing = times
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
