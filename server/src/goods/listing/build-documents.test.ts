import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { writePrices } from '../catalogue/write-price.ts'
import type { ProductDocument } from './document.ts'
import { documentsOf } from './load-documents.ts'
import { testOffer, testProduct, testReference, type TestOffer } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
const now = new Date()
const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
const operation = {
  name: 'test.operation-at',
  text: `insert into catalogue.commercial_operation (id, type, market, slug, name, starts_at, ends_at) values ($1, $2, $3, 'x', $4, $5, $6)`,
}
await db.run(operation, [71, 'promo', 'gb', 'Over', inDays(-9), inDays(-1)])
await db.run(operation, [72, 'promo', 'gb', 'Coming', inDays(1), inDays(9)])
await db.run(operation, [73, 'promo', 'fr', 'Elsewhere', inDays(-1), inDays(9)])

let products = 100
/** The document of a product with this offer. */
async function documentOf(offers: Partial<TestOffer>[], market: Market = 'gb'): Promise<ProductDocument | undefined> {
  const id = (products += 1)
  await testProduct(db, { id })
  for (const [place, offer] of offers.entries()) await testOffer(db, { id: id * 10 + place, productId: id, ...offer })
  return (await documentsOf(db, market, [String(id)], now))[0]
}

const deal: Partial<TestOffer> = { price: 8_000, was: 10_000 }
const podium: [title: string, offer: Partial<TestOffer>, stands: boolean][] = [
  ['a fifth off for some days more', { ...deal, promotionEndsAt: inDays(2) }, true],
  ['a fifth off in an operation that runs', { ...deal, operations: [70] }, true],
  ['less than a fifth off', { ...deal, price: 8_001, promotionEndsAt: inDays(2) }, false],
  ['a promotion that is over', { ...deal, promotionEndsAt: inDays(-1) }, false],
  ['an operation that is over', { ...deal, operations: [71] }, false],
  ['an operation that has not begun', { ...deal, operations: [72] }, false],
  ['an operation of another market', { ...deal, operations: [73] }, false],
  ['a reduction without an end', deal, false],
  ['nothing left of it', { ...deal, promotionEndsAt: inDays(2), stock: 0 }, false],
]
for (const [title, offer, stands] of podium) {
  test(`R-660 top deals, ${title}: ${stands ? 'included' : 'not included'}`, async () => {
    assert.deepEqual((await documentOf([offer]))?.podiumOn, stands ? ['b2c', 'b2b'] : [])
  })
}

test('advice in later paragraphs of a description is not searched: it names other goods', async () => {
  const id = (products += 1)
  await testProduct(db, { id })
  const texts = {
    name: 'test.long-description',
    text: `update catalogue.product set descriptions = jsonb_build_object('en', $2::text) where id = $1`,
  }
  await db.run(texts, [id, 'Drills in wood.\n\nVoltage: 18 V.\n\nTake two batteries.\n\nTwo years of guarantee.'])
  await testOffer(db, { id: id * 10, productId: id })
  const [document] = await documentsOf(db, 'gb', [String(id)], now)
  assert.equal(document?.description, 'Drills in wood.\n\nVoltage: 18 V.')
})

test('each storefront has its own top deals: a trade seller’s deal boosts nothing for consumers', async () => {
  const document = await documentOf([{ price: 9_000 }, { ...deal, price: 7_000, sellerId: 3, promotionEndsAt: inDays(2), sponsored: true }])
  assert.deepEqual([document?.dealOn, document?.podiumOn, document?.sponsoredOn], [['b2b'], ['b2b'], ['b2b']])
  assert.deepEqual([document?.price_b2c, document?.price_b2b], [90, 70])
})

test('R-385 a price lowered two months ago is a reduction while its promotion runs, and the regular price otherwise', async () => {
  const fell = async (offer: Partial<TestOffer>) => {
    const document = await documentOf([{ ...deal, market: 'fr', sellerId: 4, ...offer }], 'fr')
    assert.equal(document?.retailPrice, 10_000, 'three days ago it is one either way')
    const age = `update catalogue.price_history set valid_from = now() - interval '60 days' where offer_id = $1 and price = 8000`
    await db.run({ name: 'test.age', text: age }, [document.offerId])
    return (await documentsOf(db, 'fr', [document.objectID], now))[0]?.retailPrice
  }
  assert.equal(await fell({}), null)
  assert.equal(await fell({ promotionEndsAt: inDays(-1), operations: [71] }), null)
  assert.equal(await fell({ promotionEndsAt: inDays(1) }), 10_000)
  assert.equal(await fell({ operations: [73] }), 10_000)
})

const standard = (daysMin: number, daysMax: number, fee = 490) => [{ kind: 'standard', fee, daysMin, daysMax }]
const nextDay: [title: string, offer: Partial<TestOffer>, oneDay: boolean][] = [
  ['two days', { delivery: standard(1, 2) }, false],
  ['one day', { delivery: standard(1, 1) }, true],
  ['the same day', { delivery: standard(0, 0) }, true],
  ['two days, a day less from the marketplace’s own stores', { delivery: standard(1, 2), isMmf: true }, true],
  ['two days at least, own stores or not', { delivery: standard(2, 2), isMmf: true }, false],
]
for (const [title, offer, oneDay] of nextDay) {
  test(`R-345 R-371 has1dayDelivery, ${title}: ${oneDay}`, async () => {
    const document = await documentOf([offer])
    assert.equal(document?.has1dayDelivery, oneDay)
    assert.equal(document.deliveryTags.includes('1day'), oneDay)
  })
}

test('an offer without delivery is not for sale', async () => {
  assert.equal(await documentOf([{ delivery: [] }]), undefined)
  assert.equal((await documentOf([{ delivery: [], price: 100 }, { price: 5_000 }]))?.price, 5_000)
})

test('R-340 stock below the pack size counts as zero: another offer wins, and alone it is out of stock', async () => {
  const rest = { price: 5_000, bulk: 10, stock: 9 }
  const alone = await documentOf([rest])
  assert.deepEqual([alone?.inStock, alone?.bestOffer, alone?.indexable], [false, false, false])
  assert.equal((await documentOf([rest, { price: 9_000, sellerId: 2 }]))?.price, 9_000)
  assert.equal((await documentOf([{ ...rest, stock: 10 }]))?.inStock, true)
})

test('R-346 payment in three instalments is offered from 100 to 2000', async () => {
  const offered = async (price: number) => (await documentOf([{ price }]))?.has3xPayment
  assert.deepEqual(await Promise.all([9_999, 10_000, 200_000, 200_001].map(offered)), [false, true, true, false])
})

test('R-354 isCompetitive: cheapest including delivery of two or more', async () => {
  const cheap = { price: 9_000, sellerId: 2 }
  assert.equal((await documentOf([cheap]))?.isCompetitive, false)
  assert.equal((await documentOf([cheap, { price: 12_000 }]))?.isCompetitive, true)
  // New comes before second-hand, so the winner is not the cheapest.
  assert.equal((await documentOf([{ price: 12_000 }, { ...cheap, condition: 'used_good' }]))?.isCompetitive, false)
})

test('a document’s version changes exactly when something its card shows does', async () => {
  const first = await documentOf([{}])
  assert.ok(first)
  const again = async () => (await documentsOf(db, 'gb', [first.objectID], now))[0]
  assert.deepEqual(await again(), first)
  await writePrices(db, [{ offerId: first.offerId, price: first.price + 1, proPrice: null }])
  assert.notEqual((await again())?.v, first.v)
})
