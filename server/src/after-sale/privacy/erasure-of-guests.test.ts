import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { followEmail } from '#accounts'
import { sendMessage } from '#contact'
import { connectObjectStore, folderStore, openFile } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { draftOrder, must, newBuyer, place, type Buyer } from '../../selling/checkout/testing.ts'
import { askJob, subscribe } from '../../people/newsletter/subscribe.ts'
import { findOrder } from '../../selling/orders/find-order.ts'
import { placeReplacement } from '../../selling/orders/place-replacement.ts'
import { reopenPlaced } from '../../selling/orders/reopen-store.ts'
import { claimOrders } from '../../selling/orders/store.ts'
import { giveAccount } from '../../selling/refunds/give-account.ts'
import { showRefund } from '../../selling/refunds/show-refund.ts'
import { askQuestion } from '../reviews/ask-question.ts'
import { eraseAccount } from './erase-account.ts'
import { makeExport } from './export-data.ts'
import { all, customer, database, db, jobIsDue, pool, refundOf, sendBack, work } from './test-erasure.ts'
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
  await pool.query(
    `update orders.customer_order set state = $2, paid_at = placed_at, updated_at = now() - interval '2 hours' where id = $1`,
    [id, state],
  )
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

test('erasure: a guest’s order under way is delivered first, and stays that of the browser that placed it, which may cancel it', async () => {
  const ann = await customer()
  const { id, guest } = await guestOrder(ann.email, 'paid')
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  assert.equal(await emailOf(id), ann.email)
  for (const action of ['order.see', 'order.cancel'] as const) assert.equal((await findOrder(guest.scope(), action, id))?.id, id, action)
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

interface Exported {
  orders: { id: string }[]
  messages: { body: string }[]
  contributions: { questions: { body: string }[] }
  contactMessages: { email: string }[]
}
async function exportOf({ id }: { id: string }): Promise<Exported> {
  const key = await makeExport(db, {
    id: crypto.randomUUID(),
    customerId: id,
    site: { market: 'gb', mode: 'b2c', origin: 'http://gb.localhost' },
  })
  const opened = await openFile(db, key)
  assert.ok(opened)
  return (await json(opened.stream)) as Exported
}
/** The order's link has been opened in the account. */
const open = (to: { id: string }, order: { id: string }) =>
  pool.query('insert into orders.access_grant (owner, customer_order_id) values ($1, $2)', [`c:${to.id}`, order.id])

test('R-313 the file of one’s data contains what a guest bought whose order is open to the account, messages and questions with the confirmed address', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email.toUpperCase())
  await open(ann, { id })
  await open(ann, await guestOrder(`x.${ann.email}`))
  must(
    await guestWith(ann.email).does((scope) =>
      askQuestion(scope, { productId: '9001', text: 'Does it also drill into concrete?', author: 'Quirinus' }),
    ),
  )
  const data = await exportOf(ann)
  assert.deepEqual(
    [data.orders.map((order) => order.id), data.messages.map(({ body }) => body), data.contributions.questions.map(({ body }) => body)],
    [[id], ['Call Quirinus, 07700 900987'], ['Does it also drill into concrete?']],
  )
})

test('R-313 the file of one’s data contains no order of a stranger who typed the confirmed address', async () => {
  const ann = await customer()
  await guestOrder(ann.email)
  const data = await exportOf(ann)
  assert.deepEqual([data.orders, data.messages], [[], []])
})

/** Somebody whose former address belongs to a successor for an hour. */
async function movedOn() {
  const pat = await customer()
  const former = pat.email
  await pool.query('insert into accounts.identity (issuer, subject, customer_id) values ($1, $2, $3)', [
    'http://id.example',
    pat.id,
    pat.id,
  ])
  await followEmail(db, 'http://id.example', pat.id, `new.${former}`)
  return { ...pat, former, leftAt: new Date(Date.now() - 3_600_000) }
}
const isLeft = ({ id, leftAt }: { id: string; leftAt: Date }) =>
  pool.query('update accounts.former_email set until = $2 where customer_id = $1', [id, leftAt])

