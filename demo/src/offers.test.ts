import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markets } from '@purlin/contract/markets.ts'
import { retailPrice } from '@purlin/server/goods/pricing/retail-price.ts'
import { categories, solarCategoryId } from './categories.ts'
import { demoMarkets } from './languages.ts'
import { offersOf, type DemoOffer } from './offers.ts'
import { couponsOf, couponCodeOf, dayMs, dayOf, operationsOf, thanksOf } from './operations.ts'
import { product } from './product.ts'
import { shelfPrice } from './price.ts'
import { pricingOf, type PricingCase } from './promotions.ts'
import { chance } from './random.ts'
import { sellers } from './sellers.ts'

const now = new Date('2026-11-21T10:00:00Z')
const setting = { seed: 42, day: dayOf(now), operations: operationsOf(now) }
const products = Array.from({ length: 3000 }, (_, index) => product(42, index))
const offers = products.flatMap((made) => offersOf(made, setting))
const sellerOf = (offer: DemoOffer) => sellers[offer.sellerId - 1] as (typeof sellers)[0]

test('the last price of the history is the current price, and the history is in chronological order', () => {
  for (const { price, history, id } of offers) {
    assert.equal(history.at(-1)?.price, price, `offer ${id}`)
    for (const [place, point] of history.entries()) {
      assert.ok(point.validFrom <= now && point.validFrom.getTime() > now.getTime() - 125 * dayMs)
      assert.ok(Number.isInteger(point.price) && point.price > 0)
      const before = history[place - 1]
      if (before) assert.ok(before.validFrom < point.validFrom && before.price !== point.price, `offer ${id}`)
    }
  }
})

test('a product in stock can be bought: at least one step of it, within its limit', () => {
  for (const { id, stock, bulk, maxQuantity } of offers) {
    if (stock === 0) continue
    assert.ok(stock >= (bulk ?? 1), `offer ${id}`)
    assert.ok(maxQuantity === null || maxQuantity >= (bulk ?? 1), `offer ${id}`)
  }
  assert.ok(offers.some(({ bulk }) => bulk !== null) && offers.some(({ maxQuantity }) => maxQuantity !== null))
})

test('some reductions are genuine and some are only claimed, in every market', () => {
  for (const market of demoMarkets) {
    const here = offers.filter((offer) => offer.market === market && offer.condition === 'new' && !offer.isSample)
    const shown = here.filter(({ history }) => retailPrice(market, history, now) !== null)
    const onlySaid = here.filter(({ history, promotionEndsAt }) => promotionEndsAt !== null && retailPrice(market, history, now) === null)
    assert.ok(shown.length / here.length > 0.08 && shown.length / here.length < 0.25, `${market}: ${shown.length} of ${here.length}`)
    assert.ok(onlySaid.length > 20, `${market}: ${onlySaid.length}`)
  }
})

test('a genuine reduction is shown against its earlier price, one from a previously raised price is not', () => {
  const found = new Set<string>()
  for (let number = 0; number < 600; number += 1) {
    for (const market of demoMarkets) {
      const of: PricingCase = {
        regular: shelfPrice(5 + number),
        department: 'tools',
        market,
        day: setting.day,
        operations: setting.operations,
        roll: (salt) => chance(number, salt),
      }
      const { kind, history, price } = pricingOf(of)
      found.add(kind)
      const expected = kind === 'reduced' ? of.regular : null
      // A price lowered long ago is not a promotion; gb's rule counts how long the previous price applied.
      if (kind === 'changed' && market === 'gb') continue
      assert.equal(retailPrice(market, history, now), expected, `${kind} at ${price} in ${market}`)
    }
  }
  assert.deepEqual([...found].toSorted(), ['changed', 'coming', 'ended', 'fake', 'reduced', 'steady'])
})

test('promotions end in hours, in days, later, or without a stated end', () => {
  const hours = offers.flatMap(({ promotionEndsAt }) => (promotionEndsAt ? [(promotionEndsAt.getTime() - now.getTime()) / 3_600_000] : []))
  assert.ok(hours.every((left) => left > 0))
  assert.ok(hours.some((left) => left <= 72) && hours.some((left) => left > 72 && left <= 7 * 24) && hours.some((left) => left > 7 * 24))
  assert.ok(offers.some(({ promotionEndsAt, history }) => promotionEndsAt === null && retailPrice('fr', history, now) !== null))
})

test('one to six sellers offer a product in a market, each once, and only those who sell there', () => {
  const counts = new Set<number>()
  for (const made of products) {
    for (const market of demoMarkets) {
      const here = offersOf(made, setting).filter((offer) => offer.market === market && offer.condition === 'new' && !offer.isSample)
      counts.add(here.length)
      assert.equal(new Set(here.map(({ sellerId }) => sellerId)).size, here.length)
    }
  }
  assert.deepEqual(
    [...counts].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6],
  )
  for (const offer of offers) assert.ok(sellerOf(offer).markets.includes(offer.market), `${sellerOf(offer).name} in ${offer.market}`)
})

