import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** The client's address: X-Forwarded-For counts as far as it comes from trusted proxies, as interpreted by Fastify. */
export function remoteAddressBehind(trustProxy: string | undefined): (req: IncomingMessage) => string {
  if (!trustProxy) return (req) => req.socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile(trustProxy.split(',').map((entry) => entry.trim()))
  return (req) => proxyAddr(req, trusts) ?? ''
}
