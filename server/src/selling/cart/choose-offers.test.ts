/** Which seller's offer a company is given of a product, by its agreements, what the sellers have, and the room in its cart. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferToPrice } from '#catalogue'
import type { AgreedPrice, DeliveryOffer } from '#pricing'
import type { Seller } from '#sellers'
import { cartLimits } from './cart-limits.ts'
import { emptyCart } from './cart.ts'
import { chooseOffers } from './choose-offers.ts'

const within = (days: number): DeliveryOffer[] => [{ kind: 'standard', fee: 4_90, daysMin: days, daysMax: days }]
/** Of seller 1, 2, …, by place; of product 1 unless named otherwise. */
const offersOf = (...offers: Partial<OfferToPrice>[]) =>
  offers.map((of, at): OfferToPrice => ({
    id: String(at + 1),
    productId: '1',
    sellerId: at + 1,
    market: 'gb',
    condition: 'new',
    price: 10_00,
    proPrice: null,
    quantityBreaks: [],
    stock: 100,
    bulk: null,
    maxQuantity: null,
    isSample: false,
    isMmf: false,
    delivery: within(2),
    onSale: true,
    categoryId: 2,
    weightG: 1000,
    unitMeasure: null,
    unitQuantityMilli: null,
    ...of,
  }))
const sellerOf = (id: number) => ({ id, country: 'GB', status: 'active', isB2b: false, rating: null, freeDeliveryFrom: {} }) as Seller
const price = (amount: number): AgreedPrice => ({ price: amount, percentBp: null })
const quote = (quantity: number, amount: number): AgreedPrice => ({
  price: null,
  percentBp: null,
  quotes: [{ quoteId: 'q', quantity, price: amount, delivery: 4_90, lines: 1 }],
})
const tenPieces = (amount: number) => [{ group: 'b2b' as const, from: 10, price: amount }]

interface Given {
  /** By offer. */
  agreed: Record<string, AgreedPrice>
  /** Pieces in the cart, by offer. */
  held?: Record<string, number>
}
/** The chosen offer of each product, by product. */
function chosen(offers: readonly OfferToPrice[], quantities: readonly number[], { agreed, held = {} }: Given): Record<string, string> {
  const basket = {
    cart: { ...emptyCart, lines: Object.entries(held).map(([offerId, quantity]) => ({ offerId, quantity, seenPrice: 0 })) },
    offers: new Map(offers.map((offer) => [offer.id, offer])),
    sellers: new Map(offers.map(({ sellerId }) => [sellerId, sellerOf(sellerId)])),
    categoryPath: (id: number) => [id],
    vatRules: [{ market: 'gb' as const, categoryId: null, rateBp: 2000, flag: null, validFrom: '2020-01-01', validTo: null }],
    viewer: { market: 'gb' as const, mode: 'b2b' as const, prefersVat: false },
    agreed: new Map(Object.entries(agreed)),
    now: new Date('2026-11-21T12:00:00Z'),
  }
  const choices = chooseOffers(basket, offers, () => quantities)
  return Object.fromEntries([...choices].map(([productId, { offerId }]) => [productId, offerId]))
}
const one = (...of: Parameters<typeof chosen>) => chosen(...of)['1']

test('a seller with an agreement is chosen by what the company pays, also if a quantity break is below the agreed price', () => {
  const offers = offersOf({ price: 9_00 }, { price: 9_50, quantityBreaks: tenPieces(7_00) })
  const agreed = { 2: price(8_00) }
  assert.equal(one(offers, [9], { agreed }), '2')
  assert.equal(one(offers, [10], { agreed }), '2', '70.00, not 90.00')
  assert.equal(one(offers, [5], { agreed, held: { 2: 5 } }), '2', 'five more make ten')
  assert.equal(one(offers, [10], { agreed: {} }), '1', 'no agreement')
})

