import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addOffer, fillShop, must } from '../../selling/checkout/testing.ts'
import { setQuantityBreaks } from '../catalogue/set-quantity-breaks.ts'
import { givePriceList } from './index.ts'

/** The sum that a list shows for its ticked items, next to that of the cart which they go into. */

const database = await testDatabase()
const { db } = database
await fillShop(database)
const gateway = await testGateway(database.pool)
// Seller 2 is in Germany, seller 3 in France: on the German storefront the prices of one are without VAT, those of the other with it.
for (const [id, sellerId] of [
  ['501', 2],
  ['502', 3],
  ['503', 2],
] as const)
  await addOffer(database, { id, sellerId, market: 'de', price: 1190, stock: 100 })
const breaks = [{ group: 'b2b' as const, from: 10, price: 1071 }]
must(await database.command({}, (scope) => setQuantityBreaks(scope, { market: 'de', offerId: '501', sellerId: 2, breaks })))

async function member() {
  const company = await addCompany(db, { country: 'DE' })
  const { id } = await addCustomer(db, { market: 'de' })
  await addMembership(db, id, company.id, 'buyer')
  const { token } = await signIn(db, { customerId: id, companyId: company.id, family: 'b2b' })
  return { companyId: company.id, who: { host: 'pro.de.localhost', cookie: `__Host-purlin=${token}` } }
}
type Items = { offerId: string; quantity: number }[]
interface Sum {
  taxKey: string
  total: { amount: number }
}
async function ask<Data>(query: string, items: Items, who: object): Promise<Data> {
  const { body } = await gateway.post(query, { items }, who)
  const { data, errors } = body as { data: Data; errors?: object }
  assert.equal(errors, undefined, JSON.stringify(errors))
  return data
}
const sumOf = async (items: Items, who: object) => {
  const query = 'query ($items: [CartItemInput!]!) { sumOfItems(items: $items) { taxKey total { amount } } }'
  const { sumOfItems } = await ask<{ sumOfItems: Sum }>(query, items, who)
  return [sumOfItems.taxKey, sumOfItems.total.amount]
}
const cartOf = async (items: Items, who: object) => {
  await ask('mutation ($items: [CartItemInput!]!) { addAllToCart(items: $items) { added refusal { reason } } }', items, who)
  const { cart } = await ask<{ cart: { taxKey: string; totals: { goods: { amount: number } } } }>(
    '{ cart { taxKey totals { goods { amount } } } }',
    [],
    who,
  )
  return [cart.taxKey, cart.totals.goods.amount]
}

test('the sum of a list is in one tax mode and is the cart’s: net if every price is, gross as soon as one is', async () => {
  const net = [
    { offerId: '501', quantity: 10 },
    { offerId: '503', quantity: 1 },
  ]
  const guest = { host: 'pro.de.localhost' }
  // Ten at 10.71 and one at 11.90: 9.00 and 10.00 without VAT.
  assert.deepEqual(await sumOf(net, guest), ['without_vat', 10_000])
  const { who } = await member()
  assert.deepEqual(await cartOf(net, who), ['without_vat', 10_000])
  const mixed = [...net, { offerId: '502', quantity: 2 }]
  assert.deepEqual(await sumOf(mixed, guest), ['with_vat', 10_710 + 1190 + 2380])
  assert.deepEqual(await cartOf([{ offerId: '502', quantity: 2 }], who), ['with_vat', 10_710 + 1190 + 2380])
})

test('the sum has the prices of the viewer’s company; unknown offers, other markets’ and quantities below one count nothing', async () => {
  const { companyId, who } = await member()
  const list = { market: 'de', name: 'Frame', validFrom: null, validTo: null, groups: [], companies: [{ companyId }] } as const
  const rules = [{ productId: '503', categoryId: null, price: 595, percentBp: null }]
  must(await database.command({}, (scope) => givePriceList(scope, 2, { ...list, rules })))
  const items = [{ offerId: '503', quantity: 2 }]
  assert.deepEqual(await sumOf(items, who), ['without_vat', 1000])
  assert.deepEqual(await sumOf(items, { host: 'pro.de.localhost' }), ['without_vat', 2000])
  assert.deepEqual(await cartOf(items, who), ['without_vat', 1000])
  const nothing = [
    { offerId: '503', quantity: 0 },
    { offerId: '404', quantity: 1 },
    { offerId: 'x', quantity: 1 },
  ]
  assert.deepEqual(await sumOf(nothing, who), ['with_vat', 0])
  assert.deepEqual(await sumOf(items, { host: 'pro.gb.localhost' }), ['with_vat', 0])
})
