import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testDatabase } from '#platform/testing'
import { createGateway } from '../../edges/gateway/index.ts'
import { addOffer, addresses, fillShop } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6101' })
const hosts = createSiteHosts({ port: 3000, realHosts: 'www.purlin.example=gb/b2c,shop.purlin.example=gb/b2c' })
const { execute } = await createGateway({ pool: database.pool, hosts })

/** From an empty cart to a placed order, with every request on one host. */
async function buyOn(host: string, more: Record<string, string> = {}): Promise<{ order: string; payment: string }> {
  let cookie = ''
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors, setCookies } = await execute({ query, variables, headers: { host, cookie, ...more } })
    assert.equal(errors, undefined, JSON.stringify(errors))
    cookie = setCookies?.[0]?.split(';')[0] ?? cookie
    return data as Record<string, { order?: { id: string }; refusal: unknown }>
  }
  await ask('mutation { addToCart(offerId: "6101", quantity: 1) { refusal { reason } } }')
  await ask('mutation { continueAsGuest(email: "buyer@example.com") { refusal { reason } } }')
  const save = 'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id } refusal { reason } } }'
  const id = (await ask(save, { input: addresses.gb }))['saveAddress']?.order?.id ?? ''
  const place = 'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { refusal { reason } } }'
  assert.equal((await ask(place, { id, key: randomUUID() }))['placeOrder']?.refusal, null)
  const { rows } = await database.pool.query(
    'select o.origin as order, p.origin as payment from orders.customer_order o join payments.payment p on p.customer_order_id = o.id where o.id = $1',
    [id],
  )
  return rows[0] as { order: string; payment: string }
}

const origins = {
  'localhost:3000': 'http://localhost:3000',
  '127.0.0.1:3000': 'http://127.0.0.1:3000',
  'gb.localhost:3000': 'http://gb.localhost:3000',
  'www.purlin.example': 'https://www.purlin.example',
  'shop.purlin.example': 'https://shop.purlin.example',
}
for (const [host, origin] of Object.entries(origins)) {
  test(`V-24: an order placed on ${host} is paid there`, async () => {
    assert.deepEqual(await buyOn(host), { order: origin, payment: origin })
  })
}

test('V-24: forged host headers change no link', async () => {
  const claims = {
    'x-forwarded-host': 'evil.example',
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
    forwarded: 'host=evil.example',
  }
  assert.deepEqual(await buyOn('localhost:3000', claims), { order: 'http://localhost:3000', payment: 'http://localhost:3000' })
})
