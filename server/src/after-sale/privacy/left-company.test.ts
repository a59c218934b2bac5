import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { actForCompany } from '#accounts'
import { enqueue, settings, type Scope } from '#platform'
import { runWork } from '../../edges/worker/testing.ts'
import { addMembership } from '../../people/accounts/testing.ts'
import { changeMemberRole, removeMember } from '../../people/companies/change-members.ts'
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
import { all, customer, database, gateway, jobIsDue, pool, refundOf, sendBack, work } from './test-erasure.ts'

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
const nameOf = async (companyId: string) => (await all('select name from accounts.company where id = $1', [companyId]))[0]?.name as string
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
  const { company, buyer, admin } = await colleagues()
  const orders = [await orderOf(buyer, 'paid'), await orderOf(buyer), await orderOf(buyer), await orderOf(buyer)]
  const [, returned = '', disputed = '', refunded = ''] = orders
  await sendBack(returned)
  await dispute(disputed)
  await refundOf(refunded)
  const close = () => personally(buyer).does((scope) => eraseAccount(scope, buyer.email))
  const ofCompany = { name: await nameOf(company.id), isCurrent: true }
  assert.deepEqual(await close(), { ok: false, reason: 'orders-under-way', company: ofCompany }, 'while they are a member')
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

const close = (person: Colleague) => person.does((scope) => eraseAccount(scope, person.email))

test('the only admin does not close their account while the company has other members: they name another admin, or remove them', async () => {
  const { company, buyer, admin } = await colleagues()
  const viewer = await join(company, 'viewer')
  const refused = { ok: false, reason: 'last-admin', company: { name: await nameOf(company.id), isCurrent: true } }
  assert.deepEqual(await close(admin), refused)
  assert.deepEqual(await close(buyer), { ok: true }, 'others do')
  assert.deepEqual(await close(admin), refused, 'a member is left')
  must(await admin.does((scope) => changeMemberRole(scope, viewer.principal.id, 'admin')))
  assert.deepEqual(await close(admin), { ok: true })
  await runWork(database, [], work)
  const newAdmin = newBuyer(database, { principal: { ...viewer.principal, role: 'admin' }, session: { id: randomUUID() } })
  const second = await join(company, 'buyer')
  must(await newAdmin.does((scope) => removeMember(scope, second.principal.id)))
  assert.deepEqual(await newAdmin.does((scope) => eraseAccount(scope, viewer.email)), { ok: true })
  await runWork(database, [], work)
  assert.deepEqual(await all('select closed_at is not null as closed from accounts.company where id = $1', [company.id]), [
    { closed: true },
  ])
})

/** What the page that closes accounts gets to read on the professional storefront. */
async function refusalFor({ email, cookie }: Colleague) {
  const { body } = await gateway.post(
    `mutation { it: eraseMyAccount(email: "${email}") { refusal { reason message } waitsFor { url } company { name isCurrent } } }`,
    {},
    { cookie, host: 'pro.gb.localhost:3000' },
  )
  return (body as { data: { it: { refusal: { reason: string; message: string }; waitsFor: object | null; company: object | null } } }).data
    .it
}

test('R-313 an only admin who closes their account reads which company needs another one', async () => {
  const { company, admin } = await colleagues()
  await pool.query(`update accounts.company set name = 'Hartley Roofing' where id = $1`, [company.id])
  const { refusal, waitsFor, company: named } = await refusalFor(admin)
  assert.deepEqual([refusal.reason, waitsFor, named], ['last-admin', null, { name: 'Hartley Roofing', isCurrent: true }])
  assert.match(refusal.message, /^You are the only administrator of Hartley Roofing\. Make one of your colleagues/)
})

for (const [reason, message, begin] of [
  [
    'orders-under-way',
    /^Orders of Hartley Roofing are still under way/,
    (order: string) => pool.query(`update orders.customer_order set state = 'paid' where id = $1`, [order]),
  ],
  ['return-under-way', /^A return of Hartley Roofing is still under way/, sendBack],
  ['dispute-open', /^A dispute about an order of Hartley Roofing is still open/, dispute],
  ['refund-under-way', /^A refund to Hartley Roofing is still on its way/, refundOf],
] as const)
  test(`R-313 the last admin reads that ${reason} is about the company’s order, and which company they see it for`, async () => {
    const people = await colleagues()
    const { company, buyer, admin } = people
    await pool.query(`update accounts.company set name = 'Hartley Roofing' where id = $1`, [company.id])
    const order = await orderOf(buyer)
    await begin(order)
    must(await leave(people))
    const url = `http://pro.gb.localhost:3000/orders/customer-order/${order}/shipment/${order}-1`
    const waitsFor = reason === 'orders-under-way' ? null : { url }
    const answer = await refusalFor(admin)
    assert.match(answer.refusal.message, message)
    assert.deepEqual([answer.refusal.reason, answer.waitsFor], [reason, waitsFor])
    assert.deepEqual(answer.company, { name: 'Hartley Roofing', isCurrent: true })
    const other = await newCompany()
    await addMembership(database.db, admin.principal.id, other.id, 'admin')
    await actForCompany(database.db, admin.principal.id, other.id)
    const elsewhere = await refusalFor(admin)
    assert.deepEqual([elsewhere.refusal, elsewhere.company], [answer.refusal, { name: 'Hartley Roofing', isCurrent: false }])
  })

