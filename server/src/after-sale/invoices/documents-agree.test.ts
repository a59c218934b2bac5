import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { balanceOfOrder } from '#ledger'
import { moveLines, quantityStates, type Actor, type SellerOrderState } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { handlers as afterMoves } from '../returns/jobs.ts'
import { handlers, jobs } from './jobs.ts'
import { paidOrder } from './testing.ts'

/** Parcels, cancellations, reductions and returns in random orders: once nothing more can be sent, the documents say what the buyer has paid and kept. */

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
await addOffer(database, { id: '101', sellerId: 1, price: 777 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'documents-agree-'))))
const refunding = new Set(['returns.refund-cancelled', 'returns.refund-refused'])
const following = [...handlers, ...afterMoves.filter(({ name }) => refunding.has(name))]
const work = async () => {
  for (let round = 0; round < 2; round++) await runWork(database, following, jobs)
}

/** Pseudo-random whole numbers below another: the same orders in every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** One order of one or two lines; `did` says what has happened to it. */
async function orderOf(below: (most: number) => number) {
  const lines = [{ offerId: '100', quantity: 1 + below(4) }, ...(below(2) ? [{ offerId: '101', quantity: 1 + below(3) }] : [])]
  const { orderId: customerOrderId } = await paidOrder(database, lines)
  const sellerOrderId = `${customerOrderId}-1`
  const did: string[] = [lines.map(({ offerId, quantity }) => `${quantity} of ${offerId}`).join()]
  const refund = async (wish: Pick<Parameters<typeof requestRefund>[1], 'cause' | 'extra' | 'units' | 'delivery'>) => {
    const ids = { customerOrderId, sellerOrderId, key: `${did.length}:${sellerOrderId}`, bornBy: 'seller' as const }
    const isDue = (await database.command({}, (scope) => requestRefund(scope, { ...ids, ...wish }))) !== undefined
    did.push(`${wish.cause} ${JSON.stringify(wish)} ${isDue}`)
  }
  return {
    did,
    customerOrderId,
    /** Some pieces of a line that has pieces in this state. */
    async move(actor: Actor, from: SellerOrderState, to: SellerOrderState) {
      const able = (await quantityStates(db, [sellerOrderId])).filter(({ quantities }) => (quantities[from] ?? 0) > 0)
      const line = able[below(able.length)]
      if (!line) return
      const moves = [{ offerId: line.offerId, quantity: 1 + below(line.quantities[from] ?? 1), from, to }]
      const moved = await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor, reason: 'test', moves }))
      did.push(`${JSON.stringify(moves)} ${moved.ok}`)
    },
    reduce: () => refund({ cause: 'goodwill', extra: { offerId: below(2) ? null : '100', amount: 1 + below(2500) } }),
    /** Pieces that were sent and not returned yet. */
    async giveBack() {
      const { rows } = await pool.query<{ offerId: string; quantity: number }>(
        `select l.offer_id::text as "offerId", sum(l.quantity)::int as quantity from refunds.refund r join refunds.line l on l.refund_id = r.id
          where r.seller_order_id = $1 and r.cause = 'return' group by 1`,
        [sellerOrderId],
      )
      const states = await quantityStates(db, [sellerOrderId])
      const line = states[below(states.length)]
      const left = (line?.quantities.shipped ?? 0) - (rows.find(({ offerId }) => offerId === line?.offerId)?.quantity ?? 0)
      if (!line || left <= 0) return
      const units = [{ offerId: line.offerId, quantity: 1 + below(left) }]
      await refund({ cause: 'return', units, delivery: (['full', 'none', 'standard'] as const)[below(3)] ?? 'full' })
    },
  }
}
type Order = Awaited<ReturnType<typeof orderOf>>

/** Events of an order; a more frequent one stands there twice. */
const events: ((order: Order) => Promise<void>)[] = [
  (order) => order.move('seller', 'pending', 'accepted'),
  (order) => order.move('seller', 'pending', 'accepted'),
  (order) => order.move('seller', 'accepted', 'shipped'),
  (order) => order.move('seller', 'accepted', 'shipped'),
  (order) => order.move('buyer', 'pending', 'cancelled'),
  (order) => order.move('seller', 'accepted', 'cancelled'),
  (order) => order.reduce(),
  (order) => order.giveBack(),
]

/** Gross, commission and its VAT of all documents of an order, and what the buyer has paid and kept with the commission that is booked. */
async function sumsOf(orderId: string): Promise<[documents: number[], books: number[]]> {
  const { rows } = await pool.query<{ gross: number; commission: number; vat: number; kept: number }>(
    `select coalesce(sum(i.gross), 0)::int as gross, coalesce(sum(i.commission), 0)::int as commission, coalesce(sum(i.commission_vat), 0)::int as vat,
        (select o.total - coalesce((select sum(amount) from refunds.refund where customer_order_id = o.id), 0) from orders.customer_order o where id = $1)::int as kept
      from invoices.invoice i where i.customer_order_id = $1`,
    [orderId],
  )
  const [sums] = rows
  assert.ok(sums)
  const booked = await Promise.all((['commission', 'vat-on-commission'] as const).map((account) => balanceOfOrder(db, orderId, account)))
  return [
    [sums.gross, sums.commission, sums.vat],
    [sums.kept, ...booked.map((amount) => 0 - amount)],
  ]
}

test('whatever happens to an order in whatever order, its documents agree with money and ledger in the end, to the cent', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const below = random(seed)
    const order = await orderOf(below)
    for (let step = 0; step < 8; step++) {
      await events[below(events.length)]?.(order)
      // Some things happen before the worker has followed those before.
      if (below(3) > 0) await work()
    }
    // The remaining pieces are sent or cancelled.
    for (let step = 0; step < 20; step++) {
      await order.move('seller', 'pending', 'accepted')
      await order.move('seller', 'accepted', below(2) ? 'shipped' : 'cancelled')
    }
    await work()
    const [documents, books] = await sumsOf(order.customerOrderId)
    assert.deepEqual(documents, books, `order ${seed}: ${order.did.join('; ')}`)
  }
})
