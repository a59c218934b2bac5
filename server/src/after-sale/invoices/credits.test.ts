import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { connectObjectStore, folderStore } from '#files'
import { accountBalances, balanceOfOrder } from '#ledger'
import { moveLines, quantityStates, type Actor, type SellerOrderState } from '#orders'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { dropRefund } from '../../selling/refunds/drop-refund.ts'
import { brokenRules } from './en16931-rules.ts'
import { facturX } from './factur-x.ts'
import type { InvoiceDocument } from './invoice.ts'
import { describeInvoice } from './invoice-text.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { modelOfCii, modelOfUbl } from './read-xml.ts'
import { paidOrder, send, sendAll } from './testing.ts'
import { ubl } from './ubl.ts'

const database = await testDatabase()
const { pool } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
await addOffer(database, { id: '200', sellerId: 1, price: 777 })
await addOffer(database, { id: '300', sellerId: 2, price: 2500, market: 'gb' })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'invoices-'))))
const work = () => runWork(database, handlers, jobs)

interface Row {
  kind: string
  number: string
  net: number
  vat: number
  gross: number
  commission: number
  commission_vat: number
  commission_treatment: string | null
  commission_vat_bp: number | null
  document: InvoiceDocument
}
async function invoicesOf(orderId: string): Promise<Row[]> {
  return (await pool.query<Row>('select * from invoices.invoice where customer_order_id = $1 order by issued_at, id', [orderId])).rows
}
const refund = (orderId: string, wish: Partial<Parameters<typeof requestRefund>[1]> & { key: string }) =>
  database.command({}, (scope) =>
    requestRefund(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, cause: 'return', bornBy: 'seller', ...wish }),
  )

function isWellFormed(document: InvoiceDocument): void {
  const cii = modelOfCii(facturX(document))
  assert.deepEqual(modelOfUbl(ubl(document)), cii)
  assert.deepEqual(brokenRules(cii), [])
}

test('a refund of sent goods is credited once, with the VAT and the commission of the invoice it names', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendAll(database, orderId)
  await work()
  await refund(orderId, { key: `return:${orderId}`, units: [{ offerId: '100', quantity: 1 }], delivery: 'none' })
  await work()
  await work()
  const [sale, credit, ...more] = await invoicesOf(orderId)
  assert.ok(sale && credit)
  assert.equal(more.length, 0)
  assert.deepEqual([credit.kind, credit.gross, credit.net + credit.vat], ['credit-note', -1299, -1299])
  assert.match(credit.number, /^S1-R-\d{4}-\d{6}$/)
  assert.equal(credit.document.credits?.number, sale.number)
  assert.ok(credit.commission < 0 && Math.abs(credit.commission) < sale.commission)
  isWellFormed(credit.document)
})

async function drop(id: string | undefined): Promise<void> {
  await pool.query(`update refunds.refund set state = 'on-hold' where id = $1`, [id])
  const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
  assert.ok((await database.command(operator, async (scope) => ({ ok: await dropRefund(scope, id ?? '') }))).ok)
  await work()
  await work()
}

test('parcels that are sent after a refund was not owed have their own commission: together it is what was booked', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  const id = await refund(orderId, { cause: 'goodwill', key: `gift:${orderId}`, extra: { offerId: '100', amount: 301 } })
  await work()
  await drop(id)
  await send(database, `${orderId}-1`, { '100': 2 })
  await work()
  const rows = await invoicesOf(orderId)
  const { commission, commission_vat: vat } = (
    await pool.query('select commission, commission_vat from orders.seller_order where id = $1', [`${orderId}-1`])
  ).rows[0]
  assert.equal(rows.length, 4)
  for (const [column, booked] of [
    ['commission', commission],
    ['commission_vat', vat],
  ] as const)
    assert.equal(
      rows.reduce((sum, row) => sum + row[column], 0),
      booked,
      column,
    )
})