test('ids of offers are unique, and the same offer has one number in all its markets', () => {
  assert.equal(new Set(offers.map(({ id }) => id)).size, offers.length)
  for (const group of Map.groupBy(offers, ({ pimOfferId }) => pimOfferId).values()) {
    assert.equal(new Set(group.map(({ productId, sellerId }) => `${productId} ${sellerId}`)).size, 1)
  }
})

test('money is whole minor units in the currency of the market, and a pro price is a lower price', () => {
  for (const offer of offers) {
    assert.equal(offer.currency, markets[offer.market].currency)
    assert.ok(Number.isInteger(offer.price) && offer.price > 0)
    if (offer.proPrice !== null) assert.ok(Number.isInteger(offer.proPrice) && offer.proPrice > 0 && offer.proPrice < offer.price)
    for (const { fee, daysMin, daysMax } of offer.delivery)
      assert.ok(Number.isInteger(fee) && fee >= 0 && daysMin >= 1 && daysMax >= daysMin)
    assert.ok(offer.delivery.length > 0)
  }
  for (const market of demoMarkets)
    assert.ok(new Set(offers.filter((offer) => offer.market === market).map(({ price }) => price)).size > 100)
})

test('second-hand goods are offered alongside new ones, cost less, and come in all conditions', () => {
  const used = offers.filter(({ condition }) => condition !== 'new')
  assert.deepEqual([...new Set(used.map(({ condition }) => condition))].toSorted(), [
    'never_used',
    'refurbished_good',
    'refurbished_very_good',
    'used_good',
    'used_very_good',
  ])
  const beside = used.filter((one) =>
    offers.some((other) => other.productId === one.productId && other.market === one.market && other.condition === 'new'),
  )
  assert.ok(beside.length > used.length / 2)
  const only = used.length - beside.length
  assert.ok(only > 0)
})

test('solar goods are sold in every market', () => {
  const solar = new Set(products.filter(({ leaf }) => leaf.path.includes(solarCategoryId)).map(({ id }) => id))
  for (const market of demoMarkets) {
    const sold = new Set(offers.filter((offer) => offer.market === market && solar.has(offer.productId)).map(({ productId }) => productId))
    assert.equal(sold.size, solar.size, market)
  }
})

test('goods too heavy for a parcel are delivered to the kerb, or by appointment', () => {
  const heavy = new Set(products.filter(({ weightG }) => weightG > 70_000).map(({ id }) => id))
  assert.ok(heavy.size > 0)
  for (const offer of offers.filter(({ productId, isSample }) => heavy.has(productId) && !isSample)) {
    assert.deepEqual(
      offer.delivery.map(({ kind }) => kind),
      ['kerbside', 'appointment'],
    )
  }
})

test('every market has running, upcoming and ended operations; black friday runs on 21 November', () => {
  for (const market of demoMarkets) {
    const here = operationsOf(now).filter((operation) => operation.market === market)
    const running = here.filter(({ startsAt, endsAt }) => startsAt <= now && endsAt > now)
    assert.ok(running.some(({ type }) => type === 'blackfriday') && running.some(({ type }) => type === 'productdays'))
    assert.ok(here.some(({ startsAt }) => startsAt > now) && here.some(({ endsAt }) => endsAt < now))
    assert.ok(offers.some((offer) => offer.market === market && offer.operationIds.includes(running[0]?.id ?? -1)))
  }
  const ids = operationsOf(now).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const june = operationsOf(new Date('2027-06-30T00:00:00Z')).find(({ type }) => type === 'blackfriday')
  assert.equal(june?.startsAt.getUTCFullYear(), 2027)
})

test('offers refer to operations of their own market only', () => {
  const marketOf = new Map(setting.operations.map(({ id, market }) => [id, market]))
  for (const { operationIds, market } of offers) for (const id of operationIds) assert.equal(marketOf.get(id), market)
})

test('the offer to customers of high value has a coupon in each market, for them alone, and no offer shows its code', () => {
  for (const market of demoMarkets) {
    const { code, percent } = thanksOf(market)
    const coupon = couponsOf(now).find((each) => each.code === code)
    assert.deepEqual([coupon?.market, coupon?.kind, coupon?.value, coupon?.audience], [market, 'percent', percent, 'high-value'])
    assert.ok(coupon && !coupon.isListed && coupon.sellerId === null && coupon.categoryId === null)
    assert.ok(offers.every(({ couponCode }) => couponCode !== code))
  }
})

test('a coupon code shown on an offer exists, is valid today and covers the goods', () => {
  const coupons = couponsOf(now)
  assert.equal(new Set(coupons.map(({ code }) => code)).size, coupons.length)
  for (const market of demoMarkets) {
    for (const department of ['tools', 'garden']) {
      const coupon = coupons.find(({ code }) => code === couponCodeOf(market, department))
      assert.equal(coupon?.market, market)
      assert.ok(coupon && coupon.startsOn <= '2026-11-21' && coupon.endsOn >= '2026-11-21')
      assert.equal(categories.find(({ id }) => id === coupon.categoryId)?.department, department)
    }
  }
})
