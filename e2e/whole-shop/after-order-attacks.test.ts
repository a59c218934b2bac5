/** Attacks on the resources of an order by other people: conversations, returns, refunds, tracking, and the seller's calls. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import * as invoiceJobs from '@purlin/server/after-sale/invoices/jobs.ts'
import { returnToken } from '@purlin/server/after-sale/returns/return-link.ts'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import { allowByToken, moveLines } from '@purlin/server/selling/orders/index.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '@purlin/server/people/accounts/testing.ts'
import { newId, settings } from '@purlin/server/foundation/platform/index.ts'
import { insertUpload, settleUpload } from '@purlin/server/people/uploads/store.ts'
import { paidOrder, type PaidOrder } from '@purlin/server/after-sale/fulfilment/testing.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { database } = shop
const { db, pool } = database

interface Person {
  id: string
  cookies: string
  overrides: Parameters<typeof paidOrder>[2]
}
async function customer(): Promise<Person> {
  const person = await addCustomer(db)
  const { id, token } = await signIn(db, { customerId: person.id })
  return { id: person.id, cookies: `__Host-purlin=${token}`, overrides: { principal: { kind: 'customer', ...person }, session: { id } } }
}
async function clerkOf(sellerId: number): Promise<string> {
  const { id } = await addStaff(db, { sellerId, roles: [{ role: 'seller', market: null }] })
  return `__Host-purlin-staff=${(await signIn(db, { staffId: id, family: 'staff' })).token}`
}
const [ann, eve] = [await customer(), await customer()]
const [sellerOne, sellerTwo] = [await clerkOf(1), await clerkOf(2)]

/** Cookies of sessions on the professional storefront. */
const pros = new Set<string>()

/** The answer to one field, asked by whoever has these cookies. */
async function ask<Value>(cookies: string, document: string, variables: object = {}): Promise<Value | string> {
  const { body } = await shop.ask('anonymous', pros.has(cookies) ? 'b2b' : 'b2c', '/graphql', {
    json: { query: document, variables },
    cookies,
  })
  const { data, errors } = JSON.parse(body) as {
    data: { answer: Value } | null
    errors?: { message: string; extensions: { code: string } }[]
  }
  if (/^(?:Cannot query|Unknown|Field|Syntax)/.test(errors?.[0]?.message ?? '')) throw new Error(errors?.[0]?.message)
  return errors?.[0]?.extensions.code ?? data?.answer ?? 'nothing'
}
interface Refused {
  refusal: { reason: string } | null
}
/** The reason of a refusal, the code of an error, or "done". */
async function deed(cookies: string, field: string, variables: Record<string, [type: string, value: unknown]> = {}): Promise<string> {
  const declared = Object.entries(variables).map(([name, [type]]) => `$${name}: ${type}`)
  const head = declared.length > 0 ? `(${declared.join(', ')})` : ''
  const values = Object.fromEntries(Object.entries(variables).map(([name, [, value]]) => [name, value]))
  const answer = await ask<Refused>(cookies, `mutation ${head} { answer: ${field} { refusal { reason } } }`, values)
  return typeof answer === 'string' ? answer : (answer.refusal?.reason ?? 'done')
}
const page = (cookies: string, path: string) => shop.ask('anonymous', 'b2c', path, { cookies })

async function delivered(order: PaidOrder, quantity: number): Promise<void> {
  const go = (actor: 'seller' | 'carrier', from: 'pending' | 'accepted' | 'shipped', to: 'accepted' | 'shipped' | 'delivered') =>
    database.command({}, (scope) =>
      moveLines(scope, {
        sellerOrderId: order.part(1),
        actor,
        reason: 'test',
        moves: [{ offerId: order.offers[0] ?? '', quantity, from, to }],
      }),
    )
  await go('seller', 'pending', 'accepted')
  await go('seller', 'accepted', 'shipped')
  await go('carrier', 'shipped', 'delivered')
}
async function upload(owner: string): Promise<string> {
  const id = newId()
  await insertUpload(db, { id, owner, bytes: 100 })
  await settleUpload(db, id, { key: `upload/${id}`, name: 'crack.jpg', bytes: 100 })
  return id
}

/** Ann's order, with a conversation about it. */
const order = await paidOrder(database, [[1, 2]], ann.overrides)
const part = order.part(1)
const write = (cookies: string, id: string, input: object) =>
  deed(cookies, 'writeMessage(orderId: $id, input: $input)', { id: ['ID!', id], input: ['WriteMessageInput!', input] })
