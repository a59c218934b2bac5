import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { connectSearch } from '#listing'
import { job, type Scope } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { requestRefund } from '#refunds'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import { addCompany, addCustomer, addMembership } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { drawFiles, keepFiles } from '../invoices/archive-invoice.ts'
import { handlers, jobs as invoiceJobs } from '../invoices/jobs.ts'
import { readInvoice, type Invoice } from '../invoices/store.ts'
import { payOrder, sendAll, textOfPdf } from '../invoices/testing.ts'
import { eraseAccount } from './erase-account.ts'
import { jobs, schedules } from './jobs.ts'
import { makeExport } from './export-data.ts'
import { filesThatSay, tablesThatSay } from './test-scan.ts'

/** Invoices and credit notes of erased buyers: sealed with their files, and deleted when the law allows it. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '9001', price: 2000 })
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
const folder = mkdtempSync(join(tmpdir(), 'erased-invoices-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))
const gateway = await testGateway(pool)
const cards = job<{ customerId: string }>('payments.refresh-cards', { commit: async () => {} })
const work = () => runWork(database, handlers, [...jobs, ...invoiceJobs, ...fileJobs, cards])

const marks = { firstName: 'Quirinus', lastName: 'Zwackelmann', phone: '07700 900987', line1: '77 Zeppelin Crescent', city: 'Zedtown' }
const words = ['quirinus', 'zwackelmann', '900987', 'zeppelin crescent', 'zedtown', 'gb987654321']
const scan = (also: string[]) => tablesThatSay((text, values) => pool.query(text, values), [...words, ...also])

/** A buyer with an archived invoice and, if pieces came back, a credit note. */
async function billed({
  company,
  returned = 0,
}: { company?: { id: string; country: string; prefersVat: boolean }; returned?: number } = {}) {
  const person = await addCustomer(db)
  const known = { ...person, ...(company ? { kind: 'member', role: 'buyer', company } : { kind: 'customer' }) }
  if (company) await addMembership(db, person.id, company.id, 'buyer')
  const buyer = newBuyer(database, { principal: known, session: { id: 's' } } as Partial<Scope>)
  const orderId = await draftOrder(buyer, [{ offerId: '9001', quantity: 3 }])
  await pool.query('update orders.customer_order set address = address || $2, billing_address = billing_address || $2 where id = $1', [
    orderId,
    JSON.stringify({ ...marks, vatNumber: 'GB987654321' }),
  ])
  must(await place(buyer, orderId))
  await payOrder(database, orderId)
  await sendAll(database, orderId)
  await work()
  if (returned > 0) await refund(orderId, returned)
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [orderId])
  const erase = () => buyer.does((scope) => eraseAccount({ ...scope, principal: { ...known, kind: 'customer' } }, person.email))
  return { ...person, orderId, erase }
}

async function refund(orderId: string, quantity: number): Promise<void> {
  const part = {
    customerOrderId: orderId,
    sellerOrderId: `${orderId}-1`,
    units: [{ offerId: '9001', quantity }],
    delivery: 'none',
  } as const
  await database.command({}, (scope) => requestRefund(scope, { ...part, key: `return:${orderId}`, cause: 'return', bornBy: 'seller' }))
  await work()
  await work()
  await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [orderId])
}

async function invoicesOf(orderId: string): Promise<Invoice[]> {
  const { rows } = await pool.query<{ id: string }>('select id from invoices.invoice where customer_order_id = $1 order by issued_at, id', [
    orderId,
  ])
  return (await Promise.all(rows.map(({ id }) => readInvoice(db, id)))).filter((each) => each !== undefined)
}

