import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { defaultHeaders } from './default-headers.ts'
import { failureAnswer } from './send-failure.ts'

/** Lets a server pass on requests that Node would refuse itself, without the headers of every other answer; `admitsHead` refuses them. (V-18) */
export function passOnOddHeads(server: Server & { requireHostHeader?: boolean }): void {
  server.requireHostHeader = false
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
}

/** Refuses a request without a host, or with an expectation other than 100-continue. Returns false for a request that it has refused. */
export function admitsHead(req: IncomingMessage, res: ServerResponse, hosts: SiteHosts): boolean {
  const { host, expect = '100-continue' } = req.headers
  const isHostMissing = host === undefined && req.httpVersion === '1.1'
  if (!isHostMissing && /^100-continue$/i.test(expect)) return true
  const failure = isHostMissing
    ? { status: 400, message: 'The host is missing' }
    : { status: 417, message: 'Only 100-continue may be expected' }
  const { headers, body } = failureAnswer(req.headers, failure, hosts)
  res.writeHead(failure.status, { ...defaultHeaders, ...headers, connection: 'close' }).end(body)
  return false
}
