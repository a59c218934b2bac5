import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { connectModules } from '../../edges/connect-modules.ts'
import { whileTablesFail } from '../../foundation/platform/failures-for-tests.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { applyCoupon } from '../cart/apply-coupon.ts'
import { writeImported } from '../segments/store.ts'
import { requestApproval } from './request-approval.ts'
import { addCoupon, addOffer, companiesIn, draftOrder, fillShop, must } from './testing.ts'

/** An order beyond its buyer's limit, with a coupon for customers of high value, while nobody can tell who is one. */

connectModules()
const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 100 })
await addCoupon(database, { code: 'DEAR10', audience: 'high-value' })
const { newCompany, join } = companiesIn(database)

test('a request for approval whose coupon cannot be checked is refused for that, not as if the cart had changed, and can be sent again', async () => {
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  await join(company, 'approver')
  await writeImported(database.db, buyer.principal.id, { customer_value: 'high' })
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 100 })))
  const customerOrderId = await draftOrder(buyer, [{ offerId: '7001', quantity: 3 }])
  must(await buyer.does((scope) => applyCoupon(scope, 'DEAR10')))
  const ask = () => buyer.does((scope) => requestApproval(scope, { customerOrderId, payBy: 'card', note: '' }))
  await whileTablesFail(database, ['segments'], async () => {
    assert.deepEqual(await ask(), { ok: false, reason: 'coupon-unavailable' })
  })
  must(await ask())
})
