import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { balanceOfOrder, unbalancedBookings, type Account } from '#ledger'
import { moveLines } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { companiesIn, addOffer, draftOrder, fillShop, must, place } from '../../selling/checkout/testing.ts'
import * as invoiceJobs from '../invoices/jobs.ts'
import { paidOrder, payOrder, sendAll, textOfPdf } from '../invoices/testing.ts'
import * as payoutJobs from './jobs.ts'
import { startRun } from './run-payouts.ts'

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
// Seller 1 is in the United Kingdom, seller 2 in Germany.
await addOffer(database, { id: '100', sellerId: 2, price: 2500 })
await addOffer(database, { id: '200', sellerId: 2, price: 25_000 })
await addOffer(database, { id: '300', sellerId: 1, price: 2500, market: 'de' })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'withheld-'))))
const handlers = [...invoiceJobs.handlers, ...payoutJobs.handlers]
const work = () => runWork(database, handlers, [...invoiceJobs.jobs, ...payoutJobs.jobs])

async function invoicesOf(orderId: string) {
  const { rows } = await pool.query<{ kind: string; issuer: string; net: number; vat: number; gross: number; treatment: string }>(
    `select kind, issuer, net::int, vat::int, gross::int, document ->> 'treatment' as treatment from invoices.invoice where customer_order_id = $1 order by issued_at`,
    [orderId],
  )
  return rows
}
const balance = (orderId: string, account: Account) => balanceOfOrder(db, orderId, account)
const giveBack = (orderId: string, sellerId: number, offerId: string, quantity: number, key: string) =>
  database.command({}, (scope) =>
    requestRefund(scope, {
      customerOrderId: orderId,
      sellerOrderId: `${orderId}-${sellerId}`,
      cause: 'return',
      key: `${orderId}:${key}`,
      units: [{ offerId, quantity }],
    }).then((id) => ({ ok: id !== undefined })),
  )

test('the VAT that the marketplace invoices as the supplier of an import is kept from the seller, to the penny', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendAll(database, orderId)
  await work()
  const [invoice, ...others] = await invoicesOf(orderId)
  assert.deepEqual([others, invoice?.issuer, invoice?.treatment], [[], 'platform', 'deemed-supplier'])
  // 75.00 and delivery of 4.90, both with 20 % of VAT.
  assert.deepEqual([invoice?.gross, invoice?.vat], [7_990, 1_250 + 82])
  assert.equal(await balance(orderId, 'vat-on-sales'), -1_332)
  const commission = -(await balance(orderId, 'commission'))
  assert.equal(await balance(orderId, 'seller:2'), -(7_990 - 1_332 - commission))

  assert.ok((await giveBack(orderId, 2, '100', 1, 'first')).ok)
  const part = Math.floor((1_332 * Math.floor(7_990 / 3)) / 7_990)
  assert.equal(await balance(orderId, 'vat-on-sales'), -1_332 + part)
  assert.ok((await giveBack(orderId, 2, '100', 2, 'rest')).ok)
  await work()
  assert.deepEqual([await balance(orderId, 'vat-on-sales'), await balance(orderId, 'seller:2')], [0, 0])
  assert.equal(
    (await invoicesOf(orderId)).reduce((all, { vat }) => all + vat, 0),
    0,
  )
  assert.deepEqual(await unbalancedBookings(db), [])
})

test('documents and ledger have the same VAT of an import after each price reduction that belongs to no line, and none after its return', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 2 }])
  await sendAll(database, orderId)
  await work()
  const same = async () => {
    await work()
    const left = (await invoicesOf(orderId)).reduce((all, { vat }) => all + vat, 0)
    assert.equal(left, 0 - (await balance(orderId, 'vat-on-sales')))
    return left
  }
  for (const amount of [1, 2, 998]) {
    const goodwill = { cause: 'goodwill', bornBy: 'seller', key: `${orderId}:${amount}`, extra: { offerId: null, amount } } as const
    await database.command({}, (scope) => requestRefund(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-2`, ...goodwill }))
    assert.ok((await same()) > 0)
  }
  assert.ok((await giveBack(orderId, 2, '100', 1, 'first')).ok)
  await same()
  assert.ok((await giveBack(orderId, 2, '100', 1, 'rest')).ok)
  assert.equal(await same(), 0)
})

test('sellers account for the VAT of dearer imports, and are paid it: the invoice is theirs', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '200', quantity: 1 }])
  await sendAll(database, orderId)
  await work()
  const [invoice] = await invoicesOf(orderId)
  assert.deepEqual([invoice?.issuer, invoice?.treatment, invoice?.vat], ['seller:2', 'gb', 4_167 + 82])
  assert.equal(await balance(orderId, 'vat-on-sales'), 0)
  assert.equal(await balance(orderId, 'seller:2'), -(25_490 + (await balance(orderId, 'commission'))))
})

test('a company accounts for its imports with their seller, however cheap they are', async () => {
  const { newCompany, join: joinCompany } = companiesIn(database)
  const buyer = await joinCompany(await newCompany(), 'admin')
  const orderId = await draftOrder(buyer, [{ offerId: '100', quantity: 1 }])
  must(await place(buyer, orderId))
  await payOrder(database, orderId)
  await sendAll(database, orderId)
  await work()
  assert.deepEqual(
    (await invoicesOf(orderId)).map(({ issuer, treatment }) => [issuer, treatment]),
    [['seller:2', 'gb']],
  )
  assert.equal(await balance(orderId, 'vat-on-sales'), 0)
})

test('the statement of a payout names the VAT withheld, and none of it as refunded', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '300', quantity: 2 }], { market: 'de' })
  await sendAll(database, orderId)
  const sellerOrderId = `${orderId}-1`
  const moves = [{ offerId: '300', quantity: 2, from: 'shipped', to: 'delivered' } as const]
  must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'carrier', reason: 'test', moves })))
  await work()
  const now = new Date(Date.now() + 60 * 86_400_000)
  await database.command({ now }, (scope) => startRun(scope, { key: 'operator:EUR:withheld', currency: 'EUR', cause: 'operator' }))
  await work()
  const { rows } = await pool.query('select * from payouts.line where seller_order_id = $1', [sellerOrderId])
  // 50.00 and delivery of 4.90, both with 19 % of VAT.
  const vat = 798 + 78
  const { sold, commission, withheld_vat: withheld, refunded, amount } = rows[0]
  assert.deepEqual([sold, withheld, refunded, amount], [5_490, vat, 0, 5_490 - vat - commission])
  const files = await pool.query<{ pdf: string; csv: string }>(
    'select pdf_file as pdf, csv_file as csv from payouts.payout where seller_id = 1',
  )
  const read = async (key = ''): Promise<Buffer> => {
    const opened = await openFile(db, key)
    return opened ? buffer(opened.stream) : assert.fail()
  }
  const [heading = '', row = ''] = (await read(files.rows[0]?.csv)).toString().split('\r\n')
  assert.equal(row.split(',')[heading.split(',').indexOf('withheld_vat')], '8.76')
  const pdf = textOfPdf(await read(files.rows[0]?.pdf))
  assert.match(pdf, /Einbehaltene\s+USt\.[^]*-8,76/)
})
