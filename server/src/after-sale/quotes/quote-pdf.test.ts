import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { keepAddress } from '#addresses'
import { takeInCompany } from '#tax'
import { knownSellers } from '#sellers'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addresses } from '../../people/addresses/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { addKey, caller } from '../integrations/testing.ts'
import { download, textOfPdf } from '../invoices/testing.ts'
import { deliveryByRate, quotePdf } from './quote-pdf.ts'
import { readQuote } from './store.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
const gateway = await testGateway(database.pool)
const seller = caller(gateway.url, (await addKey(db, 1)).key)
const host = 'pro.gb.localhost'
await addOffer(database, { id: '6101', price: 1200 })
const company = await addCompany(db)

async function join(of: string): Promise<{ id: string; cookie: string }> {
  const customer = await addCustomer(db)
  await addMembership(db, customer.id, of, 'buyer')
  const { token } = await signIn(db, { customerId: customer.id, companyId: of, family: 'b2b' })
  return { id: customer.id, cookie: `__Host-purlin=${token}` }
}
const member = async (of: string) => (await join(of)).cookie
const { id: buyerId, cookie: buyer } = await join(company.id)
const get = (path: string, cookie: string) => download(gateway.url, path, cookie, host)

async function requested(): Promise<string> {
  const { body } = await gateway.post(
    'mutation { result: requestQuote(input: { offerId: "6101", quantity: 10, message: "For a roof" }) { quoteId } }',
    {},
    { cookie: buyer, host },
  )
  return (body as { data: { result: { quoteId: string } } }).data.result.quoteId
}
const validUntil = new Date(Date.now() + 14 * 86_400_000)
async function answered(): Promise<string> {
  const id = await requested()
  const lines = [{ offerId: '6101', price: 900 }]
  const note = 'Delivered by lorry'
  const { status } = await seller('POST', `/quotes/${id}/answer`, { lines, delivery: 240, validUntil: validUntil.toISOString(), note })
  assert.equal(status, 200)
  return id
}
const see = async (id: string) => {
  const { body } = await gateway.post('query ($id: ID!) { quote(quoteId: $id) { number pdfUrl } }', { id }, { cookie: buyer, host })
  return (body as { data: { quote: { number: string; pdfUrl: string | null } } }).data.quote
}

test('a member downloads an answered quote as PDF: parties, lines at the quoted prices, VAT, total and validity, kept by no cache', async () => {
  const { number, pdfUrl } = await see(await answered())
  const { status, type, disposition, caching, body } = await get(pdfUrl ?? '', buyer)
  assert.deepEqual([status, type, caching], [200, 'application/pdf', 'private, no-store'])
  assert.equal(disposition, `attachment; filename*=UTF-8''${number}.pdf`)
  const lines = textOfPdf(body).split('\n')
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' }).format(validUntil)
  // 10 × £9.00 and £2.40 for delivery, with 20 % VAT in them.
  const wanted = [
    number,
    'Quote',
    'Lee Building Ltd',
    'Seller 1 Ltd',
    'Drill 6101',
    '£7.50',
    '£75.00',
    'Instead of £10.00',
    '£2.00',
    '£77.00',
    '£15.40',
    '£92.40',
    day,
  ]
  for (const text of wanted) assert.ok(lines.includes(text), `${text} in ${lines.join(' | ')}`)
  assert.ok(lines.some((line) => line.includes('Delivered by lorry')))
})

test('the PDF names the street of the buyer: the seat in the tax information, before that a business address, never a home', async () => {
  const { pdfUrl } = await see(await answered())
  const shown = async () => textOfPdf((await get(pdfUrl ?? '', buyer)).body).split('\n')
  const scope = { principal: { kind: 'customer', id: buyerId, email: '', name: '', market: 'gb' } } as const
  const keep = (line1: string, name: string | null) =>
    database.command(scope, (act) => keepAddress(act, null, { ...addresses.gb, country: 'GB', line1, company: name, defaults: [] }))
  assert.ok((await keep('1 Quiet Close', null)).ok)
  assert.ok(!(await shown()).includes('1 Quiet Close'))
  assert.ok((await keep('9 Yard Road', 'Lee Building Ltd')).ok)
  assert.ok((await shown()).includes('9 Yard Road'))
  const seat = { line1: '4 Slate Yard', postcode: 'S1 2AB', city: 'Sheffield' }
  await takeInCompany(
    { db },
    { companyId: company.id, name: 'Lee Building Limited', country: 'GB', vatNumber: 'GB000411168', address: seat },
  )
  const lines = await shown()
  for (const text of ['Lee Building Limited', '4 Slate Yard', 'Sheffield', 'S1 2AB', 'VAT number GB000411168'])
    assert.ok(lines.includes(text), `${text} in ${lines.join(' | ')}`)
})

