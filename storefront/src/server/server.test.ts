import { SitemapEntriesDocument } from '../generated/documents.ts'
import { CartCountDocument } from '../generated/documents.ts'
import '../../../scripts/tsx-hook.mjs'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAnonymous, reachOf } from '@purlin/contract/actions.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { marketCodes, markets, modes } from '@purlin/contract/markets.ts'
import { buildUrl } from '@purlin/contract/path-helper.ts'
import type { TestServer } from '@purlin/web/testing.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import * as notFoundPage from '../errors/not-found-page.tsx'
import { routes, type ShopRoute } from '../routes.ts'
import type { ShopContext, ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

/** Stands in for every built page: these tests are about what happens around it. */
const plainPage: ShopPage = { load: async () => ({ data: null, title: 'A page' }), Page: () => 'A page' }

let server: TestServer
before(async () => {
  const pages = Object.fromEntries((routes as readonly ShopRoute[]).flatMap(({ page }) => (page ? [[page, plainPage]] : [])))
  pages['./errors/not-found-page.tsx'] = notFoundPage
  ;({ server } = await testStorefront({ pages, paymentOrigin: 'http://pay.localhost' }))
})
after(() => server.close())

const as = (who: string) => ({ headers: { cookie: `who=${who}` } })
const params = {
  slug: 'a',
  id: '1',
  category: 'a',
  brand: 'a',
  type: 'a',
  query: 'a',
  path: 'a',
  token: 't',
  pageType: 'trade',
  customerOrderId: 'C1',
  sellerOrderId: 'S1',
  orderId: 'O1',
  messageId: 'M1',
  requestId: 'R1',
  pageNumber: 1,
}
const pagesOf = (access: ShopRoute['access']) =>
  (routes as readonly ShopRoute[]).filter(
    (route) => route.access === access && !route.endpoint && !route.redirect && !['notFound', 'quickOrder'].includes(route.name),
  )
const admitsGuests = ({ action }: ShopRoute) =>
  !isAnonymous(action) && reachOf(testGuest({ id: 'g', email: 'g@example.com' }), action, 'gb') !== null
const addressOf = (route: ShopRoute) => buildUrl(route.addresses[0]!, params)
const signIn = (address: string, layout: string) =>
  `/${layout === 'funnel' ? 'checkout/register' : 'login'}?callbackUrl=${encodeURIComponent(address)}`

for (const route of pagesOf('restricted')) {
  test(`R-507 the restricted page ${route.name} sends anonymous visitors to sign in and back; customers see it${admitsGuests(route) ? ', and so do guests with an e-mail address' : ', guests do not'}`, async () => {
    const address = addressOf(route)
    const askAs = (who: string) => server.ask(address, as(who))
    const anonymous = await server.ask(address)
    assert.deepEqual([anonymous.status, anonymous.headers.location], [302, signIn(address, route.layout)])
    const guest = await askAs('guest')
    assert.equal(guest.status, admitsGuests(route) ? 200 : 302)
    for (const who of ['seller', 'operator']) assert.equal((await askAs(who)).status, 404)
    for (const who of ['consumer', 'professional']) {
      const reply = await askAs(who)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers['cache-control'], 'private, no-store')
    }
  })
}

test('the quick order is open to everybody on Purlin Pro, staff excepted, and does not exist in the consumers’ shop', async () => {
  const on = async (host: string, who: string) => (await server.ask('/quick-order', { ...as(who), host })).status
  for (const who of ['nobody', 'visitor', 'guest', 'consumer', 'professional']) {
    assert.equal(await on('pro.gb.localhost', who), 200, who)
    assert.equal(await on('gb.localhost', who), 404, who)
  }
  for (const who of ['seller', 'operator']) assert.equal(await on('pro.gb.localhost', who), 404, who)
})

test('V-02: a session with access to an order by link reaches order pages, and neither checkout nor account', async () => {
  const routeOf = (name: string) => (routes as readonly ShopRoute[]).find((route) => route.name === name)!
  const asVisitor = async (name: string) => (await server.ask(addressOf(routeOf(name)), as('visitor'))).headers.location
  assert.equal(await asVisitor('orderDetails'), undefined)
  for (const name of ['payment', 'delivery', 'customerArea', 'convertGuest'])
    assert.equal(await asVisitor(name), signIn(addressOf(routeOf(name)), routeOf(name).layout), name)
  for (const name of ['orderDetails', 'conversation', 'onlineSupportDispute', 'onlineSupportInvoice']) {
    const link = addressOf(routeOf(name))
    assert.equal((await server.ask(link)).headers.location, signIn(link, 'base'), name)
    assert.equal((await server.ask(`${link}?access=token`)).headers.location, undefined, name)
    assert.equal((await server.ask(`${link}?access=token`, as('operator'))).status, 404, name)
  }
})

