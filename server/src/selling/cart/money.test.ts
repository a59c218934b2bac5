import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { modes, marketCodes } from '@purlin/contract/markets.ts'
import { maxQuantity, quantityRefusal, type OfferForSale } from '#catalogue'
import type { VatRule } from '#pricing'
import type { Seller } from '#sellers'
import { captureEntries } from '#ledger'
import { allocate } from './allocate.ts'
import type { Cart } from './cart.ts'
import { couponEffect, customerKey, normaliseCode, type Coupon, type CouponLine } from './coupon.ts'
import { deliveryOptions } from './delivery.ts'
import { priceCart } from './price-cart.ts'
import { sumOf } from './price-lines.ts'

const amount = fc.integer({ min: 0, max: 10_000_000 })

test('allocated parts sum exactly, are never negative, and are fair to one minor unit', () => {
  fc.assert(
    fc.property(amount, fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 30 }), (total, weights) => {
      const parts = allocate(total, weights)
      assert.equal(
        parts.reduce((all, part) => all + part, 0),
        total,
      )
      const sum = weights.reduce((all, weight) => all + weight, 0)
      for (const [index, part] of parts.entries()) {
        assert.ok(part >= 0)
        if (sum > 0) assert.ok(Math.abs(part - (total * (weights[index] ?? 0)) / sum) <= 1)
      }
      // A tie goes to the earlier part, so that the other way round at most one minor unit moves.
      const sorted = parts.toSorted((a, b) => a - b)
      const turned = allocate(total, weights.toReversed()).toSorted((a, b) => a - b)
      for (const [index, part] of turned.entries()) assert.ok(Math.abs(part - (sorted[index] ?? 0)) <= 1)
    }),
  )
  assert.deepEqual(allocate(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(allocate(5, [0, 0]), [5, 0])
  assert.throws(() => allocate(5, []))
  assert.throws(() => allocate(-1, [1]))
})

const couponOf = (over: Partial<Coupon>): Coupon => ({
  code: 'X',
  market: 'gb',
  kind: 'percent',
  value: 10,
  minAmount: 0,
  sellerId: null,
  categoryId: null,
  startsOn: '2026-01-01',
  endsOn: '2026-12-31',
  totalLimit: null,
  perCustomerLimit: 1,
  used: 0,
  firstOrderOnly: false,
  audience: null,
  ...over,
})
const lines: CouponLine[] = [
  { sellerId: 1, categoryPath: [1, 2], total: 1000 },
  { sellerId: 2, categoryPath: [1, 3], total: 2001 },
]

test('A21: a coupon is limited to its market, dates, usage limit, minimum, seller and category', () => {
  const table: [string, Partial<Coupon>, string, string | null, number[]][] = [
    ['ten percent of everything, rounded down', {}, '2026-11-21', null, [100, 200]],
    ['an amount, shared by value', { kind: 'amount', value: 300 }, '2026-11-21', null, [100, 200]],
    ['never more than the goods cost', { kind: 'amount', value: 99_999 }, '2026-11-21', null, [1000, 2001]],
    ['the last day', {}, '2026-12-31', null, [100, 200]],
    ['the day after', {}, '2027-01-01', 'coupon-expired', [0, 0]],
    ['the day before the first', {}, '2025-12-31', 'coupon-not-yet-valid', [0, 0]],
    ['another market', { market: 'fr' }, '2026-11-21', 'coupon-other-market', [0, 0]],
    ['used up', { totalLimit: 3, used: 3 }, '2026-11-21', 'coupon-exhausted', [0, 0]],
    ['one left', { totalLimit: 3, used: 2 }, '2026-11-21', null, [100, 200]],
    ['below the minimum', { minAmount: 3002 }, '2026-11-21', 'coupon-minimum-not-met', [0, 0]],
    ['exactly the minimum', { minAmount: 3001 }, '2026-11-21', null, [100, 200]],
    ['one seller', { sellerId: 2 }, '2026-11-21', null, [0, 200]],
    ['one category', { categoryId: 2 }, '2026-11-21', null, [100, 0]],
    ['a department', { categoryId: 1 }, '2026-11-21', null, [100, 200]],
    ['for an audience', { audience: 'high-value' }, '2026-11-21', 'coupon-not-for-you', [0, 0]],
    ['for an audience, after its last day', { audience: 'high-value' }, '2027-01-01', 'coupon-not-for-you', [0, 0]],
    ['nothing it applies to', { sellerId: 9 }, '2026-11-21', 'coupon-not-applicable', [0, 0]],
  ]
  for (const [what, over, today, reason, off] of table) {
    const effect = couponEffect(couponOf(over), lines, { market: 'gb', today, hasBought: false, isInAudience: false })
    assert.deepEqual([effect.reason, effect.lines], [reason, off], what)
  }
})

