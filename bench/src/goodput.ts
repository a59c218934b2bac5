import type autocannon from 'autocannon'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { fire } from './fire.ts'
import { goodsOf } from './goods.ts'
import { asked, listingDocument, productDocument } from './questions.ts'

/** Responses per second of one load. */
export interface Peak {
  /** With status 200. */
  good: number
  /** With 503. */
  refused: number
  /** With 500 or another 5xx that is not 503, in total. */
  failed: number
  /** In total, by status, all others: a page that moved or is gone costs little and is no goodput. */
  unexpected: ReadonlyMap<number, number>
  /** Requests whose connection broke or that had no answer in 20 seconds, in total. */
  broken: number
}

/** A request, and the path of its next repetition where each differs. */
export interface LoadRequest extends RequestOptions {
  nextPath?: () => string
}

const words = ['drill', 'paint', 'saw', 'screws', 'tap', 'lamp', 'hammer', 'tiles', 'ladder', 'gloves']

/** Listings and products in turn. */
export async function mixedRequests(origin: string, limit = { categories: 60, products: 200 }): Promise<LoadRequest[]> {
  const { categories, products } = await goodsOf(origin)
  return [
    ...categories
      .slice(0, limit.categories)
      .map((id, at) => asked(listingDocument, { input: { kind: 'category', id, page: 1 + (at % 3), pageSize: 48 } })),
    ...products.slice(0, limit.products).map((id) => asked(productDocument, { id })),
  ]
}

/** Most prices in pence that `uncachedPages` asks for: how many goods are found, and so what a page costs, must not change during a run. */
const prices = { from: 20_000, count: 180_000 }

/** Pages of searches, each with a price of its own, so that no page cache holds them. */
export function uncachedPages(origin: string, count: number): LoadRequest[] {
  let nth = 0
  const nextPath = () => {
    // The step has no divisor in common with the count, so each price comes once in 180,000 pages, and dear and cheap ones by turns.
    const price = prices.from + ((++nth * 7919) % prices.count)
    return `/search/${words[nth % words.length]}?max%5Bprice%5D=${price / 100}`
  }
  const headers = { host: `gb.localhost:${new URL(origin).port}`, 'accept-encoding': 'br' }
  return Array.from({ length: count }, () => ({ method: 'GET', path: nextPath(), headers, nextPath }))
}

/** Requests that one connection repeats. The client builds the bytes of all of them for every connection before it sends any. */
const requestsPerConnection = 5

/** Each connection sends its next request as soon as it has a response. Neighbouring connections share none, and together they send all. */
export async function goodputOf(load: {
  origin: string
  requests: readonly LoadRequest[]
  connections: number
  seconds: number
}): Promise<Peak> {
  let opened = 0
  const sent = load.requests.map(({ method = 'GET', path, headers = {}, body, nextPath }) => ({
    method,
    path,
    headers,
    ...(body && { body }),
    ...(nextPath && { setupRequest: (request: autocannon.Request) => ({ ...request, path: nextPath() }) }),
  }))
  const { result, seconds } = await fire({
    url: load.origin,
    connections: load.connections,
    duration: load.seconds,
    timeout: 20,
    requests: sent.slice(0, 1),
    setupClient: (client) => {
      const begin = (opened++ * requestsPerConnection) % sent.length
      client.setRequests([...sent, ...sent].slice(begin, begin + requestsPerConnection))
    },
  })
  const counts = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [Number(status), count ?? 0] as const)
  return peakOf(counts, seconds, result.errors)
}

export function peakOf(counts: readonly (readonly [status: number, count: number])[], seconds: number, broken: number): Peak {
  const sum = (holds: (status: number) => boolean) => counts.reduce((all, [status, count]) => (holds(status) ? all + count : all), 0)
  return {
    good: sum((status) => status === 200) / seconds,
    refused: sum((status) => status === 503) / seconds,
    failed: sum((status) => status >= 500 && status !== 503),
    unexpected: new Map(counts.filter(([status, count]) => count > 0 && status !== 200 && status < 500)),
    broken,
  }
}

/** So that a load of few connections, which sends the first requests of a list, sends both kinds. */
export function alternately<Value>(some: readonly Value[], others: readonly Value[]): Value[] {
  return some.flatMap((value, at) => [value, ...others.slice(at, at + 1)])
}
