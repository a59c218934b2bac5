import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { forgetVatRules, localDay } from '#pricing'
import { changePrice } from '../catalogue/change-price.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { checkDrift } from './check-drift.ts'
import { productsIndex, queriesIndex, type ProductDocument } from './document.ts'
import { handlers, jobs, schedules, startDriftCheck } from './jobs.ts'
import { connectSearch } from './ports.ts'
import { kindOf, rebuildIndex } from './rebuild-index.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
for (const id of [1, 2]) await testProduct(db, { id, modelId: 5, attributes: { voltage: id * 6, color: 'blue' } })
await testProduct(db, { id: 3 })
await testOffer(db, { id: 10, productId: 1, price: 10_000 })
await testOffer(db, { id: 20, productId: 2, price: 20_000 })
await testOffer(db, { id: 30, productId: 3, sellerId: 4, price: 30_000 })
await testOffer(db, { id: 11, productId: 1, market: 'fr', price: 11_000 })

const engine = await testEngine()
connectSearch(engine)
const progress: [Market, number][] = []
const built = await rebuildIndex({ db, engine, progress: (market, done) => progress.push([market, done]) })

let statements = 0
const sql = (text: string) => db.run({ name: `test.${(statements += 1)}`, text })
async function indexed(id: string, market: Market = 'gb'): Promise<ProductDocument | null> {
  return (await engine.getObjects(productsIndex(market), [id]))[0] as ProductDocument | null
}
const reprice = (price: number) =>
  database.command({}, (scope) => changePrice(scope, { market: 'gb', currency: 'GBP', offerId: '10', price, proPrice: null }))
async function purged(): Promise<string[]> {
  const rows = await db.rows<{ tags: string[] }>({ name: 'test.purged', text: 'delete from platform.purge_log returning tags' })
  return [...new Set(rows.flatMap(({ tags }) => tags))].toSorted()
}
/** The worker's part: handle pending work, let readers refresh, purge. */
async function work(): Promise<string[]> {
  await runWork(database, handlers, jobs)
  await sleep(500)
  await runWork(database, handlers, jobs)
  return purged()
}

test('a full build indexes everything on sale, market by market, with progress', async () => {
  assert.deepEqual(built, { es: 0, fr: 1, gb: 3, de: 0, it: 0 })
  assert.ok(progress.some(([market, done]) => market === 'gb' && done === 3))
  const queries = await engine.browse(queriesIndex('gb'), {})
  assert.ok(queries.hits.some(({ query, popularity }) => query === 'drills tarvok' && popularity === 3))
})

test('a new price reaches the index, its model’s range, and the pages that show it', async () => {
  await reprice(9_000)
  const tags = await work()
  assert.equal((await indexed('1'))?.price, 9_000)
  assert.equal((await indexed('1'))?.retailPrice, 10_000)
  assert.deepEqual((await indexed('2'))?.range, { min: 9_000, max: 20_000 })
  assert.deepEqual(tags, ['brand:1', 'card:1', 'card:2', 'category:1', 'category:11', 'deals', 'product:1', 'product:2', 'seller:1'])
})

test('a change is visible in the index and purged within two seconds', async () => {
  const started = performance.now()
  await reprice(8_000)
  for (;;) {
    await runWork(database, handlers, jobs)
    if ((await purged()).includes('category:11')) break
    await sleep(20)
  }
  assert.equal((await indexed('1'))?.price, 8_000)
  assert.ok(performance.now() - started < 2_000)
})

test('a sale that leaves stock changes no document, only the product’s own page', async () => {
  const version = engine.version(productsIndex('gb'))
  await sql('update catalogue.offer set stock = stock - 1 where id = 20')
  await database.command({}, async (scope) => scope.emit('stock.changed', { offerId: '20', productId: '2', market: 'gb', stock: 9 }))
  assert.deepEqual(await work(), ['product:2'])
  assert.equal(engine.version(productsIndex('gb')), version)
})

test('selling the last one shows on the card', async () => {
  await sql('update catalogue.offer set stock = 0 where id = 20')
  await database.command({}, async (scope) => scope.emit('stock.changed', { offerId: '20', productId: '2', market: 'gb', stock: 0 }))
  assert.ok((await work()).includes('category:11'))
  assert.deepEqual([(await indexed('2'))?.inStock, (await indexed('2'))?.indexable], [false, false])
})