test('A21 A63: a coupon code matches in any spelling', () => {
  for (const typed of ['SAVE10', ' save10 ', 'Save 10', 'ＳＡＶＥ１０', 'SA\u200bVE10', 'save\t10'])
    assert.equal(normaliseCode(typed), 'SAVE10')
})

test('A32: one person is one customer, however the address is spelled', () => {
  for (const email of ['Robin@Example.com', 'robin@example.com', 'robin+offer@example.com', ' robin@example.com '])
    assert.equal(customerKey(email), 'robin@example.com')
  assert.equal(customerKey('r.o.bin@gmail.com'), customerKey('robin+1@gmail.com'))
  assert.notEqual(customerKey('r.obin@example.com'), customerKey('robin@example.com'))
})

test('A18: quantities come in steps, up to stock and limits; nothing is clipped', () => {
  const offer = { stock: 20, bulk: null, maxQuantity: null, isSample: false, onSale: true }
  const table: [
    string,
    Partial<Omit<typeof offer, 'bulk' | 'maxQuantity'>> & { bulk?: number; maxQuantity?: number },
    number,
    string | null,
  ][] = [
    ['one', {}, 1, null],
    ['all', {}, 20, null],
    ['more than there is', {}, 21, 'out-of-stock'],
    ['zero', {}, 0, 'quantity-not-positive'],
    ['a negative quantity', {}, -1, 'quantity-not-positive'],
    ['half a piece', {}, 1.5, 'input-invalid'],
    ['not a number', {}, Number.NaN, 'input-invalid'],
    ['too large to count', {}, 2 ** 53 + 2, 'input-invalid'],
    ['infinity', {}, Number.POSITIVE_INFINITY, 'input-invalid'],
    ['more than a line holds', { stock: 5000 }, 1000, 'quantity-too-large'],
    ['a whole pack', { bulk: 6 }, 12, null],
    ['a broken pack', { bulk: 6 }, 7, 'quantity-not-multiple'],
    ['the maximum of the offer', { maxQuantity: 3 }, 3, null],
    ['above the maximum', { maxQuantity: 3 }, 4, 'quantity-too-large'],
    ['one sample', { isSample: true }, 1, null],
    ['two samples', { isSample: true }, 2, 'sample-limit'],
    ['a paused offer', { onSale: false }, 1, 'out-of-stock'],
  ]
  for (const [what, over, wanted, reason] of table)
    assert.equal(quantityRefusal({ ...offer, ...over }, wanted)?.reason ?? null, reason, what)
  assert.equal(maxQuantity({ ...offer, bulk: 6 }), 18)
  assert.equal(maxQuantity({ ...offer, stock: 5, bulk: 6 }), 0)
})

