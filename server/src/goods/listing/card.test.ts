import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import { testDatabase } from '#platform/testing'
import { reference } from '#catalogue'
import { connectCodesForSome, connectCouponWorth, priceDisplay } from '#pricing'
import { makeCard, numericOnly } from './card.ts'
import { documentsOf } from './load-documents.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
const now = new Date()
const promotionEndsAt = new Date(now.getTime() + 30.5 * 3_600_000)
await testProduct(db, { id: 1, modelId: 5, flags: ['eco', 'local_fr', 'top_sale'], unit: { measure: 'm2', quantityMilli: 2_000 } })
await testProduct(db, { id: 2, modelId: 5, attributes: { voltage: 12, color: 'red' } })
const delivery = [
  { kind: 'standard', fee: 0, daysMin: 2, daysMax: 4 },
  { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 },
  { kind: 'relay', fee: 0, daysMin: 1, daysMax: 2 },
  { kind: 'appointment', fee: 0, daysMin: 1, daysMax: 1 },
]
await testOffer(db, {
  id: 10,
  productId: 1,
  price: 12_000,
  was: 15_000,
  proPrice: 11_040,
  promotionEndsAt,
  couponCode: 'TOOLS10',
  sponsored: true,
  operations: [70],
  condition: 'refurbished_very_good',
  delivery,
  bulk: 4,
  isMmf: true,
})
await testOffer(db, { id: 13, productId: 1, price: 300, isSample: true })
await testOffer(db, { id: 14, productId: 1, price: 13_000 + 2_000, sellerId: 2, condition: 'used_good' })
await testOffer(db, { id: 20, productId: 2, price: 9_000 })
await testOffer(db, { id: 21, productId: 1, market: 'fr', sellerId: 4 })
await testOffer(db, { id: 22, productId: 2, market: 'gb', sellerId: 3, price: 8_000 })

connectCodesForSome(() => Promise.resolve([]))

async function card(market: 'gb' | 'fr' = 'gb', mode: 'b2c' | 'b2b' = 'b2c', id = '1'): Promise<ProductCard> {
  const [document] = await documentsOf(db, market, [id], now)
  assert.ok(document)
  // A search engine's response is JSON.
  const kept = JSON.parse(JSON.stringify(document))
  return makeCard(kept, {
    display: priceDisplay({ market, mode, prefersVat: false }),
    mode,
    now,
    catalogue: await reference({ db }),
  })
}
test('R-400 R-338 R-370 outside the legal sales period neither banner nor tags mention the sales', async () => {
  const [document] = await documentsOf(db, 'fr', ['1'], now)
  assert.ok(document)
  const { operations, ...catalogue } = await reference({ db })
  const sales = {
    id: 80,
    type: 'sales',
    market: 'fr',
    slug: 'soldes',
    name: 'Soldes',
    startsAt: new Date(0),
    endsAt: new Date('2099-01-01'),
  } as const
  const on = (day: string) => {
    const display = priceDisplay({ market: 'fr', mode: 'b2c', prefersVat: false })
    const viewer = {
      display,
      mode: 'b2c',
      now: new Date(day),
      catalogue: { ...catalogue, operations: new Map([...operations, [80, sales]]) },
    } as const
    const { banner, bannerAlternate, commercialAnimation } = makeCard({ ...document, commercialOperationIds: [80] }, viewer)
    return [banner, bannerAlternate, commercialAnimation.tags]
  }
  assert.deepEqual(on('2026-11-21T10:00:00Z'), [null, null, []])
  assert.deepEqual(on('2026-01-20T10:00:00Z'), ['Soldes', 'Soldes', ['sales']])
})

const gb = await card()
const fr = await card('fr')

