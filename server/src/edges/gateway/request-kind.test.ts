import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type { FastifyRequest } from 'fastify'
import { settings } from '#platform'
import { testDatabase } from '#platform/testing'
import type { RequestKind } from '../../foundation/platform/waiting-queues.ts'
import { executableSchema } from './build-schema.ts'
import { loadSdl } from './load-schema.ts'
import { fieldsByKind, kindOf } from './request-kind.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

/** The kind of a request to a route as it is mounted; an unknown one has no route. */
function kindAt(method: string, url: string, sent: { body?: unknown; headers?: object; query?: object } = {}): RequestKind | null {
  const route = gateway.routes.find((each) => each.url === url && [each.method].flat().includes(method))
  const routeOptions = { url: route?.url, config: route?.config ?? {} }
  return kindOf({ method, url, headers: {}, query: {}, body: null, ...sent, routeOptions } as unknown as FastifyRequest)
}

const hashOf = (name: string): string => {
  const [hash] = Object.entries(knownDocuments).find(([, text]) => new RegExp(`^(?:query|mutation) ${name}\\b`).test(text)) ?? []
  assert.ok(hash, name)
  return hash
}
const byHash = (name: string, more: object = {}) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(name) } },
  ...more,
})

for (const [name, kind] of [
  ['PlaceOrder', 'checkout'],
  ['PlaceExpressOrder', 'checkout'],
  ['ChoosePaymentMethod', 'checkout'],
  ['SaveAddress', 'checkout'],
  ['CustomerOrder', 'checkout'],
  ['AddToCart', 'cart'],
  ['Cart', 'cart'],
  ['ChooseCartDelivery', 'cart'],
  ['Product', 'product'],
  ['AddToWishlist', 'product'],
  ['Listing', 'listing'],
  ['CountListing', 'listing'],
  ['BestSellers', 'listing'],
  ['Suggestions', 'suggestions'],
] as const)
  test(`V-12 our own document ${name} waits with ${kind}, by POST and by GET`, () => {
    assert.equal(kindAt('POST', '/graphql', { body: byHash(name) }), kind)
    const { extensions } = byHash(name)
    assert.equal(kindAt('GET', '/graphql', { query: { extensions: JSON.stringify(extensions) } }), kind)
  })

test('V-12 a document of a program never goes before listings, except for a single command and for a short step of a purchase', () => {
  const kindOfText = (query: string, more: object = {}) => kindAt('POST', '/graphql', { body: { query, ...more } })
  assert.equal(kindOfText('mutation ($id: ID!) { placeOrder(customerOrderId: $id, idempotencyKey: "k") { order { id } } }'), 'checkout')
  assert.equal(kindOfText('mutation { added: addToCart(offerId: "1", quantity: 1) { refusal { reason } } }'), 'cart')
  assert.equal(kindOfText('mutation { voteOnReview(id: "1") { ok } }'), 'product')
  assert.equal(kindOfText('{ cart { id } }'), 'cart')
  assert.equal(kindOfText('query ($id: ID!) { order: customerOrder(id: $id) { state payment { frameUrl } } }'), 'checkout')
  for (const text of [
    '{ cart { id } listing(input: { kind: search }) { total } }',
    `{ cart { ${'id '.repeat(120)} } }`,
    'query A { cart { id } } query B { listing(input: { kind: search }) { total } }',
    'mutation { a: addToCart(offerId: "1", quantity: 1) { refusal { reason } } placeOrder { id } }',
    'query { product(id: "1") { id } }',
    '{ listing(input: { kind: search }) { total } } # mutation { placeOrder }',
    'mutation A { placeOrder { id } } query B { listing(input: { kind: search }) { total } }',
    'mutation'.repeat(5000),
    '',
  ])
    assert.equal(kindOfText(text), 'listing', text.slice(0, 80))
  assert.equal(kindOfText('{ listing { total } }', byHash('PlaceOrder')), 'listing', 'a hash of another text')
})

