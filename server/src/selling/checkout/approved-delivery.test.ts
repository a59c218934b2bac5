import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { chooseCartDelivery } from '#cart'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testCredit } from '../credit/testing.ts'
import { usePointFinder } from '../pickup/finder-of-shop.ts'
import type { OfferedPoint } from '../pickup/point.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval, orderApproved } from './decide-approval.ts'
import { requestApproval } from './request-approval.ts'
import { showApproval } from './show-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Colleague } from './testing.ts'

/** The way of delivery that an approver has seen stays as it is. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
let credit: Awaited<ReturnType<typeof testCredit>>

const point = (id: string): OfferedPoint => ({
  id,
  kind: 'shop',
  name: `Shop ${id}`,
  line1: '1 Station Road',
  postcode: 'LS1 1UR',
  city: 'Leeds',
  country: 'GB',
  latitude: 53,
  longitude: -1,
  openingHours: [],
  closures: [],
  isFull: false,
  distance: 0,
})

before(async () => {
  await fillShop(database)
  const standard = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }
  await addOffer(database, { id: '7002', sellerId: 2, price: 100_00, proPrice: 100_00, stock: 500, delivery: [standard] })
  const delivery = [standard, { ...standard, kind: 'relay', fee: 340 }, { ...standard, kind: 'express' }]
  await addOffer(database, { id: '7001', sellerId: 2, price: 100_00, proPrice: 100_00, stock: 500, delivery })
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  const { url } = await testGateway(pool)
  credit = await testCredit(url)
  usePointFinder({ find: (id) => Promise.resolve(point(id)), near: () => Promise.reject(new Error('not asked')) })
})
after(async () => {
  usePointFinder()
  await credit.close()
})

const limit = (admin: Colleague, buyer: Colleague, perOrder: number) =>
  admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder }))

async function requested({
  kind,
  payBy = 'card',
  offerId = '7001',
}: {
  kind: 'standard' | 'relay'
  payBy?: 'card' | 'invoice'
  offerId?: string
}) {
  const company = await newCompany()
  await pool.query(`update accounts.company set vat_number = 'GB100000003' where id = $1`, [company.id])
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await limit(admin, buyer, 10))
  const orderId = await draftOrder(buyer, [{ offerId, quantity: 2 }])
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 2, kind }])))
  const points = kind === 'relay' ? [{ sellerId: 2, pointId: 'p1' }] : []
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy, note: '', points })))
  const agreedTotal = (await showApproval(admin.scope(), id))?.totalNow?.amount ?? null
  const approve = () => admin.does((scope) => decideApproval(scope, id, { isApproved: true, comment: '', agreedTotal }))
  return { admin, buyer, orderId, id, approve }
}

const placeAs = (buyer: Colleague, orderId: string, kind: string, pointId?: string) =>
  place(buyer, orderId, randomUUID(), [{ sellerId: 2, kind, ...(pointId && { pointId }) }])
const deliveryOf = async (orderId: string) => {
  const part = (await readOrder(db, orderId))?.sellerOrders[0]
  return [part?.deliveryKind, part?.pickUpPoint?.id]
}
const refused = { ok: false, reason: 'delivery-approved' }

test('an order approved for an address is not ordered to a pick-up point, nor in any other way, but as it was approved', async () => {
  const { buyer, orderId, approve } = await requested({ kind: 'standard' })
  must(await approve())
  assert.deepEqual(await placeAs(buyer, orderId, 'relay', 'p1'), refused)
  assert.deepEqual(await placeAs(buyer, orderId, 'express'), refused)
  must(await placeAs(buyer, orderId, 'standard'))
  assert.deepEqual(await deliveryOf(orderId), ['standard', undefined])
})

test('an approved order that awaits its payment is not redirected by placing it again', async () => {
  const { buyer, orderId, approve } = await requested({ kind: 'standard', payBy: 'invoice' })
  must(await approve())
  assert.equal((await readOrder(db, orderId))?.state, 'awaiting-payment')
  assert.deepEqual(await placeAs(buyer, orderId, 'relay', 'p1'), refused)
  assert.deepEqual(await deliveryOf(orderId), ['standard', undefined])
})

test('an order that waits for its approval is not redirected either, though its budget has been raised since', async () => {
  const { admin, buyer, orderId } = await requested({ kind: 'standard' })
  must(await limit(admin, buyer, 1000))
  assert.deepEqual(await placeAs(buyer, orderId, 'relay', 'p1'), refused)
  assert.equal((await readOrder(db, orderId))?.state, 'draft')
})

test('a waiting request is ordered by its buyer to its pick-up point once the limits allow it, and not before', async () => {
  const { admin, buyer, orderId, id } = await requested({ kind: 'relay' })
  const order = (who: Colleague, method?: 'invoice') => who.does((scope) => orderApproved(scope, id, randomUUID(), method))
  const isOffered = async (who: Colleague) => (await showApproval(who.scope(), id))?.canOrder
  assert.equal(await isOffered(buyer), false)
  assert.deepEqual(await order(buyer), { ok: false, reason: 'approval-needed' })
  must(await limit(admin, buyer, 1000))
  assert.deepEqual([await isOffered(buyer), await isOffered(admin)], [true, false])
  assert.deepEqual(await order(admin), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await order(buyer, 'invoice'), { ok: false, reason: 'unknown-order' }, 'the payment page asks for an invoice')

  await pool.query(`update catalogue.offer set status = 'paused' where id = 7001`)
  assert.equal(await isOffered(buyer), false, 'goods that are gone cannot be ordered')
  await pool.query(`update catalogue.offer set status = 'active' where id = 7001`)
  must(await order(buyer))
  assert.deepEqual(await deliveryOf(orderId), ['relay', 'p1'])
  const { state, canOrder } = (await showApproval(buyer.scope(), id)) ?? assert.fail('no request')
  assert.deepEqual([state, canOrder], ['unneeded', false])
})

test('an order approved for a pick-up point is ordered to another one, but not to the door', async () => {
  const { buyer, orderId, approve } = await requested({ kind: 'relay' })
  must(await approve())
  assert.deepEqual(await placeAs(buyer, orderId, 'standard'), refused)
  must(await placeAs(buyer, orderId, 'relay', 'p2'))
  assert.deepEqual(await deliveryOf(orderId), ['relay', 'p2'])
})

test('an order whose delivery has become dearer than what was approved needs a new approval; at that sum, or below it, it is placed', async () => {
  const [dearer, cheaper] = [await requested({ kind: 'standard', offerId: '7002' }), await requested({ kind: 'standard', offerId: '7002' })]
  for (const { approve } of [dearer, cheaper]) must(await approve())
  const deliverFor = (fee: number) =>
    pool.query(`update catalogue.offer set delivery = jsonb_set(delivery, '{0,fee}', to_jsonb($1::int)) where id = 7002`, [fee])
  await deliverFor(491)
  assert.deepEqual(await place(dearer.buyer, dearer.orderId), { ok: false, reason: 'approval-needed' })
  assert.equal((await readOrder(db, dearer.orderId))?.state, 'draft')
  await deliverFor(490)
  must(await place(dearer.buyer, dearer.orderId))
  await deliverFor(390)
  must(await place(cheaper.buyer, cheaper.orderId))
  assert.equal((await readOrder(db, cheaper.orderId))?.totals?.total, 203_90)
})