test('what a refund has credited that was not owed is invoiced again, with its commission, and later credit notes are as without it', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendAll(database, orderId)
  await work()
  const id = await refund(orderId, { cause: 'goodwill', key: `gift:${orderId}`, extra: { offerId: '100', amount: 301 } })
  await work()
  await drop(id)
  const [sale, credit, again, ...more] = await invoicesOf(orderId)
  assert.ok(sale && credit && again)
  assert.deepEqual([more.length, credit.gross, again.kind, again.gross], [0, -301, 'sale', 301])
  assert.deepEqual([again.commission, again.commission_vat], [-credit.commission, -credit.commission_vat])
  // On the seller's invoice for the month they are one amount: the VAT is that of the order, whichever rules hold by then.
  assert.notEqual(credit.commission_treatment, null)
  assert.deepEqual([again.commission_treatment, again.commission_vat_bp], [credit.commission_treatment, credit.commission_vat_bp])
  isWellFormed(again.document)
  await refund(orderId, { key: `all:${orderId}`, units: [{ offerId: '100', quantity: 3 }], delivery: 'full' })
  await work()
  const all = await invoicesOf(orderId)
  assert.equal(all.at(-1)?.gross, -sale.gross)
  for (const column of ['gross', 'vat', 'commission', 'commission_vat'] as const)
    assert.equal(
      all.reduce((sum, row) => sum + row[column], 0),
      0,
      column,
    )
  assert.equal(await balanceOfOrder(database.db, orderId, 'seller:1'), 0)
})

const columns = ['gross', 'vat', 'commission', 'commission_vat'] as const
const sumsOf = (rows: readonly Row[]) => columns.map((column) => rows.reduce((sum, row) => sum + row[column], 0))

test('whichever refund was not owed, the documents of a part that is given back in the end add up to nothing, as its bookings do', async () => {
  const reduced = (amount: number) => ({ cause: 'goodwill' as const, extra: { offerId: '100', amount } })
  const returned = (quantity: number) => ({ units: [{ offerId: '100', quantity }], delivery: 'full' as const })
  for (const [first, second, dropped] of [
    [reduced(301), reduced(299), 0],
    [reduced(100), reduced(333), 0],
    [reduced(555), reduced(777), 1],
    // With a share of the delivery.
    [returned(1), reduced(299), 0],
  ] as const) {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
    await sendAll(database, orderId)
    await work()
    const ids: (string | undefined)[] = []
    for (const [index, wish] of [first, second].entries()) {
      ids.push(await refund(orderId, { key: `${index}:${orderId}`, ...wish }))
      await work()
    }
    await drop(ids[dropped])
    const again = (await invoicesOf(orderId)).at(-1)
    if (again) isWellFormed(again.document)
    await refund(orderId, { key: `all:${orderId}`, ...returned(3) })
    await work()
    assert.deepEqual(sumsOf(await invoicesOf(orderId)), [0, 0, 0, 0], JSON.stringify([first, second, dropped]))
    assert.equal(await balanceOfOrder(database.db, orderId, 'commission'), 0)
  }
})

test('a parcel that is sent after a refund leaves no cent in the documents, whether the goods come back or it was not owed', async () => {
  for (const amount of [299, 600, 601, 777]) {
    const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
    await send(database, `${orderId}-1`, { '100': 1 })
    await work()
    const id = await refund(orderId, { cause: 'goodwill', key: `gift:${orderId}`, extra: { offerId: '100', amount } })
    await work()
    await send(database, `${orderId}-1`, { '100': 2 })
    await work()
    const back = await refund(orderId, { key: `all:${orderId}`, units: [{ offerId: '100', quantity: 3 }], delivery: 'full' })
    await work()
    const rows = await invoicesOf(orderId)
    assert.deepEqual([rows.length, ...sumsOf(rows)], [4, 0, 0, 0, 0], `${amount}`)
    await drop(back)
    await drop(id)
    const all = await invoicesOf(orderId)
    const sales = all.filter(({ kind, document }) => kind === 'sale' && document.credits === null)
    const [gross, vat] = sumsOf(sales)
    const [sold] = (await pool.query('select commission, commission_vat from orders.seller_order where customer_order_id = $1', [orderId]))
      .rows
    assert.deepEqual([all.length, ...sumsOf(all)], [6, gross, vat, sold.commission, sold.commission_vat], `${amount}`)
  }
})

test('an invoice that takes back a credit note names it, on paper and in both XML forms, and says that the reduction no longer applies', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendAll(database, orderId)
  await work()
  const id = await refund(orderId, { cause: 'goodwill', key: `gift:${orderId}`, extra: { offerId: null, amount: 301 } })
  await work()
  await drop(id)
  const [, credit, again] = await invoicesOf(orderId)
  assert.ok(credit && again)
  assert.deepEqual(again.document.credits, { number: credit.number, issuedOn: credit.document.issuedOn })
  assert.deepEqual(
    again.document.lines.map(({ title, gross, vat }) => [title, gross, vat]),
    [['Price reduction withdrawn', 301, -credit.vat]],
  )
  assert.ok(describeInvoice(again.document).notes.some((note) => note.startsWith(`Takes back credit note ${credit.number} of `)))
  assert.ok(describeInvoice(credit.document).notes.some((note) => note.startsWith('Corrects invoice ')))
  for (const { precedingNumber } of [modelOfCii(facturX(again.document)), modelOfUbl(ubl(again.document))])
    assert.equal(precedingNumber, credit.number)
  isWellFormed(again.document)
})