for (const route of pagesOf('b2b')) {
  test(`R-287 R-508 the b2b page ${route.name} does not exist for anonymous visitors on a consumer host; consumers are invited to convert`, async () => {
    const address = addressOf(route)
    assert.equal((await server.ask(address)).status, 404)
    assert.equal((await server.ask(address, as('guest'))).status, 404)
    const consumer = await server.ask(address, as('consumer'))
    // A page of the professional storefront alone has no place on this host, whoever asks.
    const invited = [302, `/pro-account/signup?from=${encodeURIComponent(address)}`]
    assert.deepEqual([consumer.status, consumer.headers.location], route.only === 'b2b' ? [404, undefined] : invited)
    if (route.only !== 'b2b') assert.equal((await server.ask(address, as('professional'))).status, 200)
    const atPro = await server.ask(address, { host: 'pro.gb.localhost' })
    assert.deepEqual([atPro.status, atPro.headers.location], [302, signIn(address, route.layout)])
  })
}

test('the query of a restricted page is part of its return address', async () => {
  assert.equal(
    (await server.ask('/orders?page=2&x=//evil.com')).headers.location,
    `/login?callbackUrl=${encodeURIComponent('/orders?page=2&x=//evil.com')}`,
  )
})

test('R-598 an unknown host: "App settings not found."', async () => {
  for (const host of ['evil.com', 'us.localhost']) {
    const reply = await server.ask('/', { host })
    assert.deepEqual([reply.status, reply.body], [404, 'App settings not found.'])
  }
})

for (const market of marketCodes) {
  test(`R-032 the storefronts of ${market} use its language, know their mode, and link to the same page in the other markets`, async () => {
    for (const mode of modes) {
      const host = `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost`
      const { body, headers } = await server.ask('/brands', { host })
      const { locale, language } = markets[market]
      assert.match(
        body,
        new RegExp(
          `<html lang="${locale}" data-market="${market}" data-mode="${mode}" data-page="ourBrands" data-page-type="brand" data-access="public" data-timeout="10000" data-version="tests">`,
        ),
      )
      assert.equal(headers['content-language'], locale)
      assert.ok(body.includes(String(catalogues[language]['search.label'])))
      for (const other of marketCodes)
        assert.ok(body.includes(`href="http://${mode === 'b2b' ? 'pro.' : ''}${other}.localhost/brands"`), other)
    }
  })
}

test('R-624 the 404, in five languages, explains what happened and offers a search', async () => {
  for (const market of marketCodes) {
    const reply = await server.ask('/nothing-like-this', { host: `${market}.localhost` })
    assert.equal(reply.status, 404)
    assert.ok(reply.body.includes(String(catalogues[markets[market].language]['error.not-found.title'])), market)
    assert.match(reply.body, /<form[^>]*action="\/search"/)
    assert.match(reply.body, /<meta name="robots" content="noindex">/)
  }
})

test('R-233 /404 is the not-found page, with its status', async () => {
  const { status, body } = await server.ask('/404')
  assert.equal(status, 404)
  assert.ok(body.includes(String(catalogues.en['error.not-found.title'])))
})

test('R-171 R-219 R-220 the manifest differs by storefront and has its type; its named paths redirect to it', async () => {
  const shop = await server.ask('/manifest.json')
  const pro = await server.ask('/manifest.json', { host: 'pro.fr.localhost' })
  assert.match(shop.headers['content-type']!, /^application\/manifest\+json/)
  assert.equal(JSON.parse(shop.body).name, 'Purlin')
  assert.deepEqual([JSON.parse(pro.body).name, JSON.parse(pro.body).lang], ['Purlin Pro', 'fr-FR'])
  for (const path of ['/api/static/manifest-b2b', '/api/static/manifest-b2c']) {
    const reply = await server.ask(path)
    assert.deepEqual([reply.status, reply.headers.location], [308, '/manifest.json'])
  }
})

test('R-161 robots.txt names the sitemap of its own market and disallows personal pages', async () => {
  const reply = await server.ask('/robots.txt', { host: 'de.localhost' })
  assert.match(reply.body, /Sitemap: http:\/\/de\.localhost\/sitemap\.xml/)
  assert.match(reply.body, /Disallow: \/cart\n/)
  assert.match((await server.ask('/sitemap.xml')).headers['content-type']!, /^application\/xml/)
})

