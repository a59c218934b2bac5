import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { routes, type ShopRoute } from '@purlin/storefront/routes.ts'
import { readChecklist, routeOf } from '../../scripts/coverage.ts'
import { root } from '../../scripts/find-tests.ts'
import { type Answer, ask } from '../support/ask.ts'
import { queryShop } from '../support/finding.ts'
import { type Shop, shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'

/**
 * Every checklist line about an address or a named page, requested from the running shop: the list
 * derives from the checklist and the route table, so new pages are included automatically.
 */
const lines = readChecklist(readFileSync(join(root, 'docs/checklist.md'), 'utf8')).flatMap((line) => {
  const route = line.kind === 'S' ? (routeOf(line, routes) as ShopRoute | undefined) : undefined
  return route ? [{ ...line, route }] : []
})

/** These pages need a cart or a pending payment: the buying journeys prove them. */
const needCart: readonly string[] = ['funnelLogin', 'spartacuxPayment']

let shop: Shop
let examples: Record<string, string>
before(async () => {
  shop = await shopForTests()
  type Linked = { url: string }[]
  const { home, listing, operations, popularQueries, sitemapPaints, inspirations, ...entries } = await queryShop<{
    home: { departments: Linked; brands: Linked }
    listing: { cards: { url: string; sellerId: number }[] }
    operations: Linked
    popularQueries: { queries: { slug: string }[] }[]
    sitemapPaints: string[]
    inspirations: { slug: string }[]
    guides: Linked
    comparisons: Linked
    landings: Linked
    partners: Linked
    promos: Linked
    trades: Linked
  }>(
    shop,
    `{ home { departments { url } brands { url } } listing(input: { kind: deals, pageSize: 10 }) { cards { url sellerId } }
      operations { url } popularQueries { queries { slug } } sitemapPaints inspirations { slug }
      guides: entries(kind: guide) { url } comparisons: entries(kind: comparison) { url }
      landings: entries(kind: landing) { url } partners: entries(kind: partner) { url } promos: entries(kind: promo) { url }
      trades: entries(kind: trade) { url } }`,
  )
  const product = listing.cards[0]!
  const department = home.departments[0]!.url
  examples = {
    product: product.url,
    productInformations: `${product.url}/informations`,
    catalogueProduct: `/catalogue${product.url}`,
    catalogueProductInformations: `/catalogue${product.url}/informations`,
    inspirationalMassLanding: `/inspi/${inspirations[0]!.slug}`,
    webview: '/webview/cart',
    paint: sitemapPaints[0]!,
    cataloguePaint: `/catalogue${sitemapPaints[0]!}`,
    category: department,
    categoryHub: `/hub${department}`,
    bestSellersFamily: `/bs${department}`,
    massLandingSitemapCategory: `/the-most-popular-product-categories${department}`,
    massLanding: `/cat/${popularQueries[0]!.queries[0]!.slug}`,
    commercialOperationListing: operations[0]!.url,
    guide: entries.guides[0]!.url,
    topProducts: entries.comparisons[0]!.url,
    landing: entries.landings[0]!.url,
    partnerAdLanding: entries.partners[0]!.url,
    promoSEO: entries.promos[0]!.url,
    proPublicPages: entries.trades[0]!.url,
    brand: home.brands[0]!.url,
    seller: `/seller-${product.sellerId}`,
    search: '/search/hammer',
    trackMyParcel: '/track-my-parcel/a-token-of-nobody',
    auth: '/api/auth/session',
  }
})
after(() => shop.stop())

function request(route: ShopRoute, path: string): Promise<Answer> {
  const { port } = new URL(shop.origin)
  const { host } = new URL(originOf(shop.origin, 'gb', route.only ?? 'b2c'))
  return ask(`http://127.0.0.1:${port}`, { path, headers: { host } })
}

/** Where an anonymous visitor is redirected: to the provider's forms, to sign-in, or, with nothing to sign out of, home. */
const sentOn: Record<string, RegExp> = {
  register: /\/(?:api\/v1\/register|realms\/)/,
  authPreLogout: /^(?:http:\/\/[^/]+)?\/(?:login)?$/,
  exchangeToB2c: /\/login|\/api\/v1\/exchange-to-b2c/,
  exchangeToPro: /\/login|\/api\/v1\/exchange-to-pro/,
  logout: /\/auth\/pre-logout/,
  registerCall: /\/realms\/b2c\//,
  subscription: /^\/static\/subscription$/,
}

/** Statuses an anonymous visitor of the consumer storefront may get at the public address. */
function expectedStatus(route: ShopRoute): number[] {
  if (route.redirect) return [route.redirect.status]
  if (sentOn[route.name]) return [302, 303]
  if (route.access === 'b2b') return [404]
  // Known by its token alone; and the page that says so.
  if (['trackMyParcel', 'notFound'].includes(route.name)) return [404]
  // Signing in, or back to the start of the funnel.
  if (route.access === 'restricted') return [302, 303]
  // A sheet without offers redirects to the product or paint while it has some (decision 2 on addresses).
  if (route.name.startsWith('catalogue')) return [301]
  return [200]
}

for (const { id, text, route } of lines) {
  // Of the three pages that share a named path, sign-in is served (decision 1).
  const named = ['funnelLogin', 'subscribe'].includes(route.name)
    ? undefined
    : route.named?.find((path) => text.includes(`-> ${path}`) && !route.addresses.includes(path))
  if (named)
    test(`${id} ${text}: the named path redirects to the public address, permanently if it needs no parameters`, async () => {
      const answer = await request(route, named)
      const [address] = route.addresses
      // The app's first page is an endpoint, which begins the session and goes on with a full address.
      const start = route.name === 'webview' ? `${originOf(shop.origin, 'gb', 'b2c')}/webview/` : route.fallback
      const expected = address!.includes('{') ? [302, start] : [308, address]
      assert.deepEqual([answer.status, answer.headers['location']], expected)
    })
  // The rest of a restricted page is covered by the journeys of signed-in visitors.
  else if ((route.access === 'public' && !needCart.includes(route.name)) || route.redirect)
    test(`${id} ${text}: the page exists`, async () => {
      const path = route.addresses[0]!.includes('{') ? examples[route.name] : route.addresses[0]!
      assert.ok(path, `an example address of ${route.name} is needed in this file`)
      const answer = await request(route, path)
      assert.ok(expectedStatus(route).includes(answer.status), `${path}: ${answer.status}`)
      const expected = sentOn[route.name]
      if (expected) assert.match(String(answer.headers['location']), expected)
      if (answer.status !== 200 || route.endpoint) return
      const html = answer.body.toString()
      assert.match(html, /<main/)
      assert.match(html, /<h1/)
    })
}
