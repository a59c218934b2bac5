import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { defaultHeaders } from './default-headers.ts'
import { failureAnswer } from './send-failure.ts'

/** In these, ASCII text has the bytes it has in UTF-8, as which every body is read. */
const readable = /^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d)$/i

/**
 * Refuses a body that is packed, or written in an alphabet in which a firewall reads something else than we do (A67). Returns false
 * for a request that it has refused.
 */
export function admitsBody(req: IncomingMessage, res: ServerResponse, hosts: SiteHosts): boolean {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = req.headers
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8'
  if (encoding.toLowerCase() === 'identity' && readable.test(charset)) return true
  const { headers, body } = failureAnswer(req.headers, { status: 415, message: 'Bodies are read as UTF-8, and not unpacked' }, hosts)
  res.writeHead(415, { ...defaultHeaders, ...headers, 'accept-encoding': 'identity', connection: 'close' }).end(body)
  return false
}
