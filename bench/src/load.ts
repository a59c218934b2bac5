import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { fire } from './fire.ts'

export interface Load {
  perSecond: number
  p50: number
  p99: number
  requests: number
  /** With 503; not among the others. */
  refused: number
}

interface Options {
  seconds?: number
  /** Default: 10. */
  connections?: number
  isGood?: (body: string) => boolean
  /** Each connection has a share of the requests of its own, for requests that cost less when they are repeated. */
  isOnce?: boolean
  /** Requests refused with 503 are not counted instead of being an error. */
  mayRefuse?: boolean
}

/**
 * Sends the given requests in turn over ten connections for some seconds, and counts. Each connection starts at another
 * position in the list, so that they do not run in lockstep.
 * @throws when any response is an error: fast refusals are not throughput
 */
export async function load(
  origin: string,
  requests: readonly RequestOptions[],
  options: Options & { warmSeconds?: number } = {},
): Promise<Load> {
  const { warmSeconds = 2 } = options
  if (warmSeconds > 0) await cannon(origin, requests, { ...options, seconds: warmSeconds })
  return cannon(origin, requests, options)
}

async function cannon(
  origin: string,
  requests: readonly RequestOptions[],
  { seconds: wanted = 5, connections = 10, isGood, isOnce = false, mayRefuse = false }: Options,
): Promise<Load> {
  let bad = ''
  let opened = 0
  const share = requests.length / connections
  const sent = requests.map((asked) => ({
    method: asked.method ?? ('GET' as const),
    path: asked.path,
    headers: asked.headers ?? {},
    ...(asked.body === undefined ? {} : { body: asked.body }),
    ...(isGood && {
      onResponse: (status: number, body: string) => void (bad ||= status === 200 && isGood(body) ? '' : `${status} ${body.slice(0, 300)}`),
    }),
  }))
  const { result, seconds } = await fire({
    url: origin,
    connections,
    duration: wanted,
    requests: sent.slice(0, 1),
    setupClient: (client) => {
      const begin = Math.floor(opened++ * share)
      client.setRequests(isOnce ? sent.slice(begin, begin + share) : [...sent.slice(begin), ...sent.slice(0, begin)])
    },
  })
  const refused = mayRefuse ? (result.statusCodeStats?.['503']?.count ?? 0) : 0
  const failed = result.errors + result.timeouts + result.non2xx - refused
  if (failed > 0 || bad) throw new Error(`Under load ${failed} of ${result.requests.total} requests to ${requests[0]!.path} failed. ${bad}`)
  return {
    perSecond: (result.requests.total - refused) / seconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
    requests: result.requests.total - refused,
    refused,
  }
}
