import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { runWork } from '../../edges/worker/testing.ts'
import { newBuyer } from '../../selling/checkout/testing.ts'
import { eraseAccount } from './erase-account.ts'
import { requestExport, showExport } from './export-data.ts'
import { schedules } from './jobs.ts'
import { seal, unseal } from './seal.ts'
import { customer, database, filesThatSay, gateway, keptById, marks, moreOf, pool, tablesThatSay, traces, work } from './test-privacy.ts'

test('R-313 a customer gets a file with everything about them, announced by a mail that grants nothing by itself', async () => {
  const ann = await customer()
  await ann.does((scope) => requestExport(scope))
  await ann.does((scope) => requestExport(scope))
  assert.equal((await showExport(ann.scope()))?.fileKey, null)
  await runWork(database, [], work)
  const found = await showExport(ann.scope())
  assert.ok(found?.fileKey)
  const { rows: mails } = await pool.query('select body_text as text from mail.mail where recipient = $1 and template = $2', [
    ann.email,
    'data-ready',
  ])
  assert.equal(mails.length, 1, 'asked twice, made once')
  assert.ok(mails[0].text.includes('/settings#data') && !mails[0].text.includes(found.fileKey))
  const answer = await fetch(`${gateway.url}/api/v1/my-data`, { headers: { cookie: ann.cookie, 'sec-fetch-site': 'same-origin' } })
  assert.equal(answer.status, 200)
  const data = JSON.parse(await answer.text())
  assert.deepEqual(
    [
      data.account.email,
      data.profile.lastName,
      data.consents.length,
      data.addresses[0].line1,
      data.wishlists[0].productId,
      data.orders[0].id,
    ],
    [ann.email, marks.lastName, 2, marks.line1, '9001', ann.orderId],
  )
  assert.equal(data.contributions.reviews[0].author, 'Quirinus Z.', 'written as a guest about an order that is hers now')
  assert.match(data.returns[0].description, /Zwackelmann/)
})

