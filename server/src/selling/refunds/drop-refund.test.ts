import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
await addOffer(database, { id: '7302', stock: 1000, price: 1000 })
const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
const total = 6000

/** An order of two pieces for £60, delivered free of charge. */
const paid = (lines = [{ offerId: '7301', quantity: 2 }]) => provider.paidOrder(newBuyer(database), lines, cards.chargedBack)
async function request(customerOrderId: string, key: string, wish: Partial<RequestRefund>): Promise<string | undefined> {
  const about = { customerOrderId, sellerOrderId: `${customerOrderId}-1`, cause: 'return', key: `${key}:${customerOrderId}` } as const
  const { id } = await database.command({}, async (scope) => ({ ok: true, id: await requestRefund(scope, { ...about, ...wish }) }))
  await work()
  return id
}
async function refund(customerOrderId: string, key: string, wish: Partial<RequestRefund>): Promise<string> {
  const id = (await request(customerOrderId, key, wish)) ?? ''
  assert.equal((await readRefund(database.db, id))?.state, 'on-hold')
  return id
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

const reduction = (offerId: string | null, amount = 1000) => ({ cause: 'goodwill' as const, extra: { offerId, amount } })
const agreed = (offerId: string[] | null, amount: number) => ({ cause: 'dispute' as const, extra: { offerId, amount } })
for (const [what, first, later, isDropped] of [
  ['a reduction of the line whose pieces have all come back since', reduction('7301'), pieces(2), false],
  ['a reduction of the whole part, all of which has come back since', reduction(null), pieces(2), false],
  ['a reduction of the line of which one piece has come back since', reduction('7301'), pieces(1), true],
  ['a reduction before another one', reduction('7301'), reduction('7301'), true],
  ['a reduction before another one of which less was left', reduction(null, 5000), reduction('7301', 2000), true],
  ['a piece that did not come back, unlike the other one', pieces(1), pieces(1), true],
  ['a piece of a line whose other piece came back and was worth less', pieces(1), { ...pieces(1), goodsAtMost: 1000 }, true],
  ['a reduction of goods of whose remaining price a part was deducted', reduction('7301'), { ...pieces(2), goodsAtMost: 4500 }, false],
  ['a reduction of a piece before another one came back and was worth less', reduction('7301'), { ...pieces(1), goodsAtMost: 2000 }, true],
  ['a reduction before a part of the price was agreed on', reduction(null, 3000), agreed(['7301'], 4000), false],
  ['a reduction before a part of the price was agreed on that was left', reduction(null, 3000), agreed(['7301'], 3000), true],
  ['a reduction before a dispute gave more than was left', reduction(null, 3000), agreed(null, 5000), false],
  ['a reduction before a dispute gave no more than was left', reduction(null, 3000), agreed(null, 2000), true],
  ['a piece before a dispute gave more than was left of its line', pieces(1), agreed(['7301'], 4000), false],
] as const)
  test(`${what}: that its refund is not owed is ${isDropped ? 'booked' : 'refused, as the later one gave less because of it'}`, async () => {
    const orderId = await paid()
    const id = await refund(orderId, 'first', first)
    await refund(orderId, 'later', later)
    assert.equal(await drop(id), isDropped)
  })

test('a reduction of the whole price of goods stays owed once they are back, though all that they left to pay was the delivery', async () => {
  const orderId = await paid([{ offerId: '7302', quantity: 1 }])
  const first = await refund(orderId, 'first', reduction('7302'))
  await refund(orderId, 'later', { cause: 'withdrawal', units: [{ offerId: '7302', quantity: 1 }], delivery: 'standard' })
  assert.deepEqual([await drop(first), await owed(orderId)], [false, 1490])
})

for (const [what, cause, later] of [
  ['whose goods have come back', 'withdrawal', pieces(2)],
  ['a part of which was agreed on', 'return', { extra: { offerId: ['7301'], amount: 4000 } }],
  ['of which a dispute has given a part', 'dispute', { extra: { offerId: null, amount: 4000 } }],
] as const)
  test(`the whole price of an order ${what} since stays owed, though nothing was left to be refunded for that`, async () => {
    const orderId = await paid()
    const first = await refund(orderId, 'first', reduction(null, total))
    assert.equal(await request(orderId, 'later', { cause, ...later }), undefined)
    assert.equal(await request(orderId, 'later', { cause, ...later }), undefined, 'nor when it is requested again')
    assert.deepEqual([await drop(first), await owed(orderId)], [false, total])
  })

test('goodwill for an order of which nothing is left does not keep an earlier refund owed', async () => {
  const orderId = await paid()
  const first = await refund(orderId, 'first', reduction(null, total))
  assert.equal(await request(orderId, 'later', reduction(null)), undefined)
  assert.equal(await drop(first), true)
})

for (const [what, first, later, isDropped] of [
  ['whose price an earlier one had reduced', reduction('7301'), pieces(2), false],
  ['that no earlier one had limited', pieces(1), pieces(1), true],
] as const)
  test(`of a refund ${what}, which a release before has written, this is known from its pieces once the backfill has run`, async () => {
    const orderId = await paid()
    const id = await refund(orderId, 'first', first)
    await refund(orderId, 'later', later)
    await database.pool.query('update refunds.refund set wanted = null where customer_order_id = $1', [orderId])
    assert.equal(await drop(id), false)
    await database.pool.query(readFileSync(join(import.meta.dirname, '202611301445-wanted.backfill.sql'), 'utf8'), [null, 1000])
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
