import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayExecute } from '@purlin/contract/gateway.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import type { PageLog } from '@purlin/web/pages-options.ts'
import { routes, type ShopRoute } from '../routes.ts'
import { sitemap, sitemapIndex, sitemapKinds } from './sitemaps.ts'

interface Parts {
  hosts: SiteHosts
  gateway: { execute: GatewayExecute }
  log: PageLog
}
type Answer = { type: string; body: string } | { to: string }
type Endpoint = (site: SiteSettings, parts: Parts) => Answer | Promise<Answer>

const xml = 'application/xml; charset=utf-8'

/** Addresses that are files made by the storefront itself. */
const endpoints: Record<string, Endpoint> = {
  '/manifest.json': (site) => ({ type: 'application/manifest+json; charset=utf-8', body: JSON.stringify(webManifest(site)) }),
  '/api/static/manifest-b2b': () => ({ to: '/manifest.json' }),
  '/api/static/manifest-b2c': () => ({ to: '/manifest.json' }),
  '/api/auth/webview': () => ({ to: '/webview' }),
  '/robots.txt': (site) => ({ type: 'text/plain; charset=utf-8', body: robots(site) }),
  '/speculation-rules.json': () => ({ type: 'application/speculationrules+json', body: speculationRules }),
  '/sitemap.xml': (site) => ({ type: xml, body: sitemapIndex(site) }),
  ...Object.fromEntries(
    sitemapKinds.map((kind): [string, Endpoint] => [
      `/sitemaps/${kind}.xml`,
      async (site, options) => ({ type: xml, body: await sitemap(kind, site, options) }),
    ]),
  ),
}

/** Answers an endpoint; false when the address is none. */
export function createEndpoints(parts: Parts): (req: IncomingMessage, res: ServerResponse, url: string) => boolean {
  return (req, res, url) => {
    const at = url.indexOf('?')
    const pathname = at < 0 ? url : url.slice(0, at)
    const endpoint = Object.hasOwn(endpoints, pathname) ? endpoints[pathname] : undefined
    const site = endpoint && parts.hosts.siteOf(req.headers.host)
    if (!endpoint || !site) return false
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD' }).end()
      return true
    }
    Promise.resolve(endpoint(site, parts)).then(
      (answer) => send(req, res, answer),
      (error: unknown) => {
        parts.log.error({ err: error, url }, 'A file could not be made')
        res.writeHead(503, { 'retry-after': '60', 'cache-control': 'no-store' }).end()
      },
    )
    return true
  }
}

function send(req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  if ('to' in answer) {
    res.writeHead(308, { location: answer.to, 'cache-control': 'public, max-age=3600' }).end()
    return
  }
  res.writeHead(200, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
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

/** Personal and working pages are nothing for a search engine, nor are facets and sorted copies of a listing. */
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
 * Links a pointer rests on are fetched ahead, when they lead to pages made for everybody: those cost a cache hit and
 * change nothing. Never a page that is personal or acts.
 */
const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        href_matches: (routes as readonly ShopRoute[])
          .filter((route) => route.cache && route.page)
          // A named part ends at the next slash, as `*` would not: `/*-*` were nearly every address there is.
          .flatMap(({ addresses }) => addresses.map((address) => address.replace(/\{(\w+)\}/g, ':$1').replace(':id', ':id(\\d+)'))),
      },
      eagerness: 'moderate',
    },
  ],
})
