import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { settings, useSettings } from '../../foundation/platform/settings.ts'
import { jobs } from '../../people/auth/jobs.ts'
import { emailChanged } from '../../people/auth/provider-news.ts'
import { fakeProvider, somebody } from '../../people/auth/test-provider.ts'
import { testBrowser, type TestBrowser } from '../../people/auth/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { allowByToken } from './access-token.ts'

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

const isPaid = (id: string) =>
  database.pool.query(`update orders.customer_order set state = 'paid', placed_at = now(), paid_at = now() where id = $1`, [id])
/** Whether the list of orders contains it, and what the order says about that. */
async function isListed(one: TestBrowser, id: string): Promise<[boolean, boolean | undefined]> {
  const { data } = await one.graphql<{ myOrders: { orders: { id: string }[] }; customerOrder: { isInMyOrders: boolean } | null }>(
    `{ myOrders { orders { id } } customerOrder(id: "${id}") { isInMyOrders } }`,
  )
  return [data?.myOrders.orders.some((order) => order.id === id) ?? false, data?.customerOrder?.isInMyOrders]
}

test('R-315 an order with another address than the account’s is not in the list and says so, until that address is confirmed as the account’s', async () => {
  const one = testBrowser(gateway)
  const [sub, ordered] = [crypto.randomUUID(), 'Ordered.With@example.com']
  const id = await orderAsGuest(one, ordered)
  await isPaid(id)
  provider.person = somebody({ sub, email: 'registered.with@example.com' })
  await one.signIn()
  assert.deepEqual(await isListed(one, id), [false, false])

  // The provider reports another address at the next refresh.
  provider.person = somebody({ sub, email: 'ordered.with@example.com' })
  await one.signIn()
  assert.deepEqual(await isListed(one, id), [true, true])
  const elsewhere = testBrowser(gateway)
  await elsewhere.signIn()
  assert.deepEqual(await isListed(elsewhere, id), [true, true], 'on every device')
})

test('an address confirmed during a session brings the order by itself', async () => {
  const one = testBrowser(gateway)
  const [sub, ordered] = [crypto.randomUUID(), 'during@example.com']
  const id = await orderAsGuest(one, ordered)
  await isPaid(id)
  provider.person = somebody({ sub, email: 'before@example.com' })
  await one.signIn()
  await emailChanged(database.db, { issuer: `${provider.url}/realms/b2c`, subject: sub }, ordered)
  assert.deepEqual(await isListed(one, id), [false, false])
  await runWork(database, [], jobs)
  assert.deepEqual(await isListed(one, id), [true, true])
})

test('A43 the link of an order’s mail adds it to the account that has its address, and to no other; an unpaid one to none', async () => {
  const [buyer, owner, other] = [testBrowser(gateway), testBrowser(gateway), testBrowser(gateway)]
  const [paid, unpaid] = [await orderAsGuest(buyer, 'mailbox@example.com'), await orderAsGuest(testBrowser(gateway), 'mailbox@example.com')]
  await isPaid(paid)
  await database.pool.query(`update orders.customer_order set placed_at = now() where id = $1`, [unpaid])
  provider.person = somebody({ email: 'another-mailbox@example.com' })
  await other.signIn()
  provider.person = somebody({ email: 'mailbox@example.com' })
  await owner.signIn()
  for (const one of [other, owner]) {
    assert.deepEqual(await isListed(one, paid), [false, undefined], 'the address alone opens nothing')
    for (const id of [paid, unpaid]) {
      const { token } = await allowByToken(database.db, settings().mail.linkSecret, id)
      await one.graphql(`mutation { openOrderByToken(token: "${token}") { refusal { reason } } }`)
    }
    await runWork(database, [], jobs)
  }
  assert.deepEqual(await isListed(other, paid), [false, false])
  assert.deepEqual(await isListed(owner, paid), [true, true])
  assert.deepEqual(await isListed(owner, unpaid), [false, false])
  assert.equal(await isSeen(buyer, paid), true, 'the browser that ordered goes on seeing it')
})