const messages = async (cookies: string, id: string) => {
  const read = await ask<{ messages: { body: string; files: object[] }[] }>(
    cookies,
    'query ($id: ID!) { answer: conversation(orderId: $id) { messages { body files { name } } } }',
    { id },
  )
  return typeof read === 'string' ? read : read.messages
}
assert.equal(await write(ann.cookies, part, { text: 'The key is under the mat.' }), 'done')

test('A4 a conversation is read by its parties alone, in the API and as a page', async () => {
  assert.equal((await messages(ann.cookies, part)).length, 1)
  assert.equal((await page(ann.cookies, `/my-messages/conversation/${part}`)).status, 200)
  for (const cookies of [eve.cookies, '', sellerTwo]) {
    assert.ok(['nothing', 'UNAUTHENTICATED'].includes(String(await messages(cookies, part))), cookies)
    const { status, body, headers } = await page(cookies, `/my-messages/conversation/${part}`)
    assert.ok(status === 404 || (status === 302 && headers.location?.startsWith('/login')), `${status}`)
    assert.ok(!body.includes('under the mat'))
  }
})

test('A4 nobody else writes into a conversation, marks it as read or reports its messages', async () => {
  for (const cookies of [eve.cookies, sellerTwo]) {
    const reason = await write(cookies, part, { text: 'Pay me at my bank instead.' })
    assert.ok(['unknown-order', 'UNAUTHENTICATED'].includes(reason), reason)
  }
  assert.equal(
    await deed(sellerTwo, 'answerConversation(orderId: $id, input: { text: "Pay here." })', { id: ['ID!', part] }),
    'unknown-order',
  )
  assert.equal(
    await deed(eve.cookies, 'reportMessage(input: $input)', {
      input: ['ReportMessageInput!', { orderId: part, seq: 1, reason: 'spam' }],
    }),
    'unknown-order',
  )
  assert.equal((await messages(ann.cookies, part)).length, 1)
})

test('A4 a file is attached by its sender alone, and to one’s own conversation alone', async () => {
  const [hers, mine] = [await upload(`c:${ann.id}`), await upload(`c:${eve.id}`)]
  const own = await paidOrder(database, [[1, 1]], eve.overrides)
  assert.notEqual(await write(eve.cookies, own.part(1), { text: 'See photo', attachments: [hers] }), 'done', 'another’s file')
  assert.equal(await write(eve.cookies, part, { text: 'See photo', attachments: [mine] }), 'unknown-order', 'another’s order')
  assert.equal(await write(eve.cookies, own.part(1), { text: 'See photo', attachments: [mine] }), 'done')
  assert.deepEqual(
    ((await messages(ann.cookies, part)) as { files: object[] }[]).map(({ files }) => files.length),
    [0],
  )
})

const returned = await paidOrder(database, [[1, 2]], ann.overrides)
await delivered(returned, 2)
const asksReturn = (cookies: string, orderId: string, sellerOrderId: string, lines: object[], reason = 'changed-mind', wish = 'refund') =>
  deed(cookies, 'requestReturn(input: $input)', {
    input: [
      'RequestReturnInput!',
      {
        customerOrderId: orderId,
        sellerOrderId,
        lines,
        reason,
        wish,
        amount: wish === 'part-refund' ? 1 : null,
        method: 'label',
        description: '',
        photos: [],
      },
    ],
  })

test('A6 a return names lines of that order alone: not another person’s, nor those of another order of one’s own', async () => {
  const own = await paidOrder(database, [[1, 1]], eve.overrides)
  await delivered(own, 1)
  const [foreign = ''] = returned.offers
  const [mine = ''] = own.offers
  assert.equal(await asksReturn(eve.cookies, own.orderId, own.part(1), [{ offerId: foreign, quantity: 1 }]), 'nothing-to-return')
  assert.equal(await asksReturn(eve.cookies, own.orderId, returned.part(1), [{ offerId: foreign, quantity: 1 }]), 'unknown-order')
  assert.equal(await asksReturn(eve.cookies, returned.orderId, returned.part(1), [{ offerId: foreign, quantity: 1 }]), 'unknown-order')
  assert.equal(await asksReturn(ann.cookies, returned.orderId, returned.part(1), [{ offerId: mine, quantity: 1 }]), 'nothing-to-return')
})