interface Retained {
  address: Record<string, unknown>
  billingAddress: { lastName: string; line1: string; phone?: string }
  invoices: (Pick<Invoice, 'number' | 'document'> & { files: { pdf: string; ubl: string } })[]
}
async function retained(orderId: string): Promise<{ status: number; kept: Retained }> {
  const answer = await fetch(`${gateway.url}/api/v1/operator/retained/${orderId}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  return { status: answer.status, kept: (await answer.json()) as Retained }
}

test('erasure: invoices and credit notes lose their buyer and their files; number, name, address and VAT are retained, sealed, without e-mail address and phone', async () => {
  const ann = await billed({ returned: 1 })
  const before = await invoicesOf(ann.orderId)
  assert.deepEqual(
    before.map(({ kind, files }) => [kind, Object.keys(files).toSorted()]),
    [
      ['sale', ['pdf', 'ubl']],
      ['credit-note', ['pdf', 'ubl']],
    ],
  )
  assert.ok((await scan([ann.email])).includes('invoices.invoice'))
  assert.equal(filesThatSay(folder, words).length, 4, 'PDF and XML of both')
  assert.deepEqual(filesThatSay(folder, [ann.email]), [], 'no document contains the e-mail address')

  assert.deepEqual(await ann.erase(), { ok: true })
  await work()
  assert.deepEqual(await scan([ann.email]), [])
  assert.deepEqual(filesThatSay(folder, [...words, ann.email]), [])
  const after = await invoicesOf(ann.orderId)
  assert.deepEqual(
    after.map(({ number, net, vat, gross, owner, document }) => [number, net, vat, gross, owner, document.lines, document.buyer.country]),
    before.map(({ number, net, vat, gross, document }) => [number, net, vat, gross, null, document.lines, 'GB']),
    'the figures stay',
  )
  const { rows: links } = await pool.query('select owner, email_hash from invoices.invoice where customer_order_id = $1', [ann.orderId])
  assert.deepEqual(links, [
    { owner: null, email_hash: null },
    { owner: null, email_hash: null },
  ])

  const { status, kept } = await retained(ann.orderId)
  assert.equal(status, 200)
  assert.deepEqual([kept.billingAddress.lastName, kept.billingAddress.line1], ['Zwackelmann', '77 Zeppelin Crescent'])
  assert.doesNotMatch(JSON.stringify(kept), new RegExp(`${ann.email}|900987`))
  const invoices = kept.invoices.toSorted(
    (a, b) => before.findIndex((one) => one.number === a.number) - before.findIndex((one) => one.number === b.number),
  )
  assert.deepEqual(
    invoices.map(({ document }) => document),
    before.map(({ document }) => document),
  )
  const [sale] = invoices
  assert.ok(sale)
  const { buyer, number } = sale.document
  assert.deepEqual(
    [number, buyer.legalName, buyer.line1, buyer.city, buyer.vatNumber, buyer.email],
    [before[0]?.number, 'Quirinus Zwackelmann', '77 Zeppelin Crescent', 'Zedtown', 'GB987654321', null],
  )
  const { pdf, ubl } = sale.files
  const text = textOfPdf(Buffer.from(pdf, 'base64'))
  assert.ok(text.includes(number) && text.includes('Quirinus Zwackelmann'), 'the file as it was archived')
  assert.ok(Buffer.from(ubl, 'base64').toString().includes('77 Zeppelin Crescent'))
})

test('erasure: a file drawn before the buyer was erased is not stored afterwards', async () => {
  const ann = await billed()
  const [invoice] = await invoicesOf(ann.orderId)
  assert.ok(invoice)
  await ann.erase()
  const drawn = await drawFiles(db, invoice)
  await work()
  await database.command({}, (scope) => keepFiles(scope.db, invoice.id, drawn))
  await work()
  assert.deepEqual(filesThatSay(folder, words), [])
  assert.deepEqual((await invoicesOf(ann.orderId))[0]?.files, {})
})

test('erasure: a refund after the erasure is credited in figures, and names nobody', async () => {
  const ann = await billed()
  await ann.erase()
  await work()
  await refund(ann.orderId, 1)
  assert.deepEqual(
    (await invoicesOf(ann.orderId)).map(({ kind, owner, document }) => [kind, owner, document.buyer.legalName]),
    [
      ['sale', null, ''],
      ['credit-note', null, ''],
    ],
  )
  assert.deepEqual(await scan([ann.email]), [])
})

test('erasure: retained invoices are deleted after ten years and sealed again with a new key until then; those of others stay', async () => {
  const [ann, bob] = [await billed(), await billed()]
  await ann.erase()
  await bob.erase()
  await work()
  const run = async (name: string) => {
    for (const each of schedules) if (each.name === name) await database.command({}, each.run)
  }
  const rowOf = async ({ orderId }: { orderId: string }) =>
    (await pool.query('select until, key_id, sealed from privacy.retained_invoice where customer_order_id = $1', [orderId])).rows[0]
  const first = await rowOf(ann)
  assert.equal(first.until.toISOString(), `${new Date().getUTCFullYear() + 11}-01-01T00:00:00.000Z`)
  await pool.query(`update privacy.retained_invoice set key_id = 'older'`)
  await run('privacy.seal-anew')
  const second = await rowOf(ann)
  assert.equal(second.key_id, first.key_id)
  assert.notDeepEqual(second.sealed, first.sealed)
  assert.equal((await retained(ann.orderId)).kept.invoices.length, 1)
  await run('privacy.release-retained')
  assert.ok(await rowOf(ann))
  await pool.query(`update privacy.retained_invoice set until = now() - interval '1 minute' where customer_order_id = $1`, [ann.orderId])
  await pool.query(`update privacy.retained set until = now() - interval '1 minute' where customer_order_id = $1`, [ann.orderId])
  await run('privacy.release-retained')
  assert.deepEqual([await rowOf(ann), (await retained(ann.orderId)).status], [undefined, 404])
  assert.ok(await rowOf(bob))
})

test('erasure: invoices to a company stay while it goes on, and are sealed when its last member goes', async () => {
  const company = { ...(await addCompany(db)), prefersVat: false }
  const [ann, bob] = [await billed({ company }), await billed({ company })]
  await ann.erase()
  await work()
  const [invoice] = await invoicesOf(ann.orderId)
  assert.deepEqual([invoice?.owner, invoice?.companyId, invoice?.document.buyer.email], [null, company.id, null])
  assert.deepEqual([invoice?.document.buyer.line1, Object.keys(invoice?.files ?? {}).length], ['77 Zeppelin Crescent', 2])
  await bob.erase()
  await work()
  for (const { orderId } of [ann, bob]) {
    const [sealed] = await invoicesOf(orderId)
    assert.deepEqual([sealed?.document.buyer.line1, sealed?.files], ['', {}])
    assert.equal((await retained(orderId)).kept.invoices.length, 1)
  }
  assert.deepEqual(filesThatSay(folder, words), [])
})

test('R-313 the file of one’s data contains the invoices', async () => {
  const ann = await billed({ returned: 1 })
  const key = await makeExport(db, { id: ann.id, customerId: ann.id, site: { market: 'gb', mode: 'b2c', origin: 'http://gb.localhost' } })
  const opened = await openFile(db, key)
  assert.ok(opened)
  const { invoices } = (await json(opened.stream)) as { invoices: Invoice['document'][] }
  assert.deepEqual(
    invoices.map(({ kind, buyer }) => [kind, buyer.legalName]),
    [
      ['sale', 'Quirinus Zwackelmann'],
      ['credit-note', 'Quirinus Zwackelmann'],
    ],
  )
})
