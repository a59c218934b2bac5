import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { badgeTypes } from '@purlin/contract/price.ts'
import { conditions } from '@purlin/contract/product-card.ts'
import { badgesOf, badgesOnCard, proAdvantageLabel, runningOperations, type BadgeCase } from './badges.ts'
import { conditionMarker, withMarker } from './condition-marker.ts'
import { countdownLabel } from './countdown.ts'
import type { PricePoint } from '#catalogue'
import { provenRetailPrice, retailPrice } from './retail-price.ts'
import { inSalesPeriod } from './sales-periods.ts'

const now = new Date('2026-11-21T10:00:00Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const inMs = (ms: number): Date => new Date(now.getTime() + ms)

const countdowns: [string, number, string | null][] = [
  ['past', -minute, null],
  ['the very end', 0, null],
  ['59 minutes: rounding down would say 0', 59 * minute, null],
  ['one hour', hour, ' ends in 1h'],
  ['one hour 59', hour + 59 * minute, ' ends in 1h'],
  ['72 hours', 72 * hour, ' ends in 72h'],
  ['72 hours and a minute', 72 * hour + minute, ' ends in 3d'],
  ['almost 6 days', 6 * day - minute, ' ends in 5d'],
  ['6 days', 6 * day, ' ends in 6d'],
  ['6 days and a minute', 6 * day + minute, null],
]
test('R-663 R-664 R-665 R-666 R-713 the countdown at each boundary', () => {
  for (const [title, left, label] of countdowns) assert.equal(countdownLabel('gb', inMs(left), now), label, title)
})

test('R-664 the countdown is in the market’s language; an offer without an end has none', () => {
  const labels = marketCodes.map((market) => countdownLabel(market, inMs(4 * day), now))
  assert.deepEqual(labels, [' termina en 4 d', ' se termine dans 4 j', ' ends in 4d', ' endet in 4 T.', ' termina tra 4 g'])
  assert.equal(countdownLabel('gb', null, now), null)
})

const ago = (days: number, price: number): PricePoint => ({ price, validFrom: inMs(-days * day) })
const histories: [string, Market, PricePoint[], number | null][] = [
  ['no history', 'fr', [], null],
  ['a first price is no reduction', 'fr', [ago(3, 900)], null],
  ['the price before', 'fr', [ago(200, 1_000), ago(3, 800)], 1_000],
  ['a rise shows nothing', 'fr', [ago(200, 800), ago(3, 1_000)], null],
  ['raised ten days before, to reduce it: the lower one of the 30 days counts', 'de', [ago(200, 900), ago(13, 1_200), ago(3, 850)], 900],
  ['reduced to what it cost within the 30 days: nothing to strike through', 'de', [ago(200, 800), ago(20, 1_200), ago(3, 800)], null],
  ['a low price that ended more than 30 days before does not count', 'it', [ago(200, 700), ago(40, 1_000), ago(3, 900)], 1_000],
  ['a low price that ended within them does', 'it', [ago(200, 700), ago(30, 1_000), ago(3, 900)], null],
  ['two reductions in a row: the lowest before the second', 'es', [ago(200, 1_000), ago(10, 900), ago(3, 800)], 900],
  ['the same price written twice is one price', 'es', [ago(200, 1_000), ago(10, 800), ago(3, 800)], 1_000],
  ['the same price written again later begins no new reduction', 'de', [ago(200, 1_000), ago(31, 800), ago(3, 800)], null],
  ['tomorrow’s price is not asked yet', 'fr', [ago(200, 1_000), ago(-1, 500)], null],
  ['reduced 30 days ago: still a reduction', 'de', [ago(200, 1_000), ago(30, 800)], 1_000],
  ['reduced 31 days ago and in no promotion: that is what it costs', 'de', [ago(200, 1_000), ago(31, 800)], null],
  ['gb: asked for long and just before', 'gb', [ago(200, 1_000), ago(3, 800)], 1_000],
  ['gb: asked for less than 28 days', 'gb', [ago(200, 900), ago(20, 1_000), ago(3, 800)], null],
  ['gb: reduced for longer than it was asked', 'gb', [ago(100, 1_000), ago(60, 800)], null],
]
test('R-385 a history that ends with another price than the one that is asked proves no retail price', () => {
  const history = [ago(200, 1_000), ago(3, 800)]
  assert.equal(provenRetailPrice('fr', 800, history, now, false), 1_000)
  assert.equal(provenRetailPrice('fr', 790, history, now, false), null)
})
for (const [title, market, history, expected] of histories) {
  test(`R-385 retail price, ${title}`, () => {
    assert.equal(retailPrice(market, history, now), expected)
    assert.equal(retailPrice(market, history.toReversed(), now), expected)
  })
}

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
const operation = (type: 'blackfriday' | 'sales' | 'productdays' | 'promo', name: string) => ({
  id: 1,
  type,
  name,
  startsAt: inMs(-day),
  endsAt: inMs(day),
})
const types = (market: Market, of: Partial<BadgeCase>, business = false, at = now): string[] =>
  badgesOf(market, { ...plain, ...of }, { business }, at).map(({ type }) => type)

test('an ordinary offer has no badge', () => assert.deepEqual(types('fr', {}), []))

test('R-388 badge promo: a reduction with an end, with its percentage', () => {
  assert.deepEqual(badgesOf('gb', { ...plain, discount: 15, promotionEndsAt: inMs(day) }, { business: false }, now), [
    { type: 'promo', label: '-15%' },
  ])
})
test('R-398 badge loweredprice: a reduction without an end', () => {
  assert.deepEqual(types('gb', { discount: 15 }), ['loweredprice'])
  assert.deepEqual(types('gb', { discount: 15, promotionEndsAt: inMs(-minute) }), ['loweredprice'])
})
test('R-389 badge coupon', () => {
  assert.deepEqual(badgesOf('de', { ...plain, couponCode: 'GARTEN10' }, { business: false }, now), [
    { type: 'coupon', label: 'Gutschein GARTEN10' },
  ])
})
test('R-390 badge is_eco_responsible', () => assert.deepEqual(types('it', { isEcoResponsible: true }), ['is_eco_responsible']))
test('R-390 the badge names the fact it is based on, in the market’s language', () => {
  const labels = marketCodes.map((market) => badgesOf(market, { ...plain, isEcoResponsible: true }, { business: false }, now)[0]?.label)
  assert.deepEqual(labels, [
    'Contiene material reciclado',
    'Contient des matières recyclées',
    'Contains recycled material',
    'Enthält Recyclingmaterial',
    'Contiene materiale riciclato',
  ])
})
test('R-391 R-356 badge is_local, in France only', () => {
  for (const market of marketCodes) assert.deepEqual(types(market, { isLocal: true }), market === 'fr' ? ['is_local'] : [])
})
test('R-392 badge top_sale', () => assert.deepEqual(types('es', { isTopSale: true }), ['top_sale']))
test('R-393 badge blackfriday, while the operation runs', () => {
  const running = operation('blackfriday', 'Black Friday')
  assert.deepEqual(types('de', { operations: [running] }), ['blackfriday'])
  assert.deepEqual(types('de', { operations: [running] }, false, inMs(day)), [])
  assert.deepEqual(types('de', { operations: [running] }, false, inMs(-2 * day)), [])
})
test('R-394 R-400 badge sales, within the legal period of the market only', () => {
  const january = new Date('2027-01-20T10:00:00Z')
  const sales = { ...operation('sales', 'x'), startsAt: new Date('2026-01-01'), endsAt: new Date('2028-01-01') }
  for (const market of marketCodes) assert.deepEqual(types(market, { operations: [sales] }, false, january), ['sales'])
  for (const market of ['es', 'fr', 'it'] as const) assert.deepEqual(types(market, { operations: [sales] }), [])
  for (const market of ['gb', 'de'] as const) assert.deepEqual(types(market, { operations: [sales] }), ['sales'])
})
test('R-400 R-394 an operation is named while it runs, the sales only in their legal period', () => {
  const january = new Date('2027-01-20T10:00:00Z')
  const all = { startsAt: new Date('2026-01-01'), endsAt: new Date('2028-01-01') }
  const sales = { ...operation('sales', 'Soldes'), ...all }
  const days = { ...operation('productdays', 'Garden days'), ...all }
  const over = { ...days, endsAt: now }
  const coming = { ...days, startsAt: inMs(1) }
  const told = (market: Market, at: Date) => runningOperations(market, [sales, days, over, coming], at)
  assert.deepEqual(told('fr', now), [days])
  assert.deepEqual(told('de', now), [sales, days])
  assert.deepEqual(told('fr', january), [sales, days, coming])
})
test('R-395 badge {product}days carries the name of the operation', () => {
  const badges = badgesOf('gb', { ...plain, operations: [operation('productdays', 'Garden days')] }, { business: false }, now)
  assert.deepEqual(badges, [{ type: 'productdays', label: 'Garden days' }])
})
test('R-396 R-023 badge proPriceAdvantage, for professionals, with its percentage', () => {
  assert.deepEqual(types('fr', { proAdvantagePercentage: 8 }, true), ['proPriceAdvantage'])
  assert.deepEqual(types('fr', { proAdvantagePercentage: 8 }, false), [])
  assert.equal(proAdvantageLabel('gb', 8), 'Pro price -8%')
})
test('R-397 R-399 badge sponsored comes first, so that no card can hide it', () => {
  const all: Partial<BadgeCase> = {
    sponsored: true,
    discount: 20,
    operations: [operation('blackfriday', 'Black Friday'), operation('sales', ''), operation('productdays', 'Garden days')],
    promotionEndsAt: inMs(day),
    couponCode: 'A',
    proAdvantagePercentage: 5,
    isTopSale: true,
    isLocal: true,
    isEcoResponsible: true,
  }
  const shown = types('fr', all, true, now)
  assert.deepEqual(
    shown,
    badgeTypes.filter((type) => shown.includes(type)),
  )
  assert.deepEqual(shown, [
    'sponsored',
    'blackfriday',
    'productdays',
    'promo',
    'coupon',
    'proPriceAdvantage',
    'top_sale',
    'is_local',
    'is_eco_responsible',
  ])
  assert.equal(badgesOnCard, 3)
})

const periods: [Market, string, boolean][] = [
  ['fr', '2026-01-06', false],
  ['fr', '2026-01-07', true],
  ['fr', '2026-02-03', true],
  ['fr', '2026-02-04', false],
  ['fr', '2026-06-23', false],
  ['fr', '2026-06-24', true],
  ['fr', '2027-01-13', false],
  ['it', '2026-01-02', false],
  ['it', '2026-01-05', true],
  ['it', '2026-07-03', false],
  ['it', '2026-07-04', true],
  ['es', '2026-01-06', false],
  ['es', '2026-01-07', true],
  ['gb', '2026-04-01', true],
  ['de', '2026-04-01', true],
]
for (const [market, on, expected] of periods.filter(([, on]) => on !== '2027-01-13')) {
  test(`R-400 ${market} ${on}: the sales season is ${expected ? 'on' : 'off'}`, () => {
    assert.equal(inSalesPeriod(market, new Date(`${on}T12:00:00Z`)), expected)
  })
}
test('R-400 fr: when the second Wednesday falls after the 12th, the season opens on the first Wednesday', () => {
  assert.equal(inSalesPeriod('fr', new Date('2025-01-07T12:00:00Z')), false)
  assert.equal(inSalesPeriod('fr', new Date('2025-01-08T12:00:00Z')), true)
  assert.equal(inSalesPeriod('fr', new Date('2027-01-05T12:00:00Z')), false)
  assert.equal(inSalesPeriod('fr', new Date('2027-01-06T12:00:00Z')), true)
})

test('R-359 every condition except new adds a marker after the title', () => {
  for (const market of marketCodes) {
    assert.equal(conditionMarker(market, 'new'), null)
    for (const condition of conditions.filter((one) => one !== 'new')) {
      const title = withMarker(market, 'Perceuse 18 V', condition)
      assert.match(title, /^Perceuse 18 V \[.+\]$/)
    }
  }
})
