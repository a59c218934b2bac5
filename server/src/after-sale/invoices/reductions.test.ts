import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { balanceOfOrder } from '#ledger'
import { moveLines } from '#orders'
import { testDatabase } from '#platform/testing'
import { requestRefund } from '#refunds'
import { checkDocuments } from '../../../../e2e/model/after-sale-checks.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { type RequestRefund } from '../../selling/refunds/request-refund.ts'
import { creditRefunds } from './credit-refund.ts'
import { handlers, jobs } from './jobs.ts'
import { paidOrder, send } from './testing.ts'

/** Refunds that are larger than what has been invoiced when they are given. (decision 112) */

const database = await testDatabase()
const { pool, db } = database
await fillShop(database)
// Three pieces with delivery are £43.87, of which the first with the delivery is £17.89.
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'invoices-'))))

async function work(): Promise<void> {
  for (let rounds = 0; rounds < 3; rounds++) await runWork(database, handlers, jobs)
}
let gifts = 0
async function refund(orderId: string, wish: Pick<RequestRefund, 'cause' | 'units' | 'extra'>): Promise<void> {
  const about = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, bornBy: 'seller', key: `reduction:${(gifts += 1)}` } as const
  await database.command({}, (scope) => requestRefund(scope, { ...about, ...wish }))
  await work()
}
const reduce = (orderId: string, amount: number) => refund(orderId, { cause: 'goodwill', extra: { offerId: null, amount } })
async function sendPieces(orderId: string, quantity: number): Promise<void> {
  await send(database, `${orderId}-1`, { '100': quantity })
  await work()
}
async function sums(orderId: string): Promise<{ sold: number; credited: number; vat: number; refunded: number }> {
  const { rows } = await pool.query<{ sold: number; credited: number; vat: number; refunded: number }>(
    `select coalesce(sum(gross) filter (where kind = 'sale'), 0)::int as sold, 0 - coalesce(sum(gross) filter (where kind = 'credit-note'), 0)::int as credited,
        coalesce(sum(vat), 0)::int as vat, (select sum(amount)::int from refunds.refund where customer_order_id = $1) as refunded
      from invoices.invoice where customer_order_id = $1`,
    [orderId],
  )
  assert.ok(rows[0])
  return rows[0]
}

for (const [what, before, after] of [
  ['two before the first parcel', [1000, 1000], []],
  ['one before the first parcel and one after it', [1000], [1000]],
  ['two after the first parcel', [], [1000, 1000]],
  ['one after the first parcel, larger than its invoice', [], [2000]],
  ['one before the first parcel, larger than its invoice', [2000], []],
] as const)
  test(`R-484 reductions of £20 in all are credited whole, once so much is invoiced: ${what}`, async () => {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
    for (const amount of before) await reduce(orderId, amount)
    await sendPieces(orderId, 1)
    for (const amount of after) await reduce(orderId, amount)
    await sendPieces(orderId, 2)
    assert.deepEqual(await sums(orderId), { sold: 4387, credited: 2000, vat: 398, refunded: 2000 })
    assert.deepEqual(await checkDocuments(pool, [`${orderId}-1`]), [])
  })

for (const [what, to] of [
  ['cancelled', 'cancelled'],
  ['refused by the seller', 'refused'],
] as const)
  test(`R-484 a reduction that waits for the invoice of pieces is credited when they are ${what} instead, and nothing is left as sold`, async () => {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
    await reduce(orderId, 2000)
    await sendPieces(orderId, 1)
    assert.equal((await sums(orderId)).credited, 0)
    const pieces = { offerId: '100', quantity: 2 }
    const actor = to === 'cancelled' ? 'buyer' : 'seller'
    const moves = [{ ...pieces, from: 'pending', to }] as const
    const moved = await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason: 'test', moves }))
    assert.ok(moved.ok)
    await refund(orderId, { cause: 'cancellation', units: [pieces] })
    assert.deepEqual(await sums(orderId), { sold: 1789, credited: 1789, vat: 0, refunded: 4387 })
    for (const account of ['seller:1', 'commission'] as const) assert.equal(await balanceOfOrder(db, orderId, account), 0)
    assert.deepEqual(await checkDocuments(pool, [`${orderId}-1`]), [])
  })

test('R-484 a reduction given while the last parcel is on its way to its invoice waits for that, and is credited whole', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendPieces(orderId, 1)
  await database.command({}, (scope) =>
    requestRefund(scope, {
      customerOrderId: orderId,
      sellerOrderId: `${orderId}-1`,
      cause: 'goodwill',
      bornBy: 'seller',
      key: `reduction:${(gifts += 1)}`,
      extra: { offerId: null, amount: 2000 },
    }),
  )
  await send(database, `${orderId}-1`, { '100': 2 })
  // The refund’s event comes first.
  await database.command({}, (scope) => creditRefunds(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }))
  assert.equal((await sums(orderId)).credited, 0)
  await work()
  assert.deepEqual(await sums(orderId), { sold: 4387, credited: 2000, vat: 398, refunded: 2000 })
})
