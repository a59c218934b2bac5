import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import type { BudgetKind } from '../purchasing/budget.ts'
import { requireCostCentre, setBudget } from '../purchasing/manage-budgets.ts'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Buyer, type Colleague } from './testing.ts'

/** Who takes the charge of a placed order off a cost centre or building site that has a budget. */

const database = await testDatabase()
const { pool } = database
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})

const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
type Names = Partial<Parameters<typeof saveOrderReference>[2]>
const refer = (who: Buyer, id: string, names: Names) =>
  who.does((scope) => saveOrderReference(scope, id, { purchaseOrder: null, costCentre: null, ...names })).then(reason)
const limit = (admin: Colleague, kind: BudgetKind, subjectId: string, monthly: number | null, perOrder: number | null = null) =>
  admin.does((scope) => setBudget(scope, { kind, subjectId, monthly, perOrder }))
const draft = (who: Buyer, quantity = 1) => draftOrder(who, [{ offerId: '7001', quantity }])
const chargedTo = async (subject: string) =>
  Number(
    (await pool.query('select coalesce(sum(amount), 0) as sum from purchasing.spend where $1 in (site_id, cost_centre_id)', [subject]))
      .rows[0].sum,
  )

/** A company with the sites Mill and Yard and the cost centres A and B; Mill and A have 150 a month. */
async function companyWithLimits() {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const add = async (text: string, name: string) => String((await pool.query(text, [company.id, name])).rows[0].id)
  const site = (name: string) =>
    add(`insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, $2, '{}') returning id`, name)
  const centre = (code: string) =>
    add(`insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, $2, '') returning id`, code)
  const [mill, yard, a, b] = [await site('Mill'), await site('Yard'), await centre('A'), await centre('B')]
  must(await limit(admin, 'site', mill, 150))
  must(await limit(admin, 'cost-centre', a, 150))
  return { company, admin, approver: await join(company, 'approver'), mill, yard, a, b }
}

test('buyers cannot empty the budget of a site by moving what they have placed: one of four orders is placed, and stays charged', async () => {
  const { company, mill, yard } = await companyWithLimits()
  const outcomes = []
  for (const to of [null, yard, null, yard]) {
    const buyer = await join(company, 'buyer')
    const id = await draft(buyer)
    assert.equal(await refer(buyer, id, { siteId: mill }), 'ok')
    const placed = reason(await place(buyer, id))
    outcomes.push([placed, placed === 'ok' ? await refer(buyer, id, { siteId: to }) : null])
  }
  assert.deepEqual(outcomes, [
    ['ok', 'charge-kept'],
    ['approval-needed', null],
    ['approval-needed', null],
    ['approval-needed', null],
  ])
  assert.equal(await chargedTo(mill), 100_00)
})

test('nor that of a cost centre where every order has to name one, by moving it to one without a budget', async () => {
  const { company, admin, a } = await companyWithLimits()
  await admin.does((scope) => requireCostCentre(scope, true))
  const [buyer, other] = [await join(company, 'buyer'), await join(company, 'buyer')]
  const [first, second] = [await draft(buyer), await draft(other)]
  assert.equal(await refer(buyer, first, { costCentre: 'A' }), 'ok')
  must(await place(buyer, first))
  assert.equal(await refer(buyer, first, { costCentre: 'B' }), 'charge-kept')
  assert.equal(await refer(buyer, first, { costCentre: 'A', purchaseOrder: 'PO 1' }), 'ok', 'its other names change')
  assert.equal(await refer(other, second, { costCentre: 'A' }), 'ok')
  assert.equal(reason(await place(other, second)), 'approval-needed')
  assert.equal(await chargedTo(a), 100_00)
})

test('a colleague who may approve the order moves it, within their own limit per order; accountants and other buyers do not', async () => {
  const { company, admin, approver, a, b } = await companyWithLimits()
  const [buyer, accountant, limited] = [await join(company, 'buyer'), await join(company, 'accountant'), await join(company, 'approver')]
  must(await limit(admin, 'member', limited.principal.id, null, 99))
  const id = await draft(buyer)
  assert.equal(await refer(buyer, id, { costCentre: 'A' }), 'ok')
  must(await place(buyer, id))
  for (const who of [accountant, limited]) assert.equal(await refer(who, id, { costCentre: 'B' }), 'charge-kept')
  assert.equal(await refer(await join(company, 'buyer'), id, { costCentre: 'B' }), 'unknown-order')
  assert.equal(await refer(approver, id, { costCentre: 'B' }), 'ok')
  assert.deepEqual([await chargedTo(a), await chargedTo(b)], [0, 100_00])
})

test('approvers and admins take their own order beyond no limit, and off no budget, without a second person', async () => {
  const { company, admin, approver, mill, a } = await companyWithLimits()
  const colleague = await join(company, 'approver')
  for (const who of [approver, admin]) {
    const id = await draft(who, 3)
    assert.equal(await refer(who, id, { costCentre: 'A' }), 'ok')
    assert.equal(reason(await place(who, id)), 'approval-needed')
    assert.equal(await refer(who, id, {}), 'ok')
    assert.equal(reason(await place(who, id)), 'ok')
    assert.equal(await refer(who, id, { costCentre: 'A' }), 'approval-needed')
    assert.equal(await refer(who, id, { siteId: mill }), 'approval-needed')
    assert.equal(await chargedTo(a), 0)
    assert.equal(await refer(colleague, id, { costCentre: 'A' }), 'ok', 'a colleague does')
    assert.equal(await refer(who, id, {}), 'charge-kept')
    assert.equal(await refer(colleague, id, {}), 'ok')
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now(), cart_id = gen_random_uuid() where id = $1`, [id])
  }
})

test('the names of an order that was delivered, closed, refunded or cancelled do not change any more, whoever asks', async () => {
  const { company, admin } = await companyWithLimits()
  const buyer = await join(company, 'buyer')
  const id = await draft(buyer)
  must(await place(buyer, id))
  const states = ['paid', 'shipped', 'delivered', 'closed', 'refunded', 'cancelled']
  const outcomes = []
  for (const state of states) {
    await pool.query('update orders.customer_order set state = $2, paid_at = now() where id = $1', [id, state])
    if (state === 'paid')
      await pool.query(`update orders.seller_order set state = 'pending', outcome = null where customer_order_id = $1`, [id])
    const canChange = (await showOrderReference(buyer.scope(), id))?.canChange
    outcomes.push([state, canChange, await refer(buyer, id, { costCentre: 'B' }), await refer(admin, id, { purchaseOrder: state })])
  }
  assert.deepEqual(outcomes, [
    ...['paid', 'shipped'].map((state) => [state, true, 'ok', 'ok']),
    ...['delivered', 'closed', 'refunded', 'cancelled'].map((state) => [state, false, 'order-not-open', 'order-not-open']),
  ])
})
