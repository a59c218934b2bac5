import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCustomer } from '@purlin/contract/testing.ts'
import { connectSearch } from '#listing'
import { loadPricedCart, removeCartsOf } from '#cart'
import { ownerOf } from '#accounts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { addCustomer } from '../../people/accounts/testing.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '../checkout/testing.ts'
import { listBought } from './list-bought.ts'
import { orderAgain } from './order-again.ts'
import { hasOrderedSince } from './ordered-since.ts'
import { placeReplacement } from './place-replacement.ts'
import { readBaskets, readPurchases } from './purchases-store.ts'

const database = await testDatabase()
const { newCompany, join } = companiesIn(database)
await fillShop(database)
for (const id of ['9001', '9002', '9003']) await addOffer(database, { id, stock: 40 })
await addOffer(database, { id: '9004', bulk: 6, stock: 60 })
// No index here: the offers bought before are used, and no product has a card.
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)

async function customer(): Promise<Buyer> {
  return newBuyer(database, { principal: { kind: 'customer', ...(await addCustomer(database.db)) }, session: { id: newId() } })
}

async function buy(buyer: Buyer, lines: { offerId: string; quantity: number }[], daysAgo = 0): Promise<string> {
  const id = await draftOrder(buyer, lines)
  must(await place(buyer, id))
  await database.pool.query(
    `update orders.customer_order set state = 'paid', placed_at = now() - $2 * interval '1 day', paid_at = now() - $2 * interval '1 day' where id = $1`,
    [id, daysAgo],
  )
  await database.pool.query(`update orders.seller_order set state = 'pending' where customer_order_id = $1`, [id])
  await removeCartsOf(database.db, ownerOf(buyer.scope()) ?? '')
  return id
}
const inCart = async (buyer: Buyer) => {
  const { sellers } = await loadPricedCart(buyer.scope())
  return Object.fromEntries(sellers.flatMap(({ lines }) => lines.map(({ offer, quantity }) => [offer.id, quantity])))
}

test('R-139 everything bought is listed once, the latest first, with how often and when it is needed again', async () => {
  const ann = await customer()
  for (const daysAgo of [40, 20, 0]) await buy(ann, [{ offerId: '9001', quantity: 2 }], daysAgo)
  await buy(ann, [{ offerId: '9002', quantity: 3 }], 5)
  const { products, total } = await listBought(ann.scope(), 1)
  assert.equal(total, 2)
  assert.deepEqual(
    products.map(({ productId, title, times, quantity, isDue, neededAgainAt }) => [
      productId,
      title,
      times,
      quantity,
      isDue,
      neededAgainAt !== null,
    ]),
    [
      ['9001', 'Drill 9001', 3, 2, false, true],
      ['9002', 'Drill 9002', 1, 3, false, false],
    ],
  )
})

test('R-090 R-139 what is due comes first, the longest overdue before the others, also before a page full of later purchases', async () => {
  const ann = await customer()
  const many = Array.from({ length: 24 }, (_, index) => String(9100 + index))
  for (const id of [...many, '9200', '9201', '9202']) await addOffer(database, { id })
  for (const daysAgo of [80, 55, 30]) await buy(ann, [{ offerId: '9200', quantity: 2 }], daysAgo)
  for (const daysAgo of [90, 60, 40]) await buy(ann, [{ offerId: '9201', quantity: 2 }], daysAgo)
  await buy(ann, [{ offerId: '9202', quantity: 2 }], 92)
  await buy(ann, [{ offerId: '9202', quantity: 2 }], 66)
  // As late as that of the others, but four times as much.
  await buy(ann, [{ offerId: '9202', quantity: 8 }], 40)
  await buy(
    ann,
    many.map((offerId) => ({ offerId, quantity: 1 })),
    1,
  )
  const { products, total } = await listBought(ann.scope(), 1)
  assert.equal(total, 27)
  assert.deepEqual(
    products.slice(0, 3).map(({ productId, isDue }) => [productId, isDue]),
    [
      ['9201', true],
      ['9200', true],
      ['9100', false],
    ],
  )
  const rest = (await listBought(ann.scope(), 2)).products
  assert.deepEqual(
    rest.map(({ productId, isDue, neededAgainAt }) => [productId, isDue, neededAgainAt !== null]),
    [
      ['9122', false, false],
      ['9123', false, false],
      ['9202', false, true],
    ],
    'every product on one page alone',
  )
})

