import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as path } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { saveAddress } from '../../selling/checkout/save-address.ts'
import { addresses, companiesIn, draftOrder, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { findOrder } from '../../selling/orders/find-order.ts'
import { giveAccount } from '../../selling/refunds/give-account.ts'
import { writeOrderReference } from '../../selling/purchasing/reference-store.ts'
import { eraseAccount } from './erase-account.ts'
import { makeExport } from './export-data.ts'
import { all, customer, database, db, jobIsDue, pool, refundOf, work } from './test-erasure.ts'

const folder = mkdtempSync(path(tmpdir(), 'others-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

const emailOf = async (id: string) => (await all('select email from orders.customer_order where id = $1', [id]))[0]?.email as string
const guestAs = (id: string, email: string | null) => newBuyer(database, { principal: { kind: 'guest', id, email }, session: { id } })

test('R-313 a checkout that waited for its payment when an account was erased, and that somebody else finishes with an address of their own, stays theirs', async () => {
  const ann = await customer()
  const session = randomUUID()
  const id = await draftOrder(guestAs(session, ann.email), [{ offerId: '9001', quantity: 1 }])
  must(await place(guestAs(session, ann.email), id))
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  const bob = guestAs(session, 'bob@example.com')
  // As the page of the address does: the order that awaits payment is reopened, under the address just typed.
  const saved = must(await bob.does((scope) => saveAddress(scope, { ...addresses.gb, firstName: 'Bob', lastName: 'Other' })))
  assert.equal(saved.orderId, id)
  must(await place(bob, id))
  assert.equal(await emailOf(id), 'bob@example.com')
  await pool.query(`update orders.customer_order set state = 'delivered', paid_at = placed_at where id = $1`, [id])
  assert.equal((await findOrder(bob.scope(), 'return.ask', id))?.id, id)
  await jobIsDue()
  await runWork(database, [], work)
  assert.deepEqual(
    [await emailOf(id), (await findOrder(bob.scope(), 'return.ask', id))?.id],
    ['bob@example.com', id],
    'Bob has his order still',
  )
})

test('R-313 the file of somebody who has left a company says nothing of what the company has done with its orders since', async () => {
  const { newCompany, join } = companiesIn(database)
  const company = await newCompany()
  const [buyer, admin] = [await join(company, 'buyer'), await join(company, 'admin')]
  const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  must(await place(buyer, id))
  await pool.query(`update orders.customer_order set state = 'delivered', paid_at = placed_at where id = $1`, [id])
  const refund = await refundOf(id)
  must(await admin.does((scope) => removeMember(scope, buyer.principal.id)))
  assert.equal(
    await findOrder(
      newBuyer(database, { principal: { ...buyer.principal, kind: 'customer' } as never, session: { id: randomUUID() } }).scope(),
      'order.see',
      id,
    ),
    undefined,
    'no page shows it',
  )
  must(await admin.does((scope) => giveAccount(scope, refund, { iban: 'DE89370400440532013000', holder: 'Lee Ltd' })))
  await writeOrderReference(db, id, { purchaseOrder: 'PO secret', costCentre: 'CC secret' }, admin.principal.id)
  await pool.query(
    `insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, reason, note, at)
      values (gen_random_uuid(), $1, 9001, 1, 'pending', 'cancelled', 'buyer', 'other', 'Note of the admin', now())`,
    [`${id}-1`],
  )
  await pool.query(
    `insert into returns.request (id, number, seller_order_id, customer_order_id, seller_id, market, reason, basis, wish, method, state, lines, description, token_hash)
      values (gen_random_uuid(), 77001, $1 || '-1', $1, 1, 'gb', 'wrong', 'guarantee', 'refund', 'label', 'label-sent', '[]', 'Return of the admin', sha256($1::bytea))`,
    [id],
  )
  await pool.query(
    `with d as (insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
        values (gen_random_uuid(), 77002, gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'damaged', 'refund', 'open', 100, now()) returning id)
      insert into disputes.step (dispute_id, position, actor, action, note, at) select id, 1, 'buyer', 'open', 'Dispute of the admin', now() from d`,
    [id],
  )
  const [own, others] = [`c:${buyer.principal.id}`, `c:${admin.principal.id}`]
  await pool.query(
    `with c as (insert into messages.conversation (id, seller_order_id, customer_order_id, seller_id, market, mode, owner, email, topic, about, last_at, created_at)
        values (gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'b2b', $2, $3, 'other', '{}', now(), now()) returning id)
      insert into messages.message (id, conversation_id, seq, author, written_by, body, is_masked, at)
        select gen_random_uuid(), id, 1, 'buyer', $4, 'Message of the buyer', false, now() from c
        union all select gen_random_uuid(), id, 2, 'buyer', $2, 'Message of the admin', false, now() from c`,
    [id, others, admin.email, own],
  )
  const opened = await openFile(db, await makeExport(db, { id: randomUUID(), customerId: buyer.principal.id, site: {} as never }))
  assert.ok(opened)
  const text = JSON.stringify(await json(opened.stream))
  const ofCompany = ['PO secret', 'CC secret', 'Note of the admin', '"ibanEnd":"3000"', 'Return of the admin', 'Dispute of the admin']
  assert.deepEqual(
    [...ofCompany, 'Message of the admin', admin.email].filter((each) => text.includes(each)),
    [],
  )
  assert.ok(text.includes('Message of the buyer'), 'but what they have written themselves')
})
