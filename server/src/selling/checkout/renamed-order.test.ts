import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { chooseCartDelivery } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { requestApproval } from './request-approval.ts'
import { saveAddress } from './save-address.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, type Colleague } from './testing.ts'

/** An order that awaits its payment is placed again with another delivery and other names: in one command. */

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await sell('7001')
})

/** An offer of 100.00, delivered for 4.90 or by express for 14.90. */
function sell(id: string): Promise<void> {
  const standard = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }
  const delivery = [standard, { ...standard, kind: 'express', fee: 1490 }]
  return addOffer(database, { id, sellerId: 2, price: 100_00, proPrice: 100_00, stock: 500, delivery })
}

interface Answer {
  refusal: { reason: string; fields: { field: string }[] } | null
}
/** Places an order by the gateway; returns the reason of a refusal and the names that caused it. */
async function place(who: Colleague, id: string, kind: string, reference: object | null, key: string = randomUUID()) {
  const command = `mutation ($id: ID!, $key: String!, $choices: [DeliveryChoiceInput!], $reference: OrderReferenceInput) {
    answer: placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: $choices, reference: $reference) { refusal { reason fields { field } } } }`
  const variables = { id, key, choices: [{ sellerId: 2, kind }], reference }
  const { body } = await gateway.post(command, variables, { cookie: who.cookie, host: 'pro.gb.localhost:3000' })
  const { answer } = (body as { data: { answer: Answer } }).data
  return answer.refusal === null ? 'ok' : [answer.refusal.reason, ...answer.refusal.fields.map(({ field }) => field)]
}

/** An order of one piece, placed and charged to B; A may have a limit per order, B has none. */
async function placed(kind: 'standard' | 'express' = 'standard') {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const centre = async (code: string) =>
    String(
      (
        await pool.query(
          `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, $2, '') returning id`,
          [company.id, code],
        )
      ).rows[0].id,
    )
  const [a, b] = [await centre('A'), await centre('B')]
  await pool.query('insert into companies.purchasing_rule (company_id, allows_free_cost_centre) values ($1, false)', [company.id])
  const budget = (limits: { monthly: number | null; perOrder: number | null }) =>
    admin.does((scope) => setBudget(scope, { kind: 'cost-centre', subjectId: a, ...limits })).then(must)
  const limit = (perOrder: number) => budget({ monthly: null, perOrder })
  const monthly = (amount: number) => budget({ monthly: amount, perOrder: null })
  const id = await draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
  assert.equal(await place(buyer, id, kind, { purchaseOrder: 'PO 1', costCentre: 'B' }), 'ok')
  const seen = async () => {
    const order = (await readOrder(db, id)) ?? assert.fail('no order')
    const names = await showOrderReference(buyer.scope(), id)
    const { rows } = await pool.query(`select cost_centre_id as centre from purchasing.spend where customer_order_id = $1`, [id])
    const charged = { [a]: 'A', [b]: 'B' }[String(rows[0]?.centre)]
    return [order.state, order.sellerOrders[0]?.deliveryKind, names?.purchaseOrder, names?.costCentre, charged]
  }
  const spentOnA = async () => {
    const { rows } = await pool.query(`select sum(amount)::int as spent from purchasing.spend where cost_centre_id = $1`, [a])
    return rows[0]?.spent
  }
  return { company, admin, buyer, id, limit, monthly, seen, spentOnA }
}
const asPlaced = ['awaiting-payment', 'standard', 'PO 1', 'B', 'B']

test('a delivery that is refused for a budget leaves the names of a placed order, and its charge, as they were', async () => {
  const { buyer, id, limit, seen } = await placed()
  assert.deepEqual(await seen(), asPlaced)
  await limit(110)
  assert.deepEqual(await place(buyer, id, 'express', { purchaseOrder: 'PO 2', costCentre: 'A' }), ['approval-needed'])
  assert.deepEqual(await seen(), asPlaced)
  await limit(200)
  assert.equal(await place(buyer, id, 'express', { purchaseOrder: 'PO 2', costCentre: 'A' }), 'ok')
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 2', 'A', 'A'])
})

test('names that are refused leave the delivery of a placed order as it was, and are named', async () => {
  const { buyer, id, limit, seen } = await placed()
  await limit(10)
  assert.deepEqual(await place(buyer, id, 'express', { costCentre: 'C' }), ['cost-centre-unknown', 'costCentre'])
  assert.deepEqual(await place(buyer, id, 'express', { costCentre: 'A' }), ['approval-needed', 'costCentre'])
  const rival = await newCompany()
  const { rows } = await pool.query(
    `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Mill', '{}') returning id`,
    [rival.id],
  )
  for (const siteId of [randomUUID(), rows[0]?.id])
    assert.deepEqual(await place(buyer, id, 'express', { costCentre: 'B', siteId }), ['site-unknown', 'siteId'])
  assert.deepEqual(await seen(), asPlaced)
})

