/** Facts of an offer on its card, on the pages of a shop with the real API, Postgres and index. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { createExecute } from '@purlin/server/edges/gateway/execute.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import type { ShopPage } from '../shell/context.ts'
import { pageFiles, textOf } from '../testing/shop.ts'
import { testStorefront } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
await db.run({
  name: 'test.sales',
  text: `insert into catalogue.commercial_operation (id, type, market, slug, name, starts_at, ends_at)
    values (71, 'sales', 'fr', 's', 'Soldes', '2020-01-01', '2090-01-01'), (72, 'sales', 'de', 's', 'Sale', '2020-01-01', '2090-01-01')`,
})
const flags = ['top_sale', 'eco']
await testProduct(db, { id: 51, title: 'Whole drill', modelId: 9, flags, unit: { measure: 'kg', quantityMilli: 2_000 } })
await testProduct(db, { id: 52, title: 'Whole drill, red', modelId: 9, attributes: { voltage: 18, color: 'red' }, popularity: 1 })
await testProduct(db, { id: 53, title: 'Own drill' })
await testProduct(db, { id: 54, title: 'Second drill' })
await testProduct(db, { id: 55, title: 'Summer drill' })
await testOffer(db, { id: 510, productId: 51, price: 9_000, was: 12_000, operations: [70], couponCode: 'TOOLS10' })
await testOffer(db, { id: 520, productId: 52 })
await testOffer(db, { id: 530, productId: 53, isMmf: true })
await testOffer(db, { id: 540, productId: 54, condition: 'used_good' })
await testOffer(db, { id: 541, productId: 54, market: 'de', sellerId: 2, condition: 'refurbished_very_good' })
await testOffer(db, { id: 550, productId: 55, market: 'fr', sellerId: 4, operations: [71] })
await testOffer(db, { id: 551, productId: 55, market: 'de', sellerId: 2, operations: [72] })
const engine = await testEngine()
connectSearch(engine)
connectModules()
await rebuildIndex({ db, engine })
const { execute } = await createExecute({ pool: database.pool, hosts: createSiteHosts({ port: 80 }) })
const pages = Object.fromEntries(await Promise.all(Object.entries(pageFiles).map(async ([file, load]) => [file, await load()])))
const { server } = await testStorefront({ pages: pages as Record<string, ShopPage>, gateway: execute })

async function cardOf(path: string, title: string, host = 'gb.localhost'): Promise<string> {
  const { status, body } = await server.ask(path, { host })
  assert.equal(status, 200, path)
  const card = body
    .replaceAll('<!-- -->', '')
    .split('<li data-card')
    .slice(1)
    .find((part) => part.includes(title))
  assert.ok(card, `${title} on ${path}`)
  return card.slice(0, card.indexOf('</li>'))
}

test('R-372 a card has picture, title, brand, rating, price with unit price, three badges in order, delivery, seller, models, quick add and heart; one link', async () => {
  const card = await cardOf('/drills-11', 'Whole drill')
  assert.match(card, /<img src="\/pictures\/p\/51\//)
  const links = [...card.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!)
  assert.deepEqual(links, ['/p/whole-drill-51'])
  assert.equal((await server.ask(links[0]!)).status, 200)
  const text = textOf(card)
  for (const part of [/Tarvok/, /£90\.00/, /£45\.00 ?\/ ?kg/, /£120\.00/, /Arrives /, /albion/, /2 versions/]) assert.match(text, part)
  assert.match(card, /aria-label="4\.4 out of 5, 10 reviews"/)
  const badges = [...card.matchAll(/data-badge="(\w+)"/g)].map(([, type]) => type)
  assert.deepEqual(badges, ['productdays', 'coupon', 'top_sale'])
  assert.match(card, /<button[^>]*name="offerId"/)
  assert.match(card, /<button[^>]*name="productId"/)
})

test('R-371 goods the marketplace ships itself say so on card and page, and arrive sooner than the same delivery of a seller', async () => {
  // On a Monday morning: a weekend or an evening may end in the same day for both.
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  day.setUTCHours(9, 0, 0, 0)
  mock.timers.enable({ apis: ['Date'], now: day })
  const [own, other] = [textOf(await cardOf('/drills-11', 'Own drill')), textOf(await cardOf('/drills-11', 'Whole drill'))]
  assert.match(own, /Sent by Purlin/)
  assert.doesNotMatch(other, /Sent by Purlin/)
  assert.match(textOf((await server.ask('/p/own-drill-53')).body), /Sent by Purlin/)
  const promise = (text: string) => /Arrives [^·]*?\d \w{3}/.exec(text)?.[0]
  assert.ok(promise(own) && promise(other))
  assert.notEqual(promise(own), promise(other))
  mock.timers.reset()
})

test('R-431 R-433 second-hand goods have the marker of their condition in the title, in the language of the market', async () => {
  assert.match(textOf(await cardOf('/drills-11', 'Second drill')), /Second drill \[Used - good condition\]/)
  const german = await cardOf('/bohrmaschinen-11', 'Second drill', 'de.localhost')
  assert.match(textOf(german), /\[Generalüberholt - sehr guter Zustand\]/)
  assert.match(textOf((await server.ask('/p/second-drill-54')).body), /Used - good condition/)
})

test('R-400 a sale is called by its name only in the legal period of the market; de has none', async () => {
  let limit = 5_000
  const saysSales = async (now: string, path: string, host: string) => {
    // An address of its own, which no cache has seen.
    limit += 1
    mock.timers.enable({ apis: ['Date'], now: new Date(now) })
    try {
      return /data-badge="sales"/.test(await cardOf(`${path}?max[price]=${limit}`, 'Summer drill', host))
    } finally {
      mock.timers.reset()
    }
  }
  // In 2027 the winter sales of fr begin on the first Wednesday, since the second is after the 12th, and last four weeks.
  assert.equal(await saysSales('2027-01-05T12:00:00Z', '/perceuses-11', 'fr.localhost'), false)
  assert.equal(await saysSales('2027-01-06T12:00:00Z', '/perceuses-11', 'fr.localhost'), true)
  assert.equal(await saysSales('2027-02-02T12:00:00Z', '/perceuses-11', 'fr.localhost'), true)
  assert.equal(await saysSales('2027-02-03T12:00:00Z', '/perceuses-11', 'fr.localhost'), false)
  assert.equal(await saysSales('2027-03-20T12:00:00Z', '/bohrmaschinen-11', 'de.localhost'), true)
})
