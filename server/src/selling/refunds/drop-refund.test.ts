import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { unbalancedBookings } from '#ledger'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, fillShop, newBuyer } from '../checkout/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { dropRefund } from './drop-refund.ts'
import { giveRefund } from './give-refund.ts'
import { handlers } from './jobs.ts'
import { requestRefund, type RequestRefund } from './request-refund.ts'
import { readRefund, readRefundsOf } from './store.ts'
import { cards, testProvider } from './testing.ts'

/** Refunds on hold, which the operator says are not owed: the card of these orders takes none. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '7301', stock: 1000, price: 3000 })
const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
const total = 6000

/** An order of two pieces for £60, delivered free of charge. */
const paid = () => provider.paidOrder(newBuyer(database), [{ offerId: '7301', quantity: 2 }], cards.chargedBack)
async function refund(customerOrderId: string, key: string, wish: Partial<RequestRefund>): Promise<string> {
  const about = { customerOrderId, sellerOrderId: `${customerOrderId}-1`, cause: 'return', key: `${key}:${customerOrderId}` } as const
  const { id } = await database.command({}, async (scope) => ({ ok: true, id: await requestRefund(scope, { ...about, ...wish }) }))
  await work()
  assert.equal((await readRefund(database.db, id ?? ''))?.state, 'on-hold')
  return id ?? ''
}
async function goodwill(orderId: string, amount: number): Promise<string> {
  const wish = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, offerId: null, amount, idempotencyKey: 'goodwill-1' }
  const gave = await database.command(operator, (scope) => giveRefund(scope, wish))
  await work()
  return gave.ok ? gave.refundId : assert.fail(gave.reason)
}
const pieces = (quantity: number) => ({ units: [{ offerId: '7301', quantity }] })
const drop = (id: string) => database.command(operator, async (scope) => ({ ok: await dropRefund(scope, id) })).then(({ ok }) => ok)
const owed = async (orderId: string) => (await readRefundsOf(database.db, orderId)).reduce((all, { amount }) => all + amount, 0)
async function balance(orderId: string, account: string): Promise<number> {
  const { rows } = await database.pool.query<{ sum: number }>(
    `select coalesce(sum(e.amount), 0)::int as sum from ledger.entry e join ledger.booking b on b.id = e.booking_id
      where b.customer_order_id = $1 and e.account = $2`,
    [orderId, account],
  )
  return rows[0]?.sum ?? 0
}

test('goodwill that a later return has made up for stays owed: the buyer gets back all that was paid, and nobody gains by it', async () => {
  const orderId = await paid()
  const gave = await goodwill(orderId, 1000)
  const all = await refund(orderId, 'return', pieces(2))
  assert.deepEqual([(await readRefund(database.db, all))?.amount, await drop(gave)], [total - 1000, false])
  assert.deepEqual([await owed(orderId), await balance(orderId, 'refunds-due'), await balance(orderId, 'goodwill')], [total, -total, 0])
})

test('goodwill may be dropped once the return that made up for it was not owed either', async () => {
  const orderId = await paid()
  const gave = await goodwill(orderId, 1000)
  const all = await refund(orderId, 'return', pieces(2))
  assert.deepEqual([await drop(gave), await drop(all), await drop(gave)], [false, true, true])
  assert.deepEqual([await owed(orderId), await balance(orderId, 'goodwill'), await balance(orderId, 'refunds-due')], [0, 0, 0])
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

const reduction = (offerId: string | null) => ({ cause: 'goodwill' as const, extra: { offerId, amount: 1000 } })
for (const [what, first, later, isDropped] of [
  ['a reduction of the line whose pieces have all come back since', reduction('7301'), pieces(2), false],
  ['a reduction of the whole part, all of which has come back since', reduction(null), pieces(2), false],
  ['a reduction of the line of which one piece has come back since', reduction('7301'), pieces(1), true],
  ['a reduction before another one', reduction('7301'), reduction('7301'), true],
  ['a piece that did not come back, unlike the other one', pieces(1), pieces(1), true],
] as const)
  test(`${what}: that its refund is not owed is ${isDropped ? 'booked' : 'refused, as the later one gave less because of it'}`, async () => {
    const orderId = await paid()
    const id = await refund(orderId, 'first', first)
    await refund(orderId, 'later', later)
    assert.equal(await drop(id), isDropped)
  })

test('a refund before which others were given is dropped, and its money can be given again', async () => {
  const orderId = await paid()
  await refund(orderId, 'before', reduction('7301'))
  const id = await refund(orderId, 'all', pieces(2))
  assert.equal(await drop(id), true)
  assert.equal((await readRefund(database.db, await refund(orderId, 'again', pieces(2))))?.amount, total - 1000)
})

for (const [what, key, wish] of [
  ['pieces that nobody collected, which are back with the seller', 'uncollected', pieces(1)],
  ['what a dispute has given', 'dispute', { cause: 'dispute', extra: { offerId: null, amount: total } }],
] as const)
  test(`the price of ${what} stays owed`, async () => {
    const orderId = await paid()
    assert.equal(await drop(await refund(orderId, key, wish)), false)
    assert.notEqual(await owed(orderId), 0)
  })
