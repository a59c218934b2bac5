import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { returnSpend } from '../purchasing/budget-store.ts'
import { handlers } from '../purchasing/jobs.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval, orderApproved } from './decide-approval.ts'
import { requestApproval } from './request-approval.ts'
import { showApproval } from './show-approval.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, place, type Colleague } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
const price = 10_000

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price, proPrice: price, stock: 1_000_000 })
  channel('purlin:job').publish({})
})

const draft = (buyer: Colleague, quantity: number) => draftOrder(buyer, [{ offerId: '7001', quantity }])
interface Spend {
  id: string
  amount: number
  returned: number
}
const spends = async (companyId: string): Promise<Spend[]> =>
  (await pool.query('select customer_order_id as id, amount, returned from purchasing.spend where company_id = $1', [companyId])).rows
const sumOf = (of: readonly Spend[]) => of.reduce((sum, { amount, returned }) => sum + amount - returned, 0)
const stateOf = async (id: string) => (await readOrder(db, id))?.state

/** A company with a budget that its orders are charged to. */
async function budgeted(kind: 'cost-centre' | 'site', monthly: number) {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const { rows } = await pool.query<{ id: string }>(
    kind === 'site'
      ? `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Roof', $2) returning id`
      : `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-1', $2) returning id`,
    [company.id, kind === 'site' ? JSON.stringify(addresses.gb) : ''],
  )
  const subjectId = rows[0]?.id ?? ''
  const limit = async (amount: number) =>
    must(await admin.does((scope) => setBudget(scope, { kind, subjectId, monthly: amount / 100, perOrder: null })))
  await limit(monthly)
  const ordered = async (quantity: number) => {
    const buyer = await join(company, 'buyer')
    const id = await draft(buyer, quantity)
    await (kind === 'site'
      ? pool.query(`insert into purchasing.order_site (customer_order_id, company_id, site_id) values ($1, $2, $3)`, [
          id,
          company.id,
          subjectId,
        ])
      : pool.query(`insert into purchasing.order_reference (customer_order_id, cost_centre, changed_by) values ($1, 'C-1', $2)`, [
          id,
          buyer.principal.id,
        ]))
    return { buyer, id, amount: quantity * price }
  }
  return { company, admin, limit, ordered }
}

for (const kind of ['cost-centre', 'site'] as const)
  test(`ten members who order at once are held to the budget of their ${kind}: nobody exceeds it, and only who would have is refused`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 10, maxLength: 10 }),
        fc.integer({ min: 1, max: 24 }),
        async (quantities, pieces) => {
          const room = pieces * price
          const { company, ordered } = await budgeted(kind, room)
          const orders = await Promise.all(quantities.map(ordered))
          const outcomes = await Promise.all(orders.map(({ buyer, id }) => place(buyer, id)))
          const placed = sumOf(await spends(company.id))
          assert.ok(placed <= room, `${placed} of ${room}`)
          assert.equal(
            placed,
            orders.reduce((sum, { amount }, index) => sum + (outcomes[index]?.ok ? amount : 0), 0),
          )
          for (const [index, outcome] of outcomes.entries()) {
            const { id, amount } = orders[index] ?? assert.fail()
            if (outcome.ok) continue
            assert.equal(outcome.reason, 'approval-needed')
            assert.ok(amount > room - placed, `${amount} was refused, and ${room - placed} were left`)
            assert.equal(await stateOf(id), 'draft')
          }
          if (Math.min(...quantities) * price <= room) assert.ok(outcomes.some(({ ok }) => ok))
        },
      ),
      { numRuns: 20 },
    )
  })

test('one member who presses the button in ten sessions is charged once', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const subjectId = buyer.principal.id
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId, monthly: 500, perOrder: null })))
  const id = await draft(buyer, 4)
  await Promise.all(Array.from({ length: 10 }, () => place(buyer, id)))
  assert.deepEqual(await spends(company.id), [{ id, amount: 4 * price, returned: 0 }])
  assert.equal(await stateOf(id), 'awaiting-payment')
})

