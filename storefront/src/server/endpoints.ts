import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { overloaded } from '@purlin/web/last-resort.ts'
import { routes, type ShopRoute } from '../routes.ts'
import { feedOf, feedFiles, llmsText } from './feeds.ts'
import { createMadeFiles, type MadeFiles } from './made-files.ts'
import type { StorefrontOptions } from './options.ts'
import { productSitemap, sitemap, sitemapIndex, sitemapKinds } from './sitemaps.ts'
import { createStreams, type SendParts } from './streams.ts'

interface Parts extends Pick<StorefrontOptions, 'hosts' | 'gateway' | 'log'> {
  /** Security headers of a site. */
  headers(site: SiteSettings): Record<string, string>
}
type Whole = { type: string; body: string | Buffer } | { to: string } | { isMissing: true }
/** One made of goods or pages; null when there is none at this address. */
type File = { type: string; make: () => Promise<string | null> }
type Answer = Whole | File | { type: string; parts: AsyncIterable<string> }
type Fixed = (site: SiteSettings) => Whole
type Endpoint = (site: SiteSettings, parts: Parts) => Answer

const xml = 'application/xml; charset=utf-8'

/** Files that cost nothing: they go out even when nothing else does. Crawlers leave a whole site whose robots.txt fails. */
const fixed: Record<string, Fixed> = {
  '/manifest.json': (site) => ({ type: 'application/manifest+json; charset=utf-8', body: JSON.stringify(webManifest(site)) }),
  '/api/static/manifest-b2b': () => ({ to: '/manifest.json' }),
  '/api/static/manifest-b2c': () => ({ to: '/manifest.json' }),
  '/robots.txt': (site) => ({ type: 'text/plain; charset=utf-8', body: robots(site) }),
  '/speculation-rules.json': () => ({ type: 'application/speculationrules+json', body: speculationRules }),
  '/llms.txt': (site) => ({ type: 'text/plain; charset=utf-8', body: llmsText(site) }),
}

/** Files made of goods and pages. */
const endpoints: Record<string, Endpoint> = {
  ...Object.fromEntries(
    feedFiles.map((file): [string, Endpoint] => [
      `/feeds/${file.name}`,
      // Feeds quote consumers' prices, with VAT.
      (site, options) => (site.mode === 'b2b' ? { isMissing: true } : { type: file.type, parts: feedOf(file, site, options) }),
    ]),
  ),
  '/sitemap.xml': (site, options) => ({ type: xml, make: () => sitemapIndex(site, options) }),
  ...Object.fromEntries(
    sitemapKinds.map((kind): [string, Endpoint] => [
      `/sitemaps/${kind}.xml`,
      (site, options) => ({ type: xml, make: () => sitemap(kind, site, options) }),
    ]),
  ),
}

/** Files numbered by what there is. */
function numberedEndpoint(pathname: string): Endpoint | undefined {
  const file = Number(/^\/sitemaps\/products-([1-9]\d{0,5})\.xml$/.exec(pathname)?.[1] ?? 0)
  if (file === 0) return undefined
  return (site, options) => ({ type: xml, make: () => productSitemap(file, site, options) })
}

/** Handles an endpoint; false when the address is not one. */
export function createEndpoints(parts: Parts): (req: IncomingMessage, res: ServerResponse, url: string) => boolean {
  const made: Made = { ...parts, sendParts: createStreams(), files: createMadeFiles() }
  return (req, res, url) => {
    const at = url.indexOf('?')
    const pathname = at < 0 ? url : url.slice(0, at)
    const fixedFile = Object.hasOwn(fixed, pathname) ? fixed[pathname] : undefined
    const endpoint = Object.hasOwn(endpoints, pathname) ? endpoints[pathname] : numberedEndpoint(pathname)
    const site = fixedFile || endpoint ? parts.hosts.siteOf(req.headers.host) : undefined
    if (!site) return false
    for (const [name, value] of Object.entries(parts.headers(site))) res.setHeader(name, value)
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD', 'cache-control': 'no-store' }).end()
      return true
    }
    if (fixedFile) send(req, res, fixedFile(site))
    else if (endpoint)
      make(req, res, made, endpoint(site, parts), `${site.origin}${pathname}`).catch((error: unknown) => {
        parts.log.error({ err: error, url }, 'A file could not be made')
        if (res.headersSent) res.destroy()
        else res.writeHead(503, { 'retry-after': '60', 'cache-control': 'no-store' }).end()
      })
    return true
  }
}

