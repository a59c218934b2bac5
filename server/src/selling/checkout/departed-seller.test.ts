import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forgetSellers } from '#sellers'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, addresses, fillShop } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6301' })
const gateway = await testGateway(database.pool)
test.after(() => gateway.close())

test('an order whose seller has left shows the seller as of the sale, and no invented data', async () => {
  let cookie = ''
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { body, cookie: set } = await gateway.post(query, variables, { cookie })
    cookie = set || cookie
    const { data, errors } = body as { data: never; errors?: unknown }
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  await ask('mutation { addToCart(offerId: "6301", quantity: 1) { refusal { reason } } }')
  await ask('mutation { continueAsGuest(email: "buyer@example.com") { refusal { reason } } }')
  const save = 'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id } refusal { reason } } }'
  const { saveAddress } = (await ask(save, { input: addresses.gb })) as { saveAddress: { order: { id: string } } }
  const { id } = saveAddress.order
  const place = 'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { refusal { reason } } }'
  await ask(place, { id, key: randomUUID() })
  const see = `query ($id: ID!) { customerOrder(id: $id) { state sellerOrders { state seller {
    id slug name url legalName country countryName vatNumber registration address email phone rating ratingCount responseHours about returnTerms } } } }`
  interface Seen {
    customerOrder: { state: string; sellerOrders: { state: string; seller: { name: string; email: string; registration: string } }[] }
  }
  const before: Seen = await ask(see, { id })
  assert.deepEqual([before.customerOrder.state, before.customerOrder.sellerOrders[0]?.state], ['AWAITING_PAYMENT', 'AWAITING_PAYMENT'])
  await database.pool.query('truncate sellers.seller cascade')
  forgetSellers()
  const after: Seen = await ask(see, { id })
  const [sold, seen] = [before, after].map(({ customerOrder }) => customerOrder.sellerOrders[0]?.seller)
  assert.equal(seen?.name, sold?.name)
  assert.deepEqual([seen?.email, seen?.registration], ['', ''])
})