test('a member’s own budget: an approved order and another one at the same time; only the approved one goes beyond it', async () => {
  for (let round = 0; round < 8; round++) {
    const company = await newCompany()
    const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
    const subjectId = buyer.principal.id
    must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId, monthly: 300, perOrder: null })))
    const large = await draft(buyer, 4)
    const { id: approvalId } = must(
      await buyer.does((scope) => requestApproval(scope, { customerOrderId: large, payBy: 'card', note: '' })),
    )
    const agreedTotal = (await showApproval(admin.scope(), approvalId))?.total.amount ?? 0
    const small = await draft(buyer, 2)
    const [decided, placed] = await Promise.all([
      admin.does((scope) => decideApproval(scope, approvalId, { isApproved: true, comment: '', agreedTotal })),
      place(buyer, small),
    ])
    must(decided)
    const also = await Promise.all([buyer.does((scope) => orderApproved(scope, approvalId, randomUUID())), place(buyer, small)])
    const inAll = await spends(company.id)
    const unapproved = inAll.filter(({ id }) => id !== large)
    assert.ok(sumOf(unapproved) <= 3 * price)
    assert.ok(
      inAll.some(({ id }) => id === large),
      JSON.stringify(also),
    )
    assert.equal(new Set(inAll.map(({ id }) => id)).size, inAll.length)
    assert.equal(
      inAll.some(({ id }) => id === small),
      placed.ok || also[1].ok,
    )
  }
})

test('a budget that is lowered while ten members order holds from then on', async () => {
  for (let round = 0; round < 5; round++) {
    const { company, limit, ordered } = await budgeted('cost-centre', 8 * price)
    const orders = await Promise.all(Array.from({ length: 10 }, () => ordered(1)))
    const [, ...outcomes] = await Promise.all([limit(4 * price), ...orders.map(({ buyer, id }) => place(buyer, id))])
    const count = outcomes.filter(({ ok }) => ok).length
    assert.ok(count >= 4 && count <= 8, `${count} are placed`)
    assert.equal(sumOf(await spends(company.id)), count * price)
    const late = await ordered(1)
    assert.deepEqual(await place(late.buyer, late.id), { ok: false, reason: 'approval-needed' })
  }
})

test('what is refunded while others order is room for them, once', async () => {
  for (let round = 0; round < 5; round++) {
    const { company, ordered } = await budgeted('site', 4 * price)
    const first = await ordered(4)
    must(await place(first.buyer, first.id))
    const others = await Promise.all(Array.from({ length: 6 }, () => ordered(1)))
    await Promise.all([
      database.command({}, ({ db: own }) => returnSpend(own, first.id, { amount: 3 * price, goods: [] })),
      ...others.map(({ buyer, id }) => place(buyer, id)),
    ])
    assert.ok(sumOf(await spends(company.id)) <= 4 * price)
    for (const { buyer, id } of others) await place(buyer, id)
    assert.equal(sumOf(await spends(company.id)), 4 * price, 'the room is used to the end')
  }
})

test('two refunds of an order that are counted at the same moment both free its budget', async () => {
  const { company, ordered } = await budgeted('site', 4 * price)
  const { buyer, id } = await ordered(4)
  must(await place(buyer, id))
  const refund = (number: number) =>
    pool.query(
      `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
       select gen_random_uuid(), $2::bigint, $2::bigint::text, $1, $1 || '-1', id, 'return', 'done', $3, 'GBP', 'gb', 'seller' from payments.payment where customer_order_id = $1`,
      [id, number, price],
    )
  const count = (beforeWriting: Promise<unknown> = Promise.resolve()) =>
    database.command({}, async (scope) => {
      for (const { work } of handlers) {
        assert.ok('commit' in work && work.commit)
        const write: typeof scope.db.run = (...statement) => beforeWriting.then(() => scope.db.run(...statement))
        await work.commit({ ...scope, db: { ...scope.db, run: write } }, { customerOrderId: id } as never, undefined as never)
      }
    })
  await refund(990_001)
  const { promise: second, resolve } = Promise.withResolvers<void>()
  const counted = count(second)
  // The first has read its refund by now, and writes after the second was begun.
  await setTimeout(100)
  await refund(990_002)
  const other = count()
  await Promise.race([other, setTimeout(200)])
  resolve()
  await Promise.all([counted, other])
  assert.equal(sumOf(await spends(company.id)), 2 * price)
})