test('R-334 productId is the object id of the hit', () => assert.equal(gb.productId, '1'))
test('R-335 articleId', () => assert.equal(gb.articleId, '100001'))
test('R-336 title carries the marker, defaultTitle does not, alternateTitle names brand and part number', () =>
  assert.deepEqual(
    [gb.title, gb.defaultTitle, gb.alternateTitle],
    ['Cordless drill 1 [Refurbished - very good condition]', 'Cordless drill 1', 'Tarvok TV-1'],
  ))
test('R-337 brandId, brandName, brandImageFullpath', () =>
  assert.deepEqual([gb.brandId, gb.brandName, gb.brandImageFullpath], [1, 'Tarvok', '/pictures/b/1.svg']))
test('R-338 banner, bannerAlternate', () => assert.deepEqual([gb.banner, gb.bannerAlternate], ['Garden days', 'Garden days']))
test('R-339 bestOffer', () => assert.equal(gb.bestOffer, true))
test('R-340 bulk', () => assert.equal(gb.bulk, 4))
test('R-341 categories L0 to L3 and last', () =>
  assert.deepEqual(gb.categories, {
    L0: { id: 1, name: 'Tools' },
    L1: { id: 11, name: 'Drills' },
    L2: null,
    L3: null,
    last: { id: 11, name: 'Drills' },
  }))
test('R-342 commercialOperationIds', () => assert.deepEqual(gb.commercialOperationIds, [70]))
test('R-343 R-414 a card shows no coupon that is for some customers alone', async () => {
  const shownIf = async (restricted: string) => {
    connectCouponWorth(
      () => '-10%',
      (market, code) => `${market} ${code}` === restricted,
    )
    return card()
  }
  try {
    assert.deepEqual((await shownIf('fr TOOLS10')).coupon, { code: 'TOOLS10', label: '-10% with TOOLS10' })
    assert.ok(!JSON.stringify(await shownIf('gb TOOLS10')).includes('TOOLS10'))
  } finally {
    connectCouponWorth(
      () => null,
      () => false,
    )
  }
})
test('R-343 coupon', () => assert.deepEqual(gb.coupon, { code: 'TOOLS10', label: 'Voucher TOOLS10' }))
test('R-344 deliveryOffers', () => assert.deepEqual(gb.deliveryOffers, { minFee: 0, minFeeTime: 4, minTime: 1, minTimeFee: 990 }))
test('R-345 has1dayDelivery', () => assert.equal(gb.has1dayDelivery, true))
test('R-346 has3xPayment', () => assert.equal(gb.has3xPayment, true))
test('R-347 hasFreeDelivery', () => assert.equal(gb.hasFreeDelivery, true))
test('R-348 hasProConditions', () => assert.equal(gb.hasProConditions, true))
test('R-349 V-22 hasRelayDelivery, since checkout collects the pick-up point', () => assert.equal(gb.hasRelayDelivery, true))
test('R-350 hasSample', () => assert.equal(gb.hasSample, true))
test('R-351 imagePath', () => assert.equal(gb.imagePath, '/pictures/p/1/main.svg'))
test('R-352 indexable', () => assert.equal(gb.indexable, true))
test('R-353 isB2b', () => assert.equal(gb.isB2b, false))
test('R-354 isCompetitive', () => assert.equal(gb.isCompetitive, true))
test('R-355 isEcoResponsible', () => assert.equal(gb.isEcoResponsible, true))
test('R-356 isLocal is for France only', () => assert.equal(gb.isLocal, false))
test('R-357 isMmf', () => assert.equal(gb.isMmf, true))
test('R-358 isSellerB2b', () => assert.equal(gb.isSellerB2b, false))
test('R-359 isSecondHand', () => assert.equal(gb.isSecondHand, true))
test('R-360 market', () => assert.equal(gb.market, 'gb'))
test('R-361 modelId, modelMarkets, modelsCount', () =>
  assert.deepEqual([gb.modelId, gb.modelMarkets, gb.modelsCount], ['5', ['fr', 'gb'], 2]))
