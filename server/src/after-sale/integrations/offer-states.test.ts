import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { forgetTagged } from '../../goods/listing/index.ts'
import { connectSearch } from '../../goods/listing/ports.ts'
import { rebuildIndex } from '../../goods/listing/rebuild-index.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference, type TestOffer } from '../../goods/listing/test-shop.ts'
import { addKey, caller } from './testing.ts'

/** States of offers and sellers, moved through the APIs of sellers and operators, as visitors then meet them. */

const operatorKey = 'test-operator-key'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db } = database
await testReference(db)
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const work = await loadJobs()
const gateway = await testGateway(database.pool)
after(() => gateway.close())
const seller = caller(gateway.url, (await addKey(db, 1)).key)
const another = caller(gateway.url, (await addKey(db, 2)).key)
const reader = caller(gateway.url, (await addKey(db, 1, { scopes: ['offers:read'] })).key)

let offers = 0
async function offered(of: Partial<TestOffer> = {}): Promise<string> {
  const id = (offers += 1)
  await testProduct(db, { id })
  await testOffer(db, { id, productId: id, market: 'gb', sellerId: 1, ...of })
  await rebuildIndex({ db, engine, markets: ['gb'] })
  return String(id)
}
const path = (id: string, market = 'gb') => `/offers/${market}/${id}/state`
async function operate(address: string, body?: object, authorization = `Bearer ${operatorKey}`) {
  const reply = await fetch(`${gateway.url}/api/v1/operator${address}`, {
    method: body ? 'PUT' : 'GET',
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}
const moves = async (id: string, state: string) => (await seller('PUT', path(id), { state })).body
const operates = async (id: string, state: string) => (await operate(path(id), { state })).body

/** The offer as visitors see it: on the product's page, in its category, and when adding it to the cart. */
async function met(id: string): Promise<{ page: boolean; card: boolean; cart: string }> {
  await runWork(database, work.handlers, work.jobs)
  const purges = await db.rows<{ tags: string[] }>({ name: 'test.purged', text: 'delete from platform.purge_log returning tags' })
  forgetTagged(purges.flatMap(({ tags }) => tags))
  const query = `query ($id: ID!) { product(id: $id) { bestOffer { id } } listing(input: { kind: category, id: 11 }) { cards { productId } } }`
  const { data } = (await gateway.post(query, { id }, { host: 'gb.localhost' })).body as unknown as {
    data: { product: { bestOffer: { id: string } | null } | null; listing: { cards: { productId: string }[] } }
  }
  const add = 'mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { reason } } }'
  const added = (await gateway.post(add, { id }, { host: 'gb.localhost' })).body as unknown as {
    data: { addToCart: { refusal: { reason: string } | null } }
  }
  return {
    page: data.product?.bestOffer?.id === id,
    card: data.listing.cards.some(({ productId }) => productId === id),
    cart: added.data.addToCart.refusal?.reason ?? 'added',
  }
}
const sold = { page: true, card: true, cart: 'added' }
async function isGone(id: string): Promise<void> {
  const { page, cart } = await met(id)
  assert.equal(page, false)
  assert.notEqual(cart, 'added')
}

test('R-486 a paused offer is not sold, a resumed one is; a repeated request changes nothing', async () => {
  const id = await offered()
  assert.deepEqual((await seller('GET', path(id))).body, { state: 'active' })
  assert.deepEqual(await met(id), sold)
  assert.deepEqual(await moves(id, 'paused'), { state: 'paused', changed: true })
  assert.deepEqual(await moves(id, 'paused'), { state: 'paused', changed: false })
  await isGone(id)
  assert.deepEqual(await moves(id, 'active'), { state: 'active', changed: true })
  assert.deepEqual(await met(id), sold)
})

test('R-486 an active offer without a whole pack left is out of stock', async () => {
  const id = await offered({ stock: 3, bulk: 4 })
  assert.deepEqual((await reader('GET', path(id))).body, { state: 'out_of_stock' })
  assert.deepEqual(await operate(path(id)), { status: 200, body: { state: 'out_of_stock' } })
  assert.notEqual((await met(id)).cart, 'added')
})

test('R-486 only an operator suspends an offer and lifts the suspension', async () => {
  const id = await offered()
  assert.equal((await seller('PUT', path(id), { state: 'suspended' })).status, 400)
  assert.deepEqual(await operates(id, 'suspended'), { state: 'suspended', changed: true })
  await isGone(id)
  for (const state of ['active', 'paused'])
    assert.equal((await seller('PUT', path(id), { state })).body['code'], 'step-not-possible', state)
  assert.deepEqual(await operates(id, 'active'), { state: 'active', changed: true })
  assert.deepEqual(await met(id), sold)
})

test('R-486 a draft goes on sale once it is submitted and matched to its product; an ended offer stays ended', async () => {
  const id = await offered()
  await database.pool.query(`update catalogue.offer set status = 'draft' where id = $1`, [id])
  assert.equal((await seller('PUT', path(id), { state: 'active' })).status, 409)
  assert.deepEqual(await moves(id, 'pending_match'), { state: 'pending_match', changed: true })
  assert.equal((await seller('PUT', path(id), { state: 'active' })).status, 409, 'it is not for the seller to say')
  assert.deepEqual(await operates(id, 'active'), { state: 'active', changed: true })
  assert.deepEqual(await met(id), sold)
  assert.deepEqual(await moves(id, 'ended'), { state: 'ended', changed: true })
  await isGone(id)
  for (const state of ['draft', 'pending_match', 'active', 'paused']) assert.equal((await seller('PUT', path(id), { state })).status, 409)
  assert.deepEqual(await operates(id, 'active'), { error: 'step-not-possible' })
})

test('R-486 A13 nobody else moves an offer: another seller, a key without the scope, another market, a visitor', async () => {
  const id = await offered()
  for (const [call, status] of [
    [another('PUT', path(id), { state: 'paused' }), 404],
    [another('GET', path(id)), 404],
    [reader('PUT', path(id), { state: 'paused' }), 403],
    [seller('PUT', path(id, 'fr'), { state: 'paused' }), 404],
    [operate(path(id), { state: 'suspended' }, 'Bearer wrong'), 401],
    [operate(path('999999'), { state: 'suspended' }), 404],
    [operate(path(id), { state: 'out_of_stock' }), 400],
  ] as const)
    assert.equal((await call).status, status)
  assert.deepEqual(await met(id), sold)
})

const moveSeller = (id: number, state: string) => operate(`/sellers/${id}/state`, { state })

test('R-486 the offers of a suspended seller vanish and come back; a closed one does not trade again', async () => {
  const id = await offered({ sellerId: 4 })
  assert.deepEqual(await met(id), sold)
  assert.deepEqual(await moveSeller(4, 'suspended'), { status: 200, body: { state: 'suspended', changed: true } })
  assert.deepEqual(await moveSeller(4, 'suspended'), { status: 200, body: { state: 'suspended', changed: false } })
  assert.deepEqual(await met(id), { page: false, card: false, cart: 'unknown-offer' })
  await moveSeller(4, 'active')
  assert.deepEqual(await met(id), sold)
  assert.equal((await moveSeller(4, 'closed')).status, 200)
  assert.deepEqual(await met(id), { page: false, card: false, cart: 'unknown-offer' })
  for (const state of ['applied', 'kyc_pending', 'active', 'restricted', 'suspended'])
    assert.deepEqual(await moveSeller(4, state), { status: 409, body: { error: 'step-not-possible' } })
})

test('R-486 a restricted seller sells what is on sale, and puts nothing else on sale', async () => {
  const [id, paused] = [await offered(), await offered()]
  await moves(paused, 'paused')
  await moveSeller(1, 'restricted')
  assert.deepEqual(await met(id), sold)
  assert.equal((await seller('PUT', path(paused), { state: 'active' })).body['code'], 'seller-not-active')
  await moveSeller(1, 'active')
  assert.deepEqual(await moves(paused, 'active'), { state: 'active', changed: true })
})

test('R-486 a seller who applies trades after the check of identity alone', async () => {
  const id = await offered({ sellerId: 2 })
  await database.pool.query(`update sellers.seller set status = 'applied' where id = 2`)
  assert.equal((await moveSeller(2, 'active')).status, 409)
  assert.deepEqual(await moveSeller(2, 'kyc_pending'), { status: 200, body: { state: 'kyc_pending', changed: true } })
  assert.deepEqual(await met(id), { page: false, card: false, cart: 'unknown-offer' })
  assert.equal((await moveSeller(2, 'active')).status, 200)
  assert.deepEqual(await met(id), sold)
  assert.deepEqual(await operate('/sellers/2/state'), { status: 200, body: { state: 'active' } })
  for (const [address, status] of [
    ['/sellers/999/state', 404],
    ['/sellers/0x2/state', 404],
  ] as const)
    assert.equal((await operate(address, { state: 'active' })).status, status)
  assert.equal((await operate('/sellers/2/state', { state: 'gone' })).status, 400)
})
