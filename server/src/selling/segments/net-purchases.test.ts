import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { readNetPurchases } from './net-purchases.ts'

const database = await testDatabase()
const { db, pool } = database
const since = new Date(Date.now() - 365 * 86_400_000)

async function addOrder(owner: string, { total, refunds = [], state = 'paid', daysAgo = 1 }: Bought): Promise<void> {
  const id = `P${newId()}`
  await pool.query(
    `insert into orders.customer_order (id, owner, cart_id, cart_version, market, mode, origin, state, email, total, currency, placed_at, paid_at, tax_key, address, billing_address)
      values ($1, $2, $3, 1, 'gb', 'b2b', 'http://x', $4, 'a@example.com', $5, 'GBP', now() - $6 * interval '1 day', now(), 'with_vat', '{}', '{}')`,
    [id, owner, newId(), state, total, daysAgo],
  )
  for (const [refundState, amount] of refunds)
    await pool.query(
      `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
        values ($1, (select coalesce(max(number), 0) + 1 from refunds.refund), $2, $3, $3 || '-1', $1, 'return', $4, $5, 'GBP', 'gb', 'seller')`,
      [newId(), newId(), id, refundState, amount],
    )
}
interface Bought {
  total: number
  refunds?: readonly [state: string, amount: number][]
  state?: string
  daysAgo?: number
}
const spentBy = async (owner: string) => {
  const found = (await readNetPurchases(db, [owner], { since, tradeQuantity: 10 })).get(owner)
  return found && [found.ordersInYear, found.spentInYear]
}

test('R-323 money that was given back is not spent, whole orders or parts, from the moment the refund is decided', async () => {
  const rows: [orders: Bought[], expected: [orders: number, spent: number] | undefined][] = [
    [[], undefined],
    [[{ total: 100_000 }], [1, 100_000]],
    [[{ total: 100_000, refunds: [['done', 99_000]] }], [1, 1_000]],
    [
      [
        {
          total: 100_000,
          refunds: [
            ['requested', 20_000],
            ['done', 30_000],
          ],
        },
        { total: 5_000 },
      ],
      [2, 55_000],
    ],
    [[{ total: 100_000, refunds: [['done', 100_000]], state: 'refunded' }], undefined],
    [
      [{ total: 100_000 }, { total: 50_000, refunds: [['done', 40_000]], daysAgo: 400 }],
      [1, 100_000],
    ],
  ]
  for (const [orders, expected] of rows) {
    const owner = `c:${newId()}`
    for (const order of orders) await addOrder(owner, order)
    assert.deepEqual(await spentBy(owner), expected)
  }
})

test('refunds are those of the owner’s own orders', async () => {
  const [one, other] = [`c:${newId()}`, `c:${newId()}`]
  await addOrder(one, { total: 10_000, refunds: [['done', 9_000]] })
  await addOrder(other, { total: 10_000 })
  const found = await readNetPurchases(db, [one, other], { since, tradeQuantity: 10 })
  assert.deepEqual([found.get(one)?.spentInYear, found.get(other)?.spentInYear], [1_000, 10_000])
})