test('R-313 the file of one’s data and the erasure leave alone what a successor to a former address has ordered, written and asked', async () => {
  const pat = await movedOn()
  await isLeft(pat)
  const order = await guestOrder(pat.former)
  await open(pat, order)
  const successor = guestWith(pat.former)
  const asked = must(
    await successor.does((scope) => askQuestion(scope, { productId: '9001', text: 'Is this for left hands?', author: 'Sue' })),
  )
  const message = { kind: 'question' as const, name: 'Sue', email: pat.former, text: 'Do you open on Sundays?' }
  await successor.does((scope) => sendMessage(scope, message))
  must(await successor.does((scope) => subscribe(scope, { email: pat.former })))
  await runWork(database, [], [askJob])
  const mails = await all('select key from mail.mail where recipient = $1 order by key', [pat.former])
  assert.notEqual(mails.length, 0)
  const data = await exportOf(pat)
  assert.deepEqual([data.orders, data.messages, data.contributions.questions, data.contactMessages], [[], [], [], []])
  must(await pat.does((scope) => eraseAccount(scope, pat.former)))
  await runWork(database, [], work)
  assert.deepEqual(await all('select 1 from accounts.former_email where customer_id = $1', [pat.id]), [], 'the account is erased')
  assert.equal(await emailOf(order.id), pat.former)
  assert.deepEqual(await all('select email from reviews.question where id = $1', [asked.id]), [{ email: pat.former }])
  assert.deepEqual(await all('select name from contact.message where email = $1', [pat.former]), [{ name: 'Sue' }])
  assert.equal((await all('select 1 from newsletter.subscription where email = $1', [pat.former])).length, 1)
  assert.deepEqual(await all('select key from mail.mail where recipient = $1 order by key', [pat.former]), mails)
})

test('R-313 what was bought as a guest while a former address was one’s own is in the file of one’s data, and erased', async () => {
  const pat = await movedOn()
  const order = await guestOrder(pat.former)
  await open(pat, order)
  await pool.query(`update orders.customer_order set created_at = $2, placed_at = $2 where id = $1`, [
    order.id,
    new Date(pat.leftAt.getTime() - 1000),
  ])
  await isLeft(pat)
  assert.deepEqual(
    (await exportOf(pat)).orders.map(({ id }) => id),
    [order.id],
  )
  must(await pat.does((scope) => eraseAccount(scope, pat.former)))
  await runWork(database, [], work)
  assert.equal(await emailOf(order.id), 'erased')
})

test('an address that was given up twice counts until the second time', async () => {
  const pat = await movedOn()
  await isLeft(pat)
  const follow = (email: string) => followEmail(db, 'http://id.example', pat.id, email)
  await follow(pat.former)
  const since = new Date()
  await follow(`newer.${pat.former}`)
  const [row] = await all('select until from accounts.former_email where customer_id = $1 and email = $2', [pat.id, pat.former])
  assert.ok((row?.until as Date) >= since)
})

const aDayLater = async () => {
  await jobIsDue()
  await runWork(database, [], work)
}

test('erasure: an order placed as a guest whose goods are on their way back is erased once its money is back', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email)
  await sendBack(id)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  await aDayLater()
  assert.equal(await emailOf(id), ann.email)
  await pool.query(`update returns.request set state = 'refunded' where customer_order_id = $1`, [id])
  await refundOf(id)
  await aDayLater()
  assert.equal(await emailOf(id), ann.email, 'its card refuses the refund')
  await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [id])
  await aDayLater()
  assert.equal(await emailOf(id), 'erased')
})

test('erasure: an order that replaces goods of a guest’s order after the erasure began is erased with it once it is done', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email)
  await sendBack(id)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  const lines = [{ offerId: '9001', quantity: 1 }]
  const placed = await database.command({}, (scope) => placeReplacement(scope, { sellerOrderId: `${id}-1`, lines }))
  const replacement = String(placed)
  await pool.query(`update returns.request set state = 'exchanged', replacement_order = $2 where customer_order_id = $1`, [id, replacement])
  await pool.query(
    `insert into returns.step (id, request_id, from_state, to_state, actor, at) select gen_random_uuid(), id, 'inspected', 'exchanged', 'seller', now() from returns.request where customer_order_id = $1`,
    [id],
  )
  await aDayLater()
  assert.deepEqual([await emailOf(id), await emailOf(replacement)], ['erased', ann.email], 'it is on its way')
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [replacement])
  await aDayLater()
  assert.equal(await emailOf(replacement), 'erased')
})

const account = { iban: 'DE89370400440532013000', holder: 'Quirinus Zwackelmann' }

test('erasure: a guest names the bank account for a refund after an account with the address was closed, and the order goes once the money has left', async () => {
  const ann = await customer()
  const { id, guest } = await guestOrder(ann.email)
  const refund = await refundOf(id)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  await aDayLater()
  // The erasure has taken the address out of the browser's session.
  const { session } = guest.scope()
  const browser = newBuyer(database, { principal: { kind: 'guest', id: session?.id ?? '', email: null }, session })
  assert.equal((await browser.does((scope) => showRefund(scope, refund)))?.canGiveAccount, true)
  must(await browser.does((scope) => giveAccount(scope, refund, account)))
  await pool.query(`update refunds.refund set state = 'done', account = null where id = $1`, [refund])
  await aDayLater()
  assert.equal(await emailOf(id), 'erased')
  const tables = await tablesThatSay((text, values) => pool.query(text, values), [ann.email])
  assert.deepEqual(tables, [])
})

