import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#platform/testing'
import { assertBalanced, captureEntries, reversed, type Booking, type Entry, type SoldPart } from './booking.ts'
import { accountBalances, book, unbalancedBookings } from './index.ts'

const database = await testDatabase({ upTo: 'ledger' })
const { db, pool } = database

const part: SoldPart = { sellerId: 7, goods: 10_000, delivery: 490, discount: 0, sellerDiscount: 0, commission: 1_000, commissionVat: 200 }
const sum = (entries: readonly Entry[], of: (entry: Entry) => boolean = () => true): number =>
  entries.filter(of).reduce((all, { amount }) => all + amount, 0)

const captures: [title: string, amount: number, parts: SoldPart[], expected: Record<string, number>][] = [
  [
    'a seller is owed goods and delivery, less the commission and the VAT on it',
    10_490,
    [part],
    { 'provider:demo': 10_490, 'seller:7': -9_290, commission: -1_000, 'vat-on-commission': -200 },
  ],
  [
    'a coupon of the marketplace costs the marketplace',
    9_490,
    [{ ...part, discount: 1_000 }],
    { 'provider:demo': 9_490, coupons: 1_000, 'seller:7': -9_290, commission: -1_000, 'vat-on-commission': -200 },
  ],
  [
    'a coupon of the seller costs the seller',
    9_490,
    [{ ...part, discount: 1_000, sellerDiscount: 1_000 }],
    { 'provider:demo': 9_490, 'seller:7': -8_290, commission: -1_000, 'vat-on-commission': -200 },
  ],
  [
    'without a commission nothing is booked for it',
    10_490,
    [{ ...part, commission: 0, commissionVat: 0 }],
    { 'provider:demo': 10_490, 'seller:7': -10_490 },
  ],
  [
    'two sellers, two claims, one commission',
    20_980,
    [part, { ...part, sellerId: 8 }],
    { 'provider:demo': 20_980, 'seller:7': -9_290, 'seller:8': -9_290, commission: -2_000, 'vat-on-commission': -400 },
  ],
]
for (const [title, amount, parts, expected] of captures) {
  test(`money captured: ${title}`, () => {
    const entries = captureEntries('demo', amount, parts)
    assert.deepEqual(Object.fromEntries(entries.map((entry) => [entry.account, entry.amount])), expected)
    assertBalanced(entries)
  })
}

const minor = (max: number) => fc.integer({ min: 0, max })
const anyPart: fc.Arbitrary<SoldPart> = fc
  .record({
    sellerId: fc.integer({ min: 1, max: 99 }),
    goods: fc.integer({ min: 100, max: 1_000_000 }),
    delivery: minor(9_000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    bears: fc.boolean(),
    rate: minor(2_000),
  })
  .map(({ share, bears, rate, ...sold }) => {
    const discount = Math.floor(sold.goods * share)
    const commission = Math.floor((sold.goods * rate) / 10_000)
    const withheldVat = rate % 2 ? null : Math.floor((sold.goods + sold.delivery - discount) / 6)
    return { ...sold, discount, sellerDiscount: bears ? discount : 0, commission, commissionVat: Math.floor(commission / 5), withheldVat }
  })

test('for any order, every cent captured is allocated, and reversing the booking leaves a zero balance', () => {
  fc.assert(
    fc.property(fc.array(anyPart, { minLength: 1, maxLength: 5 }), (parts) => {
      const amount = parts.reduce((all, { goods, delivery, discount }) => all + goods + delivery - discount, 0)
      fc.pre(amount > 0)
      const entries = captureEntries('demo', amount, parts)
      assertBalanced(entries)
      assert.ok(entries.every((entry) => entry.amount !== 0))
      assert.equal(
        sum(entries, ({ account }) => account.startsWith('provider:')),
        amount,
      )
      assert.equal(sum([...entries, ...reversed(entries)]), 0)
      assertBalanced(reversed(entries))
    }),
  )
})

test('an amount that does not match the order cannot be booked', async () => {
  const entries = captureEntries('demo', 10_489, [part])
  assert.throws(() => assertBalanced(entries), /out of balance by -1/)
  assert.throws(() => assertBalanced([]), /0 entries/)
  await assert.rejects(book(db, booking('capture:wrong', entries)), /out of balance/)
  assert.deepEqual(await accountBalances(db), [])
})

function booking(key: string, entries: readonly Entry[], currency: Booking['currency'] = 'GBP'): Booking {
  return { key, kind: key.startsWith('refund') ? 'refund' : 'capture', customerOrderId: 'o1', currency, entries }
}

test('a booking is written once, even by two concurrent callers; balances are per account and currency', async () => {
  const entries = captureEntries('demo', 10_490, [part])
  const tries = await Promise.all(Array.from({ length: 6 }, () => book(db, booking('capture:1', entries))))
  assert.equal(tries.filter(Boolean).length, 1)
  assert.equal(await book(db, booking('capture:1', reversed(entries))), false)
  assert.equal(await book(db, booking('capture:2', captureEntries('demo', 10_490, [part]), 'EUR')), true)
  const pounds = async () =>
    (await accountBalances(db)).filter(({ currency }) => currency === 'GBP').map(({ account, balance }) => [account, balance])
  assert.deepEqual(await pounds(), [
    ['commission', '-1000'],
    ['provider:demo', '10490'],
    ['seller:7', '-9290'],
    ['vat-on-commission', '-200'],
  ])
  assert.equal(await book(db, booking('refund:1:10490', reversed(entries))), true)
  assert.ok((await pounds()).every(([, balance]) => balance === '0'))
})

test('the check finds unbalanced bookings and bookings without entries', async () => {
  assert.deepEqual(await unbalancedBookings(db), [])
  await pool.query(`insert into ledger.booking (id, key, kind, customer_order_id, currency) values
    ('00000000-0000-7000-8000-000000000001', 'empty', 'capture', 'o', 'EUR'), ('00000000-0000-7000-8000-000000000002', 'short', 'capture', 'o', 'EUR')`)
  await pool.query(
    `insert into ledger.entry values ('00000000-0000-7000-8000-000000000002', 1, 'provider:demo', 5), ('00000000-0000-7000-8000-000000000002', 2, 'commission', -4)`,
  )
  const found = (await unbalancedBookings(db)).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  assert.deepEqual(found, [
    { key: 'empty', sum: 0 },
    { key: 'short', sum: 1 },
  ])
})

test('the ledger is append-only for its owner role and for every other role', async () => {
  const { rows } = await pool.query<{ table: string; grants: string | null }>(
    `select relname as table, relacl::text as grants from pg_class where relname in ('booking', 'entry') and relnamespace = 'ledger'::regnamespace`,
  )
  assert.equal(rows.length, 2)
  // a: insert, r: select; w, d and D would be update, delete and truncate.
  for (const { grants } of rows) assert.match(grants ?? '', /^\{\w+=[^wdD/]*a[^wdD/]*\/\w+\}$/)
})
