/** Cart totals worked out by hand: each line state, each figure of a seller and of the totals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { maxQuantity, quantityRefusal, type OfferForSale } from '#catalogue'
import type { DeliveryOffer, PriceViewer, VatRule } from '#pricing'
import type { Seller } from '#sellers'
import { allocate } from './allocate.ts'
import { emptyCart, type Cart } from './cart.ts'
import { couponEffect, customerKey, normaliseCode, type Coupon } from './coupon.ts'
import { deliveryOptions } from './delivery.ts'
import { deliveryNetOf, priceCart, type PricedCart } from './price-cart.ts'
import { cartLimits } from './cart-limits.ts'

const home: DeliveryOffer = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }
const express: DeliveryOffer = { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 }
const kerb: DeliveryOffer = { kind: 'kerbside', fee: 5_990, daysMin: 4, daysMax: 8 }

const offerOf = (id: string, of: Partial<OfferForSale> = {}): OfferForSale => ({
  id,
  productId: id,
  sellerId: 1,
  market: 'gb',
  condition: 'new',
  price: 1_000,
  proPrice: null,
  quantityBreaks: [],
  stock: 10,
  bulk: null,
  maxQuantity: null,
  isSample: false,
  isMmf: false,
  delivery: [home],
  onSale: true,
  titles: {},
  slugs: {},
  pictures: [],
  attributes: {},
  unitMeasure: null,
  unitQuantityMilli: null,
  categoryId: 2,
  weightG: 1000,
  updatedAt: new Date(0),
  ...of,
})
const sellerOf = (id: number, of: Partial<Seller> = {}): Seller => ({
  id,
  slug: 's',
  name: 'S',
  legalName: 'S',
  country: 'GB',
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
  freeDeliveryFrom: {},
  about: {},
  returnTerms: {},
  status: 'active',
  ...of,
})
const couponOf = (of: Partial<Coupon>): Coupon => ({
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
  audience: null,
  firstOrderOnly: false,
  ...of,
})
const rate = (market: Market, rateBp: number, categoryId: number | null = null): VatRule => ({
  market,
  categoryId,
  rateBp,
  flag: null,
  validFrom: '2020-01-01',
  validTo: null,
})
const vatRules = [rate('gb', 2000), rate('gb', 500, 3), rate('de', 1900), rate('de', 700, 3)]

type Wanted = [offer: OfferForSale, quantity: number, seenPrice?: number]
interface Given {
  sellers?: readonly Seller[]
  cart?: Partial<Cart>
  viewer?: Partial<PriceViewer>
}
function priced(wanted: Wanted[], { sellers = [sellerOf(1)], cart = {}, viewer = {} }: Given = {}): PricedCart {
  return priceCart({
    cart: {
      ...emptyCart,
      lines: wanted.map(([offer, quantity, seenPrice = offer.price]) => ({ offerId: offer.id, quantity, seenPrice })),
      ...cart,
    },
    offers: new Map(wanted.map(([offer]) => [offer.id, offer])),
    sellers: new Map(sellers.map((seller) => [seller.id, seller])),
    categoryPath: (id) => [1, id],
    vatRules,
    viewer: { market: 'gb', mode: 'b2c', prefersVat: false, ...viewer },
    now: new Date('2026-11-21T12:00:00Z'),
  })
}

const states: [
  what: string,
  of: Partial<OfferForSale>,
  quantity: number,
  seen: number,
  line: [state: string, counted: number, most: number],
][] = [
  ['as agreed', {}, 3, 1_000, ['ok', 3, 10]],
  ['another price', {}, 3, 900, ['price-changed', 3, 10]],
  ['fewer left', { stock: 2 }, 3, 1_000, ['less-stock', 2, 2]],
  ['just enough', { stock: 3 }, 3, 1_000, ['ok', 3, 3]],
  ['one left', { stock: 1 }, 1, 1_000, ['ok', 1, 1]],
  ['none left', { stock: 0 }, 3, 1_000, ['out-of-stock', 0, 0]],
  ['no longer on sale', { onSale: false }, 3, 1_000, ['offer-gone', 0, 0]],
  ['whole packs alone', { bulk: 4 }, 7, 1_000, ['less-stock', 4, 8]],
  ['packs', { bulk: 4 }, 8, 1_000, ['ok', 8, 8]],
  ['a second sample', { isSample: true }, 2, 1_000, ['less-stock', 1, 1]],
  ['more than one buyer may have', { maxQuantity: 5 }, 6, 1_000, ['less-stock', 5, 5]],
]
for (const [what, of, quantity, seenPrice, [state, counted, most]] of states)
  test(`V-71 cart line: ${what}`, () => {
    const { sellers, totals } = priced([[offerOf('1', of), quantity, seenPrice]])
    const [line] = sellers[0]?.lines ?? []
    assert.ok(line)
    assert.deepEqual(
      [line.state, line.quantity, line.counted, line.step, line.maxQuantity, line.seenPrice, line.unitPrice, line.total],
      [state, quantity, counted, of.bulk ?? 1, most, seenPrice, 1_000, counted * 1_000],
    )
    assert.equal(totals.goods, counted * 1_000)
    assert.equal(totals.delivery, counted > 0 ? 490 : 0)
  })

test('V-71 an offer of another market or without a seller counts as vanished; a trade-only offer is gone for consumers', () => {
  const { vanished, sellers } = priced(
    [
      [offerOf('1'), 1],
      [offerOf('2', { market: 'fr' }), 1],
      [offerOf('3', { sellerId: 9 }), 1],
    ],
    {
      cart: { lines: ['1', '2', '3', '4'].map((offerId) => ({ offerId, quantity: 1, seenPrice: 1_000 })) },
    },
  )
  assert.deepEqual(vanished, ['2', '3', '4'])
  assert.deepEqual(
    sellers.flatMap(({ lines }) => lines.map(({ offer }) => offer.id)),
    ['1'],
  )
  const trade = [sellerOf(1, { isB2b: true })]
  assert.equal(priced([[offerOf('1'), 1]], { sellers: trade }).sellers[0]?.lines[0]?.state, 'offer-gone')
  assert.equal(priced([[offerOf('1'), 1]], { sellers: trade, viewer: { mode: 'b2b' } }).sellers[0]?.lines[0]?.state, 'ok')
})

test('V-71 a consumer’s cart adds up: two rates, delivery allocated by goods value, sellers in order', () => {
  const { sellers, totals, couponDiscount, couponReason } = priced(
    [
      [offerOf('3', { sellerId: 2, price: 6_000 }), 1],
      [offerOf('1', { price: 1_200 }), 2],
      [offerOf('2', { price: 1_050, categoryId: 3 }), 1],
    ],
    { sellers: [sellerOf(2, { freeDeliveryFrom: { gb: 6_000 } }), sellerOf(1, { freeDeliveryFrom: { gb: 9_000 } })] },
  )
  assert.deepEqual(
    sellers.map(({ seller, goods, delivery, kind, chosen, freeDeliveryFrom, deliveryByRate, taxKey }) => [
      seller.id,
      goods,
      delivery,
      kind,
      chosen,
      freeDeliveryFrom,
      taxKey,
      deliveryByRate,
    ]),
    [
      // 490 split over 1,050 at 5 % and 2,400 at 20 %: 149.13 and 340.87.
      [
        1,
        3_450,
        490,
        'standard',
        false,
        9_000,
        'with_vat',
        [
          [500, 149],
          [2000, 341],
        ],
      ],
      [2, 6_000, 0, 'standard', false, 6_000, 'with_vat', [[2000, 0]]],
    ],
  )
  assert.deepEqual([couponDiscount, couponReason], [0, null])
  assert.deepEqual(totals, {
    taxKey: 'with_vat',
    goods: 9_450,
    delivery: 490,
    discount: 0,
    // 2,400 + 6,000 + 341 at 20 %: 2,000 + 5,000 + 284; 1,050 + 149 at 5 %: 1,000 + 142.
    net: 8_426,
    vat: 1_514,
    total: 9_940,
    vatLines: [
      { rateBp: 2000, net: 7_284, vat: 1_457 },
      { rateBp: 500, net: 1_142, vat: 57 },
    ],
  })
})

test('V-71 a professional’s cart in de adds up without VAT, the discount being the remainder', () => {
  const wanted: Wanted[] = [[offerOf('1', { market: 'de', price: 11_900, proPrice: 5_950 }), 2, 5_950]]
  const given = { sellers: [sellerOf(1, { country: 'DE' })], viewer: { market: 'de', mode: 'b2b' } } as const
  const plain = priced(wanted, given)
  assert.deepEqual(
    plain.sellers[0]?.lines.map(({ unitPrice, state, taxKey }) => [unitPrice, state, taxKey]),
    [[5_950, 'ok', 'without_vat']],
  )
  assert.deepEqual(plain.totals, {
    taxKey: 'without_vat',
    goods: 10_000,
    delivery: 412,
    discount: 0,
    net: 10_412,
    vat: 1_978,
    total: 12_390,
    vatLines: [{ rateBp: 1900, net: 10_412, vat: 1_978 }],
  })
  const cut = priced(wanted, { ...given, cart: { couponCode: 'X', coupon: couponOf({ market: 'de' }) } })
  assert.deepEqual(
    [cut.couponDiscount, cut.totals.goods, cut.totals.delivery, cut.totals.discount, cut.totals.net, cut.totals.total],
    [1_190, 10_000, 412, 1_000, 9_412, 11_200],
  )
  const shipped = priced(wanted, { ...given, cart: { couponCode: 'X', coupon: couponOf({ market: 'de', kind: 'free-delivery' }) } })
  assert.deepEqual(
    [shipped.couponDiscount, shipped.totals.delivery, shipped.totals.discount, shipped.totals.total],
    [490, 412, 412, 11_900],
  )
  assert.deepEqual(shipped.sellers.map(deliveryNetOf), [412])
})

test('V-71 delivery without VAT uses the rates of the available goods, or the first of them when a coupon covers it', () => {
  const given = { sellers: [sellerOf(1, { country: 'DE' })], viewer: { market: 'de', mode: 'b2b' } } as const
  const goods = (stock: number): Wanted[] => [
    [offerOf('1', { market: 'de', price: 1_070, categoryId: 3, stock }), 1],
    [offerOf('2', { market: 'de', price: 1_190 }), 1],
  ]
  const free: Partial<Cart> = { couponCode: 'X', coupon: couponOf({ market: 'de', kind: 'free-delivery' }) }
  const both = priced(goods(1), given)
  // 490 split over 1,070 and 1,190: 232 at 7 % and 258 at 19 %.
  assert.deepEqual(
    [both.sellers[0]?.deliveryByRate, both.totals.delivery],
    [
      [
        [700, 232],
        [1900, 258],
      ],
      217 + 217,
    ],
  )
  assert.deepEqual(
    both.totals.vatLines.map(({ rateBp }) => rateBp),
    [1900, 700],
  )
  assert.equal(priced(goods(1), { ...given, cart: free }).totals.delivery, 458)
  const soldOut = priced(goods(0), { ...given, cart: free })
  assert.deepEqual([soldOut.sellers[0]?.deliveryByRate, soldOut.totals.delivery], [[[1900, 0]], 412])
})

test('V-71 one seller with VAT makes the whole cart show VAT, and so does an empty cart', () => {
  const sellers = [sellerOf(1, { country: 'DE' }), sellerOf(2, { country: 'FR' })]
  const viewer = { market: 'de', mode: 'b2b' } as const
  const both = priced(
    [
      [offerOf('1', { market: 'de' }), 1],
      [offerOf('2', { market: 'de', sellerId: 2 }), 1],
    ],
    { sellers, viewer },
  )
  assert.deepEqual(
    both.sellers.map(({ taxKey }) => taxKey),
    ['without_vat', 'with_vat'],
  )
  assert.equal(both.totals.taxKey, 'with_vat')
  assert.deepEqual(priced([], { viewer }).totals, {
    taxKey: 'with_vat',
    goods: 0,
    delivery: 0,
    discount: 0,
    net: 0,
    vat: 0,
    total: 0,
    vatLines: [],
  })
})

test('V-71 delivery is the chosen kind, else the cheapest, else the fastest; freight is never free', () => {
  const group = (delivery: DeliveryOffer[], choice?: string) => {
    const cart = choice === undefined ? {} : { choices: { 1: choice } }
    const sellers = [sellerOf(1, { freeDeliveryFrom: { gb: 1 } })]
    const [found] = priced(
      [
        [offerOf('1', { delivery }), 1],
        [offerOf('2', { delivery, stock: 0 }), 1],
      ],
      { sellers, cart },
    ).sellers
    return found && [found.kind, found.delivery, found.chosen, found.freeDeliveryFrom]
  }
  assert.deepEqual(group([express, home]), ['standard', 0, false, 1])
  assert.deepEqual(group([express, home], 'express'), ['express', 990, true, 1])
  assert.deepEqual(group([express, home], 'kerbside'), ['standard', 0, false, 1])
  assert.deepEqual(group([kerb, { ...express, fee: 5_990 }]), ['express', 5_990, false, null])
  assert.deepEqual(group([]), ['', 0, false, null])
})

test('V-71 an unknown coupon is reported as unknown; a known one gives the reason it does not apply', () => {
  const reason = (cart: Partial<Cart>) => priced([[offerOf('1'), 1]], { cart }).couponReason
  assert.equal(reason({}), null)
  assert.equal(reason({ couponCode: 'X' }), 'coupon-unknown')
  assert.equal(reason({ couponCode: 'X', coupon: couponOf({ minAmount: 1_001 }) }), 'coupon-minimum-not-met')
  assert.equal(reason({ couponCode: 'X', coupon: couponOf({}) }), null)
})

const lines = [
  { sellerId: 1, categoryPath: [1, 2], total: 1_000 },
  { sellerId: 2, categoryPath: [1, 3], total: 2_001 },
]
test('a coupon for an audience waits for the segments only where it would give something; otherwise its own reason is the answer', () => {
  const viewer = { market: 'gb', today: '2026-11-21', hasBought: false, isInAudience: null } as const
  const reason = (of: Partial<Coupon>) => couponEffect(couponOf({ audience: 'high-value', ...of }), lines, viewer).reason
  assert.equal(reason({}), 'coupon-unavailable')
  assert.equal(reason({ minAmount: 3_002 }), 'coupon-minimum-not-met')
  assert.equal(reason({ endsOn: '2026-11-20' }), 'coupon-expired')
  assert.equal(reason({ sellerId: 9 }), 'coupon-not-applicable')
})

test('V-71 A21 a coupon is valid from its first day, takes off at most a hundred percent, and free delivery leaves the goods’ prices alone', () => {
  const effect = (of: Partial<Coupon>, today = '2026-11-21') => {
    const viewer = { market: 'gb', today, hasBought: false, isInAudience: true } as const
    const { reason, lines: off, freeDelivery } = couponEffect(couponOf(of), lines, viewer)
    return [reason, off, [1, 2].filter(freeDelivery)]
  }
  assert.deepEqual(effect({}, '2026-01-01'), [null, [100, 200], []])
  assert.deepEqual(effect({ value: 100 }), [null, [1_000, 2_001], []])
  assert.deepEqual(effect({ value: 101 }), [null, [1_000, 2_001], []])
  assert.deepEqual(effect({ audience: 'high-value' }), [null, [100, 200], []])
  assert.deepEqual(effect({ kind: 'free-delivery' }), [null, [0, 0], [1, 2]])
  assert.deepEqual(effect({ kind: 'free-delivery', sellerId: 2 }), [null, [0, 0], [2]])
  assert.deepEqual(effect({ value: 0, used: 1, totalLimit: 1 }), ['coupon-exhausted', [0, 0], []])
})

test('V-71 A32 a code has at most forty characters, and both domains of one mailbox provider count as one person', () => {
  assert.equal(normaliseCode(`${'a'.repeat(40)}b`), 'A'.repeat(40))
  assert.equal(customerKey('a.b@googlemail.com').split('@')[0], 'ab')
  assert.equal(customerKey('a.b@example.com').split('@')[0], 'a.b')
})

test('V-71 goods without a common delivery kind each go by their cheapest, or the fastest of equals', () => {
  const slow: DeliveryOffer = { ...home, daysMax: 9 }
  assert.deepEqual(deliveryOptions([[express, { ...kerb, fee: 100 }], [home]]), [{ kind: 'kerbside', fee: 490, daysMin: 4, daysMax: 8 }])
  assert.deepEqual(
    deliveryOptions([
      [kerb, { ...express, fee: 100 }],
      [slow, home],
    ]),
    [{ kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }],
  )
  assert.deepEqual(deliveryOptions([[express], [{ ...express, fee: 1_500 }]]), [{ ...express, fee: 1_500 }])
  assert.deepEqual(deliveryOptions([[home], [{ ...home, fee: 700, daysMax: 6 }]]), [{ ...home, fee: 700, daysMax: 6 }])
})

test('V-71 amounts are allocated in non-negative integer units, and zero among no weights gives no parts', () => {
  assert.deepEqual(allocate(0, []), [])
  assert.throws(() => allocate(1, []), /no weights/)
  assert.throws(() => allocate(5, [1, -1]), /non-negative integer/)
  assert.throws(() => allocate(5, [1.5]), /non-negative integer/)
  assert.deepEqual(allocate(1, [1, 1, 1]), [1, 0, 0])
  assert.deepEqual(allocate(2, [1, 1, 1, 0]), [1, 1, 0, 0])
})

test('V-71 A18 an unavailable quantity is refused with its reason', () => {
  assert.deepEqual(cartLimits, { lines: 300, quantity: 999, total: 100_000_000 })
  const offer = offerOf('1')
  assert.deepEqual(quantityRefusal(offer, 1.5), { ok: false, reason: 'input-invalid', fields: { quantity: 'quantity-whole' } })
  assert.deepEqual(quantityRefusal(offer, 0), { ok: false, reason: 'quantity-not-positive' })
  assert.deepEqual(quantityRefusal(offerOf('1', { bulk: 2 }), 3), { ok: false, reason: 'quantity-not-multiple', details: { step: 2 } })
  assert.deepEqual(quantityRefusal(offerOf('1', { isSample: true }), 2), { ok: false, reason: 'sample-limit' })
  assert.deepEqual(quantityRefusal(offerOf('1', { maxQuantity: 5 }), 6), { ok: false, reason: 'quantity-too-large', details: { max: 5 } })
  assert.deepEqual(quantityRefusal(offer, 11), { ok: false, reason: 'out-of-stock', details: { available: 10 } })
  assert.deepEqual(quantityRefusal(offerOf('1', { onSale: false }), 1), { ok: false, reason: 'out-of-stock', details: { available: 0 } })
  assert.equal(quantityRefusal(offer, 10), null)
  assert.equal(maxQuantity(offerOf('1', { isSample: true })), 1)
})
