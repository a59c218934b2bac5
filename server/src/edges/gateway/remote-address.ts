import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** The address of whoever asks: X-Forwarded-For counts as far as it comes from proxies we trust, as Fastify reads it. */
export function remoteAddressBehind(trustProxy: string | undefined): (req: IncomingMessage) => string {
  if (!trustProxy) return (req) => req.socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile(trustProxy.split(',').map((entry) => entry.trim()))
  return (req) => proxyAddr(req, trusts) ?? ''
}