test('a colleague downloads it too; to another company, a customer and a guest it is like an unknown quote', async () => {
  const { pdfUrl } = await see(await answered())
  assert.equal((await get(pdfUrl ?? '', await member(company.id))).status, 200)
  const customer = await addCustomer(db)
  const strangers = {
    'another company': await member((await addCompany(db)).id),
    'a customer': `__Host-purlin=${(await signIn(db, { customerId: customer.id })).token}`,
    'a guest': '',
  }
  const shown = async (path: string, cookie: string) => {
    const { status, body } = await get(path, cookie)
    return { status, code: (JSON.parse(body.toString()) as { code?: string }).code }
  }
  for (const [who, cookie] of Object.entries(strangers)) {
    const foreign = await shown(pdfUrl ?? '', cookie)
    assert.deepEqual(foreign, await shown(`/api/v1/quotes/${randomUUID()}/pdf`, cookie), who)
    assert.ok(foreign.status >= 401 && foreign.status <= 404, `${who}: ${foreign.status}`)
  }
  assert.equal((await shown(pdfUrl ?? '', strangers['another company'])).status, 404)
})

test('a quote that its seller has not answered has no PDF', async () => {
  const id = await requested()
  assert.equal((await see(id)).pdfUrl, null)
  for (const path of [`/api/v1/quotes/${id}/pdf`, '/api/v1/quotes/none/pdf']) assert.equal((await get(path, buyer)).status, 404)
})

test('delivery takes the VAT rates of the goods by their value, as the order will', async () => {
  const { rows } = await database.pool.query<{ id: string }>(`select id from quotes.quote where state = 'answered' limit 1`)
  const quote = await readQuote(db, rows[0]?.id ?? '')
  const [line] = quote?.lines ?? []
  assert.ok(quote && line)
  const lines = [
    { ...line, price: 900, quantity: 10, vatRateBp: 2000 },
    { ...line, price: 100, quantity: 10, vatRateBp: 500 },
  ]
  assert.deepEqual(deliveryByRate({ lines, delivery: 1000 }), [
    [100, 500],
    [900, 2000],
  ])
  assert.deepEqual(deliveryByRate({ lines, delivery: 0 }), [])
  const sold = (await knownSellers({ db }, [1])).get(1)
  const pdf = sold && (await quotePdf(db, { ...quote, lines, delivery: 1000 }, sold))
  const shown = textOfPdf(pdf ?? Buffer.alloc(0)).split('\n')
  // VAT of £90 and £9 at 20 %, of £10 and £1 at 5 %.
  for (const amount of ['£16.50', '£0.53', '£110.00']) assert.ok(shown.includes(amount), `${amount} in ${shown.join(' | ')}`)
})

test('the PDF speaks the language of its market', async () => {
  const quote = await readQuote(db, await answered())
  const sold = (await knownSellers({ db }, [1])).get(1)
  assert.ok(quote && sold)
  const titles = { es: 'Presupuesto', fr: 'Devis', gb: 'Quote', de: 'Angebot', it: 'Preventivo' }
  const untilIn = { es: 'Válido hasta', fr: 'Valable jusqu’au', gb: 'Valid until', de: 'Gültig bis', it: 'Valido fino al' }
  for (const market of marketCodes) {
    const pdf = await quotePdf(db, { ...quote, market }, sold)
    assert.ok(pdf)
    const lines: string[] = textOfPdf(pdf).split('\n')
    for (const text of [titles[market], untilIn[market]]) assert.ok(lines.includes(text), `${market}: ${lines.join(' | ')}`)
  }
})
