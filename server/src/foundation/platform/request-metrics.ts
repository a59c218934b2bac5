import type { ServerResponse } from 'node:http'
import { metrics } from './metrics.ts'

/** A page of the route table, a route of the gateway, or a file: assets, feeds, sitemaps. */
type Kind = 'page' | 'api' | 'file'
const file = { kind: 'file', route: 'none' } as const
const routes = new WeakMap<ServerResponse, { kind: Kind; route: string }>()

/** Names the route of a response by its row or pattern, never by its address: of those there are as many as strangers like. */
export function nameRoute(response: ServerResponse, kind: Kind, route: string): void {
  routes.set(response, { kind, route })
}

/** Observes every response once, whichever part of the shop it comes from. */
export function measureResponse(response: ServerResponse): void {
  const startedAt = performance.now()
  response.once('close', () => {
    const { kind, route } = routes.get(response) ?? file
    metrics.requests.observe({ kind, route, status: statusOf(response) }, (performance.now() - startedAt) / 1000)
  })
}

/** The class of the status; 503 is apart, because a busy shop refuses with it on purpose. `gone`: the client left before. */
function statusOf({ statusCode, headersSent }: ServerResponse): string {
  if (!headersSent) return 'gone'
  return statusCode === 503 ? '503' : `${Math.floor(statusCode / 100)}xx`
}
