/** Sitemaps of the shop on the real API, a real Postgres and a real index: what they list can be opened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { createExecute } from '@purlin/server/edges/gateway/execute.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import type { ShopPage } from '../shell/context.ts'
import { pageFiles } from '../testing/shop.ts'
import { testStorefront } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
await testProduct(db, { id: 41, title: 'Cordless drill' })
await testProduct(db, { id: 42, title: 'Old drill', status: 'ended', successorId: 41 })
await testProduct(db, { id: 43, title: 'Sold-out drill' })
await testOffer(db, { id: 410, productId: 41, price: 12_000 })
await testOffer(db, { id: 411, productId: 41, market: 'de', sellerId: 2, price: 11_900 })
await testOffer(db, { id: 430, productId: 43, price: 12_000, stock: 0 })
for (let id = 100; id < 2_150; id++) await testProduct(db, { id, title: `Drill ${id}`, brandId: 2 })
await testOffer(db, { id: 9_000, productId: 2_149, price: 12_000 })
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const { execute } = await createExecute({ pool: database.pool, hosts: createSiteHosts({ port: 80 }) })
const pages = Object.fromEntries(await Promise.all(Object.entries(pageFiles).map(async ([file, load]) => [file, await load()])))
const { server } = await testStorefront({ pages: pages as Record<string, ShopPage>, gateway: execute })

const locations = (body: string) => [...body.matchAll(/<loc>https?:\/\/[^/]+(.*?)<\/loc>/g)].map(([, path = '']) => path)
async function listed(host: string): Promise<Map<string, string[]>> {
  const maps = locations((await server.ask('/sitemap.xml', { host })).body)
  return new Map(await Promise.all(maps.map(async (map) => [map, locations((await server.ask(map, { host })).body)] as const)))
}

test('V-36 R-161 sitemaps list the goods, sellers and brands of their market, split into files, without what is sold out or ended', async () => {
  const gb = await listed('gb.localhost')
  assert.deepEqual(gb.get('/sitemaps/products-1.xml'), ['/p/cordless-drill-41'])
  assert.deepEqual(gb.get('/sitemaps/products-2.xml'), ['/p/drill-2149-2149'])
  assert.deepEqual([gb.get('/sitemaps/sellers.xml'), gb.get('/sitemaps/brands.xml')?.length], [['/seller-1'], 2])
  const de = await listed('de.localhost')
  assert.deepEqual(de.get('/sitemaps/products-2.xml'), [])
  assert.deepEqual([de.get('/sitemaps/sellers.xml'), de.get('/sitemaps/brands.xml')], [['/seller-2'], ['/brand/tarvok-1']])
})

test('V-36 R-161 each listed address of goods answers 200 on both storefronts, and asks search engines to index it', async () => {
  for (const host of ['gb.localhost', 'pro.gb.localhost', 'de.localhost'])
    for (const [map, paths] of await listed(host)) {
      if (!/products|sellers|brands|categories/.test(map)) continue
      for (const path of paths) {
        const { status, body } = await server.ask(path, { host })
        assert.equal(status, 200, `${host}${path}`)
        assert.doesNotMatch(body, /name="robots" content="noindex/, `${host}${path}`)
      }
    }
})

test('R-634 a sitemap that does not exist is not found', async () => {
  for (const path of ['/sitemaps/products-3.xml', '/sitemaps/products-0.xml', '/sitemaps/products-999999.xml', '/sitemaps/nothing.xml'])
    assert.equal((await server.ask(path, { host: 'gb.localhost' })).status, 404, path)
})
