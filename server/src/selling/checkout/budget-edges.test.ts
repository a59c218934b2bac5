/** Where a budget or an approval ends: in another currency, at midnight of the market, at the approved amount; and what a site gives its orders. */
import assert from 'node:assert/strict'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { addToCart } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { saveSite } from '../../people/companies/manage-sites.ts'
import { periodOf } from '../purchasing/hold-budget.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval } from './decide-approval.ts'
import { placeOrder } from './place-order.ts'
import { requestApproval } from './request-approval.ts'
import { chooseSite } from './save-address.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, place } from './testing.ts'

const database = await testDatabase()
const { pool, db } = database
const { newCompany, join } = companiesIn(database)
before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})
const one = [{ offerId: '7001', quantity: 1 }]
const outcomeOf = (result: { ok: true } | { ok: false; reason: string }) => (result.ok ? 'ok' : result.reason)

test('a limit in another currency allows nothing', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const limit = { kind: 'member', subjectId: buyer.principal.id, monthly: 1000, perOrder: null } as const
  must(await admin.does((scope) => setBudget({ ...scope, market: 'de' }, limit)))
  assert.equal(outcomeOf(await place(buyer, await draftOrder(buyer, one))), 'approval-needed')
  must(await admin.does((scope) => setBudget(scope, limit)))
  assert.equal(outcomeOf(await place(buyer, await draftOrder(buyer, one))), 'ok')
})

