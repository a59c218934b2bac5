import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import type { CachedPage } from './html-cache.ts'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const unbrotli = promisify(brotliDecompress)
const unzipped = promisify(gunzip)

export interface Reply {
  status: number
  headers: Record<string, string>
  cookies: string[]
  body: string
}

export type Encoding = 'identity' | 'gzip' | 'brotli'

/** The encodings a client accepts, best first. `br;q=0` is rare, so it is handled separately. */
export function encodingOf(accepted: string | undefined): Encoding {
  if (!accepted) return 'identity'
  if (accepted.includes('br') && !/\bbr\s*;\s*q=0(?:\.0*)?(?:,|$)/.test(accepted) && /(?:^|[\s,])br(?:[\s,;]|$)/.test(accepted))
    return 'brotli'
  if (/(?:^|[\s,])gzip(?:[\s,;]|$)/.test(accepted) && !/\bgzip\s*;\s*q=0(?:\.0*)?(?:,|$)/.test(accepted)) return 'gzip'
  return 'identity'
}

export const encodingNames = { gzip: 'gzip', brotli: 'br' } as const

/** Sends a page rendered for this one visitor. */
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

/**
 * Compresses a shared page in the one encoding its client accepts: thoroughly if it is cached, quickly
 * if only this request gets it.
 */
export async function finishPage(
  html: string,
  headers: Record<string, string>,
  { accepted, isKept }: { accepted: Encoding; isKept: boolean },
): Promise<CachedPage> {
  const plain = Buffer.from(html)
  const encoding = accepted === 'gzip' ? 'gzip' : 'brotli'
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const body = await compressed(plain, encoding, isKept)
  const flat = Object.entries({ ...headers, etag }).flat()
  return { body, encoding, etag, headers: [...flat, 'content-encoding', encodingNames[encoding], 'content-length', String(body.length)] }
}

function compressed(plain: Buffer, encoding: 'gzip' | 'brotli', well: boolean): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(plain, { level: well ? 6 : 4 })
  const quality = well ? 6 : 3
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    // As large as pages are: the default holds four megabytes for each response being compressed.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  }
  return brotli(plain, { params })
}

/** Sends a shared page; 304 if the client's copy is current. */
export function sendCached(req: IncomingMessage, res: ServerResponse, page: CachedPage): void {
  const known = req.headers['if-none-match']
  if (known !== undefined && (known === page.etag || known.split(/,\s*/).includes(page.etag))) {
    res.writeHead(304, sharedHeaders(page))
    res.end()
    return
  }
  const accepted = encodingOf(req.headers['accept-encoding'])
  if (accepted === page.encoding) {
    res.writeHead(200, page.headers)
    res.end(req.method === 'HEAD' ? undefined : page.body)
    return
  }
  converted(page, accepted).then(
    (body) => {
      if (res.headersSent || res.destroyed) return
      const coding = accepted === 'identity' ? [] : ['content-encoding', encodingNames[accepted]]
      res.writeHead(200, [...sharedHeaders(page), ...coding, 'content-length', String(body.length)])
      res.end(req.method === 'HEAD' ? undefined : body)
    },
    // We compressed the cached body ourselves: if it cannot be decoded, memory is corrupt, and the connection is closed.
    (error: Error) => res.destroy(error),
  )
}

/** The headers without content-encoding and content-length. */
function sharedHeaders(page: CachedPage): string[] {
  return page.headers.slice(0, -4)
}

const convertedBytesLimit = 16 * 1024 * 1024
/** Recently converted pages, so that a popular one is not converted for each client; in order of conversion. */
const recentlyConverted = new Map<string, { body: Promise<Buffer>; bytes: number }>()
let convertedBytes = 0

/** The body of a page in an encoding other than the cached one. */
function converted(page: CachedPage, encoding: Encoding): Promise<Buffer> {
  const key = `${encoding} ${page.etag}`
  const known = recentlyConverted.get(key)
  if (known) return known.body
  const body = convert(page, encoding)
  const entry = { body, bytes: 0 }
  recentlyConverted.set(key, entry)
  body.then(
    ({ length }) => {
      entry.bytes = length
      convertedBytes += length
      for (const [oldest, { bytes }] of recentlyConverted) {
        if (convertedBytes <= convertedBytesLimit) break
        if (bytes === 0) continue
        recentlyConverted.delete(oldest)
        convertedBytes -= bytes
      }
    },
    () => recentlyConverted.delete(key),
  )
  return body
}

async function convert(page: CachedPage, encoding: Encoding): Promise<Buffer> {
  const plain = await (page.encoding === 'brotli' ? unbrotli(page.body) : unzipped(page.body))
  return encoding === 'identity' ? plain : compressed(plain, encoding, true)
}
