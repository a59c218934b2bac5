import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from '../../people/auth/test-provider.ts'
import { testBrowser, type TestBrowser } from '../../people/auth/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'

/** Orders of a guest who signs in. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '9001' })
const gateway = await testGateway(database.pool)

const address =
  '{ firstName: "Ann", lastName: "Lee", line1: "1 Example Street", postcode: "M1 1AE", city: "Manchester", phone: "01632960123" }'

/** A guest's order, up to the delivery step. */
async function orderAsGuest(one: TestBrowser, email: string): Promise<string> {
  await one.graphql('mutation { addToCart(offerId: "9001", quantity: 1) { refusal { reason } } }')
  await one.graphql(`mutation { continueAsGuest(email: "${email}") { refusal { reason } } }`)
  const { data, errors } = await one.graphql<{ saveAddress: { order: { id: string } } }>(
    `mutation { saveAddress(input: ${address}) { order { id } refusal { reason } } }`,
  )
  assert.deepEqual(errors, undefined)
  assert.ok(data)
  return data.saveAddress.order.id
}
const ownerOf = async (id: string) =>
  (await database.pool.query('select owner from orders.customer_order where id = $1', [id])).rows[0].owner as string
async function isSeen(one: TestBrowser, id: string): Promise<boolean> {
  const { data } = await one.graphql<{ customerOrder: object | null }>(`{ customerOrder(id: "${id}") { id } }`)
  return Boolean(data?.customerOrder)
}

test('a guest who signs in with the e-mail address of their order finds it in their account, on every device', async () => {
  provider.person = somebody({ email: 'Ann.Lee@example.com' })
  const [one, other] = [testBrowser(gateway), testBrowser(gateway)]
  const id = await orderAsGuest(one, 'ann.lee@example.com')
  await one.signIn()
  await other.signIn()
  assert.match(await ownerOf(id), /^c:/)
  assert.deepEqual([await isSeen(one, id), await isSeen(other, id)], [true, true])
})

test('an order with another e-mail address stays the guest’s and remains visible in this browser', async () => {
  provider.person = somebody()
  const one = testBrowser(gateway)
  const id = await orderAsGuest(one, 'somebody-else@example.com')
  await one.signIn()
  assert.match(await ownerOf(id), /^s:/)
  assert.equal(await isSeen(one, id), true)
})

test('takeover: registering the e-mail address of other people’s orders opens none of them', async () => {
  const [victim, attacker] = [testBrowser(gateway), testBrowser(gateway)]
  const id = await orderAsGuest(victim, 'victim@example.com')
  provider.person = somebody({ email: 'victim@example.com' })
  await attacker.signIn()
  assert.equal(await isSeen(attacker, id), false)
  assert.equal(await isSeen(victim, id), true)
})

test('takeover: a link that opened an order to a guest still opens it after sign-in without making the guest its owner', async () => {
  const [buyer, friend] = [testBrowser(gateway), testBrowser(gateway)]
  const id = await orderAsGuest(buyer, 'buyer@example.com')
  await friend.graphql('mutation { continueAsGuest(email: "friend@example.com") { refusal { reason } } }')
  const cookie = friend.cookies.get('gb.localhost:3000')?.get('__Host-purlin') ?? ''
  await database.pool.query(
    `insert into orders.access_grant (owner, customer_order_id)
      values ('s:' || translate(rtrim(encode(sha256($1::bytea), 'base64'), '='), '+/', '-_'), $2)`,
    [cookie, id],
  )
  assert.equal(await isSeen(friend, id), true)
  provider.person = somebody({ email: 'buyer@example.com' })
  await friend.signIn()
  assert.equal(await isSeen(friend, id), true)
  assert.match(await ownerOf(id), /^s:/)
})