for (const kind of ['cost-centre', 'site'] as const)
  test(`a limit of a ${kind} in another currency allows nothing`, async () => {
    const company = await newCompany()
    const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
    const subjectId = randomUUID()
    await (kind === 'site'
      ? pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, 'Roof', $3)`, [
          subjectId,
          company.id,
          JSON.stringify(addresses.gb),
        ])
      : pool.query(`insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, 'C-1', '')`, [subjectId, company.id]))
    const orderId = await draftOrder(buyer, one)
    await (kind === 'site'
      ? pool.query('insert into purchasing.order_site (customer_order_id, company_id, site_id) values ($1, $2, $3)', [
          orderId,
          company.id,
          subjectId,
        ])
      : pool.query(`insert into purchasing.order_reference (customer_order_id, cost_centre, changed_by) values ($1, 'C-1', $2)`, [
          orderId,
          buyer.principal.id,
        ]))
    const limit = { kind, subjectId, monthly: 1000, perOrder: null }
    must(await admin.does((scope) => setBudget({ ...scope, market: 'de' }, limit)))
    assert.equal(outcomeOf(await place(buyer, orderId)), 'approval-needed')
    must(await admin.does((scope) => setBudget(scope, limit)))
    assert.equal(outcomeOf(await place(buyer, orderId)), 'ok')
  })

/** A request of 100.00 and the limit per order of a colleague who may decide about it. */
async function requested(offerId: string) {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 10 })))
  const customerOrderId = await draftOrder(buyer, [{ offerId, quantity: 1 }])
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note: '' })))
  const limitApprover = async (perOrder: number, market: 'gb' | 'de' = 'gb') =>
    must(
      await admin.does((scope) =>
        setBudget({ ...scope, market }, { kind: 'member', subjectId: approver.principal.id, monthly: null, perOrder }),
      ),
    )
  const approve = async (agreedTotal: number) =>
    outcomeOf(await approver.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal })))
  return { limitApprover, approve }
}

test('an approver whose own limit is in another currency decides about nothing', async () => {
  const { limitApprover, approve } = await requested('7001')
  await limitApprover(1000, 'de')
  assert.equal(await approve(100_00), 'not-yours-to-decide')
  await limitApprover(1000)
  assert.equal(await approve(100_00), 'ok')
})

test('a price that has risen above the limit of an approver since the request is not theirs to approve', async () => {
  const offer = { id: '7002', price: 100_00, proPrice: 100_00, stock: 10_000 }
  await addOffer(database, offer)
  const { limitApprover, approve } = await requested(offer.id)
  await limitApprover(120)
  await writePrices(database.db, [{ offerId: offer.id, price: 150_00, proPrice: 150_00 }])
  assert.equal(await approve(150_00), 'not-yours-to-decide')
  await limitApprover(150)
  assert.equal(await approve(150_00), 'ok')
})

test('an approval holds for the order as its approver saw it', async () => {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 10 })))
  const orderId = await draftOrder(buyer, one)
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'card', note: '' })))
  must(await approver.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal: 100_00 })))
  assert.equal(outcomeOf(await place(buyer, orderId, randomUUID(), [{ sellerId: 1, kind: 'express' }])), 'delivery-approved')
  assert.deepEqual((await pool.query('select amount from purchasing.spend where company_id = $1', [company.id])).rows, [])
  assert.equal(outcomeOf(await place(buyer, orderId)), 'ok')
  const { rows } = await pool.query(
    `select s.amount, s.net, (o.totals->>'net')::integer as shown from purchasing.spend s
       join orders.customer_order o on o.id = s.customer_order_id where s.company_id = $1`,
    [company.id],
  )
  assert.equal(rows.length, 1)
  assert.ok(rows[0]?.net < rows[0]?.amount && rows[0]?.net === rows[0]?.shown, 'the charge knows the amount without VAT')
})

test('a month of a budget begins at midnight in the market', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: 150, perOrder: null })))
  const orderAt = async (now: string) => {
    const customerOrderId = await draftOrder(buyer, one)
    const placed = await buyer.does((scope) =>
      placeOrder({ ...scope, now: new Date(now) }, { customerOrderId, idempotencyKey: randomUUID() }),
    )
    await pool.query(`update orders.customer_order set state = 'paid', paid_at = now(), cart_id = gen_random_uuid() where id = $1`, [
      customerOrderId,
    ])
    await pool.query('delete from cart.line')
    return outcomeOf(placed)
  }
  // London is an hour ahead of UTC in summer.
  assert.equal(await orderAt('2027-07-31T22:30:00Z'), 'ok')
  assert.equal(await orderAt('2027-07-31T22:40:00Z'), 'approval-needed')
  assert.equal(await orderAt('2027-07-31T23:30:00Z'), 'ok')
  const monthOf = (market: 'gb' | 'de', now: string) => periodOf({ market, now: new Date(now) }).month
  assert.deepEqual([monthOf('gb', '2026-11-30T23:30:00Z'), monthOf('de', '2026-11-30T23:30:00Z')], ['2026-11-01', '2026-12-01'])
  assert.equal(monthOf('de', '2026-11-30T22:30:00Z'), '2026-11-01')
})

test('an order to a building site has its contact and hours, and one to a closed site or one abroad is refused', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  const site = {
    name: 'Mill',
    firstName: 'Tom',
    lastName: 'Ashby',
    line1: '1 Mill Lane',
    postcode: 'SW1A 1AA',
    city: 'London',
    phone: '020 7946 0000',
    deliveryHours: 'Mon-Fri 7-15',
  } as unknown as Parameters<typeof saveSite>[2]
  must(await admin.does((scope) => saveSite(scope, null, site)))
  const { rows } = await pool.query<{ id: string }>('select id from companies.site where company_id = $1', [company.id])
  const id = rows[0]!.id
  must(await buyer.does((scope) => addToCart(scope, { offerId: '7001', quantity: 1 })))
  const saved = must(await buyer.does((scope) => chooseSite(scope, id))) as { orderId: string }
  const address = JSON.stringify((await readOrder(db, saved.orderId))?.address)
  for (const told of ['Tom', 'Ashby', '1 Mill Lane', '7946', 'Mon-Fri 7-15']) assert.ok(address.includes(told), `${told} in ${address}`)
  await pool.query(`update companies.site set address = address || '{"country":"FR"}' where id = $1`, [id])
  assert.notEqual(outcomeOf(await buyer.does((scope) => chooseSite(scope, id))), 'ok')
  await pool.query(`update companies.site set address = address || '{"country":"GB"}', archived_at = now() where id = $1`, [id])
  assert.notEqual(outcomeOf(await buyer.does((scope) => chooseSite(scope, id))), 'ok')
})
