/** The page to which a payment provider returns the buyer, over a real order and the embedded provider. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPaymentProvider } from '@purlin/services/payment-provider/index.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import * as checkoutJobs from '@purlin/server/selling/checkout/jobs.ts'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { handlers, jobs } from '@purlin/server/selling/payments/jobs.ts'
import { usePaymentProvider } from '@purlin/server/selling/payments/settings.ts'
import { readPaymentOfOrder } from '@purlin/server/selling/payments/store.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
const provider = await startPaymentProvider({
  port: 0,
  file: ':memory:',
  webhookUrl: `${shop.gateway.url}/webhooks/payment`,
  ...secrets,
})
usePaymentProvider(embeddedProvider({ url: `http://127.0.0.1:${provider.port}`, timeoutMs: 300, ...secrets }))
after(async () => {
  await provider.close()
  await shop.close()
})

const work = () => runWork(shop.database, handlers, [...checkoutJobs.jobs, ...jobs])
const orderId = shop.belongings.guest.draft
/** What a buyer or a forger may have in the address. */
const claims = `order=${orderId}&redirect_status=succeeded&paid=1&state=captured&look=6`
const at = (query: string, visitor: 'guest' | 'customer' | 'anonymous' = 'guest') => shop.ask(visitor, 'b2c', `/spartacux/payment?${query}`)
const leadsTo = async (query: string) => {
  const { status, headers } = await at(query)
  return `${status} ${String(headers['location'] ?? '')}`
}

const placed = await shop.graphql(
  'guest',
  'b2c',
  'mutation ($id: ID!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: "return-from-payment") { refusal { reason } } }',
  { id: orderId },
)
assert.deepEqual(structuredClone(placed.data), { answer: { refusal: null } })
await work()

test('R-077 returning from the provider, the state of our own order decides: claims of the address and unsigned messages pay nothing', async () => {
  const waiting = await at(`order=${orderId}`)
  assert.equal(waiting.status, 200)
  assert.match(`${String(waiting.headers['x-robots-tag'] ?? '')} ${/<meta name="robots"[^>]*>/.exec(waiting.body)?.[0] ?? ''}`, /noindex/)
  assert.equal(await leadsTo(claims), `302 /order/${orderId}/secure-payment`)

  const { id, amount, providerReference } = (await readPaymentOfOrder(shop.database.db, orderId)) ?? {}
  const intent = { id: providerReference, status: 'captured', reference: id, amount, currency: 'GBP', captured: amount }
  const forged = await fetch(`${shop.gateway.url}/webhooks/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-payment-signature': 't=1,v1=00' },
    body: JSON.stringify({ id: 'evt_1', type: 'intent.captured', intent }),
  })
  assert.equal(forged.status, 400)
  await work()
  assert.equal(await leadsTo(claims), `302 /order/${orderId}/secure-payment`)
})

test('R-077 once the provider’s signed message says so, the page leads to the receipt, and nobody else finds the order', async () => {
  const { frameUrl } = (await readPaymentOfOrder(shop.database.db, orderId)) ?? {}
  const typed = await fetch(String(frameUrl).replace('pay.localhost', '127.0.0.1'), {
    method: 'POST',
    body: new URLSearchParams({ number: '4000 0000 0000 0002', expiry: '12 / 39', code: '123', name: 'Robin Field' }),
  })
  assert.match(await typed.text(), /Payment confirmed/)
  const receipt = `302 /order/${orderId}/secure-payment/receipt`
  let seen = ''
  for (const until = Date.now() + 5_000; seen !== receipt && Date.now() < until; await sleep(20)) {
    await work()
    seen = await leadsTo(`order=${orderId}&look=6`)
  }
  assert.equal(seen, receipt)
  assert.equal(await leadsTo(`order=${orderId}&redirect_status=failed`), receipt, 'a claim of failure changes nothing either')
  for (const visitor of ['customer', 'anonymous'] as const) assert.equal((await at(`order=${orderId}`, visitor)).status, 404, visitor)
})
