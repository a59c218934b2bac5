import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertBalanced } from '../ledger/booking.ts'
import {
  refundDue,
  refundEntries,
  refundOfUnits,
  unlimitedAmount,
  type PaidPart,
  type RefundedLine,
  type RefundLine,
} from './refund-rule.ts'

const part: PaidPart = {
  sellerId: 7,
  goods: 10_000,
  delivery: 900,
  discount: 1_000,
  total: 9_900,
  sellerDiscount: 0,
  commission: 1_000,
  commissionVat: 200,
  deliveryOptions: [
    { kind: 'standard', label: '', promise: '', fee: 300, daysMin: 2, daysMax: 4 },
    { kind: 'express', label: '', promise: '', fee: 900, daysMin: 1, daysMax: 1 },
  ],
  lines: [
    { offerId: 'a', quantity: 3, total: 6_000, discount: 600 },
    { offerId: 'b', quantity: 1, total: 4_000, discount: 400 },
  ],
}
const sum = (lines: readonly RefundLine[]): number => lines.reduce((all, { goods, delivery }) => all + goods + delivery, 0)
const merge = (before: readonly RefundLine[], more: readonly RefundLine[]): RefundLine[] =>
  [...new Set([...before, ...more].map(({ offerId }) => offerId))].map((offerId) => {
    const all = [...before, ...more].filter((line) => line.offerId === offerId)
    const of = (key: 'quantity' | 'goods' | 'delivery') => all.reduce((total, line) => total + line[key], 0)
    return { offerId, quantity: of('quantity'), goods: of('goods'), delivery: of('delivery') }
  })

test('one of three pieces is refunded with its share of the coupon and of the delivery charge', () => {
  // Line a was paid 5,400 of 9,000, so 540 of the delivery belong to it: a third of both.
  assert.deepEqual(refundOfUnits(part, [], [{ offerId: 'a', quantity: 1 }], 'full'), [
    { offerId: 'a', quantity: 1, goods: 1_800, delivery: 180 },
  ])
})

test('a withdrawal gives back the cheapest delivery offered, an unfounded return none', () => {
  const wanted = [{ offerId: 'b', quantity: 1 }]
  assert.deepEqual(refundOfUnits(part, [], wanted, 'standard'), [{ offerId: 'b', quantity: 1, goods: 3_600, delivery: 120 }])
  assert.deepEqual(refundOfUnits(part, [], wanted, 'none'), [{ offerId: 'b', quantity: 1, goods: 3_600, delivery: 0 }])
})

test('units that were refunded, were never bought or belong to nothing are not refunded', () => {
  const before = [{ offerId: 'b', quantity: 1, goods: 3_600, delivery: 360 }]
  assert.deepEqual(refundOfUnits(part, before, [{ offerId: 'b', quantity: 1 }], 'full'), [])
  assert.deepEqual(refundOfUnits(part, [], [{ offerId: 'x', quantity: 1 }], 'full'), [])
  assert.equal(refundOfUnits(part, [], [{ offerId: 'a', quantity: 9 }], 'full')[0]?.quantity, 3)
  assert.deepEqual(refundOfUnits(part, [], [{ offerId: 'a', quantity: -1 }], 'full'), [])
})

test('an earlier part refund is not paid twice', () => {
  const before = [{ offerId: 'b', quantity: 0, goods: 1_000, delivery: 0 }]
  assert.deepEqual(refundOfUnits(part, before, [{ offerId: 'b', quantity: 1 }], 'full'), [
    { offerId: 'b', quantity: 1, goods: 2_600, delivery: 360 },
  ])
})

const whole = part.lines.map(({ offerId, quantity }) => ({ offerId, quantity }))
const wanted = { isCancellation: false, units: whole, delivery: 'full', bornBy: 'seller' } as const

test('goodwill of the marketplace for goods that come back goes back to it, not to the seller', () => {
  const before = { lines: [], amount: 2_000, bySeller: 0 }
  const due = refundDue(part, before, wanted)
  assert.deepEqual([due?.amount, due?.recovered], [part.total - 2_000, 2_000])
  const entries = refundEntries(part, 0, part.total - 2_000, 2_000)
  assertBalanced(entries)
  assert.deepEqual(
    entries.filter(({ account }) => account === 'goodwill' || account === 'commission'),
    [
      { account: 'goodwill', amount: -2_000 },
      { account: 'commission', amount: part.commission },
    ],
  )
  assert.deepEqual(
    [
      refundDue(part, { ...before, amount: part.total }, wanted)?.amount,
      refundDue(part, { ...before, amount: part.total }, wanted)?.recovered,
    ],
    [0, part.total],
    'also when it has paid for everything',
  )
})

