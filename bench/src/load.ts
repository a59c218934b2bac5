import autocannon from 'autocannon'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'

export interface Load {
  perSecond: number
  p99: number
  requests: number
}

const connections = 10

/**
 * Sends the given requests in turn over ten connections for some seconds, and counts. Each connection starts at another
 * position in the list, so that they do not run in lockstep.
 * @throws when any response is an error: fast refusals are not throughput
 */
export async function load(
  origin: string,
  requests: readonly RequestOptions[],
  options: { seconds?: number; warmSeconds?: number; isGood?: (body: string) => boolean } = {},
): Promise<Load> {
  const { seconds = 5, warmSeconds = 2 } = options
  await cannon(origin, requests, warmSeconds, options.isGood)
  return cannon(origin, requests, seconds, options.isGood)
}

async function cannon(
  origin: string,
  requests: readonly RequestOptions[],
  seconds: number,
  isGood?: (body: string) => boolean,
): Promise<Load> {
  let bad = ''
  let opened = 0
  const sent = requests.map((asked) => ({
    method: asked.method ?? ('GET' as const),
    path: asked.path,
    headers: asked.headers ?? {},
    ...(asked.body === undefined ? {} : { body: asked.body }),
    ...(isGood && {
      onResponse: (status: number, body: string) => void (bad ||= status === 200 && isGood(body) ? '' : `${status} ${body.slice(0, 300)}`),
    }),
  }))
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: sent.slice(0, 1),
    setupClient: (client) => {
      const begin = Math.floor((opened++ * sent.length) / connections)
      client.setRequests([...sent.slice(begin), ...sent.slice(0, begin)])
    },
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0 || bad) throw new Error(`Under load ${failed} of ${result.requests.total} requests to ${requests[0]!.path} failed. ${bad}`)
  return { perSecond: result.requests.total / result.duration, p99: result.latency.p99, requests: result.requests.total }
}
