import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { conditions } from '@purlin/contract/product-card.ts'
import { buyBoxReason, buyBoxReasonLabel, buyBoxReasons, rankOffers, type Contender } from './buy-box.ts'
import {
  deliveryDays,
  deliveryFor,
  deliveryKinds,
  deliveryPromise,
  deliverySummary,
  offeredDelivery,
  type DeliveryOffer,
} from './delivery-promise.ts'
import { holidays, workingDayAfter } from './holidays.ts'

const known: [Market, number, string[]][] = [
  ['es', 2026, ['01-01', '01-06', '04-03', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25']],
  ['fr', 2026, ['01-01', '04-06', '05-01', '05-08', '05-14', '05-25', '07-14', '08-15', '11-01', '11-11', '12-25']],
  ['de', 2026, ['01-01', '04-03', '04-06', '05-01', '05-14', '05-25', '10-03', '12-25', '12-26']],
  ['it', 2026, ['01-01', '01-06', '04-06', '04-25', '05-01', '06-02', '08-15', '10-04', '11-01', '12-08', '12-25', '12-26']],
  ['gb', 2026, ['01-01', '04-03', '04-06', '05-04', '05-25', '08-31', '12-25', '12-28']],
  ['gb', 2027, ['01-01', '03-26', '03-29', '05-03', '05-31', '08-30', '12-27', '12-28']],
  ['fr', 2027, ['01-01', '03-29', '05-01', '05-06', '05-08', '05-17', '07-14', '08-15', '11-01', '11-11', '12-25']],
]
for (const [market, year, days] of known) {
  test(`${market} ${year}: the public holidays are correct`, () => {
    assert.deepEqual(
      [...holidays(market, year)].toSorted(),
      days.map((day) => `${year}-${day}`),
    )
  })
}

const standard: DeliveryOffer = { kind: 'standard', fee: 490, daysMin: 1, daysMax: 3 }
const days = (market: Market, at: string, offer = standard, isMmf = false) =>
  Object.values(deliveryDays(market, offer, new Date(at), isMmf))

test('an order before 15:00 in the market’s time zone ships the same day, a later one the next day', () => {
  assert.deepEqual(days('de', '2026-11-24T13:59:00Z'), ['2026-11-25', '2026-11-27'])
  assert.deepEqual(days('de', '2026-11-24T14:00:00Z'), ['2026-11-26', '2026-11-30'])
  assert.deepEqual(days('gb', '2026-11-24T14:00:00Z'), ['2026-11-25', '2026-11-27'])
})
test('weekends and public holidays do not count', () => {
  assert.deepEqual(days('gb', '2026-11-21T10:00:00Z'), ['2026-11-24', '2026-11-26'])
  assert.deepEqual(days('de', '2026-12-24T10:00:00Z'), ['2026-12-28', '2026-12-30'])
  assert.equal(workingDayAfter('gb', '2026-12-25', 0), '2026-12-29')
})
test('R-371 goods shipped by the marketplace have a later cut-off and arrive sooner', () => {
  assert.deepEqual(days('gb', '2026-11-24T16:30:00Z', standard, true), ['2026-11-25', '2026-11-26'])
})
test('the promise is in the market’s language', () => {
  const at = new Date('2026-11-20T10:00:00Z')
  const promises = marketCodes.map((market) => deliveryPromise(market, { daysMin: 2, daysMax: 4 }, at))
  assert.deepEqual(promises, [
    'Entrega prevista entre el mar 24 y el jue 26 nov',
    'Livraison prévue entre le mar. 24 et le jeu. 26 nov.',
    'Arrives Tue 24 – Thu 26 Nov',
    'Lieferung Di. 24. – Do. 26. Nov.',
    'Consegna prevista mar 24 – gio 26 nov',
  ])
  assert.equal(deliveryPromise('gb', { daysMin: 1, daysMax: 1 }, at), 'Arrives Mon 23 Nov')
  assert.equal(deliveryPromise('gb', { daysMin: 6, daysMax: 8 }, at), 'Arrives Mon 30 Nov – Wed 2 Dec')
})
test('R-344 delivery summary: cheapest fee with its time, shortest time with its fee', () => {
  const express: DeliveryOffer = { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 }
  assert.deepEqual(deliverySummary([standard, express]), { minFee: 490, minFeeTime: 3, minTime: 1, minTimeFee: 990 })
  assert.equal(deliverySummary([]), null)
})
test('V-22 a delivery kind is offered only when checkout collects everything it needs', () => {
  const way = (kind: DeliveryOffer['kind']): DeliveryOffer => ({ kind, fee: 0, daysMin: 1, daysMax: 2 })
  const all = deliveryKinds.map(way)
  const kinds = (offers: readonly DeliveryOffer[]) => offers.map(({ kind }) => kind)
  assert.deepEqual(kinds(offeredDelivery(all)), [...deliveryKinds])
  assert.deepEqual(kinds(offeredDelivery(all, new Set())), ['standard', 'kerbside', 'express'])
  assert.deepEqual(kinds(deliveryFor(all, 100, null)), [...deliveryKinds])
  assert.deepEqual(kinds(offeredDelivery(all, new Set(['pick-up-point']))), ['standard', 'kerbside', 'express', 'relay'])
  assert.deepEqual(kinds(offeredDelivery(all, new Set(['pick-up-point', 'time-slot']))), [...deliveryKinds])
})

test('above the seller’s threshold parcels are free, express and freight are not', () => {
  const express: DeliveryOffer = { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 }
  const kerbside: DeliveryOffer = { kind: 'kerbside', fee: 5990, daysMin: 4, daysMax: 8 }
  const fees = (value: number, from: number | null) => deliveryFor([standard, express, kerbside], value, from).map(({ fee }) => fee)
  assert.deepEqual(
    [fees(4_999, 5_000), fees(5_000, 5_000), fees(9_000, null)],
    [
      [490, 990, 5990],
      [0, 990, 5990],
      [490, 990, 5990],
    ],
  )
})

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
const cases: [string, Partial<Contender>, Partial<Contender>, string][] = [
  [
    'landed price counts, not the article alone',
    { price: 10_200, delivery: [{ ...standard, fee: 0 }] },
    { delivery: [{ ...standard, fee: 900 }] },
    'lowest-price',
  ],
  ['free delivery from the threshold counts', { price: 10_100, freeDeliveryFrom: 5_000 }, {}, 'lowest-price'],
  ['what can be bought comes before what cannot', { price: 20_000 }, { stock: 0 }, 'in-stock'],
  ['new comes before second-hand', { price: 20_000 }, { condition: 'used_good' }, 'new'],
  ['sooner is worth a little more money', { price: 10_050 }, { delivery: [{ ...standard, daysMax: 9 }] }, 'faster'],
  ['a better seller is worth a little more money', { price: 10_010 }, { sellerRating: 3 }, 'better-seller'],
  [
    'a seller with few ratings counts as an ordinary one',
    { sellerRating: 4.1 },
    { sellerRating: 5, sellerRatingCount: 1 },
    'better-seller',
  ],
  [
    'free delivery from the threshold counts with its own days',
    // Both kinds are then free, and the second is faster.
    {
      freeDeliveryFrom: 5_000,
      delivery: [
        { kind: 'standard', fee: 290, daysMin: 5, daysMax: 9 },
        { kind: 'standard', fee: 490, daysMin: 1, daysMax: 2 },
      ],
    },
    { freeDeliveryFrom: 5_000, delivery: [{ kind: 'standard', fee: 290, daysMin: 2, daysMax: 4 }] },
    'faster',
  ],
  [
    'the marketplace’s own stores take a day less, but never less than the seller’s shortest time',
    { isMmf: true, delivery: [{ ...standard, daysMin: 1, daysMax: 2 }] },
    { isMmf: true, delivery: [{ ...standard, daysMin: 2, daysMax: 2 }] },
    'faster',
  ],
  ['equal offers: the one made first', { id: '99' }, { id: '100' }, 'first'],
]
for (const [title, winner, loser, reason] of cases) {
  test(`buy box: ${title}`, () => {
    const pair = [
      { ...offer, id: '1', ...winner },
      { ...offer, id: '2', ...loser },
    ]
    for (const offers of [pair, pair.toReversed()]) {
      const ranking = rankOffers(offers)
      assert.equal(ranking[0]?.offer.id, pair[0]?.id)
      assert.equal(buyBoxReason(ranking), reason)
    }
  })
}
test('buy box: no offers, no winner; a single offer gives no reason; a sample never represents its product', () => {
  assert.equal(buyBoxReason(rankOffers([])), null)
  assert.equal(buyBoxReason(rankOffers([offer])), 'only-offer')
  assert.equal(
    rankOffers([
      { ...offer, price: 100, isSample: true },
      { ...offer, id: '2' },
    ])[0]?.offer.id,
    '2',
  )
})
test('every reason has a text in the five languages', () => {
  for (const market of marketCodes) for (const reason of buyBoxReasons) assert.ok(buyBoxReasonLabel(market, reason).length > 5)
})

const anyOffer = fc.record({
  price: fc.integer({ min: 100, max: 50_000 }),
  condition: fc.constantFrom(...conditions),
  stock: fc.integer({ min: 0, max: 5 }),
  isSample: fc.boolean(),
  isMmf: fc.boolean(),
  delivery: fc.array(
    fc.record({
      kind: fc.constantFrom(...deliveryKinds),
      fee: fc.integer({ min: 0, max: 5_000 }),
      daysMin: fc.integer({ min: 0, max: 5 }),
      daysMax: fc.integer({ min: 5, max: 12 }),
    }),
    { maxLength: 3 },
  ),
  freeDeliveryFrom: fc.option(fc.integer({ min: 0, max: 20_000 })),
  sellerRating: fc.option(fc.integer({ min: 10, max: 50 }).map((tenths) => tenths / 10)),
  sellerRatingCount: fc.integer({ min: 0, max: 20 }),
}) as fc.Arbitrary<Omit<Contender, 'id'>>

test('the winner does not depend on the order in which offers are read, and selling out a losing offer changes nothing', () => {
  fc.assert(
    fc.property(fc.array(anyOffer, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 5 }), (raw, turn) => {
      const offers = raw.map((one, index) => ({ ...one, id: String(index + 1) }))
      const ids = (list: Contender[]): string[] => rankOffers(list).map(({ offer: { id } }) => id)
      const expected = ids(offers)
      assert.deepEqual(ids([...offers.slice(turn), ...offers.slice(0, turn)]), expected)
      assert.equal(ids(offers.filter(({ id }) => id !== expected.at(-1) || offers.length === 1))[0], expected[0])
    }),
  )
})
test('a lower price never worsens the rank', () => {
  fc.assert(
    fc.property(fc.array(anyOffer, { minLength: 2, maxLength: 5 }), fc.integer({ min: 1, max: 90 }), (raw, percent) => {
      const offers = raw.map((one, index) => ({ ...one, id: String(index + 1), freeDeliveryFrom: null }))
      const place = (list: Contender[]): number => rankOffers(list).findIndex(({ offer: { id } }) => id === '1')
      const cheaper = offers.map((one) => (one.id === '1' ? { ...one, price: Math.floor((one.price * (100 - percent)) / 100) } : one))
      assert.ok(place(cheaper) <= place(offers))
    }),
  )
})