test('V-12 batches and requests without a document wait as listings do', () => {
  for (const body of [
    [byHash('PlaceOrder')],
    [],
    null,
    'text',
    7,
    {},
    { extensions: null },
    { extensions: { persistedQuery: { sha256Hash: 'toString' } } },
  ])
    assert.equal(kindAt('POST', '/graphql', { body }), 'listing', JSON.stringify(body))
  for (const extensions of ['{', '7', 'null', ['a'], undefined])
    assert.equal(kindAt('GET', '/graphql', { query: { extensions } }), 'listing')
})

test('V-12 V-15 only POSTs to routes that take files wait in no queue, whatever their content type says', () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  assert.equal(kindAt('POST', '/api/v1/uploads', { headers }), null)
  assert.equal(kindAt('POST', '/api/v1/quick-order/sheet', { headers }), null)
  assert.equal(kindAt('GET', '/graphql', { headers }), 'listing')
  assert.equal(kindAt('POST', '/graphql', { headers }), 'listing')
  assert.equal(kindAt('GET', '/api/v1/my-data', { headers }), 'listing')
  assert.equal(kindAt('GET', '/health/ready'), null)
  assert.equal(kindAt('GET', '/metrics'), null)
})

test('V-12 a message of a provider goes first only if it is signed; anything else sent there goes last', () => {
  const intent = { id: 'pi_1', status: 'captured', reference: 'r', amount: 1, currency: 'GBP', captured: 1, refunded: 0 }
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'intent.captured',
    intent: { ...intent, failure_code: null, card: null, frame_url: '' },
  })
  const seconds = Math.floor(Date.now() / 1000)
  const signature = (secret: string) => `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  const sent = (text: string) => kindAt('POST', '/webhooks/payment', { body, headers: { 'x-payment-signature': text } })
  const { payments } = settings()
  assert.equal(sent(signature('another secret')), 'suggestions')
  assert.equal(sent(''), 'suggestions')
  assert.equal(sent(signature(payments.webhookSecret)), 'checkout')
  for (const path of ['/webhooks/credit', '/webhooks/carrier']) assert.equal(kindAt('POST', path, { body }), 'suggestions', path)
  assert.equal(kindAt('POST', '/webhooks/anything', { body }), 'listing')
})

test('V-12 reports of programs go last, signing in with carts, and other calls with products', () => {
  for (const path of ['/api/v1/events', '/api/v1/search-events', '/api/v1/web-vitals/beacon', '/api/v1/pro-event/event'])
    assert.equal(kindAt('POST', path), 'suggestions', path)
  assert.equal(kindAt('POST', '/api/auth/*'), 'cart')
  assert.equal(kindAt('POST', '/api/v1/punch-out/cxml'), 'product')
})

test('V-12 what only looks like a step of a purchase waits as what it is', () => {
  const listing = 'listing(input: { kind: search, query: "saw" }) { total }'
  const kindOfText = (query: string) => kindAt('POST', '/graphql', { body: { query } })
  const disguised = [
    `{ placeOrder,:${listing} }`,
    `{ cart #\n:${listing} }`,
    `query #{placeOrder\n{ ${listing} }`,
    `query ($a: ID = "{placeOrder ") { ${listing} }`,
    `query @skip(if: false) { placeOrder: ${listing} }`,
    '{ ...placeOrder }',
    '{ ... { cart { itemCount } } }',
    '{ cart',
  ]
  for (const query of disguised) assert.equal(kindOfText(query), 'listing', query)
  assert.equal(kindOfText('{ # a comment\n first: cart { itemCount } }'), 'cart')
  assert.equal(kindOfText('mutation A($id: ID!) { placeOrder(id: $id) { refusal { reason } } }'), 'checkout')
})

test('V-12 every operation with a kind of its own is one of the schema', () => {
  const schema = executableSchema(loadSdl(), {})
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
  assert.deepEqual(
    Object.values(fieldsByKind)
      .flat()
      .filter((field) => !Object.hasOwn(fields, field)),
    [],
  )
})