test('A6 no more is returned than was bought, whatever the quantity is written as', async () => {
  const [offerId = ''] = returned.offers
  for (const [quantity, reason] of [
    [3, 'nothing-to-return'],
    [0, 'input-invalid'],
    [-1, 'input-invalid'],
    [1.5, 'GRAPHQL_VALIDATION_FAILED'],
    [2 ** 31, 'GRAPHQL_VALIDATION_FAILED'],
    ['2', 'GRAPHQL_VALIDATION_FAILED'],
  ])
    assert.equal(await asksReturn(ann.cookies, returned.orderId, returned.part(1), [{ offerId, quantity }]), reason, String(quantity))
  const twice = [
    { offerId, quantity: 1 },
    { offerId, quantity: 3 },
  ]
  assert.equal(await asksReturn(ann.cookies, returned.orderId, returned.part(1), twice), 'nothing-to-return', 'a line named twice')
})

test('A6 a piece is returned once, by concurrent requests too', async () => {
  const [offerId = ''] = returned.offers
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => asksReturn(ann.cookies, returned.orderId, returned.part(1), [{ offerId, quantity: 2 }])),
  )
  assert.deepEqual(outcomes.toSorted(), ['done', ...Array.from({ length: 5 }, () => 'nothing-to-return')])
  assert.equal(await asksReturn(ann.cookies, returned.orderId, returned.part(1), [{ offerId, quantity: 1 }]), 'nothing-to-return')
})

const iban = { iban: 'DE89370400440532013000', holder: 'Eve Example' }
const refundPath = (id: string) => `/refund/form/${id}`

test('A10 the form of another person’s refund is the same as that of none, for everybody and any id', async () => {
  const theirs = shop.belongings.customer.refund
  assert.equal((await shop.ask('customer', 'b2c', refundPath(theirs))).status, 200)
  for (const visitor of ['anonymous', 'guest', 'member', 'other member', 'clerk'] as const) {
    const [foreign, none] = [await shop.ask(visitor, 'b2c', refundPath(theirs)), await shop.ask(visitor, 'b2c', refundPath(randomUUID()))]
    assert.equal(foreign.status, none.status, visitor)
    assert.notEqual(foreign.status, 200, visitor)
    assert.equal(foreign.body.length, none.body.length, visitor)
  }
})

test('A10 refunds have no ids that follow one another, and their public numbers open nothing', async () => {
  const { rows } = await pool.query<{ id: string; number: string }>('select id, number::text as number from refunds.refund order by number')
  assert.ok(rows.length >= 3)
  for (const { id, number } of rows) {
    assert.match(id, /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/)
    assert.equal((await shop.ask('customer', 'b2c', refundPath(number))).status, 404)
  }
  for (const id of ['', '0', '-1', '1e9', 'null', '..%2f', `${rows[0]?.id}%00`, '{"$ne":1}'])
    assert.equal((await shop.ask('customer', 'b2c', `/refund/form/${encodeURIComponent(id)}`)).status, 404, id)
})

test('A10 nobody else says where a refund goes: by the form, by the API, or by a seller', async () => {
  const theirs = shop.belongings.customer.refund
  for (const visitor of ['guest', 'member', 'other member', 'clerk'] as const) {
    const { status } = await shop.ask(visitor, 'b2c', refundPath(theirs), { form: iban })
    assert.ok([302, 303, 404].includes(status), `${visitor}: ${status}`)
    const query = `mutation ($iban: String!, $holder: String!) { answer: giveRefundAccount(refundId: "${theirs}", iban: $iban, holder: $holder) { refusal { reason } } }`
    const { body } = await shop.ask(visitor, 'b2c', '/graphql', { json: { query, variables: iban } })
    assert.match(body, /unknown-refund|UNAUTHENTICATED|FORBIDDEN/, visitor)
  }
  const { rows } = await pool.query<{ state: string; account: unknown }>('select state, account from refunds.refund where id = $1', [
    theirs,
  ])
  assert.deepEqual(rows, [{ state: 'iban-needed', account: null }])
})

test('A13 a seller reads no order of another seller: neither the sale, its conversation nor its label', async () => {
  const sale = (cookies: string) =>
    ask(cookies, 'query ($id: ID!) { answer: sale(sellerOrderId: $id) { state address { city } } }', { id: part })
  assert.notEqual(await sale(sellerOne), 'nothing')
  assert.equal(await sale(sellerTwo), 'nothing')
  assert.equal(await ask(sellerTwo, 'query ($id: ID!) { answer: sellerConversation(orderId: $id) { viewer } }', { id: part }), 'nothing')
  const { status } = await shop.ask('anonymous', 'b2c', `/api/v1/seller/parcels/${randomUUID()}/label`, { cookies: sellerTwo })
  assert.equal(status, 404)
})