test('R-362 offerId, pimMasterProductId, pimOfferId', () =>
  assert.deepEqual([gb.offerId, gb.pimMasterProductId, gb.pimOfferId], ['10', '1', '10']))
test('R-363 R-023 proAdvantagePercentage', () => assert.equal(gb.proAdvantagePercentage, 8))
test('R-365 rating, ratingCount', () => assert.deepEqual([gb.rating, gb.ratingCount], [4.4, 10]))
test('R-366 sellerCountryId, sellerId, sellerName', () =>
  assert.deepEqual([gb.sellerCountryId, gb.sellerId, gb.sellerName], ['GB', 1, 'albion']))
test('R-368 url', () => assert.equal(gb.url, '/p/cordless-drill-1-1'))
test('R-369 technicalInfoValues', () =>
  assert.deepEqual(gb.technicalInfoValues, [
    { key: 'voltage', label: 'Voltage', value: '18 V' },
    { key: 'color', label: 'Colour', value: 'blue' },
  ]))
test('R-370 commercialAnimation', () =>
  assert.deepEqual(gb.commercialAnimation, {
    tags: ['productdays'],
    promotionEndDate: promotionEndsAt.toISOString(),
    retailPriceTimeLeftLabel: ' ends in 30h',
  }))

test('R-370 a promotion that is over shows neither an end nor a badge', async () => {
  const [document] = await documentsOf(db, 'gb', ['1'], now)
  assert.ok(document)
  const display = priceDisplay({ market: 'gb', mode: 'b2c', prefersVat: false })
  const viewer = { display, mode: 'b2c', catalogue: await reference({ db }) } as const
  const { commercialAnimation, badges } = makeCard(document, { ...viewer, now: promotionEndsAt })
  assert.deepEqual([commercialAnimation.promotionEndDate, commercialAnimation.retailPriceTimeLeftLabel], [null, null])
  assert.ok(!badges.some(({ type }) => type === 'promo'))
})

test('R-364 R-373 prices is the price block of the winner, with the model’s range and unit price', () => {
  assert.equal(gb.prices.main.asString, '£120.00')
  assert.equal(gb.prices.retail?.asString, '£150.00')
  assert.equal(gb.prices.discount, 20)
  assert.deepEqual(gb.prices.main.ranges, { min: '£90.00', max: '£120.00' })
  assert.equal(gb.prices.unit?.label, '£60.00 /m²')
})

test('R-351 R-367 imageFullpath and thumbnails carry the pictures’ version', () => {
  assert.match(gb.imageFullpath, /^\/pictures\/p\/1\/main\.svg\?v=\w+$/)
  assert.deepEqual(
    gb.thumbnails.map((path) => path.replace(/\?.*/, '')),
    ['/pictures/p/1/main.svg', '/pictures/p/1/side.svg'],
  )
})

test('R-356 isLocal is shown in France', () => {
  assert.equal(fr.isLocal, true)
  assert.ok(fr.badges.some(({ type }) => type === 'is_local'))
})

test('a card has at most three badges, in a fixed order', () => {
  assert.deepEqual(
    gb.badges.map(({ type }) => type),
    ['sponsored', 'productdays', 'promo'],
  )
})

test('R-353 R-358 a product offered only by a trade seller is for professionals', async () => {
  await testProduct(db, { id: 3 })
  await testOffer(db, { id: 30, productId: 3, sellerId: 3 })
  const trade = await card('gb', 'b2b', '3')
  assert.deepEqual([trade.isB2b, trade.isSellerB2b], [true, true])
})

test('each storefront shows its own winner: the trade seller’s better price is for professionals', async () => {
  assert.equal((await card('gb', 'b2c', '2')).offerId, '20')
  assert.equal((await card('gb', 'b2b', '2')).offerId, '22')
})

test('R-342 R-497 commercialOperationIds keeps numbers only', () => {
  assert.deepEqual(numericOnly([1, '22', 'x', null, 1.5, '3a', {}]), [1, 22])
})
