import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fastify from 'fastify'
import pg from 'pg'
import { log } from '#platform'
import { testDatabase } from '#platform/testing'
import { guardRoutes } from '../../edges/gateway/route-actions.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { handlers as fulfilmentHandlers } from '../fulfilment/jobs.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { keyDoor } from './admit-key.ts'
import { addKey, caller } from './testing.ts'

/** Keys of sellers, and the calls they open, through the gateway. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const staff = async (...roles: ('seller' | 'owner')[]) => {
  const { id } = await addStaff(database.db, { sellerId: 1, roles: roles.map((role) => ({ role, market: null })) })
  return `__Host-purlin-staff=${(await signIn(database.db, { staffId: id, family: 'staff' })).token}`
}
const owner = await staff('seller', 'owner')
const clerk = await staff('seller')
const strangers = `__Host-purlin-staff=${
  (
    await signIn(database.db, {
      staffId: (await addStaff(database.db, { sellerId: 2, roles: [{ role: 'owner', market: null }] })).id,
      family: 'staff',
    })
  ).token
}`
const ours = caller(gateway.url, (await addKey(database.db, 1)).key)
const theirs = caller(gateway.url, (await addKey(database.db, 2)).key)

interface Asked {
  data?: Record<string, never> | null
  errors?: { extensions: { code: string } }[]
}
async function graphql(cookie: string, document: string): Promise<Asked> {
  return (await gateway.post(document, {}, { cookie })).body
}
interface Made {
  key: { id: string; prefix: string; lastUsedAt: string | null } | null
  secret: string | null
  refusal: { reason: string } | null
}
async function create(cookie: string, scopes = '["orders:read"]', days = 90): Promise<Made | string> {
  const { data, errors } = await graphql(
    cookie,
    `mutation { answer: createSellerKey(input: { name: "Shop system", scopes: ${scopes}, days: ${days} }) { key { id prefix lastUsedAt } secret refusal { reason } } }`,
  )
  return errors?.[0]?.extensions.code ?? (data?.['answer'] as unknown as Made)
}
const made = (answer: Made | string): { id: string; prefix: string; secret: string } => {
  if (typeof answer === 'string' || !answer.key || !answer.secret) throw new Error(JSON.stringify(answer))
  return { ...answer.key, secret: answer.secret }
}

test('an owner creates a key, sees its prefix and last use, and revokes it; it works in between and never again', async () => {
  const { id, prefix, secret } = made(await create(owner))
  assert.ok(secret.startsWith(prefix) && secret.length > 40)
  assert.equal((await caller(gateway.url, secret)('GET', '/orders')).status, 200)
  const list = async () => JSON.stringify(await graphql(owner, '{ sellerKeys { id name prefix scopes lastUsedAt revokedAt } }'))
  const listed = await list()
  assert.ok(listed.includes(prefix) && !listed.includes(secret))
  assert.match(listed, new RegExp(`"id":"${id}"[^}]*"lastUsedAt":"20`))
  const { rows } = await database.pool.query('select * from integrations.seller_key where id = $1', [id])
  assert.ok(!JSON.stringify(rows).includes(secret.slice(12)), 'the key itself is stored')
  assert.equal((await graphql(strangers, `mutation { revoked: revokeSellerKey(id: "${id}") }`)).data?.['revoked'], false)
  assert.equal((await caller(gateway.url, secret)('GET', '/orders')).status, 200)
  assert.ok(!JSON.stringify(await graphql(strangers, '{ sellerKeys { id } }')).includes(id))
  assert.equal((await graphql(owner, `mutation { revoked: revokeSellerKey(id: "${id}") }`)).data?.['revoked'], true)
  const refused = await caller(gateway.url, secret)('GET', '/orders')
  assert.deepEqual([refused.status, refused.body['code']], [401, 'key-invalid'])
})

test('only an owner manages keys: not a clerk, not a key, and not with invalid input', async () => {
  assert.equal(await create(clerk), 'FORBIDDEN')
  assert.equal((await graphql(clerk, '{ sellerKeys { id } }')).errors?.[0]?.extensions.code, 'FORBIDDEN')
  for (const [scopes, days] of [
    ['[]', 90],
    ['["orders:read", "everything"]', 90],
    ['["orders:read"]', 0],
    ['["orders:read"]', 366],
  ] as const)
    assert.deepEqual(await create(owner, scopes, days), { key: null, secret: null, refusal: { reason: 'key-invalid' } })
  const { secret } = made(await create(owner))
  const { body } = await gateway.post('{ sellerKeys { id } }', {}, { headers: { authorization: `Bearer ${secret}` } })
  assert.match(JSON.stringify(body), /UNAUTHENTICATED|FORBIDDEN/)
})

test('missing, malformed, unknown, expired and wrong-scope keys open nothing, and neither does a session', async () => {
  const expired = await addKey(database.db, 1, { expiresAt: new Date(Date.now() - 1000) })
  const reader = await addKey(database.db, 1, { scopes: ['orders:read'] })
  for (const key of ['', 'x', `pks_${'a'.repeat(43)}`, `pks_${'a'.repeat(5000)}`, expired.key]) {
    const { status, body } = await caller(gateway.url, key)('GET', '/orders')
    assert.deepEqual([status, body['code']], [401, 'key-invalid'], key.slice(0, 20))
  }
  const session = await fetch(`${gateway.url}/api/seller/v1/orders`, { headers: { cookie: owner, 'sec-fetch-site': 'same-origin' } })
  assert.equal(session.status, 401)
  const { part } = await paidOrder(database, [[1, 1]])
  const { status, body } = await caller(gateway.url, reader.key)('POST', `/orders/${part(1)}/accept`, {})
  assert.deepEqual([status, body['code']], [403, 'scope-missing'])
})

test('a seller lists, reads, accepts and ships an order in two parcels, and reports an arrival', async () => {
  const { part, offers } = await paidOrder(database, [[1, 3]], { market: 'de' })
  await runWork(database, fulfilmentHandlers, [])
  const id = part(1)
  const work = await ours('GET', '/due-orders/accept')
  assert.ok(JSON.stringify(work.body).includes(id))
  const before = await ours('GET', `/orders/${id}`)
  assert.deepEqual([before.status, before.body['state'], before.body['market']], [200, 'pending', 'de'])
  assert.equal((await ours('POST', `/orders/${id}/accept`)).body['state'], 'accepted')
  const lines = (quantity: number) => [{ offerId: offers[0], quantity }]
  const carrier = (trackingNumber: string) => ({ name: 'DHL', trackingNumber })
  const first = await ours('POST', `/orders/${id}/parcels`, { lines: lines(2), carrier: carrier('DE111222') })
  assert.deepEqual([first.status, first.body['state']], [201, 'preparing'])
  const second = await ours('POST', `/orders/${id}/parcels`, { carrier: carrier('DE333444') })
  assert.deepEqual([second.status, second.body['state']], [201, 'shipped'])
  const reported = await ours('POST', `/parcels/${String(first.body['parcelId'])}/events`, { kind: 'delivered', place: 'Köln' })
  assert.equal(reported.status, 201)
  const { parcels } = (await ours('GET', `/orders/${id}`)).body as { parcels: { state: string; contents: { quantity: number }[] }[] }
  assert.deepEqual(
    parcels.map(({ state, contents }) => [state, contents[0]?.quantity]),
    [
      ['delivered', 2],
      ['on-the-way', 1],
    ],
  )
})

test('a seller refuses an order with a reason, and cancels accepted pieces', async () => {
  const refused = (await paidOrder(database, [[1, 1]])).part(1)
  assert.equal((await ours('POST', `/orders/${refused}/refuse`, { reason: 'out-of-stock' })).body['state'], 'refused')
  const cancelled = (await paidOrder(database, [[1, 1]])).part(1)
  const early = await ours('POST', `/orders/${cancelled}/cancel`, { reason: 'other' })
  assert.deepEqual([early.status, early.body['code']], [409, 'nothing-to-move'])
  await ours('POST', `/orders/${cancelled}/accept`)
  assert.equal((await ours('POST', `/orders/${cancelled}/cancel`, { reason: 'other', note: 'x' })).body['state'], 'cancelled')
})

test('pages of orders by cursor contain every order once', async () => {
  const single = caller(gateway.url, (await addKey(database.db, 3)).key)
  for (let n = 0; n < 3; n++) await paidOrder(database, [[3, 1]])
  const { rows } = await database.pool.query<{ id: string }>('select id from orders.seller_order where seller_id = 3 order by id')
  const [first = '', ...others] = rows.map(({ id }) => id)
  const ids = async (after: string) =>
    ((await single('GET', `/orders${after}`)).body as { orders: { id: string }[] }).orders.map(({ id }) => id)
  assert.deepEqual(await ids(''), [first, ...others])
  assert.deepEqual(await ids(`?after=${first}`), others)
})

test('A1 another seller’s order or parcel is as unknown as one that does not exist', async () => {
  const { part } = await paidOrder(database, [[1, 1]])
  const id = part(1)
  await ours('POST', `/orders/${id}/accept`)
  const unknown = 'P0000000000000000-1'
  const shipping = { carrier: { name: 'DHL', trackingNumber: `X${randomUUID().slice(0, 8)}` } }
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/accept', {}],
    ['POST', '/refuse', { reason: 'other' }],
    ['POST', '/cancel', { reason: 'other' }],
    ['POST', '/parcels', shipping],
  ] as const) {
    const foreign = await theirs(method, `/orders/${id}${path}`, body)
    const nothing = await theirs(method, `/orders/${unknown}${path}`, body)
    assert.deepEqual([foreign.status, foreign.body], [404, nothing.body], path)
  }
  const parcel = (await ours('POST', `/orders/${id}/parcels`, shipping)).body['parcelId'] as string
  const report = (of: string) => theirs('POST', `/parcels/${of}/events`, { kind: 'lost' })
  assert.deepEqual((await report(parcel)).body, (await report(randomUUID())).body)
  assert.equal((await ours('GET', `/orders/${id}`)).body['state'], 'shipped')
})

test('an Idempotency-Key makes a request count once, refuses another one, and is needed', async () => {
  const { part, offers } = await paidOrder(database, [[1, 2]])
  const path = `/orders/${part(1)}/accept`
  const lines = (quantity: number) => ({ lines: [{ offerId: offers[0], quantity }] })
  const headers = { 'idempotency-key': randomUUID() }
  const [first, again] = await Promise.all([ours('POST', path, lines(1), headers), ours('POST', path, lines(1), headers)])
  assert.deepEqual([first.status, again.status, first.body], [200, 200, again.body])
  const { pieces } = (await ours('GET', `/orders/${part(1)}`)).body as { pieces: { state: string; quantity: number }[] }
  assert.equal(pieces.find(({ state }) => state === 'accepted')?.quantity, 1)
  const other = await ours('POST', path, lines(2), headers)
  assert.deepEqual([other.status, other.body['code']], [409, 'idempotency-key-reused'])
  const without = await ours('POST', path, lines(1), { 'idempotency-key': '' })
  assert.deepEqual([without.status, without.body['code']], [400, 'idempotency-key-missing'])
})

test('invalid, oversized and foreign bodies and unknown addresses get problem details, and change nothing', async () => {
  const { part } = await paidOrder(database, [[1, 1]])
  const path = `/orders/${part(1)}/accept`
  for (const [status, code, body, headers] of [
    [400, 'input-invalid', { lines: [] }, {}],
    [400, 'input-invalid', { lines: [{ offerId: '1', quantity: 0 }] }, {}],
    [400, 'input-invalid', { rows: [] }, {}],
    [400, 'request-invalid', '{', {}],
    [415, 'not-json', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    [413, 'body-too-large', { lines: 'x'.repeat(200_000) }, {}],
  ] as const) {
    const answer = await ours('POST', path, body, headers)
    assert.deepEqual([answer.status, answer.body['code']], [status, code])
    assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  }
  const unknown = await ours('GET', '/nothing')
  assert.deepEqual([unknown.status, unknown.body['code']], [404, 'unknown-address'])
  assert.equal((await ours('GET', `/orders/${part(1)}`)).body['state'], 'pending')
})

for (const [what, error, answered, level] of [
  ['an error that nobody expected', new Error('the secret is hunter2'), [500, 'internal-error'], 'error'],
  ['a statement beyond its time', Object.assign(new Error('canceling'), { code: '57014' }), [504, 'timeout'], 'warn'],
  ['a database that is full', Object.assign(new Error('too many clients'), { code: '53300' }), [503, 'unavailable'], 'warn'],
] as const)
  test(`V-06 ${what} is logged with the reference of its problem, which says nothing internal`, async (t) => {
    const lines = t.mock.method(log, level, () => undefined)
    const { query } = pg.Client.prototype
    t.mock.method(pg.Client.prototype, 'query', function fail(this: pg.Client, ...given: unknown[]) {
      if (/^\s*rollback/i.test(String(given[0]))) return Reflect.apply(query, this, given)
      const callback = given.findLast((each): each is (thrown: Error) => void => typeof each === 'function')
      if (!callback) return Promise.reject(error)
      process.nextTick(callback, error)
      return undefined
    })
    const references = new Set<string>()
    for (const [method, path] of [
      ['GET', '/orders'],
      ['POST', '/orders/P0000000000000000-1/accept'],
    ] as const) {
      const { status, body, headers } = await ours(method, path)
      assert.deepEqual([status, body['code']], answered, path)
      assert.ok(!JSON.stringify(body).includes(error.message), path)
      assert.equal(headers.has('retry-after'), status === 503, path)
      const reference = String(body['reference'])
      const line = lines.mock.calls.map(({ arguments: [fields] }) => fields as Record<string, unknown>)
      assert.ok(
        line.some(({ requestId }) => requestId === reference),
        `${path}: ${reference} is not in the log: ${JSON.stringify(line)}`,
      )
      assert.match(reference, /^[\w-]{20,}$/, 'unique among processes and their restarts')
      references.add(reference)
    }
    assert.equal(references.size, 2)
  })

test('a seller answers a buyer and gives money back, at most what is left; another seller can do neither', async () => {
  const { part } = await paidOrder(database, [[1, 1]], { market: 'de' })
  const id = part(1)
  const answered = await ours('POST', `/orders/${id}/messages`, { text: 'It leaves today.' })
  assert.equal(answered.status, 201)
  const { messages } = (await ours('GET', `/orders/${id}/messages`)).body as { messages: { author: string; body: string }[] }
  assert.deepEqual(
    messages.map(({ author, body }) => [author, body]),
    [['seller', 'It leaves today.']],
  )
  assert.ok(JSON.stringify((await ours('GET', '/conversations?market=de')).body).includes(id))
  const { total } = (await ours('GET', `/orders/${id}`)).body as { total: { amount: number } }
  const refund = (amount: number, by = ours) => by('POST', `/orders/${id}/refunds`, { amount })
  assert.deepEqual([(await refund(1, theirs)).status, (await refund(100)).status], [404, 201])
  assert.equal((await refund(total.amount)).status, 201)
  const { rows } = await database.pool.query<{ amount: number }>(
    'select sum(amount)::int as amount from refunds.refund where seller_order_id = $1',
    [id],
  )
  assert.equal(rows[0]?.amount, total.amount)
  const nothingLeft = await refund(1)
  assert.deepEqual([nothingLeft.status, nothingLeft.body['code']], [409, 'nothing-left'])
  assert.equal((await theirs('POST', `/orders/${id}/messages`, { text: 'x' })).status, 404)
  assert.equal((await theirs('GET', `/orders/${id}/messages`)).status, 404)
})

test('lists of returns, cancellation requests and disputes are empty without any, and unknown ones cannot be handled', async () => {
  for (const path of ['/returns', '/cancellation-requests', '/disputes'])
    assert.equal((await ours('GET', `${path}?market=gb`)).status, 200, path)
  assert.equal((await ours('GET', '/returns')).status, 400)
  for (const [path, body] of [
    [`/returns/${randomUUID()}/steps`, { market: 'gb', do: 'accept' }],
    [`/cancellation-requests/${randomUUID()}/decision`, { market: 'gb', grant: true }],
    [`/disputes/${randomUUID()}/moves`, { market: 'gb', action: 'agree' }],
  ] as const)
    assert.equal((await ours('POST', path, body)).status, 404, path)
})

test('A64 a key beyond its rate gets 429 with Retry-After until a minute later; another key does not notice', async ({ mock }) => {
  const door = keyDoor(database.db)
  const now = new Date()
  const app = fastify()
  guardRoutes(app, { scopeOf: () => null, admitKey: (authorization, call) => door(authorization, call, now) })
  app.get('/orders', { config: { action: 'sellerOrder.see', keyScope: 'orders:read' } }, () => 'orders')
  const [busy, calm] = [(await addKey(database.db, 1)).key, (await addKey(database.db, 1)).key]
  const ask = (key: string) => app.inject({ url: '/orders', headers: { authorization: `Bearer ${key}` } })
  for (let n = 0; n < quotas['key-call'].key.units; n++)
    if ((await ask(busy)).statusCode !== 200) assert.fail(`refused after ${n} requests`)
  const refused = await ask(busy)
  assert.deepEqual(
    [refused.statusCode, Number(refused.headers['retry-after']) > 0, refused.json<{ code: string }>().code],
    [429, true, 'too-many-requests'],
  )
  assert.equal((await ask(calm)).statusCode, 200)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  assert.equal((await ask(busy)).statusCode, 200)
})