test('goodwill of the marketplace for goods that come back worn goes back to it, but for what the seller keeps of their price', () => {
  const before = { lines: [], amount: part.total - 300, bySeller: 0 }
  const due = refundDue(part, before, { ...wanted, goodsAtMost: 4_000 })
  const given = due?.lines.reduce((all, line) => all + line.goods + line.delivery, 0) ?? 0
  assert.ok(given >= 4_000 && given < part.total)
  assert.deepEqual([due?.amount, due?.recovered], [300, given - 300])
})

test('a cancelled piece for which nothing is left counts, so that the last one takes the odd cent', () => {
  const line = { offerId: 'a', quantity: 2, total: 100, discount: 0 }
  const odd = { ...part, goods: 100, delivery: 1, discount: 0, total: 101, lines: [line] }
  const paid = { offerId: 'a', quantity: 0, goods: 100, delivery: 0 }
  const one = { isCancellation: true, units: [{ offerId: 'a', quantity: 1 }], delivery: 'full', bornBy: 'seller' } as const
  const first = refundDue(odd, { lines: [paid], amount: 100, bySeller: 100 }, one)
  assert.deepEqual(first, { lines: [{ offerId: 'a', quantity: 1, goods: 0, delivery: 0 }], amount: 0, recovered: 0 })
  const before = { lines: [{ ...paid, quantity: 1, cancelled: 1 }], amount: 100, bySeller: 100 }
  assert.equal(refundDue(odd, before, one)?.amount, 1)
})

test('goodwill alone recovers nothing, and that of the marketplace leaves the price of the line it names', () => {
  const extra = { offerId: 'a', amount: 1_000 }
  const goodwill = { ...wanted, units: [], extra }
  assert.deepEqual(refundDue(part, { lines: [], amount: 9_500, bySeller: 0 }, goodwill), {
    lines: [{ offerId: 'a', quantity: 0, goods: 400, delivery: 0 }],
    amount: 400,
    recovered: 0,
  })
  const own = refundDue(part, { lines: [], amount: 0, bySeller: 0 }, { ...goodwill, bornBy: 'marketplace' })
  assert.deepEqual(own, { lines: [{ offerId: 'a', quantity: 0, goods: 0, delivery: 0 }], amount: 1_000, recovered: 0 })
  assert.equal(refundDue(part, { lines: [], amount: part.total, bySeller: part.total }, wanted), undefined)
})

test('pieces that an earlier refund has paid for, and a price that it has used up, count as if it had not', () => {
  const one = { ...wanted, units: [{ offerId: 'a', quantity: 3 }], delivery: 'none' } as const
  const before = [{ offerId: 'a', quantity: 2, cancelled: 1, goods: 5_000, delivery: 0 }]
  // The cancelled piece never arrives.
  assert.equal(unlimitedAmount(part, before, one), 3_600)
  assert.equal(unlimitedAmount(part, [{ offerId: 'a', quantity: 2, goods: 5_400, delivery: 540 }], { ...one, delivery: 'full' }), 5_940)
  // £4.00 are left of the price: less of them is a deduction, more is not.
  assert.deepEqual(
    [300, 400, 2_000].map((goodsAtMost) => unlimitedAmount(part, before, { ...one, goodsAtMost })),
    [3_500, 3_600, 3_600],
  )
  assert.equal(unlimitedAmount(part, [], { ...one, goodsAtMost: 2_000 }), 2_000)
  const goodwill = { ...wanted, units: [], extra: { offerId: 'a', amount: 9_000 } }
  assert.equal(unlimitedAmount(part, before, goodwill), 5_400)
  assert.equal(unlimitedAmount(part, before, { ...goodwill, extra: { offerId: null, amount: 12_000 } }), part.total)
})

