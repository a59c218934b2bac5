import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { writeQuotedPrices } from '#conditions'
import { forgetSwitches, setFlag } from '#flags'
import { findOrder, ordersFollowSignIn, readOrder } from '#orders'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { cartFollowsSignIn } from '../cart/merge-carts.ts'
import { testCredit } from '../credit/testing.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { choosePaymentMethod, offerInvoice } from './choose-payment.ts'
import { findFunnelStep } from './funnel.ts'
import { endHold } from './jobs.ts'
import { requestApproval } from './request-approval.ts'
import { saveAddress } from './save-address.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, newBuyer, place, type Buyer } from './testing.ts'

/** A member of a company begins an order on the professional storefront as a guest, and signs in on the way. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
let credit: Awaited<ReturnType<typeof testCredit>>

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 500 })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  const { url } = await testGateway(pool)
  credit = await testCredit(url)
})
after(() => credit.close())

async function begunAsGuest({ isPlaced = false, monthly = 1000 } = {}) {
  const company = await newCompany()
  await pool.query(`update accounts.company set vat_number = 'GB100000003' where id = $1`, [company.id])
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly, perOrder: null })))
  const id = randomUUID()
  const guest = newBuyer(database, {
    principal: { kind: 'guest', id, email: buyer.principal.email },
    session: { id },
    market: 'gb',
    mode: 'b2b',
  })
  const orderId = await draftOrder(guest, [{ offerId: '7001', quantity: 2 }])
  if (isPlaced) must(await place(guest, orderId))
  const into = { from: `s:${id}`, into: `c:${buyer.principal.id}`, email: buyer.principal.email, storefront: 'b2b' } as const
  await database.command({}, (scope) => cartFollowsSignIn(scope, into))
  await database.command({}, (scope) => ordersFollowSignIn(scope, into))
  return { company, admin, buyer, orderId }
}

const byInvoice = (buyer: Buyer, customerOrderId: string) =>
  buyer.does((scope) => choosePaymentMethod(scope, { customerOrderId, idempotencyKey: randomUUID(), method: 'invoice' }))
const isSeenBy = async (who: Buyer, orderId: string) => (await findOrder(who.scope(), 'order.see', orderId)) !== undefined
const chargedTo = async (orderId: string) =>
  (await pool.query('select company_id from purchasing.spend where customer_order_id = $1', [orderId])).rows[0]?.company_id
async function missItsPayment(orderId: string) {
  await pool.query(`update orders.customer_order set holds_until = now() - interval '1 minute' where id = $1`, [orderId])
  await database.command({}, (scope) => endHold(scope, orderId))
}

test('a draft begun before signing in is ordered for the company, which sees it, owes its invoice and has its budget back', async () => {
  const { company, admin, buyer, orderId } = await begunAsGuest()
  assert.equal((await findFunnelStep(buyer.scope())).step, 'delivery')
  must(await place(buyer, orderId))
  assert.equal((await readOrder(db, orderId))?.companyId, company.id)
  assert.equal(await isSeenBy(admin, orderId), true)
  must(await byInvoice(buyer, orderId))
  assert.equal((await readPaymentOfOrder(db, orderId))?.companyId, company.id)
  assert.equal(await chargedTo(orderId), company.id)
  assert.deepEqual(await checkCompanies(pool), [])
  await missItsPayment(orderId)
  assert.equal(await chargedTo(orderId), undefined)
  assert.deepEqual(await checkCompanies(pool), [])
})

test('the step that follows signing in names the draft for the company', async () => {
  const { company, buyer, orderId } = await begunAsGuest()
  assert.equal((await showOrderReference(buyer.scope(), orderId))?.canChange, true)
  must(await buyer.does((scope) => saveOrderReference(scope, orderId, { purchaseOrder: 'PO 1', costCentre: null })))
  assert.equal((await readOrder(db, orderId))?.companyId, company.id)
  assert.equal((await showOrderReference(buyer.scope(), orderId))?.purchaseOrder, 'PO 1')
})

test('a draft begun before signing in can be requested when it is beyond a budget', async () => {
  const { company, admin, buyer, orderId } = await begunAsGuest({ monthly: 100 })
  assert.deepEqual(await place(buyer, orderId), { ok: false, reason: 'approval-needed' })
  assert.equal((await readOrder(db, orderId))?.companyId, null, 'a refused command leaves nothing behind')
  must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'invoice', note: '' })))
  assert.equal((await readOrder(db, orderId))?.companyId, company.id)
  assert.equal(await isSeenBy(admin, orderId), true)
})

test('a quote that such a draft takes is given back when it is not paid', async () => {
  const { company, buyer, orderId } = await begunAsGuest()
  const quoteId = newId()
  const validUntil = new Date(Date.now() + 86_400_000)
  const lines = [{ offerId: '7001', quantity: 2, price: 50_00 }]
  const quote = { quoteId, sellerId: 1, customerId: buyer.principal.id, companyId: company.id, market: 'gb', delivery: 0 } as const
  await writeQuotedPrices(db, { ...quote, validUntil, lines })
  await pool.query('update cart.line set seen_price = 5000')
  const takenBy = async () =>
    (await pool.query('select order_id from conditions.quoted_price where quote_id = $1', [quoteId])).rows[0]?.order_id
  must(await place(buyer, orderId))
  assert.equal(await takenBy(), orderId)
  await missItsPayment(orderId)
  assert.equal(await takenBy(), null)
})

test('an order placed before signing in stays its buyer’s own: no invoice, budget or name of the company, until its address is saved again', async () => {
  const { company, admin, buyer, orderId } = await begunAsGuest({ isPlaced: true })
  assert.notEqual((await offerInvoice(buyer.scope(), orderId))?.reason, null)
  assert.deepEqual(await byInvoice(buyer, orderId), { ok: false, reason: 'invoice-not-offered' })
  assert.equal(await showOrderReference(buyer.scope(), orderId), null)
  must(await place(buyer, orderId, randomUUID(), [{ sellerId: 1, kind: 'express' }]))
  const again = await readOrder(db, orderId)
  assert.deepEqual([again?.state, again?.sellerOrders[0]?.deliveryKind, again?.companyId], ['awaiting-payment', 'express', null])
  assert.equal(await chargedTo(orderId), undefined)
  assert.equal(await isSeenBy(admin, orderId), false)
  assert.deepEqual(await checkCompanies(pool), [])

  must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  must(await place(buyer, orderId))
  must(await byInvoice(buyer, orderId))
  assert.equal(await chargedTo(orderId), company.id)
  assert.equal(await isSeenBy(admin, orderId), true)
  assert.deepEqual(await checkCompanies(pool), [])
})
