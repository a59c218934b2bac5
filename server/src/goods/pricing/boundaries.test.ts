/** Boundaries at which one more cent, day or star changes the result: each constant of the pricing rules has a case that depends on it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { badgesOf, isPromoted, runningOperations, type BadgeCase, type CommercialOperation } from './badges.ts'
import { buyBoxReason, rankOffers, type Contender } from './buy-box.ts'
import { cheapestDelivery, deliverySummary, type DeliveryOffer } from './delivery-promise.ts'
import { holidays } from './holidays.ts'
import { retailPrice } from './retail-price.ts'
import { inSalesPeriod } from './sales-periods.ts'
import { divideHalfUp, vatOf, type VatRule } from './vat.ts'

const now = new Date('2026-11-21T10:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute
const inMs = (ms: number): Date => new Date(now.getTime() + ms)

const standard: DeliveryOffer = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 3 }
const offer: Contender = {
  id: '100',
  price: 10_000,
  condition: 'new',
  stock: 10,
  isSample: false,
  isMmf: false,
  delivery: [standard],
  freeDeliveryFrom: null,
  sellerRating: 4.5,
  sellerRatingCount: 100,
}
const scores: [what: string, of: Partial<Contender>, score: number][] = [
  ['three days and half a star: 1.5 % and 0.5 %', {}, 10_490 + 200],
  ['a day more: 0.5 %', { delivery: [{ ...standard, daysMax: 4 }] }, 10_490 + 250],
  ['twelve days count as ten', { delivery: [{ ...standard, daysMax: 12 }] }, 10_490 + 550],
  ['no delivery counts as ten days', { delivery: [] }, 10_000 + 550],
  ['five stars cost nothing', { sellerRating: 5 }, 10_490 + 150],
  ['a tenth of a star: 0.1 %', { sellerRating: 4.4 }, 10_490 + 210],
  ['five ratings prove a seller', { sellerRating: 3.9, sellerRatingCount: 5 }, 10_490 + 260],
  ['four do not: the seller counts as four stars', { sellerRating: 3.9, sellerRatingCount: 4 }, 10_490 + 250],
  ['three left are enough', { stock: 3 }, 10_490 + 200],
  ['two left cost 1 %', { stock: 2 }, 10_490 + 300],
]
for (const [what, of, score] of scores)
  test(`V-71 buy box score: ${what}`, () => assert.equal(rankOffers([{ ...offer, ...of }])[0]?.score, score))

test('V-71 of two sold-out offers neither wins by stock, and the lower id comes first', () => {
  const ranking = rankOffers([
    { ...offer, id: '199', stock: 0 },
    { ...offer, id: '198', stock: 0 },
  ])
  assert.deepEqual(
    ranking.map(({ offer: { id } }) => id),
    ['198', '199'],
  )
  assert.equal(buyBoxReason(ranking), 'first')
})

const plain: BadgeCase = {
  sponsored: false,
  discount: null,
  operations: [],
  promotionEndsAt: null,
  couponCode: null,
  proAdvantagePercentage: null,
  isTopSale: false,
  isLocal: false,
  isEcoResponsible: false,
}
const operation = (type: CommercialOperation['type'], of: Partial<CommercialOperation> = {}): CommercialOperation => ({
  id: 1,
  type,
  name: 'Named',
  startsAt: inMs(-day),
  endsAt: inMs(day),
  ...of,
})

test('V-71 a promotion runs until its end, or while an operation of the offer does', () => {
  const runs = (promotionEndsAt: Date | null, operations: CommercialOperation[] = []) =>
    isPromoted('gb', { promotionEndsAt, operations }, now)
  assert.equal(runs(inMs(1)), true)
  assert.equal(runs(now), false)
  assert.equal(runs(null), false)
  assert.equal(runs(null, [operation('productdays')]), true)
  assert.equal(runs(inMs(-1), [operation('productdays', { endsAt: now })]), false)
})

test('V-71 an operation runs from its first moment to just before its last', () => {
  const runs = (of: Partial<CommercialOperation>) => runningOperations('gb', [operation('productdays', of)], now).length
  assert.deepEqual([runs({ startsAt: now }), runs({ startsAt: inMs(1) }), runs({ endsAt: inMs(1) }), runs({ endsAt: now })], [1, 0, 1, 0])
})

test('V-71 each operation marks a lowered price by itself, the sales under their own name', () => {
  const shown = (type: CommercialOperation['type']) =>
    badgesOf('gb', { ...plain, discount: 10, operations: [operation(type)] }, { business: false }, now)
  assert.deepEqual(shown('blackfriday'), [{ type: 'blackfriday', label: 'Named' }])
  assert.deepEqual(shown('sales'), [{ type: 'sales', label: 'Sale' }])
  assert.deepEqual(shown('productdays'), [{ type: 'productdays', label: 'Named' }])
  assert.deepEqual(shown('promo'), [{ type: 'promo', label: '-10%' }])
})

test('V-71 the shop’s only division: exact up to the largest dividend, by one, never by zero', () => {
  assert.equal(divideHalfUp(5, 1), 5)
  assert.equal(divideHalfUp(4_503_599_627_370_495, 1), 4_503_599_627_370_495)
  assert.throws(() => divideHalfUp(4_503_599_627_370_496, 1), /Cannot divide/)
  assert.throws(() => divideHalfUp(1, 0), /Cannot divide/)
  assert.throws(() => divideHalfUp(1, 1.5), /Cannot divide/)
  assert.ok(Object.is(divideHalfUp(-1, 10), 0), 'nothing has no sign')
})

test('V-71 of rules at the same depth the later one wins, whatever order they are read in', () => {
  const rule = (rateBp: number, validFrom: string, of: Partial<VatRule> = {}): VatRule => ({
    market: 'fr',
    categoryId: null,
    rateBp,
    flag: null,
    validFrom,
    validTo: null,
    ...of,
  })
  const rules = [rule(2000, '2014-01-01'), rule(2100, '2020-01-01'), rule(550, '2000-01-01', { categoryId: 7 })]
  for (const order of [rules, rules.toReversed()]) {
    assert.equal(vatOf(order, 'fr', [1], now).rateBp, 2100)
    assert.equal(vatOf(order, 'fr', [7, 1], now).rateBp, 550)
  }
  assert.equal(vatOf([rule(2000, '2026-11-21')], 'fr', [1], now).rateBp, 2000, 'from its first day on')
  assert.equal(vatOf([rule(2000, '2020-01-01', { validTo: '2026-11-21' })], 'fr', [1], now).rateBp, 2000, 'to its last day')
})

test('V-71 R-385 a first price is not a reduction in gb either, and a price that ended at midnight 30 days before does not count', () => {
  assert.equal(retailPrice('gb', [{ price: 900, validFrom: inMs(-3 * day) }], now), null)
  const genuine = (days: number) => [
    { price: 1_000, validFrom: inMs(-(days + 3) * day) },
    { price: 800, validFrom: inMs(-3 * day) },
  ]
  assert.equal(retailPrice('gb', genuine(28), now), 1_000, 'asked for 28 days')
  assert.equal(retailPrice('gb', genuine(27.99), now), null)
  const steps = (lowEndedAt: string) => [
    { price: 700, validFrom: inMs(-200 * day) },
    { price: 1_000, validFrom: new Date(lowEndedAt) },
    { price: 900, validFrom: inMs(-3 * day) },
  ]
  assert.equal(retailPrice('it', steps('2026-10-18T22:00:00Z'), now), 1_000)
  assert.equal(retailPrice('it', steps('2026-10-18T22:00:01Z'), now), null)
})

const seasons: [market: Market, first: string, last: string][] = [
  ['it', '2026-01-05', '2026-03-05'],
  ['it', '2030-01-04', '2030-03-04'],
  ['it', '2026-07-04', '2026-09-01'],
  ['es', '2026-01-07', '2026-03-06'],
  ['es', '2026-07-01', '2026-08-31'],
  ['fr', '2026-01-07', '2026-02-03'],
  ['fr', '2023-06-28', '2023-07-25'],
  ['fr', '2022-01-12', '2022-02-08'],
  ['fr', '2024-06-26', '2024-07-23'],
]
for (const [market, first, last] of seasons)
  test(`V-71 R-400 ${market}: a season of sales lasts from ${first} to ${last}, both days included`, () => {
    const on = (date: string, days: number) => inSalesPeriod(market, new Date(Date.parse(`${date}T12:00:00Z`) + days * day))
    assert.deepEqual([on(first, -1), on(first, 0), on(last, 0), on(last, 1)], [false, true, true, false])
  })

test('V-71 Easter is computed correctly in every kind of year, and its holidays move with it', () => {
  const sundays = `1818-03-22 1943-04-25 1954-04-18 1981-04-19 2000-04-23 2019-04-21 2020-04-12 2021-04-04 2022-04-17 2023-04-09 2024-03-31
    2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09 2035-03-25 2036-04-13
    2037-04-05 2038-04-25 2039-04-10 2040-04-01 2049-04-18 2076-04-19 2285-03-22`
  for (const sunday of sundays.split(/\s+/)) {
    const after = (days: number) => new Date(Date.parse(sunday) + days * day).toISOString().slice(0, 10)
    const of = (market: Market) => holidays(market, Number(sunday.slice(0, 4)))
    assert.ok(of('it').has(after(1)), sunday)
    for (const offset of [-2, 1, 39, 50]) assert.ok(of('de').has(after(offset)), `${sunday} ${offset}`)
    for (const market of marketCodes) assert.equal(of(market).has(after(-2)), ['es', 'de', 'gb'].includes(market), `${sunday} ${market}`)
  }
})

test('V-71 the cheapest delivery is found in any order, the faster of two at the same price first', () => {
  const ways: DeliveryOffer[] = [
    { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 },
    { kind: 'kerbside', fee: 490, daysMin: 2, daysMax: 6 },
    standard,
  ]
  for (const order of [ways, ways.toReversed()]) {
    assert.deepEqual(cheapestDelivery(order), standard)
    assert.deepEqual(deliverySummary(order), { minFee: 490, minFeeTime: 3, minTime: 1, minTimeFee: 990 })
  }
})
