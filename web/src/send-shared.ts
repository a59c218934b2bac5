import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Conversions } from './conversions.ts'
import type { CachedPage } from './html-cache.ts'
import { encodingNames, encodingOf, type Encoding } from './reply.ts'

interface SharedOptions {
  conversions: Conversions
  /** Counts a page of this sender; resolves to the seconds to wait beyond its quota. */
  admit(req: IncomingMessage): Promise<number | null> | undefined
  /** Sends the response to a sender beyond its quota. */
  refuse(req: IncomingMessage, res: ServerResponse, retryAfter: number): Promise<void>
  /** Sends the response of a server that is too busy. */
  refuseAll(res: ServerResponse): void
}

/** Sends a shared page; `isCounted` if this request has been counted as a page already. */
export type SendShared = (req: IncomingMessage, res: ServerResponse, page: CachedPage, isCounted?: boolean) => void

/**
 * Sends shared pages: 304 if the client's copy is current, a copy of the cached body, or for the few clients that do not
 * accept its encoding a converted one. Only a conversion costs anything: it counts as a page of its sender, and few run at once.
 */
export function createSendShared({ conversions, admit, refuse, refuseAll }: SharedOptions): SendShared {
  async function sendConverted(
    req: IncomingMessage,
    res: ServerResponse,
    { page, encoding, isCounted }: { page: CachedPage; encoding: Encoding; isCounted: boolean },
  ): Promise<void> {
    const known = conversions.known(page, encoding)
    const wait = known || isCounted ? null : await admit(req)
    if (wait) return refuse(req, res, wait)
    const converted = await (known ?? conversions.convert(page, encoding))
    if (res.headersSent || res.destroyed) return
    if (!converted) return refuseAll(res)
    const { body } = converted
    const coding = converted.encoding === 'identity' ? [] : ['content-encoding', encodingNames[converted.encoding]]
    res.writeHead(200, [...sharedHeaders(page), ...coding, 'content-length', String(body.length)])
    res.end(req.method === 'HEAD' ? undefined : body)
  }

  return (req, res, page, isCounted = false) => {
    const known = req.headers['if-none-match']
    if (known !== undefined && (known === page.etag || known.split(/,\s*/).includes(page.etag))) {
      res.writeHead(304, sharedHeaders(page))
      res.end()
      return
    }
    const encoding = encodingOf(req.headers['accept-encoding'])
    if (encoding === page.encoding) {
      res.writeHead(200, page.headers)
      res.end(req.method === 'HEAD' ? undefined : page.body)
      return
    }
    // We compressed the cached body ourselves: if it cannot be decoded, memory is corrupt, and the connection is closed.
    sendConverted(req, res, { page, encoding, isCounted }).catch((error: Error) => res.destroy(error))
  }
}

/** The headers without content-encoding and content-length. */
function sharedHeaders(page: CachedPage): string[] {
  return page.headers.slice(0, -4)
}
