import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval } from './decide-approval.ts'
import { requestApproval } from './request-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Colleague } from './testing.ts'

/** An approval is requested again: by a second press, from a page left open, or by the Back button. */

const database = await testDatabase()
const { pool } = database
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})

const limit = (admin: Colleague, buyer: Colleague, perOrder: number) =>
  admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder }))

/** A draft beyond its buyer's limit. */
async function beyond() {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, 10))
  const customerOrderId = await draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
  const request = async (note = '') => {
    const sent = await buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note }))
    return sent.ok ? sent.id : sent.reason
  }
  return { admin, buyer, customerOrderId, request }
}
const requestsOf = async (orderId: string) =>
  (await pool.query<{ id: string }>('select id from purchasing.approval where customer_order_id = $1', [orderId])).rows.map(({ id }) => id)

test('a request that is sent twice is one request, and the second sending leads to it', async () => {
  const { customerOrderId, request } = await beyond()
  const id = await request('For the roof')
  assert.equal(await request('Once more'), id)
  assert.deepEqual(await requestsOf(customerOrderId), [id])
})

test('two sendings at the same moment lead to one request', async () => {
  for (let round = 0; round < 5; round++) {
    const { customerOrderId, request } = await beyond()
    const ids = await Promise.all([request(), request()])
    const [id] = await requestsOf(customerOrderId)
    assert.deepEqual(ids, [id, id])
  }
})

test('a request that the limits allow by now, or that was approved, is led to as well, until its order is placed', async () => {
  const { admin, buyer, customerOrderId, request } = await beyond()
  const id = await request()
  must(await limit(admin, buyer, 1000))
  assert.equal(await request(), id, 'it is ordered from its page')
  must(await admin.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal: 100_00 })))
  assert.equal(await request(), id)
  must(await place(buyer, customerOrderId))
  assert.equal(await request(), 'unknown-order')
})

test('a request of somebody else’s order stays unknown to those who do not buy it', async () => {
  const [one, other] = [await beyond(), await beyond()]
  await one.request()
  for (const stranger of [one.admin, other.buyer]) {
    const sent = await stranger.does((scope) => requestApproval(scope, { customerOrderId: one.customerOrderId, payBy: 'card', note: '' }))
    assert.deepEqual(sent, { ok: false, reason: 'unknown-order' })
  }
})