test('A1 one customer’s file is closed to everybody else, customers and guests alike', async () => {
  const [ann, eve] = [await customer(), await customer()]
  await ann.does((scope) => requestExport(scope))
  await runWork(database, [], work)
  const asked = (cookie: string) => fetch(`${gateway.url}/api/v1/my-data`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  assert.deepEqual([(await asked(eve.cookie)).status, (await asked('')).status], [404, 401])
})

test('R-313 the file contains messages to the shop, the newsletter, the company, quotes, approvals and requests for financing, under earlier addresses too', async () => {
  const ann = await customer()
  const email = await moreOf(ann)
  await runWork(database, [], work)
  await ann.does((scope) => requestExport(scope))
  await runWork(database, [], work)
  const answer = await fetch(`${gateway.url}/api/v1/my-data`, { headers: { cookie: ann.cookie, 'sec-fetch-site': 'same-origin' } })
  const data = JSON.parse(await answer.text())
  assert.deepEqual(data.emails, [email, ann.email])
  assert.match(data.contactMessages[0].body, /Call me/)
  assert.deepEqual([data.newsletter[0].email, data.newsletter[0].state], [ann.email, 'asked'])
  assert.match(data.basketReminders[0].wording, /^Purlin may remind me once/)
  assert.deepEqual(
    data.companies.map(({ name, role }: Record<string, string>) => [name, role]),
    [['Lee Building Ltd', 'buyer']],
  )
  const [given] = data.directDebitMandates
  assert.deepEqual([given.holder, given.ibanEnd, given.state], ['Quirinus Zwackelmann', '3000', 'active'])
  assert.deepEqual([data.financingRequests[0].purpose, data.financingRequests[0].phone], ['A workshop in Zedtown', marks.phone])
  assert.deepEqual(
    data.quotes.map(({ state, message, lines }: { state: string; message: string; lines: { quantity: number }[] }) => [
      state,
      message,
      lines[0]?.quantity,
    ]),
    [
      ['ordered', 'Call Quirinus Zwackelmann, 07700 900987', 20],
      ['requested', 'Call Quirinus Zwackelmann, 07700 900987', 10],
    ],
  )
  const { requests, decisions } = data.approvals
  assert.deepEqual([requests.length, requests[0].note, requests[0].state], [1, 'For the roof of Zwackelmann', 'pending'])
  assert.deepEqual([decisions.length, decisions[0].comment, decisions[0].state], [1, 'Ring Quirinus', 'refused'])
  assert.doesNotMatch(JSON.stringify(data.approvals), /A colleague’s note/, 'notes of colleagues are theirs')
})

test('erasure: afterwards no table, file or mail contains the name, either e-mail address, phone or address; the order’s figures stay', async () => {
  const ann = await customer()
  const email = await moreOf(ann)
  const words = [...traces, ann.email]
  await pool.query('delete from profile.profile where customer_id <> $1', [ann.id])
  await ann.does((scope) => requestExport(scope))
  await runWork(database, [], work)
  // The customers of the tests above have the same data: they are erased first.
  const { rows: others } = await pool.query(`select id, email, name, market from accounts.customer where id <> $1 and closed_at is null`, [
    ann.id,
  ])
  for (const other of others)
    assert.deepEqual(
      await newBuyer(database, { principal: { kind: 'customer', ...other } }).does((scope) => eraseAccount(scope, other.email)),
      { ok: true },
    )
  await runWork(database, [], work)
  const before = await tablesThatSay(words)
  for (const table of [
    'accounts.customer',
    'addresses.address',
    'accounts.former_email',
    'companies.cost_centre',
    'companies.site',
    'contact.message',
    'credit.financing_request',
    'credit.mandate',
    'mail.mail',
    'newsletter.subscription',
    'orders.customer_order',
    'profile.profile',
    'profile.consent',
    'punchout.credential',
    'punchout.visit',
    'purchasing.approval',
    'quotes.quote',
    'returns.cancellation',
    'reminders.guest',
    'returns.request',
    'reviews.review',
  ])
    assert.ok(before.includes(table), `${table} says it before`)
  assert.ok(filesThatSay(words).length > 2, 'the copy of their data and two labels say it before')

  const principal = { ...ann.scope().principal, email }
  const moved = newBuyer(database, { principal })
  assert.deepEqual(await moved.does((scope) => eraseAccount(scope, ` ${email.toUpperCase()} `)), { ok: true })
  const locked = await gateway.post('{ customerProfile { email } }', {}, { cookie: ann.cookie })
  assert.ok(!JSON.stringify(locked.body).includes(ann.email), 'signed out everywhere at once')
  await runWork(database, [], work)

  assert.deepEqual(await tablesThatSay(words), [])
  assert.deepEqual(filesThatSay(words), [])
  assert.deepEqual(await tablesThatSay([ann.id]), keptById)
  const { rows } = await pool.query('select total, state, email from orders.customer_order where id = $1', [ann.orderId])
  assert.deepEqual([rows[0].total > 0, rows[0].state, rows[0].email], [true, 'delivered', 'erased'])
})

test('erasure: mails to a longer address belong to somebody else and stay', async () => {
  const ann = await customer()
  await runWork(database, [], work)
  const names = [`jo${ann.email}`, `${ann.email}.au`, `x.${ann.email}`]
  for (const name of names)
    await pool.query(
      `insert into mail.mail (id, key, template, recipient, sender, subject, body_text, body_html, state)
        values (gen_random_uuid(), $1, 'question', 'operator@example.com', 'shop@example.com', 'A message', $1, '', 'sent')`,
      [`A message from ${name}.`],
    )
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  const { rows } = await pool.query<{ text: string }>(
    `select body_text as text from mail.mail where recipient = 'operator@example.com' and body_text like '%' || $1 || '%'`,
    [ann.email],
  )
  assert.deepEqual(rows.map(({ text }) => text).toSorted(), names.map((name) => `A message from ${name}.`).toSorted())
})

test('erasure: the order details that the law requires can be opened only with the shop’s key', async () => {
  const ann = await customer()
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  const { rows } = await pool.query('select sealed, until from privacy.retained where customer_order_id = $1', [ann.orderId])
  const kept = unseal(ann.orderId, rows[0].sealed) as { billingAddress: { lastName: string; line1: string } }
  assert.deepEqual([kept.billingAddress.lastName, kept.billingAddress.line1], [marks.lastName, marks.line1])
  assert.doesNotMatch(JSON.stringify(kept), new RegExp(`${ann.email}|${marks.phone}`), 'no law asks for these')
  assert.equal(rows[0].until.getUTCFullYear(), new Date().getUTCFullYear() + 11)
  assert.throws(() => unseal('P0000000000000000', rows[0].sealed), 'it belongs to its order')
  const changed = seal('P1', { a: 1 })
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
  assert.throws(() => unseal('P1', changed))
})

test('an account is not closed if the address typed is wrong, nor while an order is open', async () => {
  const ann = await customer()
  assert.deepEqual(await ann.does((scope) => eraseAccount(scope, 'eve@example.com')), { ok: false, reason: 'email-differs' })
  for (const state of ['awaiting-payment', 'paid', 'shipped']) {
    const busy = await customer({ state })
    assert.deepEqual(await busy.does((scope) => eraseAccount(scope, busy.email)), { ok: false, reason: 'orders-under-way' }, state)
  }
  const { rows } = await pool.query('select closed_at from accounts.customer where id = $1', [ann.id])
  assert.equal(rows[0].closed_at, null)
})

/** The part of an order that an answer names. */
const partOf = (orderId: string, market: Market = 'gb') => ({
  customerOrderId: orderId,
  sellerOrderId: `${orderId}-1`,
  url: `${settings().hosts.site(market, 'b2c').origin}/orders/customer-order/${orderId}/shipment/${orderId}-1`,
})

/** The answer of the form that closes the account. */
async function close({ email, cookie }: Awaited<ReturnType<typeof customer>>) {
  const { body } = await gateway.post(
    `mutation { it: eraseMyAccount(email: "${email}") { refusal { reason message } waitsFor { customerOrderId sellerOrderId url } } }`,
    {},
    { cookie },
  )
  return (body as { data: { it: { refusal: { reason: string; message: string } | null; waitsFor: object | null } } }).data.it
}

test('an account is not closed while a refund waits for its owner’s bank account: the answer names that part of the order', async () => {
  const ann = await customer()
  const refund = (state: string, part: number) =>
    pool.query(
      `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by, requested_at)
        values ($1::uuid, $4::int, $1, $2, $2 || '-' || $4, $1::uuid, 'return', $3, 100, 'GBP', 'gb', 'seller', now() - make_interval(hours => $4::int))`,
      [randomUUID(), ann.orderId, state, String(part)],
    )
  await refund('iban-needed', 1)
  await refund('requested', 2)
  const answer = await close(ann)
  assert.deepEqual([answer.refusal?.reason, answer.waitsFor], ['refund-under-way', partOf(ann.orderId)])
  assert.equal(answer.refusal?.message, 'A refund is still on its way to you. Close your account once the money has arrived.')
  await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [ann.orderId])
  assert.deepEqual(await close(ann), { refusal: null, waitsFor: null })
})

