/** The shop's pages on the real API, a real Postgres and a real index, in one process, by address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { createExecute } from '@purlin/server/edges/gateway/execute.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { loadCouponWorth } from '@purlin/server/selling/cart/index.ts'
import { addCoupon } from '@purlin/server/selling/checkout/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import type { ShopPage } from '../shell/context.ts'
import { pageFiles, structuredData, textOf } from '../testing/shop.ts'
import { testStorefront } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
await testProduct(db, { id: 41, title: 'Cordless drill', unit: { measure: 'kg', quantityMilli: 2_000 } })
await testProduct(db, { id: 42, title: 'Old drill', status: 'ended', successorId: 41 })
await testOffer(db, { id: 410, productId: 41, price: 12_000 })
await testOffer(db, { id: 411, productId: 41, market: 'de', sellerId: 2, price: 11_900 })
await testProduct(db, { id: 47, title: 'Glue gun' })
await testOffer(db, { id: 470, productId: 47, couponCode: 'TOOLS10' })
await addCoupon(database, { code: 'TOOLS10' })
await loadCouponWorth(db)
const engine = await testEngine()
connectSearch(engine)
connectModules()
await rebuildIndex({ db, engine })

const { execute } = await createExecute({ pool: database.pool, hosts: createSiteHosts({ port: 80 }) })
const pages = Object.fromEntries(await Promise.all(Object.entries(pageFiles).map(async ([file, load]) => [file, await load()])))
const { server } = await testStorefront({ pages: pages as Record<string, ShopPage>, gateway: execute })

interface Reply {
  status: number
  page: string
  location: string | undefined
  body: string
}
async function get(path: string, host = 'gb.localhost'): Promise<Reply> {
  const { status, headers, body } = await server.ask(path, { host })
  return { status, page: /data-page="(\w+)"/.exec(body)?.[1] ?? '', location: headers.location, body: body.replaceAll('<!-- -->', '') }
}

test('R-033 R-210 R-211 R-625 / is the home page of the storefront, and the named paths of both redirect there', async () => {
  for (const [host, page] of [
    ['gb.localhost', 'homeB2C'],
    ['pro.gb.localhost', 'homeB2B'],
  ] as const) {
    const home = await get('/', host)
    assert.deepEqual([home.status, home.page], [200, page])
    const { status, location } = await get(page === 'homeB2C' ? '/homepage-b2c' : '/homepage-b2b', host)
    assert.deepEqual([status, location], [308, '/'])
  }
})

test('R-039 R-187 R-628 a product page is at its slug and id; another slug redirects there, and so does its named path', async () => {
  const { status, page, body } = await get('/p/cordless-drill-41')
  assert.deepEqual([status, page], [200, 'product'])
  assert.match(textOf(body), /Cordless drill .*£120\.00/)
  assert.equal(structuredData(body)['Product']?.['name'], 'Cordless drill')
  const wrong = await get('/p/hammer-41')
  assert.deepEqual([wrong.status, wrong.location], [301, '/p/cordless-drill-41'])
})

test('R-042 R-073 a category page is at its slug and id, and static words win over it', async () => {
  const drills = await get('/drills-11')
  assert.deepEqual([drills.status, drills.page], [200, 'category'])
  assert.match(textOf(drills.body), /Cordless drill/)
  for (const [path, page] of [
    ['/seller-1', 'seller'],
    ['/brand/tarvok-1', 'brand'],
    ['/search/drill-11', 'search'],
  ] as const)
    assert.equal((await get(path)).page, page, path)
})

test('R-285 R-286 R-634 an internal name is not an address: each page is at its address in the route table', async () => {
  for (const name of ['homeB2C', 'homeB2B', 'ourBrands', 'goodDeals', 'consumerInformation', 'home/home-page', 'product/product-page'])
    assert.equal((await get(`/${name}`)).status, 404, name)
  const { status, page, body } = await get('/great-deals')
  assert.deepEqual([status, page], [200, 'goodDeals'])
  assert.match(body, /<link rel="canonical" href="http:\/\/gb\.localhost\/great-deals"/)
})

test('R-032 the host determines market and language, and a page links to itself in the other markets', async () => {
  const [gb, de] = [await get('/drills-11'), await get('/bohrmaschinen-11', 'de.localhost')]
  assert.match(gb.body, /<html lang="en-GB" data-market="gb" data-mode="b2c"/)
  assert.match(de.body, /<html lang="de-DE" data-market="de" data-mode="b2c"/)
  assert.match(textOf(de.body), /Bohrmaschinen .*119,00/)
  assert.match(gb.body, /hreflang="de-DE" href="http:\/\/de\.localhost\//)
})

/** The same page in other markets, by host and path. */
async function linked(path: string) {
  const head = /<head[^]*<\/head>/.exec((await get(path)).body)![0]
  return [...head.matchAll(/hreflang="[\w-]+" href="http:\/\/([\w.]+)(\/[^"]*)"/g)].map(([, host, at]) => [host!, at!] as const)
}