test('R-161 the sitemap index lists sitemaps of its own market, with alternates in the others; disallowed pages are not in them', async () => {
  const { server: other } = await testStorefront({
    gateway: ({ documentId }) => {
      if (documentId === SitemapEntriesDocument.id) return { data: { guides: [{ url: '/advice/bohren-1' }] } }
      return {
        data: {
          sitemapCategories: [
            { url: '/werkzeug-1', hasParts: true },
            { url: '/a&b-2', hasParts: false },
          ],
          sitemapQueries: ['bohrer'],
          popularQueries: [{ category: { id: 1, slug: 'werkzeug' }, queries: [] }],
          operations: [{ url: '/co/promo/woche-1', state: 'running' }],
          sitemapFiles: 1,
          sitemapProducts: ['/p/akkuschrauber-1'],
          sitemapSellers: ['/seller-1'],
          sitemapBrands: ['/brand/tarvok-1'],
          sitemapPaints: ['/paint/farbe-7'],
          inspirations: [{ slug: 'teppiche' }],
        },
      }
    },
  })
  const locations = ({ body }: { body: string }) => [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map((found) => found[1]!)
  const maps = locations(await other.ask('/sitemap.xml', { host: 'de.localhost' }))
  assert.ok(maps.length > 0)
  for (const map of maps) {
    const reply = await other.ask(new URL(map).pathname, { host: new URL(map).host })
    assert.equal(reply.status, 200)
    for (const url of locations(reply)) assert.match(url, /^http:\/\/de\.localhost\//)
  }
  const categories = await other.ask('/sitemaps/categories.xml', { host: 'de.localhost' })
  assert.deepEqual(locations(categories), ['http://de.localhost/werkzeug-1', 'http://de.localhost/a&#38;b-2'])
  const hubs = await other.ask('/sitemaps/hubs.xml', { host: 'de.localhost' })
  assert.deepEqual(locations(hubs), ['http://de.localhost/hub/werkzeug-1'])
  await other.close()
})

test('only links to shared pages are prefetched', async () => {
  const rules = JSON.parse((await server.ask('/speculation-rules.json')).body)
  const patterns = (rules.prefetch[0].where.href_matches as string[]).map((pattern) => new URLPattern(pattern, 'http://gb.localhost'))
  const example: Record<string, string> = { pageType: 'trade', pageNumber: '2', customerOrderId: 'PU-12', sellerOrderId: 'PU-12-1' }
  for (const { name, addresses, cache, page } of routes as readonly ShopRoute[]) {
    for (const address of addresses) {
      const path = address.replace(/\{(\w+)[^}]*\}/g, (_, param: string) => example[param] ?? (param === 'id' ? '12' : 'some-words-5'))
      const isAhead = patterns.some((pattern) => pattern.test(`http://gb.localhost${path}`))
      assert.equal(isAhead, cache !== undefined && page !== undefined, `${name} ${path}`)
    }
  }
})

test('addresses of the gateway and of operations are not handled', async () => {
  for (const path of [
    '/graphql',
    '/ab-test/api/v1/user/flags',
    '/graphql?query=x',
    '/api/auth/session',
    '/api/v1/logout',
    '/search-engine/1/indexes',
    '/pictures/p/1/front-480.svg',
    '/documents/1/manual',
    '/files/product-picture/x.jpg',
    '/webhooks/payment',
    '/health/live',
    '/metrics',
  ]) {
    assert.equal((await server.ask(path)).status, 299, path)
  }
  for (const path of ['/great-deals', '/search/x', '/help', '/my-wallet', '/metrics-3', '/health-12'])
    assert.notEqual((await server.ask(path)).status, 299, path)
})

test('every page has the content security policy, with the payment origin if one is configured', async () => {
  const { headers } = await server.ask('/cart')
  assert.match(String(headers['content-security-policy']), /script-src 'self';/)
  assert.match(String(headers['content-security-policy']), /form-action 'self' http:\/\/pay\.localhost/)
  // The redirect after joining a company or becoming a professional customer leads there.
  assert.match(String(headers['content-security-policy']), /form-action [^;]* http:\/\/pro\.gb\.localhost/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('a page calls the gateway on behalf of its visitor: host of the site, cookie, request id, headers of spec §7', async () => {
  const { server: other, calls } = await testStorefront()
  const reply = await other.ask('/cart', {
    host: 'pro.de.localhost',
    headers: { cookie: 'who=professional', 'x-forwarded-host': 'evil.com', market: 'gb' },
  })
  const { headers } = calls[0]!
  assert.deepEqual(
    [headers['host'], headers['cookie'], headers['market'], headers['channel'], headers['platform']],
    ['pro.de.localhost', 'who=professional', 'de', 'web', 'b2b'],
  )
  assert.equal(headers['x-request-id'], reply.headers['x-request-id'])
  assert.equal(JSON.stringify(calls).includes('evil.com'), false)
  await other.close()
})

test('R-640 a gateway that times out is 504, one that fails 500; the page keeps its layout and shows a reference', async () => {
  const row = (routes as readonly ShopRoute[]).find((route) => route.page && route.access === 'public' && !route.only)!
  const load = async (context: ShopContext) => ({ data: await context.client.query(CartCountDocument), title: 'Thing' })
  for (const [message, status] of [
    ['Timeout of 2500 ms', 504],
    ['boom', 500],
  ] as const) {
    const { server: other } = await testStorefront({
      pages: { [row.page!]: { load, Page: () => null } },
      gateway: () => ({ errors: [{ message }] }),
    })
    const reply = await other.ask(addressOf(row))
    assert.equal(reply.status, status)
    assert.ok(reply.body.includes(String(reply.headers['x-request-id'])), 'a reference')
    assert.match(reply.body, /<main/)
    assert.doesNotMatch(reply.body, /boom|Timeout/)
    await other.close()
  }
})
