import { ask } from '@purlin/e2e/support/ask.ts'
import type { LoadRequest } from './goodput.ts'

/** Requests of an address in succession: spread over the web processes, each has it twice, and so caches its page. */
const inSuccession = 6
/** Requests of this kind in a load. */
const places = 1000

/** Addresses of the pages in the sitemaps of a storefront. */
async function pagePaths(origin: string, host: string): Promise<string[]> {
  const read = async (path: string) => (await ask(origin, { path, headers: { host } })).body.toString()
  const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at = '']) => new URL(at.replaceAll('&amp;', '&')))
  const paths: string[] = []
  for (const { pathname } of locations(await read('/sitemap.xml')))
    paths.push(...locations(await read(pathname)).map((at) => at.pathname + at.search))
  return paths
}

/** Pages of all storefronts, in turn, without end: more than the page caches hold. */
export async function manyPages(origin: string, hosts: readonly string[]): Promise<LoadRequest[]> {
  const port = new URL(origin).port
  const groups = await Promise.all(
    hosts.map(async (name) => {
      const host = `${name}.localhost:${port}`
      const paths = await pagePaths(origin, host)
      const headers = { host, 'accept-encoding': 'br' }
      let nth = 0
      const nextPath = () => paths[Math.floor(nth++ / inSuccession) % paths.length] ?? '/'
      if (paths.length === 0) throw new Error(`${host} has no sitemap`)
      return Array.from({ length: Math.ceil(places / hosts.length) }, () => ({
        method: 'GET' as const,
        path: nextPath(),
        headers,
        nextPath,
      }))
    }),
  )
  return groups.flat()
}

/** How full the page cache of each web process is, by the metrics of the shop. */
export async function pageCacheShares(origin: string): Promise<number[]> {
  return sharesIn((await ask(origin, { path: '/metrics' })).body.toString())
}

/** Per cent of the limit that PAGE_CACHE_MB sets; a process without a cache counts as full. */
export function sharesIn(metrics: string): number[] {
  const valuesOf = (name: string) =>
    new Map(
      [...metrics.matchAll(new RegExp(`^${name}\\{process="(web[^"]*)"\\} (\\S+)$`, 'gm'))].map(([, part, value]) => [part, Number(value)]),
    )
  const bytes = valuesOf('purlin_page_cache_bytes')
  return [...valuesOf('purlin_page_cache_max_bytes')].map(([part, max]) => (max === 0 ? 100 : (100 * (bytes.get(part) ?? 0)) / max))
}

/** The fullness of the emptiest process; 0 if there is none to be seen. */
export function emptiest(shares: readonly number[]): number {
  return shares.length === 0 ? 0 : Math.min(...shares)
}
