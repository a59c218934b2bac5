import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { saveOrderReference } from '../purchasing/order-reference.ts'
import { requestApproval } from './request-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Buyer, type Colleague } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})

const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
const draft = (buyer: Buyer) => draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
const refer = async (who: Buyer, id: string, costCentre: string | null) =>
  reason(await who.does((scope) => saveOrderReference(scope, id, { purchaseOrder: null, costCentre })))

async function ask(who: Colleague, query: string) {
  const headers = { cookie: who.cookie, host: 'pro.gb.localhost:3000', 'sec-fetch-site': 'same-origin' }
  const { data, errors } = await gateway.execute({ query, headers })
  return structuredClone(errors ? null : data)
}
const require = (who: Colleague, isRequired: boolean) =>
  ask(who, `mutation { result: requireCostCentre(isRequired: ${isRequired}) { refusal { reason } } }`)

/** A company with the cost centre C-1. */
async function companyWithCentre() {
  const company = await newCompany()
  await pool.query(`insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-1', '')`, [company.id])
  return { company, admin: await join(company, 'admin'), buyer: await join(company, 'buyer') }
}

test('a company that wants a cost centre sells its members nothing without one of its list, whatever else they type', async () => {
  const { admin, buyer } = await companyWithCentre()
  const id = await draft(buyer)
  assert.deepEqual(await require(admin, true), { result: { refusal: null } })
  assert.deepEqual(await ask(buyer, '{ companyBudgets { requiresCostCentre } }'), { companyBudgets: { requiresCostCentre: true } })
  assert.equal(reason(await place(buyer, id)), 'cost-centre-needed')
  assert.equal((await readOrder(db, id))?.state, 'draft')
  assert.equal(await refer(buyer, id, 'Kitchen'), 'ok', 'the company allows codes of its members’ own')
  assert.equal(reason(await place(buyer, id)), 'cost-centre-needed')
  assert.equal(await refer(buyer, id, 'c-1'), 'ok')
  assert.equal(reason(await place(buyer, id)), 'ok')
  for (const who of [buyer, admin]) assert.equal(await refer(who, id, null), 'cost-centre-needed', 'nor is it taken away afterwards')
})

test('an order beyond a limit is not requested without a cost centre either', async () => {
  const { admin, buyer } = await companyWithCentre()
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 10 })))
  await require(admin, true)
  const customerOrderId = await draft(buyer)
  const request = () => buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note: '' }))
  assert.equal(reason(await request()), 'cost-centre-needed')
  assert.equal(await refer(buyer, customerOrderId, 'C-1'), 'ok')
  assert.equal(reason(await request()), 'ok')
})

test('a request that was sent before the rule, without a cost centre, is not offered as an order that needs no approval', async () => {
  const { admin, buyer } = await companyWithCentre()
  const limit = (perOrder: number) =>
    admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder }))
  const request = async (costCentre: string | null) => {
    const customerOrderId = await draft(buyer)
    assert.equal(await refer(buyer, customerOrderId, costCentre), 'ok')
    return must(await buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note: '' }))).id
  }
  must(await limit(10))
  const ids = [await request(null), await request('C-1')]
  must(await limit(1000))
  const offered = async () => {
    const shown = await ask(buyer, `{ ${ids.map((id, at) => `r${at}: approval(id: "${id}") { canOrder }`).join(' ')} }`)
    return Object.values(shown as Record<string, { canOrder: boolean }>).map(({ canOrder }) => canOrder)
  }
  const order = async (id: string) =>
    (
      (await ask(
        buyer,
        `mutation { result: orderApproved(id: "${id}", idempotencyKey: "${id}", payBy: CARD) { refusal { reason } } }`,
      )) as {
        result: { refusal: { reason: string } | null }
      }
    ).result.refusal?.reason
  assert.deepEqual(await offered(), [true, true])
  await require(admin, true)
  assert.deepEqual(await offered(), [false, true])
  assert.deepEqual([await order(ids[0] ?? ''), await order(ids[1] ?? '')], ['cost-centre-needed', undefined])
})

test('the rule is for one company, is set by those who manage its budgets, and can be lifted', async () => {
  const [one, other] = [await companyWithCentre(), await companyWithCentre()]
  assert.equal(await require(one.buyer, true), null)
  await require(one.admin, true)
  assert.equal(reason(await place(other.buyer, await draft(other.buyer))), 'ok')
  const id = await draft(one.buyer)
  assert.equal(reason(await place(one.buyer, id)), 'cost-centre-needed')
  await require(one.admin, false)
  assert.equal(reason(await place(one.buyer, id)), 'ok')
})
