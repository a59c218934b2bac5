/** Twenty visitors shop while the identity provider is stopped, slow, returns HTML or has new keys. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { somebody } from '@purlin/server/people/auth/test-provider.ts'
import { gb, testBrowser, type TestBrowser } from '@purlin/server/people/auth/testing.ts'
import { addresses } from '@purlin/server/people/addresses/testing.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
const { provider, gateway, database } = shop
after(() => shop.close())
afterEach(() => void (provider.mood = 'well'))

/** Longer than any page may take, and shorter than a visitor's patience. */
const patienceMs = 5_000
const atOnce = <Item>(items: readonly Item[], work: (item: Item) => Promise<void>) => Promise.all(items.map(work))

interface Shopper {
  browser: TestBrowser
  email: string
}
async function signedIn(): Promise<Shopper> {
  const person = somebody()
  provider.person = person
  const browser = testBrowser(gateway)
  const reply = await browser.signIn(gb, { callbackUrl: '/cart' })
  assert.equal(new URL(reply.location).pathname, '/cart', reply.location)
  return { browser, email: String(person['email']) }
}

/** Signed in one after another: the provider handles one person at a time. */
const customers: Shopper[] = []
for (let count = 0; count < 10; count++) customers.push(await signedIn())

async function change<Result extends { refusal: { reason: string } | null }>(
  browser: TestBrowser,
  fields: string,
  variables: object,
): Promise<Result> {
  const { status, body } = await browser.ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: fields, variables }),
  })
  const { data, errors } = JSON.parse(body) as { data: { answer: Result } | null; errors?: unknown }
  assert.ok(status === 200 && data && !errors && data.answer.refusal === null, body.slice(0, 300))
  return data.answer
}
const refusal = 'refusal { reason }'
const add = `mutation { answer: addToCart(offerId: "410", quantity: 1) { cart { itemCount } ${refusal} } }`

/** From an empty cart to an order awaiting payment. */
async function buys(browser: TestBrowser, email: string | null): Promise<void> {
  await change(browser, add, {})
  if (email !== null)
    await change(browser, `mutation ($email: String!) { answer: continueAsGuest(email: $email) { ${refusal} } }`, { email })
  const { order } = await change<{
    refusal: null
    order: { id: string; sellerOrders: { seller: { id: number }; deliveryKind: string }[] }
  }>(
    browser,
    `mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id sellerOrders { seller { id } deliveryKind } } ${refusal} } }`,
    { input: addresses.gb },
  )
  const choices = order.sellerOrders.map(({ seller, deliveryKind }) => ({ sellerId: seller.id, kind: deliveryKind }))
  await change(
    browser,
    `mutation ($id: ID!, $key: String!, $choices: [DeliveryChoiceInput!]) { answer: placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: $choices) { ${refusal} } }`,
    { id: order.id, key: randomUUID(), choices },
  )
}

/** No request takes longer than a visitor would wait. */
async function inTime<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const began = performance.now()
  const value = await work()
  const took = performance.now() - began
  assert.ok(took < patienceMs, `${what} took ${Math.round(took)} ms`)
  return value
}

async function isKnown({ browser, email }: Shopper): Promise<void> {
  const session = await inTime('the session', async () => browser.session())
  assert.deepEqual([session.user?.email, session.error], [email, undefined])
  assert.equal((await inTime('the account', async () => browser.ask('/customer-area'))).status, 200)
}

const overdue = async () =>
  void (await database.pool.query(`update accounts.session set fresh_until = now() - interval '1 minute' where fresh_until is not null`))

const faults = [
  ['is stopped', 'down'],
  ['never answers', 'slow'],
  ['answers HTML', 'html'],
  ['answers HTML for tokens alone', 'html-for-tokens'],
] as const
for (const [fault, mood] of faults) {
  test(`F7 R-602: while the identity provider ${fault}, ten sessions continue, ten guests order, signing in explains what to do, and five seconds later everything works`, async () => {
    await overdue()
    provider.mood = mood
    const guests = Array.from({ length: 10 }, () => testBrowser(gateway))
    await Promise.all([
      atOnce(customers, async (customer) => {
        await isKnown(customer)
        await inTime('a customer’s order', async () => buys(customer.browser, null))
      }),
      atOnce(guests, async (browser) => inTime('a guest’s order', async () => buys(browser, `${randomUUID()}@example.com`))),
      signingInHelps(mood),
    ])
    provider.mood = 'well'
    await becomesWell()
    await atOnce(customers, isKnown)
  })
}

/** The sign-in page works; beyond it there is an explanation and a link to continue as a guest. */
async function signingInHelps(mood: string): Promise<void> {
  const browser = testBrowser(gateway)
  assert.equal((await browser.ask('/login?callbackUrl=/cart')).status, 200)
  // A provider that issues no tokens still shows its form: the error appears on the return.
  if (mood === 'html-for-tokens') provider.person = somebody()
  // The provider's metadata is cached for three seconds.
  else await sleep(3_100)
  const reply = await inTime('signing in', async () => browser.signIn(gb, { callbackUrl: '/cart' }))
  const to = new URL(reply.location, `http://${gb}`)
  assert.equal(to.pathname, '/auth/error-page', `${reply.status} ${reply.location}`)
  const page = await browser.ask(to.pathname + to.search)
  assert.match(page.body, /href="\/login\?callbackUrl=%2Fcart"/)
  if (mood === 'html-for-tokens') return
  assert.equal(page.status, 503)
  assert.match(page.body, /order as a guest/)
}

async function becomesWell(): Promise<void> {
  const began = performance.now()
  for (;;) {
    provider.person = somebody()
    const browser = testBrowser(gateway)
    const { location } = await browser.signIn(gb, { callbackUrl: '/cart' })
    if (new URL(location, `http://${gb}`).pathname === '/cart') break
    assert.ok(performance.now() - began < 5_000, `five seconds later signing in leads to ${location}`)
    await sleep(100)
  }
}

test('F7 A40: with newly rotated keys sign-ins work at once, ten customers and ten guests order, and no earlier session loses its refresh token', async () => {
  // The earlier keys are cached, for sign-ins and for refreshes.
  await signedIn()
  await overdue()
  await atOnce(customers, isKnown)
  await provider.rotateKeys()
  await overdue()
  const guests = Array.from({ length: 10 }, () => testBrowser(gateway))
  await Promise.all([
    signedIn(),
    atOnce(customers, async (customer) => {
      await isKnown(customer)
      await inTime('a customer’s order', async () => buys(customer.browser, null))
    }),
    atOnce(guests, async (browser) => inTime('a guest’s order', async () => buys(browser, `${randomUUID()}@example.com`))),
  ])
  // A refresh token whose response was misunderstood would be refused the second time.
  await sleep(4_100)
  await overdue()
  await atOnce(customers, isKnown)
})
