import type { GatewayAnswer, GatewayRequest } from '@purlin/contract/gateway.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { testCustomer, testGuest, testMember, testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import { createSiteHosts, type SiteHosts } from '@purlin/contract/site-settings.ts'
import { listen, type TestServer } from '@purlin/web/testing.ts'
import type { ClientManifest } from '@purlin/web/manifest.ts'
import type { Bundle } from '@purlin/web/pages-options.ts'
import { routes, type ShopRoute } from '../routes.ts'
import type { ShopContext, ShopPage } from '../shell/context.ts'
import { assemble, type Storefront, type StorefrontOptions } from './index.ts'

/**
 * A storefront without a build, for tests: the given pages, a gateway with canned responses, and the principal named by the
 * cookie `who`. Needs scripts/tsx-hook.mjs.
 */
export async function testStorefront(
  options: {
    pages?: Record<string, ShopPage>
    gateway?: (request: GatewayRequest) => GatewayAnswer | Promise<GatewayAnswer>
    paymentOrigin?: string
    /** The rest of the gateway: quotas, addresses. */
    door?: Omit<StorefrontOptions['gateway'], 'execute'>
    hosts?: SiteHosts
    sessions?: StorefrontOptions['sessions']
    log?: StorefrontOptions['log']
    variations?: StorefrontOptions['variations']
    nameRoute?: StorefrontOptions['nameRoute']
  } = {},
): Promise<{ storefront: Storefront; server: TestServer; calls: GatewayRequest[] }> {
  const [{ render }, errorPage, base, funnel, webview] = await Promise.all([
    import('@purlin/web/render.tsx'),
    import('../errors/error-page.tsx'),
    import('../shell/base-layout.tsx'),
    import('../shell/funnel-layout.tsx'),
    import('../shell/webview-layout.tsx'),
  ])
  const bundle = {
    pages: { ...unnamedPages, ...options.pages },
    layouts: { base, funnel, webview },
    errorPage,
  } as unknown as Bundle<ShopContext>
  const manifest: ClientManifest = { client: '/assets/client.js', css: [], fonts: [], icons: [] }
  const calls: GatewayRequest[] = []
  const storefront = assemble(
    {
      gateway: {
        ...options.door,
        execute: async (request) => {
          calls.push(request)
          return options.gateway ? options.gateway(request) : { data: { categoryTree: [], platformConfig: { state: 'set', version: 0 } } }
        },
      },
      hosts: options.hosts ?? createSiteHosts({ port: 80 }),
      sessions: options.sessions ?? {
        load: async (cookieHeader) => people[/who=(\w+)/.exec(cookieHeader)?.[1] ?? ''] ?? nobody,
      },
      log: options.log ?? { info() {}, warn() {}, error() {} },
      ...(options.variations && { variations: options.variations }),
      ...(options.nameRoute && { nameRoute: options.nameRoute }),
      ...(options.paymentOrigin && { settings: { paymentOrigin: options.paymentOrigin } }),
    },
    bundle,
    render,
    manifest,
    () => false,
  )
  const server = await listen((req, res) => {
    if (!storefront.tryHandle(req, res)) res.writeHead(299).end('gateway')
  })
  return { storefront, server, calls }
}

/** Stands for the pages that a test does not name. */
const unnamedPage: ShopPage = { load: () => ({ data: null, title: 'Not in this test', status: 404, robots: 'noindex' }), Page: () => null }
const unnamedPages = Object.fromEntries(routes.flatMap((route: ShopRoute) => (route.page === undefined ? [] : [[route.page, unnamedPage]])))

const nobody = testGuest()
const people: Record<string, Principal> = {
  nobody,
  visitor: testGuest({ id: 'g1' }),
  guest: testGuest({ id: 'g1', email: 'ann@example.com' }),
  consumer: testCustomer(),
  professional: testMember(),
  administrator: testMember({ role: 'admin' }),
  accountant: testMember({ role: 'accountant' }),
  seller: testSellerMember(),
  operator: testOperator(),
}