test('A13 a seller neither accepts, refuses, ships, cancels nor refunds the sale of another seller', async () => {
  const sold = order.offers[0] ?? ''
  const deeds = (id: string) => [
    `acceptSale(sellerOrderId: "${id}")`,
    `refuseSale(sellerOrderId: "${id}", reason: OTHER)`,
    `cancelSale(sellerOrderId: "${id}", reason: OTHER)`,
    `shipSale(sellerOrderId: "${id}", carrier: { name: "Royal Mail", trackingNumber: "RM123456" }, idempotencyKey: "${randomUUID()}")`,
    `giveRefund(input: { customerOrderId: "${order.orderId}", sellerOrderId: "${id}", offerId: "${sold}", amount: 100, idempotencyKey: "${randomUUID()}" })`,
  ]
  for (const each of deeds(part)) assert.equal(await deed(sellerTwo, each), 'unknown-order', each)
  assert.equal(await deed(sellerOne, `acceptSale(sellerOrderId: "${part}")`), 'done')
})

test('A13 a seller sees of a buyer the one sale, and none of the buyer’s other orders, addresses or profile', async () => {
  const other = await paidOrder(database, [[2, 1]], ann.overrides)
  assert.equal(await ask(sellerOne, 'query ($id: ID!) { answer: sale(sellerOrderId: $id) { state } }', { id: other.part(2) }), 'nothing')
  for (const id of [order.orderId, other.orderId])
    assert.match(
      String(await ask(sellerOne, 'query ($id: ID!) { answer: customerOrder(id: $id) { email } }', { id })),
      /nothing|UNAUTHENTICATED/,
    )
  for (const field of ['myOrders { total }', 'myAddresses { id }', 'customerProfile { email }'])
    assert.match(JSON.stringify(await ask(sellerOne, `{ answer: ${field} }`)), /nothing|UNAUTHENTICATED|"total":0|\[\]/, field)
  const fields = '{ __type(name: "Sale") { fields { name type { name ofType { name } } } } }'
  const { body } = await shop.ask('anonymous', 'b2c', '/graphql', { json: { query: fields } })
  assert.match(body, /"name":"state"/)
  assert.doesNotMatch(body, /"CustomerOrder"|"CustomerProfile"|"email"/, 'the graph leads from no sale to its buyer’s orders')
  assert.equal((await page(sellerOne, `/orders/customer-order/${order.orderId}/shipment/${part}`)).headers['set-cookie'], undefined)
  assert.notEqual((await page(sellerOne, `/orders/customer-order/${order.orderId}/shipment/${part}`)).status, 200)
})

/** A company's order, sent and invoiced, with a conversation and a return; its buyer and its admin; the way of its mails. */
async function companysOrder() {
  connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'company-order-'))))
  const company = await addCompany(db)
  const member = async (role: 'admin' | 'buyer') => {
    const person = await addCustomer(db)
    await addMembership(db, person.id, company.id, role)
    const { id, token } = await signIn(db, { customerId: person.id, companyId: company.id, family: 'b2b' })
    pros.add(`__Host-purlin=${token}`)
    const principal = { kind: 'member', ...person, role, company } as const
    return { id: person.id, cookies: `__Host-purlin=${token}`, overrides: { principal, session: { id }, mode: 'b2b' } as const }
  }
  const [buyer, admin] = [await member('buyer'), await member('admin')]
  const order = await paidOrder(database, [[1, 3]], buyer.overrides)
  await delivered(order, 3)
  await runWork(database, invoiceJobs.handlers, invoiceJobs.jobs)
  const [line = ''] = order.offers
  assert.equal(await write(buyer.cookies, order.part(1), { text: 'The gate code is 4711.' }), 'done')
  assert.equal(
    await asksReturn(buyer.cookies, order.orderId, order.part(1), [{ offerId: line, quantity: 1 }], 'missing-part', 'part-refund'),
    'done',
  )
  const { rows } = await pool.query<{ id: string }>('select id from returns.request where customer_order_id = $1', [order.orderId])
  const { token } = await allowByToken(db, settings().mail.linkSecret, order.orderId)
  return { order, line, buyer, admin, token, returned: returnToken(rows[0]?.id ?? '') }
}