const anyPart: fc.Arbitrary<PaidPart> = fc
  .record({
    lines: fc.array(
      fc.record({ quantity: fc.integer({ min: 1, max: 40 }), price: fc.integer({ min: 1, max: 500_000 }), off: fc.nat(100) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    delivery: fc.nat(20_000),
    deliveryOff: fc.nat(100),
    cheapest: fc.nat(20_000),
    bearsCoupon: fc.boolean(),
    rate: fc.nat(2_500),
    isWithheld: fc.boolean(),
  })
  .map(({ lines, delivery, deliveryOff, cheapest, bearsCoupon, rate, isWithheld }) => {
    const sold = lines.map(({ quantity, price, off }, index) => {
      const total = quantity * price
      return { offerId: String(index), quantity, total, discount: Math.floor((total * off) / 100) }
    })
    const goods = sold.reduce((all, { total }) => all + total, 0)
    const discount = sold.reduce((all, line) => all + line.discount, 0) + Math.floor((delivery * deliveryOff) / 100)
    const commission = Math.floor((goods * rate) / 10_000)
    const option = { kind: 'standard', label: '', promise: '', fee: cheapest, daysMin: 1, daysMax: 2 }
    return {
      sellerId: 1,
      goods,
      delivery,
      discount,
      total: goods + delivery - discount,
      sellerDiscount: bearsCoupon ? discount : 0,
      commission,
      commissionVat: Math.floor(commission / 5),
      withheldVat: isWithheld ? Math.floor((goods + delivery - discount) / 6) : null,
      deliveryOptions: [option],
      lines: sold,
    }
  })
const anyMoves = fc.array(
  fc.record({ line: fc.nat(5), quantity: fc.integer({ min: 1, max: 12 }), delivery: fc.constantFrom('full', 'standard', 'none') }),
  { maxLength: 30 },
)

test('over any sequence of refunds no line gets back more than was paid for it, and the delivery charge is never exceeded', () => {
  fc.assert(
    fc.property(anyPart, anyMoves, (paid, moves) => {
      let before: RefundLine[] = []
      for (const { line, quantity, delivery } of moves) {
        const more = refundOfUnits(paid, before, [{ offerId: String(line), quantity }], delivery)
        for (const { goods, delivery: share } of more) assert.ok(goods >= 0 && share >= 0)
        before = merge(before, more)
        for (const { offerId, quantity: done, goods } of before) {
          const sold = paid.lines.find((each) => each.offerId === offerId)
          assert.ok(sold && done <= sold.quantity && goods <= sold.total - sold.discount)
        }
        assert.ok(sum(before) <= paid.total)
      }
    }),
    { numRuns: 20_000 },
  )
})

test('refunds of pieces limit none of other pieces, whatever their order and whether they were cancelled; a reduction changes no claim', () => {
  fc.assert(
    fc.property(anyPart, anyMoves, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (paid, moves, cancelled) => {
      let before: RefundedLine[] = []
      for (const [index, { line, quantity }] of moves.entries()) {
        const offerId = String(line)
        const sold = paid.lines.find((each) => each.offerId === offerId)
        const done = before.find((each) => each.offerId === offerId)
        const units = Math.min(quantity, (sold?.quantity ?? 0) - (done?.quantity ?? 0))
        if (units <= 0) continue
        const isCancellation = cancelled[index] ?? false
        const move = { isCancellation, units: [{ offerId, quantity: units }], delivery: 'full', bornBy: 'seller' } as const
        const due = refundDue(paid, { lines: before, amount: sum(before), bySeller: sum(before) }, move)
        assert.equal(unlimitedAmount(paid, before, move), due?.amount ?? 0)
        const reduced = [
          ...before.filter((each) => each.offerId !== offerId),
          { ...done, offerId, quantity: done?.quantity ?? 0, goods: sold?.total ?? 0, delivery: 0 },
        ]
        assert.equal(unlimitedAmount(paid, reduced, move), due?.amount ?? 0)
        const more = (due?.lines ?? []).map((each) => ({ ...each, cancelled: isCancellation ? each.quantity : 0 }))
        before = [...new Set([...before, ...more].map((each) => each.offerId))].map((id) => {
          const of = (key: 'quantity' | 'goods' | 'delivery' | 'cancelled') =>
            [...before, ...more].reduce((all, each) => all + (each.offerId === id ? (each[key] ?? 0) : 0), 0)
          return { offerId: id, quantity: of('quantity'), goods: of('goods'), delivery: of('delivery'), cancelled: of('cancelled') }
        })
      }
    }),
    { numRuns: 5_000 },
  )
})

test('R-132 whatever the order of refunds, all pieces together give back exactly what was paid, and the bookings reverse the sale', () => {
  fc.assert(
    fc.property(anyPart, anyMoves, (paid, moves) => {
      let before: RefundLine[] = []
      const balances = new Map<string, number>()
      const rest = paid.lines.map(({ offerId, quantity }) => ({ line: Number(offerId), quantity }))
      for (const { line, quantity } of [...moves, ...rest]) {
        const more = refundOfUnits(paid, before, [{ offerId: String(line), quantity }], 'full')
        const amount = sum(more)
        if (amount > 0) {
          const entries = refundEntries(paid, sum(before), amount)
          assertBalanced(entries)
          for (const entry of entries) balances.set(entry.account, (balances.get(entry.account) ?? 0) + entry.amount)
        }
        before = merge(before, more)
      }
      assert.equal(sum(before), paid.total)
      if (paid.total === 0) return
      const coupon = paid.discount - paid.sellerDiscount
      const of = (account: string) => balances.get(account) ?? 0
      assert.deepEqual(
        [of('refunds-due'), of('commission'), of('vat-on-commission'), of('vat-on-sales'), of('coupons')],
        [-paid.total, paid.commission, paid.commissionVat, paid.withheldVat ?? 0, coupon === 0 ? 0 : -coupon],
      )
      assert.equal(of('seller:1'), paid.total + coupon - paid.commission - paid.commissionVat - (paid.withheldVat ?? 0))
    }),
    { numRuns: 20_000 },
  )
})