test('goods that replace others are no purchase: neither for the rhythm of buying nor for segments, recommendations and reminders', async () => {
  const ann = await customer()
  const id = await buy(ann, [{ offerId: '9001', quantity: 2 }], 30)
  const told = async () => {
    const { products } = await listBought(ann.scope(), 1)
    const { owner, market } = { owner: ownerOf(ann.scope()) ?? '', market: 'gb' } as const
    const weekAgo = new Date(Date.now() - 7 * 86_400_000)
    const purchases = await readPurchases(database.db, [owner], { since: weekAgo, tradeQuantity: 10 })
    return {
      bought: products.map(({ times, lastBoughtAt }) => [times, lastBoughtAt]),
      purchases: purchases.get(owner),
      baskets: (await readBaskets(database.db, market, new Date(0))).length,
      hasOrdered: await hasOrderedSince(database.db, { owner, email: ann.email, market }, weekAgo),
    }
  }
  const before = await told()
  const lines = [{ offerId: '9001', quantity: 1 }]
  assert.ok(await database.command({}, (scope) => placeReplacement(scope, { sellerOrderId: `${id}-1`, lines })))
  assert.deepEqual(await told(), before)
})

test('R-139 A1 nothing of another customer, of a guest or of an unpaid order is listed', async () => {
  const [ann, eve] = [await customer(), await customer()]
  await buy(ann, [{ offerId: '9001', quantity: 1 }])
  must(await place(eve, await draftOrder(eve, [{ offerId: '9002', quantity: 1 }])))
  assert.deepEqual((await listBought(eve.scope(), 1)).products, [])
  assert.deepEqual((await listBought(newBuyer(database).scope(), 1)).products, [])
})

test('A1 every member of a company is shown what it buys, whatever their role, and nothing that tells who bought it or what it cost', async () => {
  const company = await newCompany()
  const [buyer, colleague, other] = [await join(company, 'buyer'), await join(company, 'buyer'), await join(await newCompany(), 'buyer')]
  await buy(colleague, [{ offerId: '9001', quantity: 7 }], 3)
  await buy(other, [{ offerId: '9002', quantity: 1 }])
  for (const role of ['buyer', 'admin', 'approver', 'accountant', 'viewer'] as const) {
    const viewer = role === 'buyer' ? buyer : await join(company, role)
    const { products, total } = await listBought(viewer.scope(), 1)
    assert.deepEqual([products.map(({ productId }) => productId), total], [['9001'], 1], role)
    const told = Object.keys(products[0] ?? {}).toSorted()
    assert.deepEqual(told, [
      'card',
      'firstBoughtAt',
      'imageUrl',
      'instead',
      'isDue',
      'lastBoughtAt',
      'neededAgainAt',
      'productId',
      'quantity',
      'times',
      'title',
    ])
  }
  await buy(buyer, [{ offerId: '9001', quantity: 2 }])
  const both = (await listBought(buyer.scope(), 1)).products[0]
  assert.deepEqual([both?.times, both?.quantity], [2, 2], 'one rhythm of the whole company')
  const { id } = buyer.principal
  await database.pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [id])
  const alone = newBuyer(database, { principal: testCustomer({ id, email: buyer.email }), mode: 'b2b' })
  assert.deepEqual((await listBought(alone.scope(), 1)).products, [], 'nor is a former member')
})

test('R-139 a whole order goes into the cart again at one call; an article that is sold out is left out and named', async () => {
  const ann = await customer()
  const id = await buy(ann, [
    { offerId: '9001', quantity: 2 },
    { offerId: '9003', quantity: 4 },
    { offerId: '9004', quantity: 12 },
  ])
  await database.pool.query(`update catalogue.offer set stock = 0 where id = 9003`)
  const outcome = await ann.does((scope) => orderAgain(scope, id))
  assert.ok(outcome?.ok)
  assert.deepEqual([outcome.added, outcome.left.map(({ offerId }) => offerId)], [2, ['9003']])
  assert.deepEqual(await inCart(ann), { 9001: 2, 9004: 12 })
})

test('A1 R-139 an order of somebody else is not found and adds nothing', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const id = await buy(ann, [{ offerId: '9001', quantity: 1 }])
  for (const at of [id, 'P0000000000000000', `${id}'`]) assert.equal(await eve.does((scope) => orderAgain(scope, at)), undefined)
  assert.deepEqual(await inCart(eve), {})
})