test('the refusal to close the account of an only admin names the company, also while they act for another one or for themselves', async () => {
  const { company, admin } = await colleagues()
  const other = await newCompany()
  await pool.query(`update accounts.company set name = 'Second Name Ltd' where id = $1`, [other.id])
  await addMembership(database.db, admin.principal.id, other.id, 'admin')
  const shopper = personally(admin)
  const asked = async (person: { does: Colleague['does'] }) => person.does((scope) => eraseAccount(scope, admin.email))
  const refusal = (isCurrent: boolean, name: string) => ({ ok: false, reason: 'last-admin', company: { name, isCurrent } })
  const name = await nameOf(company.id)
  const inOther = newBuyer(database, { principal: { ...admin.principal, company: other }, session: { id: randomUUID() }, mode: 'b2b' })
  assert.deepEqual([await asked(admin), await asked(inOther)], [refusal(true, name), refusal(false, name)])
  for (const { id, isCurrent } of [
    { id: company.id, isCurrent: true },
    { id: other.id, isCurrent: false },
  ]) {
    await actForCompany(database.db, admin.principal.id, id)
    assert.deepEqual(await asked(shopper), refusal(isCurrent, name), 'what they would act for on the professional storefront')
  }
})

test('of two admins who close their accounts at the same time, the second stays as long as the company has other members', async () => {
  for (const hasOthers of [true, false]) {
    const company = await newCompany()
    const admins = [await join(company, 'admin'), await join(company, 'admin')]
    if (hasOthers) await join(company, 'viewer')
    const closed = await Promise.all(admins.map(close))
    assert.deepEqual(closed.map((each) => (each.ok ? 'ok' : each.reason)).toSorted(), hasOthers ? ['last-admin', 'ok'] : ['ok', 'ok'])
    await runWork(database, [], work)
    const [row] = await all('select closed_at is not null as closed from accounts.company where id = $1', [company.id])
    assert.equal(row?.closed, !hasOthers)
  }
})

test('an admin who closes their account while the other one leaves the company, or becomes a buyer, is the only one or not, never neither', async () => {
  for (const change of [removeMember, (scope: Scope, id: string) => changeMemberRole(scope, id, 'buyer')]) {
    const company = await newCompany()
    const [ann, bob] = [await join(company, 'admin'), await join(company, 'admin')]
    await join(company, 'viewer')
    await Promise.all([close(ann), bob.does((scope) => change(scope, bob.principal.id))])
    await runWork(database, [], work)
    const admins = await all(
      `select 1 from accounts.membership m join accounts.customer c on c.id = m.customer_id and c.closed_at is null
        where m.company_id = $1 and m.role = 'admin' and m.ended_at is null`,
      [company.id],
    )
    assert.equal(admins.length, 1)
  }
})

test('the last colleague of an admin who has just closed their account does not leave a company whose refund waits', async () => {
  const company = await newCompany()
  const [ann, bob] = [await join(company, 'admin'), await join(company, 'admin')]
  await refundOf(await orderOf(bob))
  assert.deepEqual(await close(ann), { ok: true })
  assert.deepEqual(await bob.does((scope) => removeMember(scope, bob.principal.id)), { ok: false, reason: 'last-admin' })
  const refused = await close(bob)
  assert.equal(!refused.ok && refused.reason, 'refund-under-way')
  await runWork(database, [], work)
  assert.deepEqual(await all('select closed_at from accounts.company where id = $1', [company.id]), [{ closed_at: null }])
})

test('erasure: a company whose only admin closed their account in an earlier release gets its longest-standing member instead', async () => {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const [gone, bob] = [await join(company, 'buyer'), await join(company, 'buyer'), await join(company, 'viewer')]
  const since = 'update accounts.membership set since = now() - $2::interval where customer_id = $1'
  await pool.query(since, [gone.principal.id, '9 days'])
  await pool.query(since, [bob.principal.id, '2 days'])
  const closed = [admin.principal.id, gone.principal.id]
  await pool.query('update accounts.customer set closed_at = now() where id = any($1)', [closed])
  await pool.query('insert into privacy.erasure (customer_id) values ($1)', [admin.principal.id])
  await database.command({}, async ({ db }) => {
    await enqueue(db, { name: 'privacy.erase', key: admin.principal.id, payload: { customerId: admin.principal.id } })
    return { ok: true }
  })
  await runWork(database, [], work)
  const admins = await all(
    `select customer_id as id from accounts.membership where company_id = $1 and role = 'admin' and ended_at is null`,
    [company.id],
  )
  assert.deepEqual(admins, [{ id: bob.principal.id }])
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
