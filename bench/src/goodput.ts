import autocannon from 'autocannon'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { goodsOf } from './goods.ts'
import { asked, listingDocument, productDocument } from './questions.ts'

/** Responses per second of one load. */
export interface Peak {
  /** With status 200. */
  good: number
  /** With 503. */
  refused: number
  /** With another 5xx, in total. */
  failed: number
}

/** Listings and products in turn. */
export async function mixedRequests(origin: string, limit = { categories: 60, products: 200 }): Promise<RequestOptions[]> {
  const { categories, products } = await goodsOf(origin)
  return [
    ...categories
      .slice(0, limit.categories)
      .map((id, at) => asked(listingDocument, { input: { kind: 'category', id, page: 1 + (at % 3), pageSize: 48 } })),
    ...products.slice(0, limit.products).map((id) => asked(productDocument, { id })),
  ]
}

/** Each connection sends the next request as soon as it has a response, and begins at another place of the list. */
export async function goodputOf(load: {
  origin: string
  requests: readonly RequestOptions[]
  connections: number
  seconds: number
}): Promise<Peak> {
  let opened = 0
  const sent = load.requests.map(({ method = 'GET', path, headers = {}, body }) => ({ method, path, headers, ...(body && { body }) }))
  const result = await autocannon({
    url: load.origin,
    connections: load.connections,
    duration: load.seconds,
    timeout: 20,
    requests: sent.slice(0, 1),
    setupClient: (client) => {
      const begin = (opened++ * 7) % sent.length
      client.setRequests([...sent.slice(begin), ...sent.slice(0, begin)])
    },
  })
  const counts = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [Number(status), count ?? 0] as const)
  const sum = (holds: (status: number) => boolean) => counts.reduce((all, [status, count]) => (holds(status) ? all + count : all), 0)
  return {
    good: sum((status) => status === 200) / result.duration,
    refused: sum((status) => status === 503) / result.duration,
    failed: sum((status) => status >= 500 && status !== 503),
  }
}
