import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { markets, marketCodes, type Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { forgetProducts } from '../../goods/catalogue/find-product.ts'
import { connectSearch } from '../../goods/listing/ports.ts'
import { rebuildIndex } from '../../goods/listing/rebuild-index.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { describeRefusal } from '../cart/refusal-words.ts'
import { addOffer, draftOrder, fillShop, newBuyer, place, stockOf, type Buyer } from './testing.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
await addOffer(database, { id: '8001', stock: 1 })
// The same product as 8001 from another seller, and one similar to 8003.
await addOffer(database, { id: '8101', stock: 5, sellerId: 2, price: 1500 })
await database.pool.query(`update catalogue.offer set product_id = 8001 where id = 8101`)
await addOffer(database, { id: '8003', stock: 1, categoryId: 3 })
await addOffer(database, { id: '8004', stock: 5, categoryId: 3, sellerId: 2 })
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)
after(() => gateway.close())

/** Two buyers with the last piece in their carts order it at the same moment. */
async function race(offerId: string): Promise<{ winner: Buyer; loser: Buyer; refused: unknown }> {
  const buyers = [newBuyer(database), newBuyer(database)] as const
  const orders = [await draftOrder(buyers[0], [{ offerId, quantity: 1 }]), await draftOrder(buyers[1], [{ offerId, quantity: 1 }])] as const
  const placed = await Promise.all([place(buyers[0], orders[0]), place(buyers[1], orders[1])])
  assert.equal(placed.filter(({ ok }) => ok).length, 1)
  assert.equal(await stockOf(database, offerId), 0)
  forgetProducts(null)
  const [first, second] = placed
  return first.ok ? { winner: buyers[0], loser: buyers[1], refused: second } : { winner: buyers[1], loser: buyers[0], refused: first }
}

interface Shown {
  cart: {
    changes: { kind: string }[]
    instead: { title: string; offers: { id: string; seller: { name: string } }[]; alternatives: { productId: string }[] }[]
  }
}
/** The cart as the page requests it, in this buyer's session. */
async function cartOf(buyer: Buyer): Promise<Shown['cart']> {
  const token = randomUUID().replaceAll('-', '').padEnd(43, 'x')
  const id = createHash('sha256').update(token).digest('base64url')
  await database.pool.query(`insert into accounts.session (id, market, mode) values ($1, 'gb', 'b2c')`, [id])
  await database.pool.query(`update cart.cart set owner = $1 where owner = $2`, [`s:${id}`, `s:${buyer.scope().session?.id}`])
  const { body } = await gateway.post(
    '{ cart { changes { kind } instead { title offers { id seller { name } } alternatives { productId } } } }',
    {},
    { cookie: `__Host-purlin=${token}` },
  )
  const { data, errors } = body as { data: Shown; errors?: unknown }
  assert.equal(errors, undefined)
  return data.cart
}

test('V-105 the buyer who loses the last piece learns that it sold out and sees the same product from another seller', async () => {
  const { loser, refused } = await race('8001')
  assert.deepEqual(refused, { ok: false, reason: 'sold-out', details: { title: 'Drill 8001' } })
  const { changes, instead } = await cartOf(loser)
  assert.deepEqual(changes, [{ kind: 'out-of-stock' }])
  assert.deepEqual(instead, [{ title: 'Drill 8001', offers: [{ id: '8101', seller: { name: 'Seller 2' } }], alternatives: [] }])
})

test('V-105 when no other seller has it, similar products are shown', async () => {
  const { loser, refused } = await race('8003')
  assert.deepEqual(refused, { ok: false, reason: 'sold-out', details: { title: 'Drill 8003' } })
  const { instead } = await cartOf(loser)
  assert.deepEqual(instead, [{ title: 'Drill 8003', offers: [], alternatives: [{ productId: '8004' }] }])
})

test('V-105 the refusal names the sold-out product in each language', () => {
  const said = marketCodes.map(
    (market: Market) => describeRefusal(market, { ok: false, reason: 'sold-out', details: { title: 'X 1' } }).message,
  )
  assert.equal(new Set(said).size, marketCodes.length)
  for (const [place, words] of said.entries()) assert.match(words, /X 1/, markets[marketCodes[place]!].language)
})
