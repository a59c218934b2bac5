import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { settings } from '#platform'
import { runWork } from '../../edges/worker/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { companiesIn, draftOrder, must, newBuyer, place, type Colleague } from '../../selling/checkout/testing.ts'
import { findOrder } from '../../selling/orders/find-order.ts'
import { grantAccess } from '../../selling/orders/store.ts'
import { giveAccount } from '../../selling/refunds/give-account.ts'
import { confirmTransfer } from '../../selling/refunds/give-refund.ts'
import { notifyRefund } from '../../selling/refunds/notify-refund.ts'
import type { RefundNews } from '../../selling/refunds/mails.ts'
import { showRefund } from '../../selling/refunds/show-refund.ts'
import { readRefund } from '../../selling/refunds/store.ts'
import { eraseAccount } from './erase-account.ts'
import { all, customer, database, jobIsDue, pool, refundOf, sendBack, work } from './test-erasure.ts'

/** The account of somebody who has left a company, and the orders of that company which they have placed. */

const { newCompany, join } = companiesIn(database)
const account = { iban: 'DE89370400440532013000', holder: 'Lee Building Ltd' }

async function orderOf(buyer: Colleague, state = 'delivered') {
  const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  must(await place(buyer, id))
  await pool.query(`update orders.customer_order set state = $2, paid_at = placed_at where id = $1`, [id, state])
  return id
}
/** A buyer and an admin of a company. */
async function colleagues() {
  const company = await newCompany()
  return { company, buyer: await join(company, 'buyer'), admin: await join(company, 'admin') }
}
const leave = ({ admin, buyer }: { admin: Colleague; buyer: Colleague }) => admin.does((scope) => removeMember(scope, buyer.principal.id))
/** Somebody without the company that they acted for. */
function personally({ principal: { id, email, name } }: Colleague) {
  return newBuyer(database, { principal: { kind: 'customer', id, email, name, market: 'gb' }, session: { id: randomUUID() } })
}
/** Who gets the mail about a refund. */
async function recipientsOf(refund: string, what: RefundNews): Promise<string[]> {
  await pool.query('delete from mail.mail')
  await database.command({}, async (scope) => {
    await notifyRefund(scope, (await readRefund(scope.db, refund)) ?? assert.fail('no refund'), what)
    return { ok: true }
  })
  return (await all('select recipient from mail.mail')).map(({ recipient }) => recipient)
}
/** The operator's bank has sent the money of a refund. */
async function transferByHand(refund: string): Promise<[boolean, string | undefined]> {
  const isConfirmed = await database.command({ principal: testOperator({ roles: [{ role: 'support', market: null }] }) }, (scope) =>
    confirmTransfer(scope, refund),
  )
  return [isConfirmed, (await readRefund(database.db, refund))?.state]
}
const dispute = (orderId: string) =>
  pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
      values (gen_random_uuid(), (random() * 1e9)::int, gen_random_uuid(), $1 || '-1', $1, 1, 'gb', 'damaged', 'refund', 'open', 100, now())`,
    [orderId],
  )

test('erasure: an account whose owner has left a company is closed whatever is open about the company’s orders, which are erased when they are done', async () => {
  const { buyer, admin } = await colleagues()
  const orders = [await orderOf(buyer, 'paid'), await orderOf(buyer), await orderOf(buyer), await orderOf(buyer)]
  const [, returned = '', disputed = '', refunded = ''] = orders
  await sendBack(returned)
  await dispute(disputed)
  await refundOf(refunded)
  const close = () => personally(buyer).does((scope) => eraseAccount(scope, buyer.email))
  assert.deepEqual(await close(), { ok: false, reason: 'orders-under-way' }, 'while they are a member')
  must(await leave({ admin, buyer }))
  assert.deepEqual(await close(), { ok: true })
  await runWork(database, [], work)
  const emails = async () =>
    (await all('select distinct email from orders.customer_order where id = any($1)', [orders])).map(({ email }) => email)
  assert.deepEqual(await emails(), [buyer.email])
  assert.equal((await findOrder(admin.scope(), 'order.see', returned))?.id, returned)
  await pool.query(`update orders.customer_order set state = 'delivered' where id = any($1)`, [orders])
  await pool.query(`update returns.request set state = 'refunded' where customer_order_id = $1`, [returned])
  await pool.query(`update disputes.dispute set state = 'settled', ended_at = now() where customer_order_id = $1`, [disputed])
  await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [refunded])
  await jobIsDue()
  await runWork(database, [], work)
  assert.deepEqual(await emails(), ['erased'])
})

test('an admin names the bank account for a refund of a company’s order; other colleagues do not', async () => {
  const { company, buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  const refund = await refundOf(order)
  must(await leave({ admin, buyer }))
  for (const role of ['approver', 'buyer', 'accountant', 'viewer'] as const) {
    const colleague = await join(company, role)
    assert.equal((await colleague.does((scope) => giveAccount(scope, refund, account))).ok, false, role)
  }
  const outsider = (await colleagues()).admin
  assert.equal((await outsider.does((scope) => giveAccount(scope, refund, account))).ok, false)
  assert.equal((await admin.does((scope) => showRefund(scope, refund)))?.canGiveAccount, true)
  must(await admin.does((scope) => giveAccount(scope, refund, account)))
})

test('a link that opens somebody’s own order to an admin of a company does not let them name the account for its refund', async () => {
  const ann = await customer()
  const order = await draftOrder(ann, [{ offerId: '9001', quantity: 1 }])
  must(await place(ann, order))
  const refund = await refundOf(order)
  const { admin } = await colleagues()
  await database.command({}, async ({ db }) => {
    await grantAccess(db, `c:${admin.principal.id}`, order)
    return { ok: true }
  })
  const forwarded = newBuyer(database, { principal: admin.principal, session: { id: randomUUID() } })
  const shown = await forwarded.does((scope) => showRefund(scope, refund))
  assert.equal(shown?.canGiveAccount, false)
  assert.deepEqual(await forwarded.does((scope) => giveAccount(scope, refund, account)), { ok: false, reason: 'unknown-refund' })
})

for (const [which, what] of [
  ['that needs an account', 'iban-needed'],
  ['that is done', 'done'],
  ['that is not owed', 'not-owed'],
] as const)
  test(`the mail about a refund ${which} goes to the admins once the buyer has left the company`, async () => {
    const { company, buyer, admin } = await colleagues()
    await join(company, 'viewer')
    const refund = await refundOf(await orderOf(buyer))
    assert.deepEqual(await transferByHand(refund), [false, 'iban-needed'], 'while somebody may name an account')
    assert.deepEqual(await recipientsOf(refund, what), [buyer.email])
    must(await leave({ admin, buyer }))
    assert.deepEqual(await recipientsOf(refund, what), [admin.email])
    must(await personally(buyer).does((scope) => eraseAccount(scope, buyer.email)))
    await runWork(database, [], work)
    await jobIsDue()
    await runWork(database, [], work)
    assert.deepEqual(await recipientsOf(refund, what), [admin.email], 'also once the order has no address any more')
  })

for (const [what, reason, begin] of [
  [
    'an order',
    'orders-under-way',
    async (order: string) => pool.query(`update orders.customer_order set state = 'paid' where id = $1`, [order]),
  ],
  ['a return', 'return-under-way', sendBack],
  ['a dispute', 'dispute-open', dispute],
  ['a refund', 'refund-under-way', refundOf],
] as const)
  test(`the last admin of a company closes their account once ${what} is done that a colleague who has left it began: nobody else could act for the company`, async () => {
    const people = await colleagues()
    const { buyer, admin } = people
    const order = await orderOf(buyer)
    await begin(order)
    must(await leave(people))
    const close = () => admin.does((scope) => eraseAccount(scope, admin.email))
    const refused = await close()
    assert.deepEqual([refused.ok, !refused.ok && refused.reason], [false, reason])
    await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [order])
    await pool.query(`update returns.request set state = 'refunded' where customer_order_id = $1`, [order])
    await pool.query(`update disputes.dispute set state = 'settled', ended_at = now() where customer_order_id = $1`, [order])
    await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [order])
    assert.deepEqual(await close(), { ok: true })
  })

test('an admin closes their account whatever is open about the company’s orders, as long as a colleague stays who can act for it', async () => {
  const people = await colleagues()
  await join(people.company, 'admin')
  await refundOf(await orderOf(people.buyer))
  must(await leave(people))
  assert.deepEqual(await people.admin.does((scope) => eraseAccount(scope, people.admin.email)), { ok: true })
})

test('the last colleague of an admin who has just closed their account is an admin at once, and does not leave a company whose refund waits', async () => {
  const { company, buyer, admin } = await colleagues()
  await refundOf(await orderOf(buyer))
  assert.deepEqual(await admin.does((scope) => eraseAccount(scope, admin.email)), { ok: true })
  assert.deepEqual(await buyer.does((scope) => removeMember(scope, buyer.principal.id)), { ok: false, reason: 'last-admin' })
  assert.deepEqual(await buyer.does((scope) => eraseAccount(scope, buyer.email)), { ok: false, reason: 'refund-under-way' })
  await runWork(database, [], work)
  assert.deepEqual(await all('select closed_at from accounts.company where id = $1', [company.id]), [{ closed_at: null }])
})

test('a refund of a company whose buyer has closed their account as a member reaches the admins once the order is erased', async () => {
  const { buyer, admin } = await colleagues()
  const order = await orderOf(buyer)
  assert.deepEqual(await buyer.does((scope) => eraseAccount(scope, buyer.email)), { ok: true })
  await runWork(database, [], work)
  const refund = await refundOf(order)
  assert.deepEqual(await recipientsOf(refund, 'iban-needed'), [admin.email])
  must(await admin.does((scope) => giveAccount(scope, refund, account)))
})

for (const [what, isClosed] of [
  ['without admins', false],
  ['that is closed', true],
] as const)
  test(`the operator is told that nobody names an account for a refund of a company ${what}: its buyer, who has left, may not, and learns what becomes of it`, async () => {
    const { buyer, admin, company } = await colleagues()
    const order = await orderOf(buyer)
    must(await leave({ admin, buyer }))
    if (isClosed) must(await admin.does((scope) => eraseAccount(scope, admin.email)))
    else await pool.query(`update accounts.membership set role = 'viewer' where company_id = $1`, [company.id])
    await runWork(database, [], work)
    const refund = await refundOf(order)
    assert.deepEqual(await recipientsOf(refund, 'iban-needed'), [settings().operator.email])
    const named = await personally(buyer).does((scope) => giveAccount(scope, refund, account))
    assert.deepEqual(named, { ok: false, reason: 'unknown-refund' })
    assert.deepEqual(await recipientsOf(refund, 'done'), [buyer.email])
    assert.deepEqual(await transferByHand(await refundOf(order)), [true, 'done'])
    must(await personally(buyer).does((scope) => eraseAccount(scope, buyer.email)))
    assert.deepEqual(await recipientsOf(refund, 'iban-needed'), [settings().operator.email])
    await runWork(database, [], work)
    await jobIsDue()
    await runWork(database, [], work)
    assert.deepEqual(await recipientsOf(refund, 'iban-needed'), [settings().operator.email], 'also once the order has no address any more')
    assert.deepEqual(await recipientsOf(refund, 'done'), [])
    assert.deepEqual(await transferByHand(refund), [true, 'done'])
  })
