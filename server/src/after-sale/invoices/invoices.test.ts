import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { download, paidOrder, send, sendAll } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
await addOffer(database, { id: '200', sellerId: 1, price: 4999 })
await addOffer(database, { id: '300', sellerId: 2, price: 2500 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'invoices-'))))
const gateway = await testGateway(pool)
const work = () => runWork(database, handlers, jobs)

async function person(as: Parameters<typeof signIn>[1]): Promise<string> {
  return `__Host-purlin=${(await signIn(db, as)).token}`
}

/** A customer with a cookie, and an order of theirs. */
async function customerWithOrder(lines = [{ offerId: '100', quantity: 3 }]) {
  const customer = await addCustomer(db)
  const principal = { kind: 'customer', id: customer.id, email: customer.email, name: 'Ann', market: 'gb' } as const
  const { orderId } = await paidOrder(database, lines, { principal })
  return { orderId, cookie: await person({ customerId: customer.id }) }
}

interface Seen {
  data?: {
    answer: {
      parts: {
        state: string
        sellerOrderId: string
        invoices: { number: string; pdfUrl: string; xmlUrl: string; gross: { amount: number } }[]
      }[]
    } | null
  }
  errors?: unknown
}
async function see(orderId: string, cookie: string): Promise<Seen> {
  const document =
    'query ($id: ID!) { answer: selfCareInvoice(orderId: $id) { parts { state sellerOrderId invoices { number pdfUrl xmlUrl gross { amount } } } } }'
  return (await gateway.post(document, { id: orderId }, { cookie })).body
}
const partsOf = async (orderId: string, cookie: string) => (await see(orderId, cookie)).data?.answer?.parts ?? []

async function ask(orderId: string, cookie: string): Promise<{ data: { answer: { refusal: { reason: string } | null } } }> {
  const document = 'mutation ($id: ID!) { answer: requestInvoice(orderId: $id) { refusal { reason } } }'
  return (await gateway.post(document, { id: orderId }, { cookie })).body
}

const get = (path: string, cookie: string) => download(gateway.url, path, cookie)

test('R-426 R-457 the self-care invoice goes from not yet over preparing to ready, and its PDF can be downloaded', async () => {
  const { orderId, cookie } = await customerWithOrder()
  assert.equal((await partsOf(orderId, cookie))[0]?.state, 'NOT_YET')
  assert.equal((await ask(orderId, cookie)).data.answer.refusal?.reason, 'not-yet')

  await sendAll(database, orderId)
  assert.equal((await partsOf(orderId, cookie))[0]?.state, 'REQUESTABLE')
  assert.equal((await ask(orderId, cookie)).data.answer.refusal, null)
  assert.equal((await partsOf(orderId, cookie))[0]?.state, 'PREPARING')

  await work()
  const [part] = await partsOf(orderId, cookie)
  assert.equal(part?.state, 'READY')
  assert.equal(part.invoices.length, 1, 'the event of the shipment invoices nothing twice')
  const [invoice] = part.invoices
  assert.ok(invoice)
  const pdf = await get(invoice.pdfUrl, cookie)
  assert.deepEqual([pdf.status, pdf.type], [200, 'application/pdf'])
  assert.ok(pdf.disposition.startsWith('attachment') && pdf.disposition.includes(`${invoice.number}.pdf`))
  assert.equal(pdf.body.subarray(0, 8).toString('latin1'), '%PDF-1.7')
  const xml = await get(invoice.xmlUrl, cookie)
  assert.ok(xml.body.toString().includes(`<cbc:ID>${invoice.number}</cbc:ID>`))
})

test('each parcel has its invoice; together they have the amounts of the order, delivery on the first', async () => {
  const { orderId, cookie } = await customerWithOrder([
    { offerId: '100', quantity: 3 },
    { offerId: '200', quantity: 1 },
  ])
  await send(database, `${orderId}-1`, { '100': 2 }, '0199c0de-0000-7000-8000-00000000aaa1')
  await work()
  assert.equal((await partsOf(orderId, cookie))[0]?.state, 'READY')
  await send(database, `${orderId}-1`, { '100': 1, '200': 1 }, '0199c0de-0000-7000-8000-00000000aaa2')
  await work()
  const [part] = await partsOf(orderId, cookie)
  assert.equal(part?.invoices.length, 2)
  const { rows } = await pool.query('select total from orders.customer_order where id = $1', [orderId])
  assert.equal(
    part.invoices.reduce((all, { gross }) => all + gross.amount, 0),
    rows[0].total,
  )
})