test('what was cancelled before it was sent is neither invoiced nor credited; what the marketplace bears leaves the sale as it is', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  const total = (await pool.query('select total from orders.customer_order where id = $1', [orderId])).rows[0].total
  const back = await refund(orderId, {
    cause: 'cancellation',
    key: `cancel:${orderId}`,
    units: [{ offerId: '100', quantity: 1 }],
    delivery: 'full',
  })
  assert.ok(back)
  await work()
  assert.deepEqual(await invoicesOf(orderId), [])
  await send(database, `${orderId}-1`, { '100': 2 })
  await work()
  const { amount } = (await pool.query('select amount from refunds.refund where id = $1', [back])).rows[0]
  const [sale] = await invoicesOf(orderId)
  assert.equal(sale?.gross, total - amount, 'the invoice and the refund together are what was paid')
  await refund(orderId, { cause: 'goodwill', key: `goodwill:${orderId}`, bornBy: 'marketplace', extra: { offerId: null, amount: 100 } })
  await work()
  assert.equal((await invoicesOf(orderId)).length, 1)
})

test('goodwill of the marketplace does not stay with a seller whose goods all come back, on paper or in the ledger', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 2 }])
  await sendAll(database, orderId)
  await work()
  await refund(orderId, { cause: 'goodwill', key: `kind:${orderId}`, bornBy: 'marketplace', extra: { offerId: null, amount: 1_500 } })
  for (const round of [1, 2])
    await refund(orderId, { key: `back:${orderId}:${round}`, units: [{ offerId: '100', quantity: 1 }], delivery: 'full' })
  await work()
  const balances = await accountBalances(database.db)
  const of = (account: Parameters<typeof balanceOfOrder>[2]) => balanceOfOrder(database.db, orderId, account)
  assert.deepEqual([await of('seller:1'), await of('commission'), await of('vat-on-commission'), await of('goodwill')], [0, 0, 0, 0])
  assert.equal(
    balances.reduce((all, { balance }) => all + BigInt(balance), 0n),
    0n,
  )
  const sum = (count: (row: Row) => number) => invoicesOf(orderId).then((rows) => rows.reduce((all, row) => all + count(row), 0))
  assert.deepEqual([await sum(({ gross }) => gross), await sum((row) => row.commission), await sum((row) => row.commission_vat)], [0, 0, 0])
  const { rows } = await pool.query(
    `select o.total, (select sum(r.amount)::int from refunds.refund r where r.customer_order_id = o.id) as back from orders.customer_order o where o.id = $1`,
    [orderId],
  )
  assert.equal(rows[0].back, rows[0].total, 'the buyer gets back what was paid, once')
})

test('the commission on goods sent piece by piece is invoiced as it was booked, to the penny, also where pieces are cancelled in between', async () => {
  for (const cancelled of [0, 1]) {
    const { orderId } = await paidOrder(database, [{ offerId: '200', quantity: 7 }])
    await send(database, `${orderId}-1`, { '200': 1 })
    await work()
    const units = [{ offerId: '200', quantity: 1 }]
    if (cancelled > 0) await refund(orderId, { cause: 'cancellation', key: `cancel:${orderId}`, units, delivery: 'none' })
    for (let sent = 1; sent < 7 - cancelled; sent++) {
      await send(database, `${orderId}-1`, { '200': 1 })
      await work()
    }
    const invoices = await invoicesOf(orderId)
    assert.equal(invoices.length, 7 - cancelled)
    const booked = async (account: Parameters<typeof balanceOfOrder>[2]) => -(await balanceOfOrder(database.db, orderId, account))
    const invoiced = [invoices.reduce((all, row) => all + row.commission, 0), invoices.reduce((all, row) => all + row.commission_vat, 0)]
    assert.deepEqual(invoiced, [await booked('commission'), await booked('vat-on-commission')], `${cancelled} cancelled`)
  }
})