test('goods of one seller ship together, by a kind common to all, at the highest fee and with the longest lead time', () => {
  const standard = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 } as const
  const bulky = { kind: 'standard', fee: 2990, daysMin: 5, daysMax: 9 } as const
  const express = { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 } as const
  const appointment = { kind: 'appointment', fee: 3900, daysMin: 6, daysMax: 10 } as const
  assert.deepEqual(deliveryOptions([[standard, express], [bulky]]), [{ ...bulky }])
  assert.deepEqual(deliveryOptions([[standard, express]]), [standard, express])
  assert.deepEqual(deliveryOptions([[express], [appointment]]), [{ kind: 'standard', fee: 3900, daysMin: 6, daysMax: 10 }])
  const kerbside = { kind: 'kerbside', fee: 5990, daysMin: 4, daysMax: 8 } as const
  assert.deepEqual(deliveryOptions([[standard], [kerbside]]), [kerbside])
  assert.deepEqual(deliveryOptions([[standard], []]), [])
  assert.deepEqual(deliveryOptions([]), [])
})

const rules: VatRule[] = [
  { market: 'gb', categoryId: null, rateBp: 2000, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'gb', categoryId: 3, rateBp: 500, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'fr', categoryId: null, rateBp: 2000, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'fr', categoryId: 3, rateBp: 550, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'de', categoryId: null, rateBp: 1900, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'de', categoryId: 3, rateBp: 0, flag: 'hasNoVATForDE', validFrom: '2020-01-01', validTo: null },
  { market: 'es', categoryId: null, rateBp: 2100, flag: null, validFrom: '2020-01-01', validTo: null },
  { market: 'it', categoryId: null, rateBp: 2200, flag: null, validFrom: '2020-01-01', validTo: null },
]
const seller = (id: number, country: string, freeFrom: number | null): Seller => ({
  id,
  slug: 's',
  name: 'S',
  legalName: 'S',
  country,
  vatNumber: '',
  registration: '',
  address: {},
  email: '',
  phone: '',
  isB2b: false,
  rating: null,
  ratingCount: 0,
  responseHours: 1,
  commissionBp: 1200,
  freeDeliveryFrom: freeFrom === null ? {} : { gb: freeFrom, fr: freeFrom, de: freeFrom, es: freeFrom, it: freeFrom },
  about: {},
  returnTerms: {},
  status: 'active',
})

const anyCart = fc.record({
  market: fc.constantFrom(...marketCodes),
  mode: fc.constantFrom(...modes),
  prefersVat: fc.boolean(),
  countries: fc.tuple(fc.constantFrom('GB', 'DE', 'FR'), fc.constantFrom('ES', 'IT', 'DE')),
  freeFrom: fc.option(fc.integer({ min: 1, max: 50_000 })),
  items: fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 300_000 }),
      proOff: fc.option(fc.integer({ min: 1, max: 40 })),
      quantity: fc.integer({ min: 1, max: 40 }),
      solar: fc.boolean(),
      second: fc.boolean(),
      fee: fc.integer({ min: 0, max: 5000 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  coupon: fc.option(
    fc.record({
      kind: fc.constantFrom('percent', 'amount', 'free-delivery'),
      value: fc.integer({ min: 0, max: 90 }),
      sellerId: fc.option(fc.constantFrom(1, 2)),
    }),
  ),
})
type AnyCart = typeof anyCart extends fc.Arbitrary<infer Value> ? Value : never

