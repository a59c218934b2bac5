import autocannon from 'autocannon'
import type { Asked } from '@purlin/e2e/support/ask.ts'

export interface Load {
  perSecond: number
  p99: number
  requests: number
}

/**
 * Sends the given requests in turn over ten connections for some seconds, and counts.
 * @throws when any answer is an error: a fast refusal is no throughput
 */
export async function load(
  origin: string,
  requests: readonly Asked[],
  options: { seconds?: number; warmSeconds?: number; isGood?: (body: string) => boolean } = {},
): Promise<Load> {
  const { seconds = 5, warmSeconds = 2 } = options
  await cannon(origin, requests, warmSeconds, options.isGood)
  return cannon(origin, requests, seconds, options.isGood)
}

async function cannon(origin: string, requests: readonly Asked[], seconds: number, isGood?: (body: string) => boolean): Promise<Load> {
  let bad = ''
  const result = await autocannon({
    url: origin,
    connections: 10,
    duration: seconds,
    requests: requests.map((asked) => ({
      method: asked.method ?? 'GET',
      path: asked.path,
      headers: asked.headers ?? {},
      ...(asked.body === undefined ? {} : { body: asked.body }),
      ...(isGood && {
        onResponse: (status: number, body: string) =>
          void (bad ||= status === 200 && isGood(body) ? '' : `${status} ${body.slice(0, 300)}`),
      }),
    })),
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0 || bad) throw new Error(`Under load ${failed} of ${result.requests.total} requests to ${requests[0]!.path} failed. ${bad}`)
  return { perSecond: result.requests.total / result.duration, p99: result.latency.p99, requests: result.requests.total }
}
