import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from '../../people/auth/test-provider.ts'
import { jobs } from '../../people/auth/jobs.ts'
import { gb, pro, testBrowser, type TestBrowser } from '../../people/auth/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'

/** A guest's cart survives sign-in, including concurrent changes. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
await fillShop(database)
const offers = ['9001', '9002', '9003', '9004', '9005', '9006', '9007', '9008', '9009', '9010']
for (const id of offers) await addOffer(database, { id })
const gateway = await testGateway(database.pool)
const second = await testGateway(database.pool)

async function add(one: TestBrowser, offerId: string, quantity = 1, host = gb) {
  const answer = await one.graphql<{ addToCart: { refusal: null } }>(
    `mutation { addToCart(offerId: "${offerId}", quantity: ${quantity}) { refusal { reason } } }`,
    host,
  )
  assert.deepEqual(answer.errors, undefined)
  assert.equal(answer.data?.addToCart.refusal, null)
}
interface CartAnswer {
  cart: { sellers: { lines: { offerId: string; quantity: number }[] }[] }
}
async function linesOf(one: TestBrowser, host = gb): Promise<Record<string, number>> {
  const { data, errors } = await one.graphql<CartAnswer>('{ cart { sellers { lines { offerId quantity } } } }', host)
  assert.deepEqual(errors, undefined)
  const lines = data?.cart.sellers.flatMap((seller) => seller.lines) ?? []
  return Object.fromEntries(lines.map(({ offerId, quantity }) => [offerId, quantity]))
}

test('a guest who signs in finds their cart, and a later sign-in on another device adds to it', async () => {
  provider.person = somebody()
  const [laptop, phone] = [testBrowser(gateway), testBrowser(gateway)]
  await add(laptop, '9001', 2)
  await laptop.signIn()
  assert.deepEqual(await linesOf(laptop), { 9001: 2 })
  await add(phone, '9001', 1)
  await add(phone, '9002', 3)
  await phone.signIn()
  for (const one of [laptop, phone]) assert.deepEqual(await linesOf(one), { 9001: 2, 9002: 3 })
})

test('a customer has a cart for each storefront, and switching between them loses no line', async () => {
  provider.person = somebody({ company_name: 'Lee Ltd' })
  const one = testBrowser(gateway)
  await add(one, '9001', 1, pro)
  await one.signIn(pro, { provider: 'keycloak-b2b' })
  // As a guest on the other storefront, before the session is transferred there.
  await add(one, '9003', 2)
  let reply = await one.ask('/api/v1/exchange-to-b2c', { host: pro })
  while (reply.location.includes('/api/')) {
    const url = new URL(reply.location)
    reply = await one.ask(url.pathname + url.search, { host: url.host })
  }
  assert.ok((await one.session()).user)
  await add(one, '9002', 1)
  assert.deepEqual([await linesOf(one, pro), await linesOf(one)], [{ 9001: 1 }, { 9002: 1, 9003: 2 }])
})

test('signing out leaves no cart behind', async () => {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await add(one, '9001')
  await one.signIn()
  await one.post('/api/v1/logout', { no_redirect: 'true' })
  assert.deepEqual(await linesOf(one), {})
  await one.signIn()
  assert.deepEqual(await linesOf(one), { 9001: 1 })
})

test('ten concurrent sign-ins of one customer, on two processes, lose no line', async () => {
  provider.person = somebody()
  const browsers = offers.map((_, index) => testBrowser(index % 2 ? gateway : second))
  await Promise.all(browsers.map((one, index) => add(one, offers[index] ?? '', index + 1)))
  await Promise.all(browsers.map((one) => one.signIn()))
  const expected = Object.fromEntries(offers.map((id, index) => [id, index + 1]))
  for (const one of browsers) assert.deepEqual(await linesOf(one), expected)
})

test('whatever the carts and the order of merging, each line keeps its greatest quantity', async () => {
  const cart = fc.dictionary(fc.constantFrom(...offers), fc.integer({ min: 1, max: 5 }), { maxKeys: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(cart, { minLength: 1, maxLength: 4 }), fc.boolean(), async (carts, atOnce) => {
      provider.person = somebody()
      const browsers = carts.map(() => testBrowser(gateway))
      const expected: Record<string, number> = {}
      for (const [index, lines] of carts.entries()) {
        for (const [id, quantity] of Object.entries(lines)) {
          await add(browsers[index] ?? testBrowser(gateway), id, quantity)
          expected[id] = Math.max(expected[id] ?? 0, quantity)
        }
      }
      if (atOnce) await Promise.all(browsers.map((one) => one.signIn()))
      else for (const one of browsers) await one.signIn()
      for (const one of browsers) assert.deepEqual(await linesOf(one), expected)
    }),
    { numRuns: 8 },
  )
})

test('items that another tab adds to the guest’s cart during sign-in follow shortly after', async () => {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await add(one, '9001')
  const otherTab = testBrowser(gateway)
  otherTab.cookies.set(gb, new Map(one.cookies.get(gb)))
  await one.signIn()
  await add(otherTab, '9002')
  assert.equal(otherTab.cookies.get(gb)?.get('__Host-purlin')?.length, 43)
  assert.deepEqual(await linesOf(one), { 9001: 1 })
  await database.pool.query(`update platform.job set run_at = now() where name = 'auth.follow-late'`)
  await runWork(database, [], jobs)
  assert.deepEqual(await linesOf(one), { 9001: 1, 9002: 1 })
})

test('the funnel knows a customer’s e-mail address and continues at the address step', async () => {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await add(one, '9001')
  await one.signIn()
  const { data } = await one.graphql<{ funnel: object }>('{ funnel { step email } }')
  assert.deepEqual({ ...data?.funnel }, { step: 'address', email: provider.person['email'] })
})
