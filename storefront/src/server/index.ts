import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { webviewPrefix } from '@purlin/contract/public-addresses.ts'
import { prefersVat, vatDisplayCookie, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { createAssets } from '@purlin/web/assets.ts'
import { boundedLog } from '@purlin/web/bounded-log.ts'
import { cookieLine } from '@purlin/web/cookies.ts'
import { readManifest } from '@purlin/web/manifest.ts'
import { createPages, type Pages } from '@purlin/web/pages.ts'
import type { Bundle } from '@purlin/web/pages-options.ts'
import type { Render } from '@purlin/web/render.tsx'
import { securityHeaders } from '@purlin/web/security.ts'
import { routes, type ShopRoute } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'
import { flashCookie } from '../shell/flash.ts'
import { createContext, otherStorefront } from './create-context.ts'
import { createDocument } from './create-document.ts'
import { createEndpoints } from './endpoints.ts'
import { guard } from './guard.ts'
import type { StorefrontOptions, StorefrontSite } from './options.ts'

export type { StorefrontOptions, StorefrontSettings } from './options.ts'

export interface Storefront extends Pages {
  /** False when the address is not the storefront's (gateway, health, metrics): mount it before those. */
  tryHandle(req: IncomingMessage, res: ServerResponse): boolean
}

/** Addresses that belong to the gateway and to operations. */
const foreign = /^\/(?:(?:graphql|ab-test|search-engine|health|metrics|pictures|documents|files|uploads|webhooks|dev)(?:[/?]|$)|api\/)/

export const defaultDist = join(import.meta.dirname, '../../dist')

/** The storefront as a request listener on top of its build. */
export async function createStorefront(options: StorefrontOptions): Promise<Storefront> {
  const dist = options.dist ?? defaultDist
  // The version makes a rebuilt bundle a new module: development swaps it in a running process.
  const bundleUrl = `${pathToFileURL(join(dist, 'server/bundle.js')).href}?${buildVersion(dist)}`
  const { bundle, render } = (await import(bundleUrl)) as {
    bundle: Bundle<ShopContext>
    render: Render
  }
  const manifest = readManifest(join(dist, 'client'), {
    icons: ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">', '<link rel="manifest" href="/manifest.json">'],
    preloadFonts: /-latin-wght-normal.*\.woff2$/,
  })
  return assemble(options, bundle, render, manifest, createAssets(join(dist, 'client')), buildVersion(dist))
}

/** The storefront from its parts, for tests without a build. */
export function assemble(
  given: StorefrontOptions,
  bundle: Bundle<ShopContext>,
  render: Render,
  manifest: ReturnType<typeof readManifest>,
  assets: ReturnType<typeof createAssets>,
  version = 'tests',
): Storefront {
  const options = { ...given, log: boundedLog(given.log) }
  const { hosts, settings = {} } = options
  const headers = new Map<SiteSettings, Record<string, string>>()
  const headersOf = (site: SiteSettings): Record<string, string> => {
    let known = headers.get(site)
    if (!known) {
      known = {
        ...securityHeaders({
          // A browser checks every redirect that follows a form: joining a company leads to the other storefront.
          formAction: [settings.paymentOrigin, settings.identityOrigin, otherStorefront(hosts, site)].filter(
            (origin) => origin !== undefined,
          ),
          frames: settings.paymentOrigin ? [settings.paymentOrigin] : [],
          images: settings.pictureOrigins ?? [],
          secure: site.origin.startsWith('https:'),
        }),
        'content-language': site.locale,
        'speculation-rules': '"/speculation-rules.json"',
      }
      headers.set(site, known)
    }
    return known
  }
  const pages = createPages<StorefrontSite, ShopRoute, ShopContext>({
    routes,
    bundle,
    site: (host) => {
      const site = hosts.siteOf(host)
      return site && siteFor(site)
    },
    variation: ({ settings: site }, cookieHeader) => {
      const hasChoice = site.mode === 'b2b' && !site.b2bPricesIncludeVat
      const experiments = options.variations?.(site, { headers: { cookie: cookieHeader } }) ?? {}
      return prefersVat(site, cookieHeader)
        ? { key: 'with-vat', cookieHeader: `${vatDisplayCookie}=with`, shareable: false, experiments }
        : { key: '', cookieHeader: '', shareable: !hasChoice, experiments }
    },
    context: createContext(options),
    guard,
    // The pages inside the app.
    bare: { prefix: webviewPrefix, layout: 'webview' },
    takeFile: (context, name, source) => context.client.upload(name, source),
    ...(options.gateway.enter && { enter: turnsAt(options.gateway.enter) }),
    ...(options.gateway.busyAnswer && { busyAnswer: options.gateway.busyAnswer }),
    admit: async (row, address) => (await options.gateway.admit?.(row?.name === 'search' ? 'search' : 'page', address)) ?? null,
    ...(options.gateway.remoteAddress && { remoteAddress: options.gateway.remoteAddress }),
    document: createDocument({ render, manifest, version, requestTimeoutMs: settings.requestTimeoutMs ?? 10_000 }),
    headers: ({ settings: site }) => headersOf(site),
    assets,
    flashCookie: ({ settings: site }, flash) =>
      cookieLine(flashCookie, JSON.stringify(flash), { maxAgeSeconds: 60, httpOnly: false, secure: site.origin.startsWith('https:') }),
    log: options.log,
    ...(options.nameRoute && { nameRoute: options.nameRoute }),
    ...(options.cacheBytes !== undefined && { cacheBytes: options.cacheBytes }),
  })
  const endpoints = createEndpoints({ ...options, headers: headersOf })
  const tryHandle = (req: IncomingMessage, res: ServerResponse): boolean => {
    const url = req.url ?? '/'
    if (endpoints(req, res, url)) return true
    if (foreign.test(url)) return false
    pages.handle(req, res)
    return true
  }
  return { ...pages, tryHandle }
}

type Enter = (kind: ReturnType<typeof kindOf>, response: ServerResponse) => Promise<(() => void) | null>

/**
 * Turns by kind of page. The payment page and the return from it wait up to three seconds for the provider: with a turn each, a slow
 * provider would keep everybody else waiting (`checkout/await-moment.ts` bounds how many wait).
 */
function turnsAt(enter: Enter) {
  return async (row: ShopRoute | null, response: ServerResponse) =>
    row?.name === 'payment' || row?.name === 'spartacuxPayment' ? () => undefined : enter(kindOf(row), response)
}

/** Priority of a page: buyers who are about to pay wait least. */
function kindOf(row: ShopRoute | null): 'checkout' | 'cart' | 'product' | 'listing' {
  if (!row) return 'listing'
  if (row.layout === 'funnel' || /payment|checkout/i.test(row.name)) return 'checkout'
  if (row.name === 'cart' || row.access !== 'public') return 'cart'
  return row.name === 'product' ? 'product' : 'listing'
}

const sites = new WeakMap<SiteSettings, StorefrontSite>()

function siteFor(settings: SiteSettings): StorefrontSite {
  let site = sites.get(settings)
  if (!site) {
    const { host, market, mode, origin } = settings
    site = { key: `${host}|${market}|${mode}`, tag: `${market}:${mode}`, origin, variant: mode, settings }
    sites.set(settings, site)
  }
  return site
}

/** Version of the build, for logs and the client-version header. */
export function buildVersion(dist = defaultDist): string {
  return readFileSync(join(dist, 'version'), 'utf8').slice(0, 12)
}