test('V-36 products and categories name the markets that have them, under addresses that answer', async () => {
  const product = await linked('/p/cordless-drill-41')
  assert.deepEqual(product.map(([host]) => host).toSorted(), ['de.localhost', 'gb.localhost'], 'sold in gb and de alone')
  const category = await linked('/drills-11')
  assert.deepEqual(category.map(([host]) => host).toSorted(), ['de.localhost', 'gb.localhost'], 'empty in the others')
  for (const [host, path] of [...product, ...category]) assert.equal((await get(path, host)).status, 200, host + path)
})

test('V-36 sellers and brands name themselves in other markets, under addresses that answer 200', async () => {
  for (const path of ['/brand/tarvok-1', '/seller-1']) {
    const others = await linked(path)
    assert.deepEqual(others.map(([host]) => host).toSorted(), path === '/seller-1' ? ['gb.localhost'] : ['de.localhost', 'gb.localhost'])
    for (const [host, at] of others) assert.equal((await get(at, host)).status, 200, host + at)
  }
})

test('V-38 a voucher on a badge says what it is worth', async () => {
  const { body } = await get('/p/glue-gun-47')
  assert.match(textOf(body), /-10% with TOOLS10/)
})

test('R-163 the information for consumers is a page of its own', async () => {
  const { status, page, body } = await get('/consumer-information')
  assert.deepEqual([status, page], [200, 'consumerInformation'])
  assert.ok(textOf(body).length > 2_000)
})

test('R-630 R-634 R-635 R-649 one address per page: a trailing slash is 308, an unknown product 404, an ended one 410 with alternatives', async () => {
  const slash = await get('/great-deals/')
  assert.deepEqual([slash.status, slash.location], [308, '/great-deals'])
  assert.equal((await get('/p/nothing-999')).status, 404)
  const ended = await get('/p/old-drill-42')
  assert.equal(ended.status, 410)
  assert.match(ended.body, /\/p\/cordless-drill-41/)
})

test('R-707 a list in a query string has at most twenty entries; any more are ignored', async () => {
  const finds = async (query: string) => /\/p\/cordless-drill-41/.test((await get(`/drills-11?${query}`)).body)
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `f[brand][${index}]=${index === count - 1 ? 'Tarvok' : 'x'}`).join('&')
  assert.equal(await finds('f[brand][0]=Nobody'), false)
  assert.equal(await finds(many(20)), true)
  assert.equal(await finds('f[brand][0]=Nobody&f[brand][20]=Tarvok'), true, 'no list at all')
})

test('R-709 a query string has at most a thousand parameters; a filter beyond them is ignored', async () => {
  const finds = async (before: number) => {
    const others = Array.from({ length: before }, (_, index) => `p${index}=1`).join('&')
    return /\/p\/cordless-drill-41/.test((await get(`/drills-11?${others}&f[brand][0]=Nobody`)).body)
  }
  assert.equal(await finds(10), false)
  assert.equal(await finds(1_000), true)
})

test('R-636 R-631 an invalid form comes back as 422 with its messages; a form from another site is rejected', async () => {
  const send = (headers: Record<string, string>) =>
    server.ask('/contact', {
      host: 'gb.localhost',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ email: 'no address', text: '' }).toString(),
    })
  const refused = await send({ origin: 'http://gb.localhost', 'sec-fetch-site': 'same-origin' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /aria-invalid="true"/)
  assert.equal((await send({ origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' })).status, 403)
})

test('R-639 R-643 a page whose data cannot be loaded is 500 in its layout, with a reference and without the cause', async () => {
  await testProduct(db, { id: 43, title: 'New drill' })
  await database.pool.query('alter table catalogue.offer rename to moved')
  try {
    const { status, body } = await get('/p/new-drill-43')
    assert.equal(status, 500)
    assert.doesNotMatch(body, /relation|catalogue\.offer/)
  } finally {
    await database.pool.query('alter table catalogue.moved rename to offer')
  }
})
