import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { balanceOfOrder } from '#ledger'
import { moveLines } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop, must } from '../../selling/checkout/testing.ts'
import { issueInvoice } from './issue-invoice.ts'
import { handlers, jobs } from './jobs.ts'
import { paidOrder, send } from './testing.ts'

/** Refunds that exceed what has been invoiced: the documents agree with the money in the end, whatever came first. */

const database = await testDatabase()
const { pool } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'waiting-credits-'))))
const work = async () => {
  for (let round = 0; round < 3; round++) await runWork(database, handlers, jobs)
}

const refund = (orderId: string, wish: Partial<Parameters<typeof requestRefund>[1]>) =>
  database.command({}, (scope) =>
    requestRefund(scope, {
      customerOrderId: orderId,
      sellerOrderId: `${orderId}-1`,
      cause: 'goodwill',
      key: `test:${Math.random()}`,
      bornBy: 'seller',
      ...wish,
    }),
  )
const reduce = (orderId: string, amount: number, offerId: string | null = null) => refund(orderId, { extra: { offerId, amount } })
async function cancel(orderId: string, quantity: number): Promise<void> {
  const moves = [{ offerId: '100', quantity, from: 'pending', to: 'cancelled' }] as const
  must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor: 'buyer', reason: 'test', moves })))
  await work()
  assert.equal((await documentsOf(orderId)).notes, 1, 'what has waited is credited before the cancelled pieces are refunded')
  await refund(orderId, { cause: 'cancellation', units: [{ offerId: '100', quantity }] })
}

interface Row {
  kind: string
  gross: number
  vat: number
  commission: number
  commission_vat: number
}
async function documentsOf(orderId: string) {
  const { rows } = await pool.query<Row>('select * from invoices.invoice where customer_order_id = $1 order by issued_at, id', [orderId])
  const sum = (key: Exclude<keyof Row, 'kind'>, of = rows) => of.reduce((all, row) => all + row[key], 0)
  const notes = rows.filter(({ kind }) => kind === 'credit-note')
  return {
    notes: notes.length,
    credited: 0 - sum('gross', notes),
    open: sum('gross'),
    vat: sum('vat'),
    commission: sum('commission'),
    commissionVat: sum('commission_vat'),
  }
}
async function keptOf(orderId: string): Promise<number> {
  const { rows } = await pool.query<{ kept: number }>(
    `select (o.total - (select sum(amount) from refunds.refund where customer_order_id = o.id))::int as kept from orders.customer_order o where id = $1`,
    [orderId],
  )
  return rows[0]?.kept ?? NaN
}
/** The documents say what was sold and kept, with the commission that is booked. */
async function agrees(orderId: string, about = 'documents and money') {
  const documents = await documentsOf(orderId)
  assert.equal(documents.open, await keptOf(orderId), about)
  assert.equal(documents.commission, 0 - (await balanceOfOrder(database.db, orderId, 'commission')), about)
  assert.equal(documents.commissionVat, 0 - (await balanceOfOrder(database.db, orderId, 'vat-on-commission')), about)
  return documents
}

test('reductions are credited whole, each by one credit note, whether they came before or after the first parcel', async () => {
  for (const [before, after] of [
    [[1000, 1000], []],
    [[1000], [1000]],
    [[], [1000, 1000]],
    [[], [2000]],
    [[2000], []],
  ]) {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
    for (const amount of before ?? []) await reduce(orderId, amount)
    await work()
    await send(database, `${orderId}-1`, { '100': 1 })
    await work()
    for (const amount of after ?? []) {
      await reduce(orderId, amount)
      await work()
    }
    await send(database, `${orderId}-1`, { '100': 2 })
    await work()
    const about = JSON.stringify([before, after])
    const { credited, notes, vat } = await agrees(orderId, about)
    assert.deepEqual([credited, notes, vat], [2000, [...(before ?? []), ...(after ?? [])].length, 398], about)
  }
})

test('a reduction that waits for the next parcel is credited once the rest of the order is cancelled', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await reduce(orderId, 2000)
  await work()
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  assert.equal((await documentsOf(orderId)).notes, 0, 'while pieces can still be sent')
  await cancel(orderId, 2)
  await work()
  const { open, vat, commission, commissionVat } = await agrees(orderId)
  assert.deepEqual([open, vat, commission, commissionVat], [0, 0, 0, 0])
})

test('a return that exceeds what a reduction of its line has left of the first parcel is credited with the next one', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  await reduce(orderId, 500, '100')
  await work()
  await refund(orderId, { cause: 'return', units: [{ offerId: '100', quantity: 1 }] })
  await work()
  await send(database, `${orderId}-1`, { '100': 2 })
  await work()
  const { credited, notes } = await agrees(orderId)
  assert.deepEqual([credited > 1799, notes], [true, 2])
})

test('the delivery share of a cancellation is credited with the next parcel where reductions have used up the first', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  await reduce(orderId, 1789)
  await work()
  await cancel(orderId, 1)
  await work()
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  await agrees(orderId)
})

test('the commission of documents is what is booked, to the cent, where pieces are cancelled before or after the first invoice', async () => {
  for (const [quantity, sent] of [
    [2, 1],
    [3, 1],
    [3, 2],
    [4, 1],
  ] as const) {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity }])
    await send(database, `${orderId}-1`, { '100': sent })
    await work()
    const moves = [{ offerId: '100', quantity: quantity - sent, from: 'pending', to: 'cancelled' }] as const
    const sellerOrderId = `${orderId}-1`
    must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'buyer', reason: 'test', moves })))
    await refund(orderId, { cause: 'cancellation', units: [{ offerId: '100', quantity: quantity - sent }] })
    await work()
    await agrees(orderId, `${sent} of ${quantity} sent`)
    await reduce(orderId, 245)
    await work()
    await agrees(orderId, `${sent} of ${quantity} sent, and a reduction`)
    await refund(orderId, { cause: 'return', units: [{ offerId: '100', quantity: sent }] })
    await work()
    await agrees(orderId, `${sent} of ${quantity} sent and returned`)
  }
})

test('the delivery share of pieces is credited where their refund was being requested while the first invoice was issued without knowing it', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  const sellerOrderId = `${orderId}-1`
  await send(database, sellerOrderId, { '100': 1 })
  const moves = [{ offerId: '100', quantity: 2, from: 'pending', to: 'cancelled' }] as const
  must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'buyer', reason: 'test', moves })))
  const ids = { customerOrderId: orderId, sellerOrderId }
  await database.command({}, async (refunding) => {
    await requestRefund(refunding, {
      ...ids,
      cause: 'cancellation',
      key: `cancellation:${orderId}`,
      units: [{ offerId: '100', quantity: 2 }],
    })
    await database.command({ now: new Date() }, async (invoicing) => void (await issueInvoice(invoicing, ids)))
  })
  await work()
  const { notes } = await agrees(orderId)
  assert.equal(notes, 1)
})

test('what has been cancelled before the first invoice is not credited again, whatever the clocks of the processes say', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  const sellerOrderId = `${orderId}-1`
  const moves = [{ offerId: '100', quantity: 1, from: 'pending', to: 'cancelled' }] as const
  must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'buyer', reason: 'test', moves })))
  await refund(orderId, { cause: 'cancellation', units: [{ offerId: '100', quantity: 1 }] })
  await work()
  await send(database, sellerOrderId, { '100': 2 })
  const behind = new Date(Date.now() - 60_000)
  await database.command({ now: behind }, async (scope) => void (await issueInvoice(scope, { customerOrderId: orderId, sellerOrderId })))
  await work()
  const { notes } = await agrees(orderId)
  assert.equal(notes, 0)
})