interface Made extends Parts {
  sendParts: SendParts
  files: MadeFiles
}

/** Counts as a page of its sender and waits as listings do. */
async function make(
  req: IncomingMessage,
  res: ServerResponse,
  { gateway, sendParts, files }: Made,
  answer: Answer,
  key: string,
): Promise<void> {
  const address = gateway.remoteAddress?.(req) ?? ''
  const wait = await gateway.admit?.('page', address)
  if (wait) return void res.writeHead(429, { 'retry-after': String(wait), 'cache-control': 'no-store' }).end()
  const leave = gateway.enter ? await gateway.enter('listing', res) : () => undefined
  if (!leave) return void (res.headersSent || overloaded(res, gateway.busyAnswer))
  try {
    if ('make' in answer) {
      const body = await files(key, answer.make)
      return send(req, res, body === null ? { isMissing: true } : { type: answer.type, body })
    }
    if (!('parts' in answer)) return send(req, res, answer)
    const headers = { 'content-type': answer.type, 'cache-control': 'public, max-age=3600', 'x-robots-tag': 'noindex' }
    if (req.method === 'HEAD') return void res.writeHead(200, headers).end()
    const network = gateway.networkOf?.(req) ?? address
    if (!sendParts(res, headers, answer.parts, network)) res.writeHead(503, { 'retry-after': '60', 'cache-control': 'no-store' }).end()
  } finally {
    leave()
  }
}

function send(req: IncomingMessage, res: ServerResponse, answer: Whole): void {
  if ('isMissing' in answer) {
    res.writeHead(404, { 'cache-control': 'no-store' }).end()
    return
  }
  if ('to' in answer) {
    res.writeHead(308, { location: answer.to, 'cache-control': 'public, max-age=3600' }).end()
    return
  }
  res.writeHead(200, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    'cache-control': 'public, max-age=3600',
  })
  res.end(req.method === 'HEAD' ? undefined : answer.body)
}

/** Differs by storefront: name, colour and icon. (R-171) */
function webManifest({ mode, locale }: SiteSettings) {
  const pro = mode === 'b2b'
  return {
    id: pro ? '/?app=pro' : '/?app=shop',
    name: pro ? 'Purlin Pro' : 'Purlin',
    short_name: pro ? 'Purlin Pro' : 'Purlin',
    lang: locale,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#ffffff',
    theme_color: pro ? '#22262e' : '#2237b4',
    icons: [{ src: pro ? '/favicon-pro.svg' : '/favicon.svg', sizes: 'any', type: 'image/svg+xml' }],
  }
}

/** Personal and internal pages are closed to search engines, as are filtered and sorted copies of a listing. */
function robots({ origin }: SiteSettings): string {
  const closed = [
    '/cart',
    '/order',
    '/checkout/',
    '/my-',
    '/api/',
    '/graphql',
    '/search-engine',
    '/customer-area',
    '/settings',
    '/webview/',
    '/auth/',
  ]
  return `User-agent: *\n${closed.map((path) => `Disallow: ${path}`).join('\n')}\nDisallow: /*?*f[\nDisallow: /*?*sort=\n\nSitemap: ${origin}/sitemap.xml\n`
}

/**
 * Links under the pointer are prefetched if they lead to shared pages: those cost a cache hit and have no side effects.
 * Never a page that is personal or changes something.
 */
const patternOf = (address: string): string =>
  address
    .replace(/\{(\w+):([^}]+)\}/g, ':$1($2)')
    .replace(/\{(\w+)\}/g, ':$1')
    .replace(':id', ':id(\\d+)')

const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        href_matches: (routes as readonly ShopRoute[])
          .filter((route) => route.cache && route.page)
          // A named part ends at the next slash, unlike `*`: `/*-*` would match nearly every address.
          .flatMap(({ addresses }) => addresses.map(patternOf)),
      },
      eagerness: 'moderate',
    },
  ],
})
