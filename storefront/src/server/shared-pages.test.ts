import '../../../scripts/tsx-hook.mjs'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GatewayRequest } from '@purlin/contract/gateway.ts'
import { buildUrl } from '@purlin/contract/path-helper.ts'
import { CartCountDocument } from '../generated/documents.ts'
import { routes, type ShopRoute } from '../routes.ts'
import type { ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

/** Pages that visitors share: nothing of whoever requested one first is in it, nor sent to the gateway for it. */

const params = { slug: 'a', id: '1', category: 'a', brand: 'a', type: 'a', query: 'a', path: 'a', pageType: 'trade' }
const addressOf = (route: ShopRoute) => buildUrl(route.addresses[0]!, params)
const shared = (routes as readonly ShopRoute[]).filter((route) => route.cache)

/** A page that shows everything it can find out about its visitor. */
const tellAll: ShopPage = {
  load: async (context) => ({
    data: {
      principal: await context.principal(),
      cookies: { ...context.cookies },
      search: context.search,
      cookieHeader: context.cookieHeader,
      hasPrivacySignal: context.hasPrivacySignal,
      prefersVat: context.prefersVat,
      mode: context.mode,
      asked: await context.client.query(CartCountDocument),
    },
    title: 'T',
  }),
  Page: ({ data }: { data: object }) => JSON.stringify(data),
}

/** What a first visitor may send, besides an address; none of it is part of the cache key. */
const unkeyed: Record<string, string> = {
  cookie: 'who=professional; __Host-purlin=secret-token; mm_visitor_id=secret-id',
  'user-agent': 'secret-agent',
  'sec-gpc': '1',
  'accept-language': 'fr-FR-secret',
  'x-forwarded-proto': 'secret',
  'x-forwarded-host': 'secret.example',
  'x-forwarded-for': 'secret',
  referer: 'http://secret.example/',
  authorization: 'Bearer secret',
}

/** The gateway answers with what it was sent, as a page could show it. */
const echo = (request: GatewayRequest) => ({
  data: {
    categoryTree: [],
    platformConfig: { state: 'set', version: 0 },
    cart: { ...request, headers: { ...request.headers, 'x-request-id': '' } },
  },
})

test('I7 A47 A48 A50 no shared page contains visitor data, whoever requests it first and with whatever headers, on any storefront', async () => {
  const pages = Object.fromEntries(shared.map((route) => [route.page ?? '', tellAll]))
  const { server: other, storefront, calls } = await testStorefront({ pages, gateway: echo })
  const built = shared.filter((route) => route.page)
  assert.ok(built.length > 0)
  for (const route of built) {
    for (const host of route.only === 'b2b'
      ? ['pro.de.localhost']
      : route.only === 'b2c'
        ? ['gb.localhost']
        : ['gb.localhost', 'pro.de.localhost']) {
      storefront.purge(null)
      calls.length = 0
      const first = await other.ask(`${addressOf(route)}?utm_source=secret-campaign`, { host, headers: unkeyed })
      const sent = JSON.stringify(calls)
      const second = await other.ask(`${addressOf(route)}?utm_source=secret-campaign`, { host })
      assert.equal(first.status, 200, route.name)
      assert.equal(first.headers.etag, second.headers.etag, `${route.name} is the same for everybody`)
      assert.equal(first.body, second.body)
      assert.doesNotMatch(first.body, /secret|p1|Ben|hasPrivacySignal&quot;:true/, route.name)
      assert.match(first.body, /hasPrivacySignal/)
      assert.doesNotMatch(sent, /secret|user-agent/, `${route.name} asks the gateway for nobody`)
      assert.equal(first.headers['set-cookie'], undefined)
    }
  }
  await other.close()
})

for (const [name, value] of Object.entries(unkeyed))
  test(`A50 the header ${name} of a first visitor makes no other page, cached or not`, async () => {
    const route = shared.find(({ page, only }) => page && !only)!
    const { server: other, storefront } = await testStorefront({ pages: { [route.page!]: tellAll }, gateway: echo })
    const etag = async (headers: Record<string, string> = {}) => (await other.ask(addressOf(route), { headers })).headers.etag
    const plain = await etag()
    assert.ok(plain)
    storefront.purge(null)
    for (let time = 0; time < 3; time++) assert.equal(await etag({ [name]: value }), plain)
    assert.equal(await etag(), plain)
    await other.close()
  })

test('A50 a GET with a body makes no other page', async () => {
  const route = shared.find(({ page, only }) => page && !only)!
  const { server: other } = await testStorefront({ pages: { [route.page!]: tellAll }, gateway: echo })
  const fat = { headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '8' }, body: 'page=666' }
  for (let time = 0; time < 3; time++) {
    const [first, second] = [await other.ask(addressOf(route), fat), await other.ask(addressOf(route))]
    assert.deepEqual([first.status, first.headers.etag], [200, second.headers.etag])
    assert.doesNotMatch(first.body, /666/)
  }
  await other.close()
})

test('A47 cached pages of a professional storefront vary by storefront and by the VAT display choice, and by nothing else', async () => {
  const route = shared.find(({ page, only }) => page && !only)!
  const { server: other } = await testStorefront({ pages: { [route.page!]: tellAll } })
  const ask = (host: string, cookie = '') => other.ask(addressOf(route), { host, headers: cookie ? { cookie } : {} })
  const without = await ask('pro.de.localhost')
  const withVat = await ask('pro.de.localhost', 'mm_vat_display=with; who=professional')
  const consumer = await ask('de.localhost', 'mm_vat_display=with; mm_b2b=1')
  assert.match(without.body, /prefersVat[^,]*false/)
  assert.match(withVat.body, /prefersVat[^,]*true/)
  assert.match(consumer.body, /prefersVat[^,]*false.*b2c/, 'cookies gain no professional prices (A39)')
  assert.match((await ask('pro.gb.localhost', 'mm_vat_display=with')).headers['cache-control']!, /^public/, 'gb always shows VAT')
  assert.match(withVat.headers['cache-control']!, /^private/)
  assert.equal((await ask('pro.de.localhost')).body, without.body)
  await other.close()
})