test('the same key with the same names places an order once; with other names it is refused', async () => {
  const { buyer, id, seen } = await placed()
  const key = randomUUID()
  const send = (costCentre: string) => place(buyer, id, 'express', { purchaseOrder: 'PO 2', costCentre }, key)
  assert.deepEqual([await send('A'), await send('A'), await send('B')], ['ok', 'ok', ['idempotency-key-reused']])
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 2', 'A', 'A'])
})

test('a placed order whose other delivery is beyond a budget is requested once it has been changed from its address on', async () => {
  const { buyer, id, limit, seen } = await placed()
  await limit(110)
  const names = { purchaseOrder: 'PO 2', costCentre: 'A' }
  assert.deepEqual(await place(buyer, id, 'express', names), ['approval-needed'])
  must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  assert.equal((await seen())[0], 'draft')
  must(await buyer.does((scope) => saveOrderReference(scope, id, names)))
  assert.deepEqual(await place(buyer, id, 'express', null), ['approval-needed'])
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 2, kind: 'express' }])))
  must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: id, payBy: 'card', note: '' })))
})

test('a cheaper delivery and a cost centre whose limit it keeps are taken together, and what is beyond it also then is named', async () => {
  const { buyer, id, limit, seen } = await placed('express')
  const names = { purchaseOrder: 'PO 2', costCentre: 'A' }
  await limit(104)
  assert.deepEqual(await place(buyer, id, 'standard', names), ['approval-needed', 'costCentre'])
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 1', 'B', 'B'])
  // Express is 114.90, standard 104.90.
  await limit(110)
  assert.deepEqual(await place(buyer, id, 'express', names), ['approval-needed', 'costCentre'], 'with the delivery that it has')
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 1', 'B', 'B'])
  assert.equal(await place(buyer, id, 'standard', names), 'ok')
  assert.deepEqual(await seen(), ['awaiting-payment', 'standard', 'PO 2', 'A', 'A'])
  assert.deepEqual(await place(buyer, id, 'express', { costCentre: 'B' }), ['charge-kept', 'costCentre'], 'nor does it leave a limit')
})

test('an order beyond the member’s own limit does not name the cost centre, whose limit the cheaper delivery keeps', async () => {
  const { admin, buyer, id, limit, seen } = await placed('express')
  // Express is 114.90, standard 104.90.
  await limit(110)
  const own = { kind: 'member' as const, subjectId: buyer.principal.id, monthly: null, perOrder: 100 }
  must(await admin.does((scope) => setBudget(scope, own)))
  assert.deepEqual(await place(buyer, id, 'standard', { costCentre: 'A' }), ['approval-needed'])
  await limit(104)
  assert.deepEqual(
    await place(buyer, id, 'standard', { costCentre: 'A' }),
    ['approval-needed', 'costCentre'],
    'nor otherwise, beside its own',
  )
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 1', 'B', 'B'])
})

test('ten placed orders that change to a cheaper delivery and to one cost centre at once never exceed its month together', async () => {
  const { company, monthly, spentOnA } = await placed()
  const others = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const colleague = await join(company, 'buyer')
      // Each its own goods: orders of the same ones wait for each other's stock.
      const offerId = String(7100 + index)
      await sell(offerId)
      const id = await draftOrder(colleague, [{ offerId, quantity: 1 }])
      assert.equal(await place(colleague, id, 'express', { costCentre: 'B' }), 'ok')
      return { colleague, id }
    }),
  )
  await monthly(315)
  const outcomes = await Promise.all(others.map(({ colleague, id }) => place(colleague, id, 'standard', { costCentre: 'A' })))
  assert.deepEqual(
    outcomes.filter((outcome) => outcome !== 'ok').map(([reason]) => reason),
    Array.from({ length: 7 }, () => 'approval-needed'),
  )
  assert.equal(await spentOnA(), 3 * 104_90)
})

test('another delivery leaves a placed order its cost centre and its building site once they are archived; one that has left them does not come back', async () => {
  const { company, buyer, id, seen } = await placed()
  const { rows } = await pool.query<{ id: string }>(
    `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Mill', $2) returning id`,
    [company.id, JSON.stringify(addresses.gb)],
  )
  const siteId = rows[0]?.id ?? assert.fail('no site')
  const names = { purchaseOrder: 'PO 1', costCentre: 'B', siteId }
  assert.equal(await place(buyer, id, 'standard', names), 'ok')
  await pool.query('update companies.site set archived_at = now() where id = $1', [siteId])
  await pool.query('update companies.cost_centre set archived_at = now() where company_id = $1', [company.id])
  assert.equal(await place(buyer, id, 'express', names), 'ok')
  assert.deepEqual(await seen(), ['awaiting-payment', 'express', 'PO 1', 'B', 'B'])
  assert.equal((await showOrderReference(buyer.scope(), id))?.siteId, siteId)

  assert.equal(await place(buyer, id, 'standard', { ...names, siteId: null }), 'ok')
  assert.deepEqual(await place(buyer, id, 'express', names), ['site-unknown', 'siteId'], 'once left, it is not chosen again')
})