test('a seller with an agreement who lowers the public price to the agreed one, or below, is not left for a dearer one', () => {
  for (const lowered of [95_00, 82_01, 82_00, 81_95]) {
    const offers = offersOf({ price: 85_00, delivery: within(1) }, { price: lowered, delivery: within(9) })
    assert.equal(one(offers, [10], { agreed: {} }), '1', 'the public winner')
    assert.equal(one(offers, [10], { agreed: { 2: price(82_00) } }), '2', `${lowered}`)
  }
})

test('an accepted quote counts where a quantity break has reached its price', () => {
  const offers = offersOf({ price: 9_00 }, { price: 9_50, quantityBreaks: tenPieces(7_00) })
  assert.equal(one(offers, [10], { agreed: { 2: quote(10, 7_00) } }), '2')
  assert.equal(one(offers, [11], { agreed: { 2: quote(10, 7_00) } }), '1', 'one piece more')
})

test('a price list that makes neither its offer nor the product cheaper changes nothing', () => {
  const offers = offersOf({ price: 85_00, delivery: within(1) }, { price: 82_00, delivery: within(9) })
  assert.equal(one(offers, [10], { agreed: { 2: price(84_99) } }), '2')
  assert.equal(one(offers, [10], { agreed: { 2: price(85_00) } }), '1')
})

test('where the public winner has too few, agreed prices compete with the next of the public order that has enough', () => {
  const offers = offersOf({ price: 100_00, stock: 5 }, { price: 100_50, stock: 9 }, { price: 101_00 }, { price: 300_00 })
  const ten = (agreed: Given['agreed']) => one(offers, [10], { agreed })
  assert.equal(ten({ 4: price(299_00) }), '1', 'dearer than that one, the list changes nothing')
  assert.equal(ten({ 4: quote(10, 299_00) }), '3')
  assert.equal(ten({ 4: price(101_00) }), '3', 'at the same price the public order decides')
  assert.equal(ten({ 4: price(100_99) }), '4')
  assert.equal(one(offers, [5], { agreed: { 4: price(100_99) } }), '1', 'five it has')
  assert.equal(one(offers, [10, 90], { agreed: { 4: price(100_99) } }), '4')
})

test('where nobody else has enough, a price list counts up to the price of the public winner, an accepted quote at any price', () => {
  const offers = offersOf({ price: 100_00, stock: 5 }, { price: 300_00 })
  const ten = (agreed: Given['agreed']) => one(offers, [10], { agreed })
  assert.equal(ten({ 2: price(299_99) }), '1', 'refused as for everybody')
  assert.equal(ten({ 2: price(100_01) }), '1')
  assert.equal(ten({ 2: price(100_00) }), '2')
  assert.equal(ten({ 2: quote(10, 299_00) }), '2')
  assert.equal(ten({ 2: quote(9, 90_00) }), '1', 'a quote for another quantity')
  assert.equal(one(offers, [3], { agreed: { 2: price(299_99) }, held: { 1: 3 } }), '1', 'two are left next to the cart')
  assert.equal(one(offers, [3], { agreed: { 2: price(100_00) }, held: { 1: 3 } }), '2')
  const twice = offersOf({ price: 100_00, stock: 5 }, { price: 300_00 }, { price: 301_00, sellerId: 2 })
  assert.equal(one(twice, [10], { agreed: { 2: price(299_99) } }), '1', 'the other offer is of the same seller')
})

test('a price list is compared by the price of all pieces, that of the public winner for as many as it has', () => {
  const twenty = (stock: number, ...quantityBreaks: OfferToPrice['quantityBreaks'][]) => {
    const [winner, dear] = quantityBreaks
    const offers = offersOf({ price: 100_00, stock, quantityBreaks: winner ?? [] }, { price: 300_00, quantityBreaks: dear ?? [] })
    return one(offers, [20], { agreed: { 2: price(95_00) } })
  }
  assert.equal(twenty(12, tenPieces(90_00)), '1')
  assert.equal(twenty(9, tenPieces(90_00)), '2', 'nobody can buy ten of the public winner')
  assert.equal(twenty(12, tenPieces(90_00), tenPieces(90_00)), '2', 'a quantity break has overtaken the list')
})