test('an account is not closed while goods are on their way back: the answer names the order', async () => {
  const ann = await customer()
  const enter = (state: string) => pool.query('update returns.request set state = $2 where customer_order_id = $1', [ann.orderId, state])
  const waitsFor = partOf(ann.orderId)
  for (const state of ['requested', 'accepted', 'label-sent', 'in-transit', 'received', 'inspected']) {
    await enter(state)
    const answer = await close(ann)
    assert.deepEqual([answer.refusal?.reason, answer.waitsFor], ['return-under-way', waitsFor], state)
    assert.match(answer.refusal?.message ?? '', /return under way/)
  }
  await enter('lapsed')
  assert.deepEqual(await close(ann), { refusal: null, waitsFor: null })
})

test('an account is not closed while a dispute about one of its orders is open', async () => {
  const ann = await customer()
  await pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
      values ($1, 1, $1, $2 || '-1', $2, 1, 'gb', 'damaged', 'refund', 'open', 100, now())`,
    [randomUUID(), ann.orderId],
  )
  const answer = await close(ann)
  const waitsFor = partOf(ann.orderId)
  assert.deepEqual([answer.refusal?.reason, answer.waitsFor], ['dispute-open', waitsFor])
  await pool.query(`update disputes.dispute set state = 'settled', ended_at = now() where customer_order_id = $1`, [ann.orderId])
  assert.deepEqual(await close(ann), { refusal: null, waitsFor: null })
})

test('the order for which an account waits is named with its page in its own market', async () => {
  const ann = await customer()
  await pool.query(`update orders.customer_order set market = 'fr' where id = $1`, [ann.orderId])
  await pool.query(`update returns.request set state = 'in-transit' where customer_order_id = $1`, [ann.orderId])
  assert.deepEqual((await close(ann)).waitsFor, partOf(ann.orderId, 'fr'))
})

test('R-313 the file of an export is deleted when its week is over', async () => {
  const ann = await customer()
  await ann.does((scope) => requestExport(scope))
  await runWork(database, [], work)
  const sweep = async () => {
    for (const { name, run } of schedules) if (name === 'privacy.drop-expired') await database.command({}, run)
    await runWork(database, [], work)
  }
  await sweep()
  assert.ok((await showExport(ann.scope()))?.fileKey, 'not before')
  assert.ok(filesThatSay([ann.email]).length > 0)
  await pool.query(`update privacy.export set expires_at = now() - interval '1 minute' where customer_id = $1`, [ann.id])
  await sweep()
  assert.deepEqual(filesThatSay([ann.email]), [])
  const answer = await fetch(`${gateway.url}/api/v1/my-data`, { headers: { cookie: ann.cookie, 'sec-fetch-site': 'same-origin' } })
  assert.equal(answer.status, 404)
})