test('a piece that was invoiced, lost, accepted again and then cancelled is refunded with a credit note; one that was never sent is not', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  const sellerOrderId = `${orderId}-1`
  const total = (await pool.query('select total from orders.customer_order where id = $1', [orderId])).rows[0].total
  await send(database, sellerOrderId, { '100': 2 })
  await work()
  const move = (quantity: number, from: SellerOrderState, to: SellerOrderState, actor: Actor) =>
    database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId, actor, reason: 'test', moves: [{ offerId: '100', quantity, from, to }] }),
    )
  await move(1, 'shipped', 'incident-open', 'carrier')
  await move(1, 'incident-open', 'accepted', 'seller')
  const left = (await quantityStates(database.db, [sellerOrderId]))[0]?.quantities
  // Of two pieces cancelled together one had been invoiced.
  await move(1, 'accepted', 'cancelled', 'seller')
  await move(1, left?.pending ? 'pending' : 'accepted', 'cancelled', 'system')
  await refund(orderId, { cause: 'cancellation', key: `cancelled:${orderId}`, units: [{ offerId: '100', quantity: 2 }], delivery: 'full' })
  await work()
  await work()
  const [sale, credit, ...more] = await invoicesOf(orderId)
  assert.equal(more.length, 0)
  assert.deepEqual([sale?.document.lines[0]?.quantity, credit?.kind, credit?.document.lines[0]?.quantity], [2, 'credit-note', 1])
  const back = (await pool.query('select sum(amount)::int as back from refunds.refund where customer_order_id = $1', [orderId])).rows[0]
    .back
  assert.equal((sale?.gross ?? 0) + (credit?.gross ?? 0), total - back, 'the documents are what was sold and kept')
  if (credit) isWellFormed(credit.document)
})

test('a price reduction given before anything was sent is credited once the invoice states the whole price', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  const total = (await pool.query('select total from orders.customer_order where id = $1', [orderId])).rows[0].total
  await refund(orderId, { cause: 'goodwill', key: `early:${orderId}`, extra: { offerId: '100', amount: 500 } })
  await work()
  assert.deepEqual(await invoicesOf(orderId), [])
  await send(database, `${orderId}-1`, { '100': 1 })
  await work()
  await send(database, `${orderId}-1`, { '100': 2 })
  await work()
  const all = await invoicesOf(orderId)
  assert.deepEqual(all.map(({ kind }) => kind).toSorted(), ['credit-note', 'sale', 'sale'])
  assert.equal(
    all.reduce((sum, { gross }) => sum + gross, 0),
    total - 500,
    'the invoices and credit notes together are what was paid and not given back',
  )
})

test('a price reduction that belongs to no line is credited at the rates of the goods', async () => {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 2 }])
  await sendAll(database, orderId)
  await work()
  await refund(orderId, { cause: 'goodwill', key: `goodwill:${orderId}`, extra: { offerId: null, amount: 600 } })
  await work()
  const [, credit] = await invoicesOf(orderId)
  assert.deepEqual([credit?.gross, credit?.vat, credit?.document.lines[0]?.title], [-600, -100, 'Price reduction'])
  if (credit) isWellFormed(credit.document)
})

test('last month’s commission is invoiced to each seller once, as the orders have it: with VAT at home, none abroad', async () => {
  const at = new Date()
  const lastMonth = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 15))
  const month = lastMonth.toISOString().slice(0, 7)
  // As if all of this had been issued last month.
  await pool.query(
    `update invoices.invoice set issued_at = $1, document = jsonb_set(document, '{issuedOn}', to_jsonb($2::text)) where kind in ('sale', 'credit-note')`,
    [lastMonth, `${month}-15`],
  )
  const abroad = await paidOrder(database, [{ offerId: '300', quantity: 4 }])
  await sendAll(database, abroad.orderId)
  await work()
  const run = async (now: Date) => {
    for (const { name, run: runNow } of schedules) if (name === 'invoices.commissions') await database.command({ now }, runNow)
    return (
      await pool.query<Row & { seller_id: number }>(
        `select * from invoices.invoice where kind = 'commission' order by issued_at, seller_id`,
      )
    ).rows
  }
  const [own, ...none] = await run(at)
  assert.ok(own)
  assert.equal(none.length, 0, 'this month is not over')
  const sums = await pool.query(
    `select sum(commission)::int as net, sum(commission_vat)::int as vat from invoices.invoice where seller_id = 1 and kind in ('sale', 'credit-note')`,
  )
  assert.deepEqual([own.net, own.vat, own.seller_id], [sums.rows[0].net, sums.rows[0].vat, 1])
  assert.match(own.number, /^P-\d{4}-\d{6}$/)
  assert.equal((await run(at)).length, 1, 'once')
  const next = await run(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 3)))
  const foreign = next.find((row) => row.seller_id === 2)
  assert.deepEqual([foreign?.vat, foreign?.document.vatRows[0]?.category, foreign?.document.treatment], [0, 'O', 'outside-scope'])
  for (const { document } of next) isWellFormed(document)
  await work()
  assert.equal(
    (await pool.query(`select 1 from invoices.file where form = 'pdf'`)).rowCount,
    (await pool.query('select 1 from invoices.invoice')).rowCount,
  )
})
