import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db, Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { findProduct, forgetProducts } from '#catalogue'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { resolvers } from './graphql.ts'
import { priceProduct } from './price-offers.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
const soon = new Date(Date.now() + 50 * 3_600_000)
await testProduct(db, { id: 1, unit: { measure: 'piece', quantityMilli: 2_000 } })
await testOffer(db, { id: 10, productId: 1, price: 12_000, was: 15_000, promotionEndsAt: soon, proPrice: 10_800 })
await testOffer(db, { id: 11, productId: 1, sellerId: 2, price: 12_100 })
await testOffer(db, { id: 12, productId: 1, sellerId: 3, price: 6_000 })
await testOffer(db, { id: 13, productId: 1, sellerId: 1, price: 200, isSample: true })
await testProduct(db, { id: 2, categoryId: 2257 })
await testOffer(db, { id: 20, productId: 2, sellerId: 2, market: 'de', price: 119_000 })

async function priced(overrides: Partial<Scope>, id = '1') {
  const scope = database.scope(overrides)
  const sheet = await findProduct(scope, id)
  assert.ok(sheet)
  return priceProduct(scope, sheet.product, sheet.offers)
}

test('the buy box weighs price and delivery: the dearer offer with free delivery wins, with the reason', async () => {
  const { best, reason, offers } = await priced({})
  assert.equal(best?.offer.id, '11')
  assert.equal(best?.landedPrice, 12_100)
  assert.equal(reason, 'lowest-price')
  assert.deepEqual(
    offers.map(({ offer }) => offer.id),
    ['11', '10', '13'],
  )
})

test('a seller who serves professionals only wins on the professional storefront and is absent from the other', async () => {
  const { best, offers } = await priced({ mode: 'b2b' })
  assert.equal(best?.offer.id, '12')
  assert.deepEqual(
    offers.map(({ offer }) => offer.id),
    ['12', '10', '11', '13'],
  )
})

test('R-374 R-665 a reduced offer shows its lowest price of the last 30 days and when it ends', async () => {
  const reduced = (await priced({})).offers.find(({ offer }) => offer.id === '10')
  assert.equal(reduced?.block.retail?.asString, '£150.00')
  assert.equal(reduced?.block.discount, 20)
  assert.match(reduced?.retailPriceTimeLeftLabel ?? '', /^ ends in (49|50)h$/)
  assert.deepEqual(
    reduced?.badges.map(({ type }) => type),
    ['promo'],
  )
  assert.equal(reduced?.block.unit?.label, '£60.00 each')
})

test('R-023 R-396 a professional sees the pro price and the saving', async () => {
  const offer = (await priced({ mode: 'b2b' })).offers.find(({ offer: { id } }) => id === '10')
  assert.equal(offer?.asked, 10_800)
  assert.equal(offer?.proAdvantagePercentage, 10)
  assert.ok(offer?.badges.some(({ label }) => label === 'Pro price -10%'))
})

test('R-685 a solar product in de has no VAT and says so', async () => {
  const { best } = await priced({ market: 'de', mode: 'b2b' }, '2')
  assert.equal(best?.block.hasNoVATForDE, true)
  assert.equal(best?.block.main.asFloat, 1190)
})

test('a product with offers, sellers and price history takes two statements, and none when it was requested a moment ago', async () => {
  const texts: string[] = []
  const counting: Db = {
    ...db,
    rows: (statement, values) => (texts.push(statement.name), db.rows(statement, values)),
    row: (statement, values) => (texts.push(statement.name), db.row(statement, values)),
  }
  forgetProducts(null)
  const scope = database.scope({ db: counting })
  const sheet = await findProduct(scope, '1')
  assert.ok(sheet)
  await resolvers.Product.offers(sheet, {}, scope)
  await resolvers.Product.bestOffer(sheet, {}, scope)
  await resolvers.Product.badges(sheet, {}, scope)
  assert.deepEqual(texts, ['catalogue.product-sheet', 'catalogue.price-history'])
  const again = await findProduct(scope, '1')
  assert.ok(again)
  await resolvers.Product.offers(again, {}, scope)
  assert.equal(texts.length, 2)
})

test('a product stays sold out although its sample is still available', async () => {
  await testProduct(db, { id: 5 })
  await testOffer(db, { id: 50, productId: 5, price: 9_000, stock: 0 })
  await testOffer(db, { id: 51, productId: 5, price: 200, isSample: true })
  const { best, reason, offers } = await priced({}, '5')
  assert.deepEqual([best?.offer.id, reason], ['50', 'only-offer'])
  assert.deepEqual(
    offers.map(({ offer }) => offer.id),
    ['50', '51'],
  )
})

test('for goods sold by the dozen only whole dozens count as stock', async () => {
  await testProduct(db, { id: 4 })
  await testOffer(db, { id: 40, productId: 4, price: 1_000, bulk: 12, stock: 11 })
  await testOffer(db, { id: 41, productId: 4, price: 9_000, bulk: 12, stock: 30, sellerId: 2 })
  const { offers, reason } = await priced({}, '4')
  assert.deepEqual(
    offers.map((of) => [of.offer.id, resolvers.Offer.stock(of)]),
    [
      ['41', 24],
      ['40', 0],
    ],
  )
  assert.equal(reason, 'in-stock')
})

test('the end of a promotion is shown only while it runs', async () => {
  const [offer] = (await priced({})).offers.filter(({ offer: { id } }) => id === '10')
  assert.ok(offer)
  const told = (now: Date) => resolvers.Offer.promotionEndDate(offer, {}, database.scope({ now }))
  assert.equal(told(new Date()), soon.toISOString())
  assert.equal(told(soon), null)
})

test('an ended product has no offers, whatever its sellers still list', async () => {
  const scope = database.scope()
  const sheet = await findProduct(scope, '1')
  assert.ok(sheet)
  assert.deepEqual(await resolvers.Product.offers({ ...sheet, product: { ...sheet.product, status: 'ended' } }, {}, scope), [])
})

test('a product cached for one kind of viewer is never shown to another', async () => {
  const price = async (overrides: Partial<Scope>) => {
    const scope = database.scope({ market: 'de', ...overrides })
    const sheet = await findProduct(scope, '3')
    assert.ok(sheet)
    return (await resolvers.Product.bestOffer(sheet, {}, scope))?.block.main.asFloat
  }
  await testProduct(db, { id: 3 })
  await testOffer(db, { id: 30, productId: 3, sellerId: 2, market: 'de', price: 11_900, proPrice: 10_710 })
  assert.deepEqual(
    [await price({}), await price({ mode: 'b2b' }), await price({ mode: 'b2b', prefersVat: true }), await price({})],
    [119, 90, 107.1, 119],
  )
})