function priced(shape: AnyCart, withCoupon = true) {
  const { market, mode, prefersVat, countries, freeFrom, items, coupon } = shape
  const offers = new Map<string, OfferForSale>()
  const cart: Cart = { id: 'c', version: 1, lines: [], choices: {}, couponCode: null, coupon: null }
  for (const [index, item] of items.entries()) {
    const id = String(index + 1)
    const proPrice = item.proOff === null ? null : Math.max(1, item.price - item.proOff)
    offers.set(id, {
      id,
      productId: id,
      sellerId: item.second ? 2 : 1,
      market,
      condition: 'new',
      price: item.price,
      proPrice,
      quantityBreaks: [],
      stock: 100,
      bulk: null,
      maxQuantity: null,
      isSample: false,
      isMmf: false,
      delivery: [{ kind: 'standard', fee: item.fee, daysMin: 1, daysMax: 2 }],
      onSale: true,
      titles: {},
      slugs: {},
      pictures: [],
      attributes: {},
      unitMeasure: null,
      unitQuantityMilli: null,
      categoryId: item.solar ? 3 : 2,
      weightG: 1000,
      updatedAt: new Date(0),
    })
    const asked = mode === 'b2b' && proPrice !== null ? proPrice : item.price
    cart.lines.push({ offerId: id, quantity: item.quantity, seenPrice: asked })
  }
  if (coupon && withCoupon) {
    cart.couponCode = 'X'
    cart.coupon = couponOf({
      market,
      kind: coupon.kind,
      value: coupon.kind === 'amount' ? coupon.value * 100 : coupon.value,
      sellerId: coupon.sellerId,
    })
  }
  return priceCart({
    cart,
    offers,
    sellers: new Map([
      [1, seller(1, countries[0], freeFrom)],
      [2, seller(2, countries[1], freeFrom)],
    ]),
    categoryPath: (id) => [1, id],
    vatRules: rules,
    viewer: { market, mode, prefersVat },
    now: new Date('2026-11-21T12:00:00Z'),
  })
}

test('I1: for any cart, net and VAT sum to the total, the columns add up, and the sellers’ parts sum to the whole', () => {
  fc.assert(
    fc.property(anyCart, (shape) => {
      const { totals, sellers, couponDiscount } = priced(shape)
      assert.equal(totals.net + totals.vat, totals.total)
      assert.equal(
        totals.net,
        totals.vatLines.reduce((all, { net }) => all + net, 0),
      )
      assert.equal(
        totals.vat,
        totals.vatLines.reduce((all, { vat }) => all + vat, 0),
      )
      assert.equal(totals.goods + totals.delivery - totals.discount, totals.taxKey === 'with_vat' ? totals.total : totals.net)
      const parts = sellers.reduce(
        (all, group) => all + group.goods + group.delivery - group.deliveryDiscount - sumOf(group.lines, 'discount'),
        0,
      )
      assert.equal(parts, totals.total)
      for (const group of sellers) {
        for (const line of group.lines) {
          assert.equal(line.net + line.vatAmount, line.total - line.discount)
          assert.ok(line.discount >= 0 && line.discount <= line.total)
        }
      }
      assert.ok(totals.total >= 0 && couponDiscount >= 0)
      if (shape.market === 'gb' || shape.mode === 'b2c' || shape.prefersVat) assert.equal(totals.taxKey, 'with_vat')
    }),
  )
})

test('a coupon never makes anything dearer, and removing it restores every figure', () => {
  fc.assert(
    fc.property(anyCart, (shape) => {
      const without = priced(shape, false)
      const with_ = priced(shape, true)
      assert.ok(with_.totals.total <= without.totals.total)
      assert.equal(without.totals.total - with_.totals.total, with_.couponDiscount)
      assert.deepEqual(priced({ ...shape, coupon: null }).totals, without.totals)
    }),
  )
})

test('I1: for any order, the booking of its capture sums to zero', () => {
  const part = fc.record({
    sellerId: fc.integer({ min: 1, max: 40 }),
    goods: amount,
    delivery: fc.integer({ min: 0, max: 9999 }),
    off: fc.double({ min: 0, max: 1, noNaN: true }),
    own: fc.boolean(),
    rate: fc.integer({ min: 0, max: 3000 }),
    taxed: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (shapes) => {
      const parts = shapes.map(({ sellerId, goods, delivery, off, own, rate, taxed }) => {
        const discount = Math.floor((goods + delivery) * off)
        const commission = Math.round((goods * rate) / 10_000)
        return {
          sellerId,
          goods,
          delivery,
          discount,
          sellerDiscount: own ? discount : 0,
          commission,
          commissionVat: taxed ? Math.round(commission / 5) : 0,
        }
      })
      const total = parts.reduce((all, { goods, delivery, discount }) => all + goods + delivery - discount, 0)
      assert.equal(
        captureEntries('p', total, parts).reduce((all, entry) => all + entry.amount, 0),
        0,
      )
    }),
  )
})
