/** Merchant feeds on the real API, a real Postgres and a real index. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { createExecute } from '@purlin/server/edges/gateway/execute.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testStorefront } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const delivery = [{ kind: 'standard', fee: 490, daysMin: 1, daysMax: 3 }]
await testProduct(db, { id: 41, title: 'Drill, "18 V" <new> & old' })
await testProduct(db, { id: 42, title: '=HYPERLINK(1)' })
await testProduct(db, { id: 43, title: 'Sold-out drill' })
await testProduct(db, { id: 44, title: 'Trade drill' })
await db.run({ name: 'test.ean', text: `update catalogue.product set ean = '4006381333931' where id = 41` })
await testOffer(db, { id: 410, productId: 41, price: 12_000, delivery })
await testOffer(db, { id: 411, productId: 41, market: 'de', sellerId: 2, price: 11_900, delivery })
await testOffer(db, { id: 420, productId: 42, price: 8_000, was: 10_000, delivery })
await testOffer(db, { id: 430, productId: 43, price: 12_000, stock: 0 })
await testOffer(db, { id: 440, productId: 44, price: 12_000, sellerId: 3 })
for (let id = 1_000; id < 1_450; id++) {
  await testProduct(db, { id, title: id === 1_001 ? '＝1+1' : `Bit ${id}` })
  await testOffer(db, { id: id * 10, productId: id, price: 500, delivery })
}
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const { execute } = await createExecute({ pool: database.pool, hosts: createSiteHosts({ port: 80 }) })
const { server, calls } = await testStorefront({ gateway: execute })
const read = (path: string, host = 'gb.localhost') => server.ask(path, { host })

test('R-075 the Google feed has every article in stock once, with the consumer’s price, VAT included, and its shipping', async () => {
  const { status, headers, body } = await read('/feeds/google.xml')
  assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'])
  const items = body.match(/<item>.*?<\/item>/g) ?? []
  const ids = items.map((item) => /<g:id>(\d+)</.exec(item)?.[1])
  assert.deepEqual(ids.slice(0, 3), ['41', '42', '1000'])
  assert.equal(ids.length, 452)
  assert.equal(new Set(ids).size, 452)
  assert.ok(!ids.includes('43') && !ids.includes('44'), 'neither sold out nor for the trade alone')
  const first = items[0] ?? ''
  for (const part of [
    '<g:title>Drill, &#34;18 V&#34; &#60;new&#62; &#38; old</g:title>',
    '<g:availability>in_stock</g:availability>',
    '<g:condition>new</g:condition>',
    '<g:price>120.00 GBP</g:price>',
    '<g:shipping><g:country>GB</g:country><g:price>4.90 GBP</g:price></g:shipping>',
    '<g:gtin>4006381333931</g:gtin>',
    '<g:ads_redirect>http://gb.localhost/pal/41</g:ads_redirect>',
  ])
    assert.ok(first.includes(part), `${part} in ${first}`)
  assert.doesNotMatch(items[2] ?? '', /g:gtin/, 'a number for use within a company identifies nothing outside it')
  const reduced = items.find((item) => item.includes('<g:id>42<')) ?? ''
  assert.match(reduced, /<g:price>100\.00 GBP<\/g:price><g:sale_price>80\.00 GBP</)
  assert.ok(body.endsWith('</channel></rss>\n'))
})

test('the Meta feed is a table with the same goods; no cell is a formula', async () => {
  const { body } = await read('/feeds/meta.csv', 'de.localhost')
  const lines = body.trimEnd().split('\n')
  assert.equal(lines.length, 2, 'Germany has one')
  assert.match(lines[0] ?? '', /^id,title,description,availability,condition,price,sale_price,link,image_link,brand/)
  assert.match(lines[1] ?? '', /^41,"Drill, ""18 V"" <new> & old \(de\)",.*,in stock,new,119\.00 EUR,.*DE:::4\.90 EUR$/)
  assert.match((await read('/feeds/meta.csv')).body, /^42,'=HYPERLINK/m)
  assert.match((await read('/feeds/meta.csv')).body, /^1001,'＝1\+1/m, 'of full width neither')
})

test('a feed is read in pages of 200, and a professional storefront has none', async () => {
  const before = calls.length
  await read('/feeds/google.xml')
  assert.equal(calls.length - before, 3)
  assert.equal((await read('/feeds/google.xml', 'pro.gb.localhost')).status, 404)
})

test('a feed that fails is cut off instead of ending early', async () => {
  let pages = 0
  const failing = await testStorefront({
    gateway: (request) => (pages++ === 0 ? execute(request) : Promise.reject(new Error('the database is gone'))),
  })
  await assert.rejects(failing.server.ask('/feeds/google.xml', { host: 'gb.localhost' }))
})

test('llms.txt names the machine-readable data of the market', async () => {
  const { status, body } = await read('/llms.txt', 'de.localhost')
  assert.equal(status, 200)
  assert.match(body, /^# Purlin\n/)
  for (const [, path = ''] of body.matchAll(/\(https?:\/\/[^/]+(\/[^)]*)\)/g))
    if (/\.(xml|txt)$/.test(path)) assert.equal((await read(path, 'de.localhost')).status, 200, path)
})
