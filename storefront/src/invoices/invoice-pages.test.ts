import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const order = 'P0000000000000001'
const invoice = (number: string, more: object = {}) => ({
  id: `id-${number}`,
  kind: 'SALE',
  kindLabel: 'Invoice',
  number,
  issuer: 'SELLER',
  issuerName: 'Nordwerk',
  customerOrderId: order,
  sellerOrderId: `${order}-7`,
  issuedAt: '2026-11-20T10:00:00Z',
  gross: money(120),
  pdfUrl: `/api/v1/invoices/id-${number}/pdf`,
  xmlUrl: `/api/v1/invoices/id-${number}/ubl`,
  ...more,
})
const part = (state: string, invoices: object[] = []) => ({ sellerOrderId: `${order}-7`, sellerName: 'Nordwerk', state, invoices })
const selfCare = (...parts: object[]) => ({ customerOrderId: order, placedAt: '2026-11-20T10:00:00Z', parts })
const path = `/online-support/${order}/invoice`
const cookie = 'who=consumer'

test('R-107 R-239 R-457 the self-care invoice page says where each invoice stands, and offers what can be done now', async () => {
  const shown = async (state: string, invoices: object[] = []) => {
    const { status, body } = await pageOf({ selfCareInvoice: selfCare(part(state, invoices)) }, path, { cookie })
    assert.equal(status, 200)
    return { body, text: textOf(body) }
  }
  const notYet = await shown('NOT_YET')
  assert.ok(notYet.text.includes('The seller’s invoice is issued when the goods leave.'))
  assert.doesNotMatch(notYet.body, /method="post"[^>]*>\s*<input type="hidden" name="orderId"/)
  const open = await shown('REQUESTABLE')
  assert.match(open.body, new RegExp(`name="orderId" value="${order}"`))
  assert.ok(open.body.includes('aria-label="Request invoice from Nordwerk"'))
  const busy = await shown('PREPARING', [invoice('S7-2026-000001')])
  assert.ok(busy.text.includes('Your invoice is being prepared') && busy.text.includes('Show it now'))
  const ready = await shown('READY', [
    invoice('S7-2026-000001'),
    invoice('S7-R-2026-000001', { kind: 'CREDIT_NOTE', kindLabel: 'Credit note' }),
  ])
  for (const link of ['id-S7-2026-000001/pdf', 'id-S7-2026-000001/ubl', 'id-S7-R-2026-000001/pdf'])
    assert.ok(ready.body.includes(link), link)
  assert.ok(ready.text.includes('Credit note S7-R-2026-000001') && ready.text.includes('£120.00'))
  assert.ok((await shown('CANCELLED')).text.includes('there is nothing to invoice'))
  assert.equal((await pageOf({ selfCareInvoice: null }, path, { cookie })).status, 404)
})

test('R-426 R-457 the request works without script: success returns to the page, a refusal is shown on it', async () => {
  let refusal: object | null = null
  const shop = await shopWith({ selfCareInvoice: selfCare(part('REQUESTABLE')), requestInvoice: () => ({ refusal }) })
  const sent = () => shop.ask(path, { cookie, form: { orderId: order } })
  const done = await sent()
  assert.deepEqual([done.status, done.headers['location']], [303, path])
  assert.match(String(done.headers['set-cookie']), /invoice-requested/)
  refusal = { reason: 'not-yet', message: 'Not sent yet', fields: [] }
  const refused = await sent()
  assert.ok(refused.status >= 409 && textOf(refused.body).includes('Not sent yet'))
  await shop.close()
})

test('a wrong mail link to an invoice is not found', async () => {
  const openOrderByToken = { order: null, refusal: { reason: 'unknown-order', message: 'x', fields: [] } }
  assert.equal((await pageOf({ openOrderByToken }, `${path}?access=wrong`, { cookie })).status, 404)
})

const host = 'pro.gb.localhost'
const pro = 'who=professional'
const page = (more: object = {}) => ({ invoices: [invoice('S7-2026-000001')], total: 1, page: 1, pages: 1, years: [2026, 2025], ...more })

