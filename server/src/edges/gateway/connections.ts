import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { type ConnectionOptions, limitConnections as limitBy } from '../../foundation/platform/connection-limits.ts'
import { metrics } from '../../foundation/platform/metrics.ts'
import { defaultHeaders } from './default-headers.ts'
import { failureAnswer } from './send-failure.ts'

/** `limitConnections` with refusals as pages and programs expect them, which are counted. */
export function limitConnections(
  server: Server,
  { hosts, ...options }: Omit<ConnectionOptions, 'refuse'> & { hosts: SiteHosts },
): (req: IncomingMessage, res: ServerResponse) => boolean {
  return limitBy(server, { ...options, refuse: (req, res) => refuse(req, res, hosts) })
}

function refuse(req: IncomingMessage, res: ServerResponse, hosts: SiteHosts): void {
  metrics.refused.inc({ by: 'connections', name: 'network' })
  const { headers, body } = failureAnswer(req.headers, { status: 429, message: 'Too many connections from your network' }, hosts)
  res.writeHead(429, { ...defaultHeaders, ...headers, 'retry-after': '5', connection: 'close' }).end(body)
}