test('erasure: an order placed as a guest that waits for its refund is claimed by an account opened anew with the address, and stays with it', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email)
  const refund = await refundOf(id)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  const again = await customer(ann.email)
  await open(again, { id })
  await database.command({}, async ({ db: inside }) => {
    assert.equal((await claimOrders(inside, `c:${again.id}`, again.email)).length, 1)
    return { ok: true }
  })
  must(await again.does((scope) => giveAccount(scope, refund, account)))
  await pool.query(`update refunds.refund set state = 'done', account = null where id = $1`, [refund])
  await aDayLater()
  assert.equal(await emailOf(id), ann.email)
})

test('erasure: a guest’s checkout that a failed payment reopens goes on, and is erased when it is abandoned', async () => {
  const ann = await customer()
  const { id, guest } = await guestOrder(ann.email, 'awaiting-payment')
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  await database.command({}, async ({ db: inside }) => ({ ok: await reopenPlaced(inside, id) }))
  const sessionId = guest.scope().session?.id
  const browser = `insert into accounts.session (id, market, mode, family, guest_email) values ($1, 'gb', 'b2c', 'b2c', $2)`
  await pool.query(browser, [sessionId, ann.email.toUpperCase()])
  const noted = async () => (await all('select guest_email as email from accounts.session where id = $1', [sessionId]))[0]?.email
  await aDayLater()
  assert.equal(await emailOf(id), ann.email)
  assert.equal(await noted(), ann.email.toUpperCase())
  assert.equal((await findOrder(guest.scope(), 'order.place', id))?.id, id)
  await pool.query(`update orders.customer_order set updated_at = now() - interval '2 hours' where id = $1`, [id])
  await aDayLater()
  assert.deepEqual([await emailOf(id), await noted()], ['erased', null], 'also what its browser has noted')
})

test('erasure: a guest’s checkout that was left minutes before is erased once it is abandoned', async () => {
  const ann = await customer()
  const { id } = await guestOrder(ann.email, 'draft')
  await pool.query('update orders.customer_order set updated_at = now() where id = $1', [id])
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  await aDayLater()
  assert.equal(await emailOf(id), ann.email, 'somebody may be at it')
  await pool.query(`update orders.customer_order set updated_at = now() - interval '2 hours' where id = $1`, [id])
  await aDayLater()
  assert.equal(await emailOf(id), 'erased')
})

for (const [when, placesAt] of [
  ['before the erasure runs', 'closed'],
  ['after the erasure has noted it', 'noted'],
] as const)
  test(`erasure: a checkout that a guest finishes ${when} is a new order of theirs, whose page and right of withdrawal they keep`, async () => {
    const ann = await customer()
    const guest = guestWith(ann.email)
    const id = await draftOrder(guest, [{ offerId: '9001', quantity: 1 }])
    must(await ann.does((scope) => eraseAccount(scope, ann.email)))
    if (placesAt === 'noted') await runWork(database, [], work)
    must(await place(guest, id))
    await runWork(database, [], work)
    await aDayLater()
    await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [id])
    await aDayLater()
    for (const action of ['order.see', 'return.ask'] as const) assert.equal((await findOrder(guest.scope(), action, id))?.id, id, action)
    assert.equal(await emailOf(id), ann.email)
    assert.deepEqual(
      await all(`select 1 from platform.job where name = 'privacy.erase-late' and payload ->> 'customerId' = $1`, [ann.id]),
      [],
    )
  })

test('erasure: an order whose payment failed after the account was closed is a new order once its guest pays again', async () => {
  const ann = await customer()
  const { id, guest } = await guestOrder(ann.email, 'awaiting-payment')
  must(await ann.does((scope) => eraseAccount(scope, ann.email)))
  await runWork(database, [], work)
  await database.command({}, async ({ db: inside }) => ({ ok: await reopenPlaced(inside, id) }))
  must(await place(guest, id))
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [id])
  await aDayLater()
  assert.equal(await emailOf(id), ann.email)
})

test('erasure leaves alone what guests have entered since a former address is somebody else’s', async () => {
  const ann = await customer()
  const former = `old.${ann.email}`
  await pool.query(`insert into accounts.former_email (customer_id, email, until) values ($1, $2, now() - interval '1 day')`, [
    ann.id,
    former,
  ])
  const enter = async (email: string, daysAgo: number) => {
    const id = crypto.randomUUID()
    await pool.query(
      `insert into accounts.session (id, market, mode, family, guest_email, created_at) values ($1, 'gb', 'b2c', 'b2c', $2, now() - make_interval(days => $3))`,
      [id, email, daysAgo],
    )
    return async () => (await all('select guest_email as email from accounts.session where id = $1', [id]))[0]?.email as string | null
  }
  const [own, before, since] = [await enter(ann.email, 0), await enter(former, 3), await enter(former, 0)]
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  assert.deepEqual([await own(), await before(), await since()], [null, null, former])
})
