import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { spreadsheetCell as cell } from '@purlin/contract/spreadsheet-cell.ts'
import { connectObjectStore, folderStore } from '#files'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { download, paidOrder, sendAll } from './testing.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
await addOffer(database, { id: '300', sellerId: 2, price: 2500 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'invoices-'))))
const gateway = await testGateway(database.pool)

const company = await addCompany(db)
const other = await addCompany(db)
async function member(role: 'admin' | 'approver' | 'buyer', of = company) {
  const { id, email } = await addCustomer(db)
  await addMembership(db, id, of.id, role)
  const place = { kind: 'member', role, company: { id: of.id, country: 'GB' } } as const
  const cookie = `__Host-purlin=${(await signIn(db, { customerId: id, companyId: of.id })).token}`
  return { principal: { ...place, id, email, name: 'Bo', market: 'gb' } as const, cookie }
}
const people = {
  buyer: await member('buyer'),
  admin: await member('admin'),
  approver: await member('approver'),
  stranger: await member('admin', other),
}

/** An order of each: of the buyer from a seller of the country, of the admin from one abroad. */
const first = await paidOrder(database, [{ offerId: '100', quantity: 2 }], { principal: people.buyer.principal, mode: 'b2b' })
const second = await paidOrder(database, [{ offerId: '300', quantity: 1 }], { principal: people.admin.principal, mode: 'b2b' })
// Of imports the marketplace is the supplier for consumers alone (decision 041): this order stands for what it sells to companies itself.
await database.pool.query('update orders.seller_order set withheld_vat = 417 where customer_order_id = $1', [second.orderId])
for (const { orderId } of [first, second]) {
  await sendAll(database, orderId)
  await runWork(database, handlers, jobs)
}

interface Answer {
  data: { answer: { total: number; years: number[]; invoices: { number: string; issuer: string; customerOrderId: string }[] } }
}
async function list(cookie: string, args = ''): Promise<Answer['data']['answer']> {
  const document = `{ answer: myInvoices${args && `(${args})`} { total years invoices { number issuer customerOrderId } } }`
  const { body } = await gateway.post(document, {}, { cookie })
  return (body as Answer).data.answer
}
const ordersIn = async (cookie: string, args = '') => (await list(cookie, args)).invoices.map(({ customerOrderId }) => customerOrderId)

test('R-120 R-138 a professional lists invoices, newest first; the admin and the approver those of the company, a buyer their own', async () => {
  assert.deepEqual(await ordersIn(people.admin.cookie), [second.orderId, first.orderId])
  assert.deepEqual(await ordersIn(people.approver.cookie), [second.orderId, first.orderId])
  assert.deepEqual(await ordersIn(people.buyer.cookie), [first.orderId])
  assert.deepEqual(await ordersIn(people.stranger.cookie), [])
})

test('an invoice says whether it was paid when it was ordered, or is to be paid', async () => {
  const prepaid = async () => {
    const { body } = await gateway.post(
      '{ answer: myInvoices { invoices { customerOrderId isPrepaid } } }',
      {},
      { cookie: people.admin.cookie },
    )
    const { invoices } = (body as { data: { answer: { invoices: { customerOrderId: string; isPrepaid: boolean }[] } } }).data.answer
    return new Map(invoices.map(({ customerOrderId, isPrepaid }) => [customerOrderId, isPrepaid]))
  }
  assert.deepEqual(
    [...(await prepaid())].toSorted(),
    [
      [first.orderId, true],
      [second.orderId, true],
    ].toSorted(),
  )
  await database.pool.query(`update payments.payment set method = 'invoice', company_id = $2 where customer_order_id = $1`, [
    first.orderId,
    company.id,
  ])
  const now = await prepaid()
  assert.deepEqual([now.get(first.orderId), now.get(second.orderId)], [false, true])
  await database.pool.query(`update payments.payment set method = 'card', company_id = null where customer_order_id = $1`, [first.orderId])
})

test('R-138 invoices of sellers and of the platform are told apart, and each can be listed alone', async () => {
  const { invoices } = await list(people.admin.cookie)
  assert.deepEqual(
    invoices.map(({ issuer }) => issuer),
    ['PLATFORM', 'SELLER'],
  )
  assert.deepEqual(await ordersIn(people.admin.cookie, 'filter: seller'), [first.orderId])
  assert.deepEqual(await ordersIn(people.admin.cookie, 'filter: platform'), [second.orderId])
  assert.deepEqual(await ordersIn(people.admin.cookie, 'filter: credit'), [])
})

