import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Whether a request comes from a trusted proxy of ours, whose headers may be believed. */
export function comesFromProxy(trustProxy: string | undefined): (req: IncomingMessage) => boolean {
  if (!trustProxy) return () => false
  const trusts = trustOf(trustProxy)
  return (req) => trusts(req.socket.remoteAddress ?? '', 0)
}

const trustOf = (trustProxy: string) => proxyAddr.compile(trustProxy.split(',').map((entry) => entry.trim()))

/** The client's address: X-Forwarded-For counts as far as it comes from trusted proxies, as interpreted by Fastify. */
export function remoteAddressBehind(trustProxy: string | undefined): (req: IncomingMessage) => string {
  if (!trustProxy) return (req) => req.socket.remoteAddress ?? ''
  const trusts = trustOf(trustProxy)
  return (req) => proxyAddr(req, trusts) ?? ''
}
