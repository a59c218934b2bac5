import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { jpeg } from '../../people/uploads/testing.ts'
import { findUpload, takeUpload, useUploads } from '#uploads'
import { addMembership } from '../../people/accounts/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { companiesIn, draftOrder, must, newBuyer, place, type Colleague } from '../../selling/checkout/testing.ts'
import { openDispute } from '../disputes/move-dispute.ts'
import { showConversation } from '../messages/show-conversation.ts'
import { writeMessage } from '../messages/write-message.ts'
import { requestReturn } from '../returns/request-return.ts'
import { eraseAccount } from './erase-account.ts'
import { makeExport } from './export-data.ts'
import { all, database, db, jobIsDue, pool, sendBack, work } from './test-erasure.ts'

/** What a member of a company has written, sent and been there: in their file, and gone with their account, as far as it is theirs. */

const folder = mkdtempSync(path(tmpdir(), 'members-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))
const { newCompany, join } = companiesIn(database)

async function orderOf(buyer: Colleague, state = 'delivered') {
  const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  must(await place(buyer, id))
  await pool.query(`update orders.customer_order set state = $2, paid_at = placed_at where id = $1`, [id, state])
  return id
}
async function colleagues() {
  const company = await newCompany()
  return { company, buyer: await join(company, 'buyer'), approver: await join(company, 'approver'), admin: await join(company, 'admin') }
}
const leave = async (one: Colleague, admin: Colleague) => must(await admin.does((scope) => removeMember(scope, one.principal.id)))
/** Somebody without the company that they acted for. */
function personally({ principal: { id, email, name } }: Colleague) {
  return newBuyer(database, { principal: { kind: 'customer', id, email, name, market: 'gb' }, session: { id: randomUUID() } })
}
const write = (one: Colleague, order: string, text: string, attachments: string[] = []) =>
  one.does(async (scope) => must(await writeMessage(scope, 'conversation.write', `${order}-1`, { text, attachments })))
/** A photo that somebody has sent; with a form it is attached to the dispute or return. */
async function photoOf(one: Colleague, usedBy?: string): Promise<string> {
  const sent = must(await takeUpload({ ...one.scope(), begin: one.does }, { name: 'crack.jpg', source: [jpeg()] }))
  if (usedBy) await one.does(async (scope) => ({ ok: (await useUploads(scope, [sent.id], usedBy)) !== null }))
  return sent.id
}
interface PersonalFile {
  companies: Record<string, unknown>[]
  quotes: Record<string, unknown>[]
  approvals: { requests: unknown[]; decisions: unknown[] }
  messages: { orderId: string; email: string | null; about: unknown; body: string }[]
}
async function fileOf(id: string): Promise<PersonalFile> {
  const opened = await openFile(db, await makeExport(db, { id: randomUUID(), customerId: id, site: {} as never }))
  assert.ok(opened)
  return (await json(opened.stream)) as PersonalFile
}
const bodiesIn = ({ messages }: PersonalFile) => messages.map(({ body }) => body)
const close = async (one: Pick<Colleague, 'does'>, { email }: Colleague) => must(await one.does((scope) => eraseAccount(scope, email)))
/** The worker's passes, the one of the request and the later one. */
async function erased() {
  await runWork(database, [], work)
  await jobIsDue()
  await runWork(database, [], work)
}

test('R-313 the file of an admin has the messages that they wrote about a colleague’s order, and nothing that the colleague wrote', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  await write(buyer, order, 'Message of the buyer')
  await write(admin, order, 'Message of the admin')
  const file = await fileOf(admin.principal.id)
  assert.deepEqual(bodiesIn(file), ['Message of the admin'])
  assert.deepEqual(
    file.messages.map(({ orderId, email, about }) => [orderId, email, about]),
    [[`${order}-1`, null, null]],
  )
  assert.deepEqual(bodiesIn(await fileOf(buyer.principal.id)), ['Message of the buyer', 'Message of the admin'])
})

for (const [when, hasLeft] of [
  ['as a member', false],
  ['long after they have left the company', true],
] as const)
  test(`R-313 erasure: what somebody wrote about a colleague’s order goes with the account they close ${when}; the conversation stays the company’s`, async () => {
    const { buyer, approver, admin } = await colleagues()
    const order = await orderOf(buyer)
    await write(buyer, order, 'Message of the buyer')
    await write(approver, order, 'Ask for Quirinus Zwackelmann, 77 Zeppelin Crescent')
    const mails = () => all(`select key from mail.mail where body_text like '%Zwackelmann%'`)
    assert.equal((await mails()).length, 1)
    await pool.query(
      `insert into messages.report (message_id, reporter, reason, note, at)
        select id, 'seller', 'insult', 'Zwackelmann again', now() from messages.message where written_by = $1`,
      [`c:${approver.principal.id}`],
    )
    if (hasLeft) await leave(approver, admin)
    await close(hasLeft ? personally(approver) : approver, approver)
    await erased()
    const messages = await all(
      `select m.written_by, m.body from messages.message m join messages.conversation c on c.id = m.conversation_id
        where c.customer_order_id = $1 order by m.seq`,
      [order],
    )
    assert.deepEqual(messages, [
      { written_by: `c:${buyer.principal.id}`, body: 'Message of the buyer' },
      { written_by: 'erased', body: '' },
    ])
    assert.deepEqual(await mails(), [])
    assert.deepEqual(await all(`select note from messages.report where note like 'Zwackelmann%'`), [])
    const shown = await showConversation(admin.scope(), 'conversation.see', `${order}-1`, null)
    assert.deepEqual(
      shown?.messages.map(({ body }) => body),
      ['Message of the buyer', ''],
    )
  })

/** A dispute about an order, opened by a colleague of its buyer with a photo. */
async function disputeOf(one: Colleague, order: string) {
  const id = randomUUID()
  const photo = await photoOf(one, `dispute:${id}`)
  await pool.query(
    `with d as (insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
        values ($2, (random() * 1e9)::int, gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'damaged', 'refund', 'open', 100, now()) returning id)
      insert into disputes.step (dispute_id, position, actor, action, note, files, at)
        select id, 1, 'buyer', 'open', '', jsonb_build_array(jsonb_build_object('id', $3::text, 'name', 'crack.jpg')), now() from d`,
    [order, id, photo],
  )
  return { id, photo }
}
const filesOfDispute = async (id: string) => (await all('select files from disputes.step where dispute_id = $1', [id]))[0]?.files.length

test('R-313 erasure: photos of an open dispute about a colleague’s order stay, without their sender, until it is settled', async () => {
  const { buyer, admin, company } = await colleagues()
  await join(company, 'admin')
  const order = await orderOf(buyer)
  const settled = await disputeOf(admin, await orderOf(buyer))
  await pool.query(`update disputes.dispute set ended_at = now(), state = 'settled' where id = $1`, [settled.id])
  const open = await disputeOf(admin, order)
  await close(admin, admin)
  await erased()
  assert.ok(await findUpload(db, open.photo))
  const [{ owner, of_file, sender_hash } = {}] = await all(
    'select u.owner, u.sender_hash, f.owner as of_file from uploads.upload u join files.file f on f.key = u.file_key where u.id = $1',
    [open.photo],
  )
  assert.deepEqual([owner, of_file, sender_hash], ['erased', 'erased', null])
  assert.deepEqual([await filesOfDispute(open.id), await filesOfDispute(settled.id)], [1, 0])
  assert.equal(await findUpload(db, settled.photo), undefined)

  await pool.query(`update disputes.dispute set ended_at = now(), state = 'settled' where id = $1`, [open.id])
  await erased()
  assert.equal(await findUpload(db, open.photo), undefined)
  assert.equal(await filesOfDispute(open.id), 0)
  assert.deepEqual(await all(`select key from files.file where owner = 'erased'`), [])
  assert.deepEqual(
    await all(`select key from platform.job where name = 'privacy.erase-late' and key like $1`, [`${admin.principal.id}%`]),
    [],
  )
})

test('R-313 erasure: photos of an open dispute stay as well where the buyer of the order has been erased before', async () => {
  const { company, buyer, admin } = await colleagues()
  await join(company, 'admin')
  const order = await orderOf(buyer)
  await close(buyer, buyer)
  await erased()
  const open = await disputeOf(admin, order)
  await close(admin, admin)
  await erased()
  assert.ok(await findUpload(db, open.photo))
  await pool.query(`update disputes.dispute set ended_at = now(), state = 'settled' where id = $1`, [open.id])
  await erased()
  assert.equal(await findUpload(db, open.photo), undefined)
})

test('R-313 erasure: photos of a return and of a conversation about a colleague’s order stay while goods are on their way back', async () => {
  const { buyer, approver } = await colleagues()
  const order = await orderOf(buyer)
  await sendBack(order)
  const [{ id } = {}] = await all('select id::text from returns.request where customer_order_id = $1', [order])
  const ofReturn = await photoOf(approver, `return:${id}`)
  await pool.query('update returns.request set photos = array[$2::uuid] where id = $1', [id, ofReturn])
  const ofMessage = await photoOf(approver)
  await write(approver, order, 'As you see', [ofMessage])
  const unused = await photoOf(approver)
  await close(approver, approver)
  await erased()
  const shown = async () => [
    (await all('select cardinality(photos) as count from returns.request where id = $1', [id]))[0]?.count,
    (await showConversation(buyer.scope(), 'conversation.see', `${order}-1`, null))?.messages.map(({ body, files }) => [
      body,
      files.length,
    ]),
  ]
  assert.deepEqual(await shown(), [1, [['', 1]]])
  assert.ok((await findUpload(db, ofReturn)) && (await findUpload(db, ofMessage)))
  assert.deepEqual(await all('select id from uploads.upload where id = $1', [unused]), [])

  await pool.query(`update returns.request set state = 'refunded' where id = $1`, [id])
  await erased()
  assert.deepEqual(await shown(), [0, [['', 0]]])
  assert.deepEqual([await findUpload(db, ofReturn), await findUpload(db, ofMessage)], [undefined, undefined])
})

const approvalOf = (company: string, buyer: Colleague, approver: Colleague) =>
  pool.query(
    `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, state, total, currency, limits, proposal,
        note, comment, decided_by, decided_at, expires_at)
      values (gen_random_uuid(), gen_random_uuid(), $1, $2, 'gb', 'http://x', 'card', 'refused', 100, 'GBP', '[]', '{}', 'Note of the buyer', 'Comment of the approver', $3, now(), now())`,
    [company, buyer.principal.id, approver.principal.id],
  )

test('R-313 the file of a former member has their requests for approval without the comments and decisions of colleagues, and their own decisions', async () => {
  const { company, buyer, approver, admin } = await colleagues()
  await approvalOf(company.id, buyer, approver)
  const requests = async () => JSON.stringify((await fileOf(buyer.principal.id)).approvals.requests)
  for (const part of [/Note of the buyer/, /refused/, /Comment of the approver/]) assert.match(await requests(), part)
  await leave(buyer, admin)
  await leave(approver, admin)
  assert.match(await requests(), /Note of the buyer/)
  assert.doesNotMatch(await requests(), /refused|Comment of the approver/)
  const [decision] = (await fileOf(approver.principal.id)).approvals.decisions as Record<string, unknown>[]
  assert.deepEqual([decision?.['state'], decision?.['comment']], ['refused', 'Comment of the approver'])
})

test('R-313 the file of a former member has the quotes they requested, without what the seller answered', async () => {
  const { company, buyer, admin } = await colleagues()
  const id = randomUUID()
  await pool.query(
    `insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, valid_until, delivery, note)
      values ($1::text::uuid, $1, 1, 'gb', 'http://x', $2, $3, $4, 'answered', 'Quote please', now() + interval '5 days', now() + interval '9 days', 5, 'Secret offer')`,
    [id, company.id, buyer.principal.id, buyer.principal.email],
  )
  await pool.query(
    `insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, price, vat_rate_bp)
      values ($1, 1, 9001, 'Drill', '/', 3, 1000, 777, 2000)`,
    [id],
  )
  const quote = async () => (await fileOf(buyer.principal.id)).quotes[0] ?? {}
  const { note, state, lines } = await quote()
  assert.deepEqual([note, state, (lines as { price: number }[])[0]?.price], ['Secret offer', 'answered', 777])
  await leave(buyer, admin)
  const own = await quote()
  assert.deepEqual(
    [own['message'], own['lines']],
    ['Quote please', [{ offerId: '9001', title: 'Drill', url: '/', quantity: 3, listPrice: 1000, vatRateBp: 2000 }]],
  )
  for (const name of ['note', 'state', 'delivery', 'validUntil', 'orderId']) assert.ok(!(name in own), name)
})

test('R-313 the file names every company that the person is or was a member of, with their role and what they began there', async () => {
  const [first, second] = [await colleagues(), await newCompany()]
  const { admin, approver, company } = first
  const names = [`Company ${company.id}`, `Company ${second.id}`]
  await pool.query(`update accounts.company set name = 'Company ' || id where id = any($1)`, [[company.id, second.id]])
  await addMembership(db, approver.principal.id, second.id, 'viewer')
  await pool.query(
    `insert into subscriptions.subscription (id, market, company_id, customer_id, origin, state, period, next_period, has_trial, due_at, anchor_day,
        provider, provider_customer, card_reference, card_brand, card_last4, card_expiry_year, card_expiry_month, paid_until, created_at)
      values (gen_random_uuid(), 'gb', $1, $2, 'http://x', 'active', 'monthly', 'monthly', false, now(), 1, 'embedded', 'p', 'r', 'visa', '4242', 2030, 1, now(), now())`,
    [company.id, approver.principal.id],
  )
  const shown = async () =>
    (await fileOf(approver.principal.id)).companies.map(({ name, vatNumber, role, since, endedAt, purlinPro }) => [
      name,
      vatNumber,
      role,
      typeof since,
      typeof endedAt,
      (purlinPro as Record<string, unknown>[]).map(({ cardLast4, state }) => [cardLast4, state]),
    ])
  const ofSecond = [names[1], 'GB123456789', 'viewer', 'string', 'object', []]
  assert.deepEqual(await shown(), [[names[0], 'GB123456789', 'approver', 'string', 'object', [['4242', 'active']]], ofSecond])
  await leave(approver, admin)
  assert.deepEqual(await shown(), [[names[0], null, 'approver', 'string', 'string', [['4242', null]]], ofSecond])
})

test('R-313 erasure: what an approver wrote in a dispute about a colleague’s order is in their file, and goes once the dispute is over', async () => {
  const { buyer, approver } = await colleagues()
  const order = await orderOf(buyer)
  const { id: messageId } = await approver.does(async (scope) =>
    must(await writeMessage(scope, 'conversation.write', `${order}-1`, { text: 'It is broken', attachments: [] })),
  )
  const note = 'Ask for Quirinus at 77 Zeppelin Crescent'
  const about = { orderId: `${order}-1`, messageId, reason: 'damaged', wish: 'refund', note } as const
  const opened = must(await approver.does((scope) => openDispute(scope, about)))
  const notes = async () => (await all('select note from disputes.step where dispute_id = $1', [opened.id])).map((step) => step.note)
  const isInFile = async (one: Colleague) => JSON.stringify(await fileOf(one.principal.id)).includes(note)
  assert.deepEqual([await isInFile(approver), await isInFile(buyer)], [true, true])
  assert.notDeepEqual(await all('select key from mail.mail where body_text like $1', ['%Zeppelin Crescent%']), [])
  await close(approver, approver)
  await erased()
  assert.deepEqual(await notes(), [note], 'evidence of an open dispute stays')
  await pool.query(`update disputes.dispute set ended_at = now(), state = 'settled' where id = $1`, [opened.id])
  await erased()
  assert.deepEqual(await notes(), [''])
  assert.deepEqual(await all('select key from mail.mail where body_text like $1', ['%Zeppelin Crescent%']), [])
  assert.deepEqual(await all('select 1 from disputes.step where written_by = $1', [`c:${approver.principal.id}`]), [])
})

/** The goods of an order reach the buyer. */
async function arrives(order: string): Promise<void> {
  await pool.query(
    `insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, reason, at)
      values (gen_random_uuid(), $1 || '-1', 9001, 1, 'pending', 'accepted', 'seller', 'test', now()),
        (gen_random_uuid(), $1 || '-1', 9001, 1, 'accepted', 'shipped', 'seller', 'test', now()),
        (gen_random_uuid(), $1 || '-1', 9001, 1, 'shipped', 'delivered', 'carrier', 'test', now())`,
    [order],
  )
}

test('the seller is told of a return by a colleague of a buyer who has been erased', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  await arrives(order)
  await close(buyer, buyer)
  await erased()
  const photos = [await photoOf(admin)]
  const about = { customerOrderId: order, sellerOrderId: `${order}-1`, lines: [{ offerId: '9001', quantity: 1 }] }
  const claim = { reason: 'defective', wish: 'refund', method: 'label', description: 'Cracked', photos } as const
  const { id } = must(await admin.does((scope) => requestReturn(scope, { ...about, ...claim })))
  assert.deepEqual(
    (await all('select key from mail.mail where key like $1', [`return:${id}:%`])).map(({ key }) => key),
    [`return:${id}:seller`],
  )
})

test('R-313 erasure: how an approver described a return of a colleague’s order is in their file, and goes once the return has ended', async () => {
  const { buyer, approver } = await colleagues()
  const order = await orderOf(buyer)
  await arrives(order)
  const photos = [await photoOf(approver)]
  const description = 'It was Quirinus who dropped it'
  const about = { customerOrderId: order, sellerOrderId: `${order}-1`, lines: [{ offerId: '9001', quantity: 1 }] }
  const claim = { reason: 'defective', wish: 'refund', method: 'label', description, photos } as const
  const { id } = must(await approver.does((scope) => requestReturn(scope, { ...about, ...claim })))
  const isInFile = async (one: Colleague) => JSON.stringify(await fileOf(one.principal.id)).includes(description)
  assert.deepEqual([await isInFile(approver), await isInFile(buyer)], [true, true])
  const described = async () => (await all('select description from returns.request where id = $1', [id]))[0]?.description
  await close(approver, approver)
  await erased()
  assert.equal(await described(), description, 'the seller still has to decide')
  await pool.query(`update returns.request set state = 'refunded' where id = $1`, [id])
  await erased()
  assert.equal(await described(), '')
})
