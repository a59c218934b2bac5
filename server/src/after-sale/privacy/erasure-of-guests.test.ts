import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { draftOrder, must, newBuyer, place, type Buyer } from '../../selling/checkout/testing.ts'
import { findOrder } from '../../selling/orders/find-order.ts'
import { askQuestion } from '../reviews/ask-question.ts'
import { eraseAccount } from './erase-account.ts'
import { makeExport } from './export-data.ts'
import { all, customer, database, db, jobIsDue, pool, work } from './test-erasure.ts'
import { tablesThatSay } from './test-scan.ts'

/** What somebody left as a guest in other browsers, with the address that their account has confirmed. */

const folder = mkdtempSync(join(tmpdir(), 'erased-guests-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

const marks = { firstName: 'Quirinus', lastName: 'Zwackelmann', phone: '07700 900987', line1: '77 Zeppelin Crescent', city: 'Zedtown' }
const scan = (email: string) =>
  tablesThatSay((text, values) => pool.query(text, values), ['quirinus', 'zwackelmann', '900987', 'zeppelin crescent', email.toLowerCase()])

/** A browser of a guest who states this address. */
function guestWith(email: string): Buyer {
  const id = crypto.randomUUID()
  return newBuyer(database, { principal: { kind: 'guest', id, email }, session: { id } })
}

/** An order placed as a guest in a browser of its own, with a message about it. */
async function guestOrder(email: string, state = 'delivered') {
  const guest = guestWith(email)
  const id = await draftOrder(guest, [{ offerId: '9001', quantity: 1 }])
  await pool.query('update orders.customer_order set address = address || $2, billing_address = billing_address || $2 where id = $1', [
    id,
    JSON.stringify(marks),
  ])
  if (state !== 'draft') must(await place(guest, id))
  await pool.query(`update orders.customer_order set state = $2, updated_at = now() - interval '2 hours' where id = $1`, [id, state])
  const owner = `s:${guest.scope().session?.id}`
  await pool.query(
    `with c as (insert into messages.conversation (id, seller_order_id, customer_order_id, seller_id, market, mode, owner, email, topic, about, last_at, created_at)
        values (gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'b2c', $2, $3, 'other', '{}', now(), now()) returning id)
      insert into messages.message (id, conversation_id, seq, author, written_by, body, is_masked, at)
        select gen_random_uuid(), id, 1, 'buyer', $2, 'Call Quirinus, 07700 900987', false, now() from c`,
    [id, owner, email],
  )
  return { id, guest }
}
const emailOf = async (id: string) => (await all('select email from orders.customer_order where id = $1', [id]))[0]?.email as string

test('erasure: orders placed as a guest in other browsers with the confirmed address go, with their messages, and questions asked there', async () => {
  const ann = await customer()
  const orders = [await guestOrder(ann.email.toUpperCase()), await guestOrder(ann.email), await guestOrder(ann.email, 'draft')]
  const asked = must(
    await guestWith(ann.email).does((scope) =>
      askQuestion(scope, { productId: '9001', text: 'Does it also drill into concrete?', author: 'Quirinus' }),
    ),
  )
  const stranger = await guestOrder(`x.${ann.email}`)
  const before = await scan(ann.email)
  for (const table of ['messages.conversation', 'orders.customer_order', 'reviews.question']) assert.ok(before.includes(table), table)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  for (const { id } of orders) assert.equal(await emailOf(id), 'erased')
  assert.deepEqual(await all('select owner, email, author from reviews.question where id = $1', [asked.id]), [
    { owner: null, email: null, author: '–' },
  ])
  assert.equal((await all('select 1 from privacy.retained where customer_order_id = any($1)', [orders.map(({ id }) => id)])).length, 2)
  assert.equal(await emailOf(stranger.id), `x.${ann.email}`, 'a longer address is somebody else’s')
  const other = await customer(`x.${ann.email}`)
  await other.does((scope) => eraseAccount(scope, other.email))
  await runWork(database, [], work)
  assert.deepEqual(await scan(ann.email), [])
})

test('erasure: a guest’s order under way is delivered first, and stays open to the browser that placed it', async () => {
  const ann = await customer()
  const { id, guest } = await guestOrder(ann.email, 'paid')
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  assert.equal(await emailOf(id), ann.email)
  assert.equal((await findOrder(guest.scope(), 'order.see', id))?.id, id)
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [id])
  await jobIsDue()
  await runWork(database, [], work)
  assert.equal(await emailOf(id), 'erased')
  assert.equal(await findOrder(guest.scope(), 'order.see', id), undefined)
  assert.deepEqual(await scan(ann.email), [])
})

test('erasure: a checkout that somebody is at as a guest goes on', async () => {
  const ann = await customer()
  const guest = guestWith(ann.email)
  const id = await draftOrder(guest, [{ offerId: '9001', quantity: 1 }])
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  assert.equal(await emailOf(id), ann.email)
  must(await place(guest, id))
})

test('erasure: while another open account has the address, what guests left with it stays', async () => {
  const ann = await customer()
  const other = await customer(ann.email.toUpperCase())
  const { id } = await guestOrder(ann.email)
  const asked = must(
    await guestWith(ann.email).does((scope) =>
      askQuestion(scope, { productId: '9001', text: 'Does it also drill into concrete?', author: 'Quirinus' }),
    ),
  )
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  assert.equal(await emailOf(id), ann.email)
  assert.deepEqual(await all('select email from reviews.question where id = $1', [asked.id]), [{ email: ann.email }])
  await other.does((scope) => eraseAccount(scope, other.email))
  await runWork(database, [], work)
  assert.deepEqual(await scan(ann.email), [])
})

test('R-313 the file of one’s data contains orders placed, messages written and questions asked as a guest with the confirmed address', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email.toUpperCase())
  await guestOrder(`x.${ann.email}`)
  must(
    await guestWith(ann.email).does((scope) =>
      askQuestion(scope, { productId: '9001', text: 'Does it also drill into concrete?', author: 'Quirinus' }),
    ),
  )
  const key = await makeExport(db, { id: ann.id, customerId: ann.id, site: { market: 'gb', mode: 'b2c', origin: 'http://gb.localhost' } })
  const opened = await openFile(db, key)
  assert.ok(opened)
  const data = (await json(opened.stream)) as {
    orders: { id: string }[]
    messages: { body: string }[]
    contributions: { questions: { body: string }[] }
  }
  assert.deepEqual(
    [data.orders.map((order) => order.id), data.messages.map(({ body }) => body), data.contributions.questions.map(({ body }) => body)],
    [[id], ['Call Quirinus, 07700 900987'], ['Does it also drill into concrete?']],
  )
})