test('a row that the public winner has becomes neither dearer nor refused where a price list has other rows as well', () => {
  const offers = offersOf({ price: 100_00, stock: 5 }, { price: 101_00 }, { price: 300_00 })
  const [first, , dear] = offers as [OfferToPrice, OfferToPrice, OfferToPrice]
  for (const others of [offers, [first, dear]])
    for (const rows of [
      [3, 10],
      [10, 3],
    ]) {
      const choice = (amount: number) => one(others, rows, { agreed: { 3: price(amount) } })
      assert.equal(choice(299_99), '1')
      assert.equal(choice(100_50), '1', 'of three pieces')
      assert.equal(choice(100_00), '3')
    }
  const ten = { ...dear, stock: 10 }
  assert.equal(one([first, ten], [10, 3], { agreed: { 3: price(90_00) } }), '1', 'the three would be refused')
  assert.equal(one([first, ten], [7, 3], { agreed: { 3: price(90_00) } }), '3')
})

test('the next of the public order takes as many rows as the agreed seller would', () => {
  const offers = offersOf({ price: 100_00, stock: 5 }, { price: 101_00, stock: 12 }, { price: 300_00, stock: 20 })
  const agreed = { 3: price(101_00) }
  assert.equal(one(offers, [6, 6], { agreed }), '2')
  assert.equal(one(offers, [10, 10], { agreed }), '1', 'nobody else has twenty')
  assert.equal(one(offers, [10, 10], { agreed: { 3: price(100_00) } }), '3')
  assert.equal(one(offers, [10, 200], { agreed }), '2', 'the second row will be refused')
})

test('where the public winner has too few, a list that makes nothing cheaper leaves the row with it', () => {
  const offers = offersOf({ price: 100_00, stock: 5 }, { price: 101_00 }, { price: 102_00 })
  assert.equal(one(offers, [10], { agreed: { 3: price(9_999_00) } }), '1')
  assert.equal(one(offers, [10], { agreed: {} }), '1')
})

test('where the public winner has too few, the next of the public order is chosen also if its public price has fallen below the agreed one', () => {
  for (const lowered of [96_00, 95_00, 90_00]) {
    const offers = offersOf({ price: 85_00, stock: 5 }, { price: lowered }, { price: 101_00 })
    assert.equal(one(offers, [10], { agreed: { 2: price(95_00) } }), '2', `${lowered}`)
  }
})

test('second-hand goods replace new ones at no agreed price', () => {
  const used = { price: 60_00, condition: 'used_good' } as const
  const agreed = { 2: price(50_00) }
  assert.equal(one(offersOf({ price: 100_00 }, used), [10], { agreed }), '1')
  assert.equal(one(offersOf({ price: 100_00, stock: 5 }, used), [10], { agreed }), '1', 'the row will be refused')
  assert.equal(one(offersOf({ price: 55_00, condition: 'used_good' }, used), [10], { agreed }), '2', 'all are used')
})

/** Lines of offers that do not exist any more. */
const full = (lines: number) => Object.fromEntries(Array.from({ length: lines }, (_, at) => [String(1_000_000 + at), 1]))

test('goods that the cart holds from another seller use no place that it does not have, nor one that another row needs', () => {
  const product = (id: number) => ({ productId: String(id) })
  const offers = offersOf({ ...product(1), price: 9_00 }, { ...product(1), price: 9_50 }, { ...product(2), price: 9_00 })
  const agreed = { 2: price(1_00) }
  const withHeld = (others: number) => chosen(offers, [1], { agreed, held: { 1: 1, ...full(others) } })
  assert.deepEqual(withHeld(cartLimits.lines - 3), { 1: '2', 2: '3' }, 'two places')
  assert.deepEqual(withHeld(cartLimits.lines - 2), { 1: '1', 2: '3' }, 'one place')
  assert.deepEqual(withHeld(cartLimits.lines - 1), { 1: '1', 2: '3' }, 'no place')
})
