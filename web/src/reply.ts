import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import { ownMemory } from '@purlin/contract/own-memory.ts'
import type { CachedPage } from './html-cache.ts'
import { headerToken } from './last-resort.ts'
import type { CachePolicy } from './route-table.ts'

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

/** Purge tags of a page: those of its row, with the parameters filled in, and its own. */
export function tagsOf({ tags }: Pick<CachePolicy, 'tags'>, values: Readonly<Record<string, string>>, own: readonly string[]): string[] {
  const filled = tags.map((tag) => tag.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''))
  return [...new Set([...filled, ...own])]
}

interface Sharing {
  tags: readonly string[]
  policy: Pick<CachePolicy, 'seconds' | 'stale'>
  /** Whether an external cache may store the page. */
  shareable: boolean
}

/** Headers of a page for everybody. The id of the request that happened to render it means nothing to its other readers. */
export function headersOfShared(
  { 'x-request-id': _, ...headers }: Reply['headers'],
  { tags, policy, shareable }: Sharing,
): Reply['headers'] {
  return {
    ...headers,
    vary: 'Accept-Encoding',
    'cache-control': shareable
      ? `public, max-age=0, s-maxage=${policy.seconds}, stale-while-revalidate=${policy.stale}`
      : 'private, no-cache',
    ...(shareable && { 'surrogate-key': tags.map(headerToken).join(' '), 'cache-tag': tags.map(headerToken).join(',') }),
  }
}

/** Headers whose few values are the same for thousands of cached pages. */
const policyHeaders: ReadonlySet<string> = new Set(['content-security-policy', 'permissions-policy', 'cache-control'])
const mostTexts = 500
const texts = new Map<string, string>()

/** The same text once: a policy is half a kilobyte, and each page builds its own. */
function oneText(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size >= mostTexts) texts.clear()
  texts.set(text, text)
  return text
}

/**
 * Compresses a shared page: thoroughly and by brotli if it is cached, because whoever fills the cache must not choose what the page
 * costs others; quickly and as its client accepts it if only this request gets it.
 */
export async function finishPage(
  html: string,
  headers: Record<string, string>,
  { accepted, isKept }: { accepted: Encoding; isKept: boolean },
): Promise<CachedPage> {
  const plain = Buffer.from(html)
  const encoding = accepted === 'gzip' && !isKept ? 'gzip' : 'brotli'
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const body = await compressed(plain, encoding, isKept)
  const flat = Object.entries({ ...headers, etag }).flatMap(([name, value]) => [name, policyHeaders.has(name) ? oneText(value) : value])
  return { body, encoding, etag, headers: [...flat, 'content-encoding', encodingNames[encoding], 'content-length', String(body.length)] }
}

export async function compressed(plain: Buffer, encoding: 'gzip' | 'brotli', well: boolean): Promise<Buffer> {
  if (encoding === 'gzip') return ownMemory(await gzipped(plain, { level: well ? 6 : 4 }))
  const quality = well ? 6 : 3
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    // As large as pages are: the default holds four megabytes for each response being compressed.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  }
  return ownMemory(await brotli(plain, { params }))
}

/** The plain text of a compressed page. */
export async function decompressed({ encoding, body }: CachedPage): Promise<Buffer> {
  return ownMemory(await (encoding === 'brotli' ? unbrotli(body) : unzipped(body)))
}
