import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPaymentProvider, type PaymentProviderServer } from '../../../../services/src/payment-provider/index.ts'
import { readOrder } from '#orders'
import { readPaymentOfOrder, usePaymentProvider } from '#payments'
import { testDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addresses } from '../../people/addresses/testing.ts'
import { embeddedProvider } from '../payments/embedded-provider.ts'
import { addOffer, fillShop } from './testing.ts'

/**
 * Upper bounds for the cost of a whole order; when a step gets cheaper, lower its figure here. Statements without BEGIN
 * and COMMIT; transactions are those opened by BEGIN, every other statement being a transaction of its own.
 */
const budget: Record<string, { statements: number; transactions: number }> = {
  'add to cart': { statements: 3, transactions: 1 },
  'e-mail': { statements: 2, transactions: 0 },
  address: { statements: 2, transactions: 0 },
  delivery: { statements: 3, transactions: 0 },
  place: { statements: 6, transactions: 1 },
  'payment asked for': { statements: 2, transactions: 1 },
  'look until payable': { statements: 1, transactions: 0 },
  'card authorised': { statements: 3, transactions: 1 },
  'captured and confirmed': { statements: 13, transactions: 2 },
  'look until settled': { statements: 1, transactions: 0 },
}

const database = await testDatabase()
const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
let gateway: TestGateway
let provider: PaymentProviderServer
const { handlers, jobs } = await loadJobs()

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '1', stock: 100 })
  gateway = await testGateway(database.pool)
  const webhookUrl = `${gateway.url}/webhooks/payment`
  provider = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl, ...secrets })
  usePaymentProvider(embeddedProvider({ url: `http://127.0.0.1:${provider.port}`, ...secrets }))
})
after(() => provider.close())

const isBracket = /^(?:begin|commit|rollback)/
/** Polling for work costs the same whatever the backlog, and is shared by all orders of the moment. */
const isShared = /^worker\.(?:claim|settle-unheard|long-)/

const sent: string[] = []
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
mock.method(pg.Client.prototype, 'query', function note(this: pg.Client, ...given: unknown[]) {
  const [asked] = given
  sent.push(typeof asked === 'string' ? asked : ((asked as { name?: string; text: string }).name ?? (asked as { text: string }).text))
  return Reflect.apply(query, this, given)
})

interface Step {
  name: string
  statements: string[]
  transactions: number
}

async function step<Value>(name: string, steps: Step[], work: () => Promise<Value>): Promise<Value> {
  sent.length = 0
  const value = await work()
  const statements = sent.filter((each) => !isBracket.test(each) && !isShared.test(each))
  steps.push({ name, statements, transactions: sent.filter((each) => each.startsWith('begin')).length })
  return value
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end && !holds();) await sleep(5)
  await sleep(20)
}

/** A guest buys one item, over HTTP and through the worker. */
async function buy(): Promise<Step[]> {
  const steps: Step[] = []
  let cookie = ''
  const does = async (name: string, document: string, variables: object) => {
    const answer = await step(name, steps, () => gateway.post(document, variables, { cookie }))
    cookie ||= answer.cookie
    const { data } = answer.body as { data: Record<string, { refusal?: unknown; order?: { id: string } } | null> }
    const result = Object.values(data)[0]
    assert.ok(result && !result.refusal, JSON.stringify(answer.body))
    return result
  }
  const works = (name: string) => step(name, steps, () => runWork(database, handlers, jobs))
  const refusal = 'refusal { reason message }'
  await does('add to cart', `mutation { addToCart(offerId: "1", quantity: 1) { ${refusal} } }`, {})
  await does('e-mail', `mutation ($email: String!) { continueAsGuest(email: $email) { ${refusal} } }`, { email: 'robin@example.com' })
  const { order } = await does(
    'address',
    `mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id state sellerOrders { deliveryKind } } ${refusal} } }`,
    { input: addresses.gb },
  )
  const id = order?.id ?? ''
  await does(
    'delivery',
    `mutation ($id: ID!) { chooseDelivery(customerOrderId: $id, choices: [{ sellerId: 1, kind: "standard" }]) { ${refusal} } }`,
    { id },
  )
  await does('place', `mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { ${refusal} } }`, {
    id,
    key: randomUUID(),
  })
  await works('payment asked for')
  const look = `query ($id: ID!, $until: OrderMoment!) { customerOrder(id: $id, until: $until) { id state payment { frameUrl } } }`
  await does('look until payable', look, { id, until: 'payable' })
  const payment = await readPaymentOfOrder(database.db, id)
  const frame = String(payment?.frameUrl).replace('pay.localhost', '127.0.0.1')
  await step('card authorised', steps, async () => {
    const card = { number: '4000 0000 0000 0002', expiry: '12 / 39', code: '123', name: 'Robin Field' }
    await fetch(frame, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' })
    await until(() => sent.includes('commit'))
  })
  await step('captured and confirmed', steps, async () => {
    await runWork(database, handlers, jobs)
    // The provider's own message about the capture, which is no longer news.
    await until(() => sent.includes('payments.by-id'))
  })
  await does('look until settled', look, { id, until: 'settled' })
  assert.equal((await readOrder(database.db, id))?.state, 'paid')
  return steps
}

test('V-102 V-103: no step of an order exceeds its budget of statements and transactions', async () => {
  // Reference data cached per process is not part of an order's cost.
  await buy()
  for (const { name, statements, transactions } of await buy()) {
    const most = budget[name]
    assert.ok(most, name)
    assert.ok(
      statements.length <= most.statements,
      `${name}: ${statements.length} statements, at most ${most.statements}: ${statements.join(', ')}`,
    )
    assert.ok(transactions <= most.transactions, `${name}: ${transactions} transactions, at most ${most.transactions}`)
  }
})
