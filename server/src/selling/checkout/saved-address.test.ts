import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markets } from '@purlin/contract/markets.ts'
import { keepAddress, listAddresses } from '#addresses'
import { addToCart } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { addCustomer } from '../../people/accounts/testing.ts'
import { chooseSavedAddress, saveAddress } from './save-address.ts'
import { addOffer, addresses, fillShop, must, newBuyer, type Buyer } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '9001' })

async function customerWithCart(): Promise<Buyer> {
  const buyer = newBuyer(database, { principal: { kind: 'customer', ...(await addCustomer(database.db)) } })
  must(await buyer.does((scope) => addToCart(scope, { offerId: '9001', quantity: 1 })))
  return buyer
}
async function kept(buyer: Buyer, market: 'gb' | 'fr', defaults: ('delivery' | 'billing')[] = []): Promise<string> {
  const input = { ...addresses[market], country: markets[market].country, defaults }
  const answer = await buyer.does((scope) => keepAddress(scope, null, input))
  assert.ok(answer.ok)
  return answer.address.id
}

test('R-128 a customer delivers to a saved address in one click, with the invoice going to the preferred billing address', async () => {
  const buyer = await customerWithCart()
  const home = await kept(buyer, 'gb')
  await kept(buyer, 'fr', ['billing'])
  const { orderId } = must(await buyer.does((scope) => chooseSavedAddress(scope, home)))
  const order = await readOrder(database.db, orderId)
  assert.deepEqual([order?.address.line1, order?.address.country, order?.billingAddress.country], [addresses.gb.line1, 'GB', 'FR'])
})

test('A1 A7 another customer’s address, or one abroad, cannot be chosen for delivery', async () => {
  const [buyer, other] = [await customerWithCart(), await customerWithCart()]
  const abroad = await kept(buyer, 'fr')
  const theirs = await kept(other, 'gb')
  for (const id of [abroad, theirs, '00000000-0000-7000-8000-0000000000ff', "'"])
    assert.deepEqual(await buyer.does((scope) => chooseSavedAddress(scope, id)), { ok: false, reason: 'address-missing' })
})

test('an address entered at checkout is saved only for a customer who requests it', async () => {
  const buyer = await customerWithCart()
  must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  assert.equal((await listAddresses(buyer.scope())).length, 0)
  must(await buyer.does((scope) => saveAddress(scope, { ...addresses.gb, keep: true })))
  assert.deepEqual(
    (await listAddresses(buyer.scope())).map(({ line1, isDeliveryDefault }) => [line1, isDeliveryDefault]),
    [[addresses.gb.line1, true]],
  )
  const guest = newBuyer(database)
  must(await guest.does((scope) => addToCart(scope, { offerId: '9001', quantity: 1 })))
  must(await guest.does((scope) => saveAddress(scope, { ...addresses.gb, keep: true })))
})
