import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { CachedPage } from './html-cache.ts'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export interface Reply {
  status: number
  headers: Record<string, string>
  cookies: string[]
  body: string
}

export type Encoding = 'identity' | 'gzip' | 'brotli'

/** What the client can read, best first. `br;q=0` is rare enough to be spelled out. */
export function encodingOf(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity'
  if (accepted.includes('br') && !/\bbr\s*;\s*q=0(?:\.0*)?(?:,|$)/.test(accepted) && /(?:^|[\s,])br(?:[\s,;]|$)/.test(accepted))
    return 'brotli'
  if (/(?:^|[\s,])gzip(?:[\s,;]|$)/.test(accepted) && !/\bgzip\s*;\s*q=0(?:\.0*)?(?:,|$)/.test(accepted)) return 'gzip'
  return 'identity'
}

export const encodingNames = { gzip: 'gzip', brotli: 'br' } as const

/** Sends a page made for this one visitor. */
export async function sendReply(req: IncomingMessage, res: ServerResponse, reply: Reply): Promise<void> {
  const encoding = reply.body.length > 1024 ? encodingOf(req.headers['accept-encoding']) : 'identity'
  const plain = Buffer.from(reply.body)
  const body =
    encoding === 'identity'
      ? plain
      : encoding === 'brotli'
        ? await brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } })
        : await gzipped(plain, { level: 5 })
  if (res.headersSent || res.destroyed) return
  const headers: Record<string, string | number | string[]> = { ...reply.headers, 'content-length': body.length }
  if (encoding !== 'identity') headers['content-encoding'] = encodingNames[encoding]
  if (reply.cookies.length > 0) headers['set-cookie'] = reply.cookies
  res.writeHead(reply.status, headers)
  res.end(req.method === 'HEAD' ? undefined : body)
}

/** Finishes a page for the cache: three bodies and their headers, made once. */
export async function finishPage(html: string, headers: Record<string, string>): Promise<CachedPage> {
  const identity = Buffer.from(html)
  const [small, smallest] = await Promise.all([
    gzipped(identity, { level: 6 }),
    brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
  ])
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  const flat = (body: Buffer, encoding?: string) => [
    ...Object.entries({ ...headers, etag }).flat(),
    ...(encoding ? ['content-encoding', encoding] : []),
    'content-length',
    String(body.length),
  ]
  return {
    identity,
    gzip: small,
    brotli: smallest,
    etag,
    headers: { identity: flat(identity), gzip: flat(small, 'gzip'), brotli: flat(smallest, 'br') },
  }
}

/** Sends a page made for everybody, or 304 to who has it. */
export function sendCached(req: IncomingMessage, res: ServerResponse, page: CachedPage): void {
  const known = req.headers['if-none-match']
  const encoding = encodingOf(req.headers['accept-encoding'] as string | undefined)
  if (known !== undefined && (known === page.etag || known.split(/,\s*/).includes(page.etag))) {
    const headers = page.headers.identity
    res.writeHead(304, headers.slice(0, headers.indexOf('content-length')))
    res.end()
    return
  }
  res.writeHead(200, page.headers[encoding])
  res.end(req.method === 'HEAD' ? undefined : page[encoding])
}
