import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { addMembership } from '../../people/accounts/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { companiesIn, draftOrder, must, place, type Colleague } from '../../selling/checkout/testing.ts'
import { showConversation } from '../messages/show-conversation.ts'
import { writeMessage } from '../messages/write-message.ts'
import { eraseAccount } from './erase-account.ts'
import { makeExport } from './export-data.ts'
import { all, database, db, jobIsDue, pool, work } from './test-erasure.ts'

/** What members of a company write and send about orders of their colleagues: in the file of their data, and after their erasure. */

connectObjectStore(folderStore(mkdtempSync(path(tmpdir(), 'colleagues-'))))
const { newCompany, join } = companiesIn(database)

/** A buyer and two admins, so that one of them may close their account. */
async function colleagues() {
  const company = await newCompany()
  const [buyer, admin] = [await join(company, 'buyer'), await join(company, 'admin')]
  await join(company, 'admin')
  return { company, buyer, admin }
}
async function orderOf(buyer: Colleague): Promise<string> {
  const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  must(await place(buyer, id))
  await pool.query(`update orders.customer_order set state = 'delivered', paid_at = placed_at where id = $1`, [id])
  return id
}
async function uploadOf({ principal: { id } }: Colleague, usedBy: string | null): Promise<string> {
  const { rows } = await pool.query(
    `insert into uploads.upload (id, owner, file_key, name, bytes, used_by) values (gen_random_uuid(), $1, $2, 'gate.jpg', 10, $3) returning id::text`,
    [`c:${id}`, `upload/${randomUUID()}`, usedBy],
  )
  return rows[0].id
}
async function disputeAbout(order: string): Promise<string> {
  const { rows } = await pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
      values (gen_random_uuid(), (random() * 1e9)::int, gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'damaged', 'refund', 'open', 100, now()) returning id::text`,
    [order],
  )
  await pool.query(
    `insert into disputes.step (dispute_id, position, actor, action, note, files, at) values ($1, 1, 'buyer', 'open', 'Broken', '[]', now())`,
    [rows[0].id],
  )
  return rows[0].id
}
const writes = async (who: Colleague, order: string, text: string, attachments: string[] = []) =>
  must(await who.does((scope) => writeMessage(scope, 'conversation.write', `${order}-1`, { text, attachments })))
const textsSeenBy = async (who: Colleague, order: string) =>
  (await who.does((scope) => showConversation(scope, 'conversation.see', `${order}-1`, null)))?.messages.map(({ body }) => body)
async function closes(who: Colleague): Promise<void> {
  assert.deepEqual(await who.does((scope) => eraseAccount(scope, who.email)), { ok: true })
  await runWork(database, [], work)
  await jobIsDue()
  await runWork(database, [], work)
}
interface DataFile {
  messages: { orderId: string; body: string; email: string | null }[]
  companies: { name: string; role: string }[]
}
async function fileOf({ principal: { id } }: Colleague): Promise<DataFile> {
  const opened = await openFile(db, await makeExport(db, { id: randomUUID(), customerId: id, site: {} as never }))
  assert.ok(opened)
  return json(opened.stream) as Promise<DataFile>
}

test('erasure: what an admin has written about a colleague’s order is erased with its files; the conversation stays, and says so', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  await writes(buyer, order, 'Where is it?')
  await writes(admin, order, 'Ask for me, Quirinus, at the gate of 77 Zeppelin Crescent', [await uploadOf(admin, null)])
  await closes(admin)
  assert.deepEqual(await textsSeenBy(buyer, order), [
    'Where is it?',
    'The author of this message has closed their account; the text has been erased.',
  ])
  assert.deepEqual(await all('select 1 from messages.message where written_by = $1', [`c:${admin.principal.id}`]), [])
  assert.deepEqual(await all('select 1 from uploads.upload where owner = $1', [`c:${admin.principal.id}`]), [])
  assert.deepEqual(await all(`select 1 from uploads.upload where used_by like 'conversation:%' and owner = 'erased'`), [])
})

test('the file of one’s data has what one has written about colleagues’ orders, and nothing else of them', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  await writes(buyer, order, 'Of the buyer')
  await writes(admin, order, 'Of the admin')
  const about = async (who: Colleague) => (await fileOf(who)).messages.map(({ body, email }) => [body, email])
  assert.deepEqual(await about(admin), [['Of the admin', null]])
  assert.deepEqual(await about(buyer), [
    ['Of the buyer', buyer.email],
    ['Of the admin', buyer.email],
  ])
})

test('erasure: photos of an open dispute about a colleague’s order stay without their sender, and go with the order', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  const dispute = await disputeAbout(order)
  const [unused, photo] = [await uploadOf(admin, null), await uploadOf(admin, `dispute:${dispute}`)]
  await closes(admin)
  assert.deepEqual(await all('select id::text, owner from uploads.upload where id = any($1)', [[unused, photo]]), [
    { id: photo, owner: 'erased' },
  ])
  await pool.query(`update disputes.dispute set state = 'settled', ended_at = now() where id = $1`, [dispute])
  await closes(buyer)
  assert.deepEqual(await all('select 1 from uploads.upload where id = $1', [photo]), [])
})

test('the file of a former member has neither the comments of those who decided their requests nor the answers to their quotes', async () => {
  const { company, buyer, admin } = await colleagues()
  await pool.query(
    `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, state, total, currency, limits, proposal, note, comment,
        decided_by, decided_at, expires_at)
      values (gen_random_uuid(), $4, $1, $2, 'gb', 'http://x', 'card', 'refused', 100, 'GBP', '[]', '{}', 'Note of the buyer', 'Comment of the admin', $3, now(), now())`,
    [company.id, buyer.principal.id, admin.principal.id, `PX${Date.now()}`],
  )
  const quote = randomUUID()
  await pool.query(
    `insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, answered_at, valid_until, delivery, note)
      values ($1, $2, 1, 'gb', 'http://x', $3, $4, $5, 'answered', 'Quote please', now() + interval '5 days', now(), now() + interval '9 days', 0, 'Note of the seller')`,
    [quote, `Q${Date.now()}`, company.id, buyer.principal.id, buyer.email],
  )
  await pool.query(
    `insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, price, vat_rate_bp) values ($1, 1, 9001, 'Drill', '/', 1, 1000, 77123, 2000)`,
    [quote],
  )
  const theirs = ['Note of the buyer', 'Quote please']
  const ofOthers = ['Comment of the admin', 'Note of the seller', '77123']
  const found = async () => {
    const text = JSON.stringify(await fileOf(buyer))
    return [...theirs, ...ofOthers].filter((each) => text.includes(each))
  }
  assert.deepEqual(await found(), [...theirs, ...ofOthers], 'while they are a member')
  must(await admin.does((scope) => removeMember(scope, buyer.principal.id)))
  assert.deepEqual(await found(), theirs)
})

test('the file of one’s data names every company that one belongs to, not only the one acted for', async () => {
  const { company, admin } = await colleagues()
  const other = await newCompany()
  await pool.query(`update accounts.company set name = 'First Ltd' where id = $1`, [company.id])
  await pool.query(`update accounts.company set name = 'Second Ltd' where id = $1`, [other.id])
  await addMembership(db, admin.principal.id, other.id, 'buyer')
  const companies = (await fileOf(admin)).companies.map(({ name, role }) => [name, role]).toSorted()
  assert.deepEqual(companies, [
    ['First Ltd', 'admin'],
    ['Second Ltd', 'buyer'],
  ])
})