test('R-138 invoices are found by number, order, seller and article, by year and by order; signs of patterns are plain text', async () => {
  const { years, invoices } = await list(people.admin.cookie)
  const all = async (args: string) => ordersIn(people.admin.cookie, args)
  assert.deepEqual(await all(`search: "${invoices[1]?.number.toLowerCase()}"`), [first.orderId])
  assert.deepEqual(await all(`search: "${second.orderId.slice(2, 12)}"`), [second.orderId])
  assert.deepEqual(await all('search: "seller 1 LTD"'), [first.orderId])
  assert.deepEqual(await all('search: "drill 300"'), [second.orderId])
  assert.deepEqual(await all('search: "%"'), [])
  assert.deepEqual(await all('search: "dr_ll"'), [])
  assert.equal((await all(`year: ${years[0]}`)).length, 2)
  assert.deepEqual(await all('year: 2001'), [])
})

test('R-138 the CSV holds the filtered invoices, one line each', async () => {
  const { status, type, body } = await download(gateway.url, '/api/v1/my-invoices/csv?filter=seller', people.admin.cookie)
  assert.deepEqual([status, type], [200, 'text/csv; charset=utf-8'])
  const [head, ...lines] = body.toString().replace(/\r\n$/, '').split('\r\n')
  assert.equal(head, '\ufeffNumber,Type,Supplier,Date,Order,Net,VAT,Total,Currency')
  assert.equal(lines.length, 1)
  assert.match(
    lines[0] ?? '',
    new RegExp(`^S1-\\d{4}-000001,Invoice,Seller 1 Ltd,\\d{4}-\\d\\d-\\d\\d,${first.orderId},25.73,5.15,30.88,GBP$`),
  )
})

for (const text of ['=1+1', '+44', '-x', '@cmd', '\tx', '\n=1', '＝1+1'])
  test(`A56 the text ${JSON.stringify(text)}, which a spreadsheet would run as a formula, is made harmless`, () =>
    assert.ok(cell(text).replace('"', '').startsWith("'")))

test('A56 amounts stay numbers, and quotes are doubled', () => {
  assert.deepEqual([cell('-12.90'), cell('-12,90'), cell('A "B", c')], ['-12.90', '"-12,90"', '"A ""B"", c"'])
})

test('A56 a supplier whose name is a formula is text in the CSV of invoices, with commas and with semicolons', async () => {
  const name = '=HYPERLINK("//x")'
  const rename = `update invoices.invoice set market = $2, document = jsonb_set(document, '{seller,legalName}', to_jsonb($1::text)) where customer_order_id = $3`
  const { rows } = await database.pool.query<{ name: string }>(
    `select document #>> '{seller,legalName}' as name from invoices.invoice where customer_order_id = $1`,
    [first.orderId],
  )
  for (const [market, between] of [
    ['gb', ','],
    ['de', ';'],
  ] as const) {
    await database.pool.query(rename, [name, market, first.orderId])
    const { body } = await download(gateway.url, '/api/v1/my-invoices/csv?filter=seller', people.admin.cookie, `${market}.localhost`)
    const [, line = ''] = body.toString().split('\r\n')
    assert.equal(line.split(between)[2], `"'=HYPERLINK(""//x"")"`, line)
  }
  await database.pool.query(rename, [rows[0]?.name, 'gb', first.orderId])
})

test('R-138 the ZIP holds the PDF of each invoice, and nobody else’s', async () => {
  const names = async (cookie: string) => {
    const { status, type, body } = await download(gateway.url, '/api/v1/my-invoices/zip', cookie)
    assert.deepEqual([status, type], [200, 'application/zip'])
    // The entries of the directory at the end of the archive.
    const entries = body.toString('latin1').split('PK\u0001\u0002').slice(1)
    return entries.map((entry) => /^[\w-]+\.pdf/.exec(entry.slice(42))?.[0])
  }
  const expected = (await list(people.admin.cookie)).invoices.map(({ number }) => `${number}.pdf`)
  assert.deepEqual(await names(people.admin.cookie), expected)
  assert.deepEqual(await names(people.buyer.cookie), expected.slice(1))
  assert.deepEqual(await names(people.stranger.cookie), [])
  const customer = `__Host-purlin=${(await signIn(db, { customerId: (await addCustomer(db)).id })).token}`
  for (const cookie of ['', customer]) assert.equal((await download(gateway.url, '/api/v1/my-invoices/zip', cookie)).status, 401)
  assert.equal((await download(gateway.url, '/api/v1/my-invoices/tar', people.admin.cookie)).status, 404)
})

test('R-138 A1 a member who has left finds no invoice of the company any more', async () => {
  const { id } = people.buyer.principal
  await database.pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [id])
  const { body } = await gateway.post('{ answer: myInvoices { total } }', {}, { cookie: people.buyer.cookie })
  assert.equal((body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code, 'FORBIDDEN')
  await addMembership(db, id, other.id, 'buyer')
  const elsewhere = `__Host-purlin=${(await signIn(db, { customerId: id, companyId: other.id })).token}`
  assert.equal((await list(elsewhere)).total, 0)
  assert.equal((await list(people.admin.cookie)).total, 2, 'the company keeps them')
})