test('R-120 R-138 R-245 a professional’s invoices show number, supplier, date, order and total, with search, filters and downloads', async () => {
  const invoices = [invoice('S7-2026-000001'), invoice('P-2026-000003', { issuer: 'PLATFORM', issuerName: 'Purlin' })]
  const shop = await shopWith({ myStatements: [], myInvoices: page({ invoices, total: 2 }) })
  const { status, body } = await shop.ask('/my-invoices?search=drill&filter=seller&year=2026', { cookie: pro, host })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const said of [
    'S7-2026-000001',
    'Nordwerk Issued for the seller',
    'Purlin Issued by Purlin',
    '20 November 2026',
    order,
    '2 documents',
  ])
    assert.ok(text.includes(said), said)
  assert.deepEqual({ ...shop.asked.at(-1) }, { page: 1, filter: 'seller', search: 'drill', year: 2026 })
  for (const form of ['zip', 'csv'])
    assert.ok(body.includes(`/api/v1/my-invoices/${form}?filter=seller&amp;search=drill&amp;year=2026`), form)
  assert.match(body, /name="search"[^>]*value="drill"/)
  await shop.close()
})

test('an invoice that was paid by card says so beside those that are to be paid, and a credit note says nothing', async () => {
  const invoices = [
    invoice('S7-1', { isPrepaid: true }),
    invoice('S7-2', { isPrepaid: false }),
    invoice('S7-3', { kind: 'CREDIT_NOTE', isPrepaid: null }),
  ]
  const claims = [
    {
      id: '1',
      number: 'S7-2',
      customerOrderId: order,
      sellerOrderId: `${order}-7`,
      state: 'OPEN',
      dueOn: '2026-12-14',
      amount: money(120),
      open: money(120),
    },
  ]
  const myCredit = { claims, reason: null, companyName: 'Lee', isChecked: true, isCollective: false, canChooseStatements: true, ...figures }
  const { body } = await pageOf({ myCredit, myStatements: [], myInvoices: page({ invoices, total: 3 }) }, '/my-invoices', {
    cookie: pro,
    host,
  })
  const states = [...body.matchAll(/data-label="Status"[^>]*>([^<]*)</g)].map(([, state]) => state)
  assert.deepEqual(states, ['Paid', 'Payable by 14 Dec 2026', ''])
})
const figures = { limit: null, available: null, used: money(0), least: money(25), most: money(25_000), toPay: money(120) }

test('R-121 the invoices of one order have a page of their own; somebody else’s order is not found', async () => {
  const one = `/my-invoices/${order}`
  const shop = await shopWith({ myStatements: [], myInvoices: page() })
  const { status, body } = await shop.ask(one, { cookie: pro, host })
  assert.deepEqual([status, textOf(body).includes(`Invoices for order ${order}`)], [200, true])
  assert.equal(shop.asked.at(-1)?.['search'], order)
  assert.ok(body.includes(`/api/v1/my-invoices/zip?search=${order}`))
  await shop.close()
  const none = page({ invoices: [], total: 0, pages: 0 })
  assert.equal((await pageOf({ myStatements: [], myInvoices: none, selfCareInvoice: null }, one, { cookie: pro, host })).status, 404)
  assert.equal((await pageOf({ myStatements: [], myInvoices: none, selfCareInvoice: selfCare() }, one, { cookie: pro, host })).status, 200)
})

test('without invoices the page says when they come; a search without result leads back to all', async () => {
  const none = { myStatements: [], myInvoices: page({ invoices: [], total: 0, pages: 0 }) }
  const empty = await pageOf(none, '/my-invoices', { cookie: pro, host })
  assert.ok(textOf(empty.body).includes('as soon as the goods leave'))
  assert.doesNotMatch(empty.body, /my-invoices\/zip/)
  const search = await pageOf(none, '/my-invoices?search=nothing', { cookie: pro, host })
  assert.ok(textOf(search.body).includes('No invoice fits your search') && search.body.includes('Show all invoices'))
  assert.equal((await pageOf(none, '/my-invoices?page=7', { cookie: pro, host })).status, 200)
  const beyond = { myStatements: [], myInvoices: page({ invoices: [], total: 21, page: 7, pages: 2 }) }
  assert.equal((await pageOf(beyond, '/my-invoices?page=7', { cookie: pro, host })).status, 404)
})

test('R-017 the professional’s account links to the invoices; the consumer’s does not, since orders link to theirs', async () => {
  const nothingWaits = { unreadConversations: 0, disputesToAnswer: [], approvals: [], myQuotes: [], myStatements: [] }
  const area = { ...nothingWaits, myOrders: { orders: [], total: 0, page: 1, pages: 0 } }
  assert.match((await pageOf(area, '/customer-area', { cookie: pro, host })).body, /href="\/my-invoices"/)
  assert.doesNotMatch((await pageOf(area, '/customer-area', { cookie })).body, /href="\/my-invoices"/)
})