test('A3 the invoice of another order is not found, by the id of its order, of its part, or its own', async () => {
  const { orderId, cookie } = await customerWithOrder()
  await sendAll(database, orderId)
  await work()
  const [part] = await partsOf(orderId, cookie)
  const url = part?.invoices[0]?.pdfUrl ?? ''
  const company = await addCompany(db)
  const colleague = await addCustomer(db)
  await addMembership(db, colleague.id, company.id, 'admin')
  const others = {
    'a stranger': '',
    'another customer': await person({ customerId: (await addCustomer(db)).id }),
    'an admin of some company': await person({ customerId: colleague.id, companyId: company.id }),
    'the staff of another seller': await person({
      staffId: (await addStaff(db, { sellerId: 2, roles: [{ role: 'seller', market: null }] })).id,
    }),
  }
  for (const [who, other] of Object.entries(others)) {
    for (const id of [orderId, `${orderId}-1`]) assert.equal((await see(id, other)).data?.answer ?? null, null, who)
    const answer = await get(url, other)
    assert.ok(answer.status === 404 || (who === 'a stranger' && answer.status === 401), `${who} ${answer.status}`)
  }
  assert.equal((await get(url, cookie)).status, 200)
  const staff = async (sellerId: number) =>
    `__Host-purlin-staff=${(await signIn(db, { staffId: (await addStaff(db, { sellerId, roles: [{ role: 'seller', market: null }] })).id, family: 'staff' })).token}`
  const [own, foreign] = [await staff(1), await staff(2)]
  const office = url.replace('/invoices/', '/office/invoices/gb/')
  assert.equal((await get(office, own)).status, 200, 'the seller in whose name it was issued')
  assert.equal((await get(office, foreign)).status, 404, 'another seller')
  assert.equal((await get(office.replace('/gb/', '/fr/'), own)).status, 404, 'another market')
  for (const nobody of ['', cookie]) assert.equal((await get(office, nobody)).status, 401, 'a buyer has no office')
  assert.equal((await get(url, own)).status, 404, 'the offices’ session opens nothing in the shop')
  assert.equal((await get(url, `${cookie}; ${foreign}`)).status, 200, 'the buyer, who also works for another seller')
  assert.equal((await get(office, `${cookie}; ${foreign}`)).status, 404, 'buying something gives no rights to its seller’s invoices')
  for (const path of ['/api/v1/invoices/none/pdf', url.replace('/pdf', '/docx')]) assert.equal((await get(path, cookie)).status, 404)
})

test('the members of a company see its invoices by role: the admin all of them, a buyer their own', async () => {
  const company = await addCompany(db)
  const [buyer, admin, other] = await Promise.all([addCustomer(db), addCustomer(db), addCustomer(db)])
  await addMembership(db, buyer.id, company.id, 'buyer')
  await addMembership(db, admin.id, company.id, 'admin')
  await addMembership(db, other.id, company.id, 'buyer')
  const member = { kind: 'member', role: 'buyer', company: { id: company.id, country: 'GB' } } as const
  const principal = { ...member, id: buyer.id, email: buyer.email, name: 'Bo', market: 'gb' } as const
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 1 }], { principal, mode: 'b2b' })
  await sendAll(database, orderId)
  await work()
  const as = (customerId: string) => person({ customerId, companyId: company.id })
  assert.equal((await partsOf(orderId, await as(buyer.id)))[0]?.state, 'READY')
  assert.equal((await partsOf(orderId, await as(admin.id)))[0]?.state, 'READY')
  assert.equal((await see(orderId, await as(other.id))).data?.answer, null)
})

test('the archived files have the checksums on record, and asking again changes nothing', async () => {
  const { orderId, cookie } = await customerWithOrder()
  await sendAll(database, orderId)
  await work()
  const [part] = await partsOf(orderId, cookie)
  const url = part?.invoices[0]?.pdfUrl ?? ''
  const { body } = await get(url, cookie)
  const { rows } = await pool.query<{ sha256: string }>(`select sha256 from invoices.file where form = 'pdf' and invoice_id = $1`, [
    url.split('/')[4],
  ])
  assert.equal(createHash('sha256').update(body).digest('hex'), rows[0]?.sha256)
  await ask(orderId, cookie)
  await work()
  assert.deepEqual((await get(url, cookie)).body, body)
  assert.equal((await partsOf(orderId, cookie))[0]?.invoices.length, 1)
})

test('the buyer is told by mail, once, with a link that opens the invoice without signing in', async () => {
  const { orderId } = await customerWithOrder()
  await sendAll(database, orderId)
  await work()
  await work()
  const { rows } = await pool.query<{ subject: string; text: string }>(
    `select subject, body_text as text from mail.mail where key like 'order:' || $1::text || ':invoice:%'`,
    [orderId],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.text ?? '', new RegExp(`/online-support/${orderId}/invoice\\?access=`))
})

test('a seller from outside the customs territory: the marketplace is the supplier, and issues in its own series', async () => {
  const { orderId, cookie } = await customerWithOrder([{ offerId: '300', quantity: 1 }])
  await sendAll(database, orderId)
  await work()
  assert.match((await partsOf(orderId, cookie))[0]?.invoices[0]?.number ?? '', /^P-\d{4}-000001$/)
})