test('a suspended seller’s products leave the index', async () => {
  await sql(`update sellers.seller set status = 'suspended' where id = 4`)
  await database.command({}, async (scope) => scope.emit('seller.changed', { sellerId: 4 }))
  const tags = await work()
  assert.equal(await indexed('3'), null)
  assert.ok(tags.includes('product:3') && tags.includes('seller:4') && tags.includes('sellers'))
  await sql(`update sellers.seller set status = 'active' where id = 4`)
  await database.command({}, async (scope) => scope.emit('seller.changed', { sellerId: 4 }))
  await work()
  assert.equal((await indexed('3'))?.offerId, '30')
})

test('an ended product leaves the index of every market', async () => {
  await sql(`update catalogue.product set status = 'ended' where id = 1`)
  await database.command({}, async (scope) => scope.emit('product.changed', { productId: '1' }))
  await work()
  assert.deepEqual([await indexed('1'), await indexed('1', 'fr')], [null, null])
  assert.equal((await indexed('2'))?.modelsCount, 1)
})

test('drift between index and database is detected and repaired', async () => {
  await checkDrift({ db, engine, now: new Date() })
  const right = await indexed('3')
  assert.ok(right)
  const ghost = { ...right, objectID: '777' }
  await engine.upsert(productsIndex('gb'), [{ ...right, price: 1, v: 'x' }, ghost] as never[])
  await engine.remove(productsIndex('gb'), ['2'])
  const context = { db, engine, now: new Date() }
  assert.deepEqual(await checkDrift({ ...context, repair: false }, ['gb']), [{ market: 'gb', missing: 1, stale: 1, surplus: 1 }])
  assert.deepEqual(await checkDrift(context, ['gb']), [{ market: 'gb', missing: 1, stale: 1, surplus: 1 }])
  assert.deepEqual(await checkDrift(context, ['gb']), [{ market: 'gb', missing: 0, stale: 0, surplus: 0 }])
  assert.equal((await indexed('3'))?.price, 30_000)
  assert.equal(await indexed('777'), null)
})

test('the scheduled check repairs the index and purges the pages that showed outdated data', async () => {
  await engine.remove(productsIndex('gb'), ['3'])
  await database.command({}, (scope) => startDriftCheck(scope))
  assert.ok((await work()).includes('product:3'))
  assert.equal((await indexed('3'))?.price, 30_000)
})

test('R-712 on the first day of a VAT rule the net prices of its market reach the index within the hour', async () => {
  const hourly = schedules.find(({ name }) => name === 'listing.vat')!
  const look = async () => {
    forgetVatRules()
    await database.command({}, (scope) => hourly.run(scope))
    return work()
  }
  const net = async () => (await indexed('2', 'fr'))?.price_b2b
  await sql(`insert into catalogue.offer (id, product_id, seller_id, market, pim_offer_id, condition, currency, price, stock, delivery)
    select 21, 2, 4, 'fr', 21, condition, 'EUR', 12000, 5, delivery from catalogue.offer where id = 20`)
  await sql('insert into catalogue.price_history (offer_id, price, valid_from) values (21, 12000, now())')
  await database.command({}, async (scope) => scope.emit('offer.changed', { offerId: '21', productId: '2', market: 'fr' }))
  await work()
  assert.equal(await net(), 100)
  assert.deepEqual(await look(), [], 'on other days nothing is looked at')
  const today = localDay('fr', new Date())
  await sql(`insert into pricing.vat_rule (id, market, category_id, rate_bp, valid_from) values (99, 'fr', 11, 550, '${today}')`)
  assert.ok((await look()).includes('product:2'))
  assert.equal(await net(), 113.74)
})

test('the name of a product is the part of its title before the measurements', () => {
  const kinds = [
    'Cordless combi drill 18 V 40 Nm',
    'Akku-Schlagbohrschrauber 40 V',
    "Meuleuse d'angle 850 W",
    'Screwdriver set, 8 pcs',
    'Bit [3 pcs]',
    '4x40',
    'Drill - Tarvok Pro 3',
    'Flexible tile adhesive C2TE',
    'Küchen- und Badfarbe 5 L',
    'OSB/3 12 mm',
  ].map(kindOf)
  assert.deepEqual(kinds, [
    'Cordless combi drill',
    'Akku-Schlagbohrschrauber',
    "Meuleuse d'angle",
    'Screwdriver set',
    'Bit',
    null,
    'Drill',
    'Flexible tile adhesive',
    'Küchen- und Badfarbe',
    'OSB',
  ])
})