test('A1 A11 the links of a company’s mails open its order to members who are signed in: neither to strangers nor to a former member', async () => {
  const { order, line, buyer, admin, token, returned: ofReturn } = await companysOrder()
  const { orderId } = order
  const part = order.part(1)
  const at = (cookies: string, path: string) => shop.ask('anonymous', 'b2b', path, { cookies })
  const details = `/orders/customer-order/${orderId}/shipment/${part}`
  const pages = [details, `/my-messages/conversation/${part}`, `/online-support/${orderId}/invoice`]
  const invoice = async (cookies: string) => {
    const read = await ask<{ parts: { invoices: { pdfUrl: string }[] }[] }>(
      cookies,
      'query ($id: ID!) { answer: selfCareInvoice(orderId: $id) { parts { invoices { pdfUrl } } } }',
      { id: orderId },
    )
    return typeof read === 'string' ? read : (read.parts[0]?.invoices[0]?.pdfUrl ?? 'none')
  }
  const pdf = await invoice(buyer.cookies)
  const sees = async (cookies: string) => ({
    opened: await deed(cookies, 'openOrderByToken(token: $token)', { token: ['String!', token] }),
    order: await ask(cookies, 'query ($id: ID!) { answer: customerOrder(id: $id) { id } }', { id: orderId }),
    pages: await Promise.all(pages.map(async (path) => (await at(cookies, path)).status)),
    invoice: await invoice(cookies),
    pdf: (await at(cookies, pdf)).status,
    messages: await messages(cookies, part),
    wrote: await write(cookies, part, { text: 'Leave it at the other gate.' }),
    returned: await asksReturn(cookies, orderId, part, [{ offerId: line, quantity: 1 }], 'missing-part', 'part-refund'),
    ofReturn: await ask(cookies, 'query ($token: String!) { answer: returnToRate(token: $token) { number } }', { token: ofReturn }),
  })
  const refused = { order: 'nothing', invoice: 'nothing', messages: 'nothing', wrote: 'unknown-order', returned: 'unknown-order' }
  const nothing = { opened: 'members-only', ...refused, pages: [404, 404, 404], ofReturn: 'nothing' }

  for (const path of pages) {
    const { status, headers } = await at(buyer.cookies, `${path}?access=${token}`)
    assert.deepEqual([status, (headers.location ?? '').split('#')[0]], [302, path], 'a member goes to the page itself')
    assert.equal((await at(buyer.cookies, path)).status, 200, path)
  }
  const { id: session, token: guests } = await signIn(db, { family: 'b2b' })
  const guest = `__Host-purlin=${guests}`
  pros.add(guest)
  // Links that were followed before companies' orders were closed to them left these.
  for (const owner of [`s:${session}`, `c:${buyer.id}`])
    await pool.query('insert into orders.access_grant (owner, customer_order_id) values ($1, $2)', [owner, orderId])
  assert.deepEqual(await sees(guest), { ...nothing, pdf: 404 })

  assert.equal(await deed(admin.cookies, 'removeMember(id: $id)', { id: ['ID!', buyer.id] }), 'done')
  assert.deepEqual(await sees(buyer.cookies), { ...nothing, pdf: 404 }, 'the session the former member still has')
  for (const cookies of ['', guest, buyer.cookies])
    for (const path of pages) {
      const { status, headers, body } = await at(cookies, `${path}?access=${token}`)
      const signIn = `/login?error=CompanyOrder&callbackUrl=${encodeURIComponent(path)}`
      assert.deepEqual([status, headers.location], [302, signIn], path)
      assert.ok(!body.includes('4711'))
    }
  const helpful = await at(buyer.cookies, `/login?error=CompanyOrder&callbackUrl=${encodeURIComponent(details)}`)
  assert.match(helpful.body, /This order was placed for a company\. To see it, sign in as the person who ordered/)

  await pool.query('update accounts.membership set ended_at = null where customer_id = $1', [buyer.id])
  const again = `__Host-purlin=${(await signIn(db, { customerId: buyer.id, companyId: admin.overrides.principal.company.id, family: 'b2b' })).token}`
  pros.add(again)
  const { order: seen, pdf: status, wrote } = await sees(again)
  assert.deepEqual([seen, status, wrote], [{ id: orderId }, 200, 'done'], 'whoever joins again has the order again')
})
