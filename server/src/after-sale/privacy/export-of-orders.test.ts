import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { newId } from '#platform'
import { runWork } from '../../edges/worker/testing.ts'
import { draftOrder, must, place } from '../../selling/checkout/testing.ts'
import { requestExport, showExport } from './export-data.ts'
import { customer, database, db, pool, work } from './test-erasure.ts'

/** Payments, refunds and references of orders in the file of one's data. */

const folder = mkdtempSync(join(tmpdir(), 'export-of-orders-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString()

type Person = Awaited<ReturnType<typeof customer>>

/** An order with all that is stored about it; the second one of a person has two pieces. */
async function ordered(person: Person, { card, costCentre }: { card: string; costCentre: string }): Promise<string> {
  const id = await draftOrder(person, [{ offerId: '9001', quantity: 1 }])
  must(await place(person, id))
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [id])
  await pool.query(
    `update payments.payment set state = 'captured', captured = amount, card_brand = 'visa', card_last4 = $2 where customer_order_id = $1`,
    [id, card],
  )
  await pool.query(
    `insert into purchasing.order_reference (customer_order_id, purchase_order, cost_centre, changed_by, changed_at) values ($1, $2, $3, $4, $5)`,
    [id, `PO ${card}`, costCentre, person.id, at(1)],
  )
  await pool.query(
    `insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, reason, note, at)
      values ($1, $2, 9001, 1, 'pending', 'refused', 'seller', 'damaged', $3, $4)`,
    [newId(), `${id}-1`, `Broken, ${costCentre}`, at(2)],
  )
  return id
}

const refund = (orderId: string, number: number, { state, ibanEnd }: { state: string; ibanEnd: string | null }) =>
  pool.query(
    `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by, iban_end, requested_at)
      values ($1, $2::int, $2::text, $3, $3 || '-1', $4, 'return', $5, 100, 'GBP', 'gb', 'seller', $6, $7)`,
    [newId(), number, orderId, newId(), state, ibanEnd, at(3)],
  )

async function fileOf(person: Person) {
  await person.does(requestExport)
  await runWork(database, [], work)
  const { fileKey } = (await person.does(showExport)) ?? {}
  const opened = await openFile(db, fileKey ?? '')
  assert.ok(opened)
  return JSON.parse(await text(opened.stream))
}

test('R-313 the file has payments with their cards, refunds with the end of the account, and the names and moves of all orders, and nobody else’s', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const first = await ordered(ann, { card: '4242', costCentre: 'North' })
  const second = await ordered(ann, { card: '0005', costCentre: 'South' })
  const others = await ordered(eve, { card: '1881', costCentre: 'East' })
  await refund(first, 70_901, { state: 'done', ibanEnd: '3000' })
  await refund(second, 70_902, { state: 'not-owed', ibanEnd: null })
  await refund(others, 70_903, { state: 'done', ibanEnd: '4000' })

  const data = await fileOf(ann)
  const fields = (rows: Record<string, unknown>[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]))
  assert.deepEqual(fields(data.payments, 'orderId', 'method', 'state', 'amount', 'captured', 'currency', 'cardBrand', 'cardLast4'), [
    [first, 'card', 'captured', 1690, 1690, 'GBP', 'visa', '4242'],
    [second, 'card', 'captured', 2890, 2890, 'GBP', 'visa', '0005'],
  ])
  assert.deepEqual(fields(data.refunds, 'number', 'sellerOrderId', 'cause', 'state', 'amount', 'currency', 'ibanEnd', 'requestedAt'), [
    ['70901', `${first}-1`, 'return', 'done', 100, 'GBP', '3000', at(3)],
    ['70902', `${second}-1`, 'return', 'not-owed', 100, 'GBP', null, at(3)],
  ])
  assert.deepEqual(
    fields(data.orderReferences, 'orderId', 'purchaseOrder', 'costCentre', 'changedAt').toSorted(),
    [
      [first, 'PO 4242', 'North', at(1)],
      [second, 'PO 0005', 'South', at(1)],
    ].toSorted(),
  )
  assert.deepEqual(
    fields(data.orderMoves, 'sellerOrderId', 'from', 'to', 'reason', 'note').toSorted(),
    [
      [`${first}-1`, 'pending', 'refused', 'damaged', 'Broken, North'],
      [`${second}-1`, 'pending', 'refused', 'damaged', 'Broken, South'],
    ].toSorted(),
  )
  assert.doesNotMatch(JSON.stringify(data), /PO 1881|"70903"|East/)
})
