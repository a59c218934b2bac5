import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { testDatabase } from '#platform/testing'
import { requireQuota, takeQuota } from '#platform'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { addToCart } from '#cart'
import { applyCoupon } from '../../selling/cart/apply-coupon.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '101', stock: 100_000 })
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const hashOfOwn = (name: string) => Object.entries(knownDocuments).find(([, text]) => new RegExp(`^query ${name}\\b`).test(text))?.[0]
const add = 'mutation { addToCart(offerId: "101", quantity: 1) { refusal { reason } } }'
const rowsOf = async (table: string) =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1

test('V-11 an address that makes session after session is refused with 429 and Retry-After, and its refused requests store nothing', async () => {
  const before = await rowsOf('accounts.session')
  const limit = quotas.session.address.units
  const answers: Awaited<ReturnType<typeof gateway.post>>[] = []
  // A line of its own has a whole /64: another address in it is the same sender.
  while (answers.length < limit + 40) {
    const batch = Array.from({ length: 8 }, (_, n) => gateway.post(add, {}, from(`2001:db8:1:2::${(answers.length + n + 1).toString(16)}`)))
    answers.push(...(await Promise.all(batch)))
  }
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 40)
  for (const { headers, cookie } of refused) {
    assert.ok(Number(headers.get('retry-after')) > 60)
    assert.equal(cookie, '')
  }
  assert.equal((await rowsOf('accounts.session')) - before, limit)
  assert.equal((await gateway.post(add, {}, from('2001:db8:1:3::1'))).status, 200)
})

test('V-11 a session that exists goes on although its address may make no more', async () => {
  const address = '198.51.100.77'
  const { cookie } = await gateway.post(add, {}, from(address))
  await takeQuota('session', { address }, quotas.session.address.units)
  assert.equal((await gateway.post(add, {}, from(address))).status, 429)
  assert.equal((await gateway.post(add, {}, { ...from(address), cookie })).status, 200)
})

test('V-11 visitors who only read, and commands that were refused, leave no row and use no quota', async () => {
  const tables = ['accounts.session', 'cart.cart', 'platform.outbox', 'platform.quota']
  const count = () => Promise.all(tables.map(rowsOf))
  const before = await count()
  const refused = 'mutation { addToCart(offerId: "999999", quantity: 1) { refusal { reason } } }'
  for (let n = 0; n < quotas.session.address.units + 5; n++)
    assert.equal((await gateway.post(n % 2 ? refused : '{ cart { itemCount } site { market } }', {}, from('203.0.113.9'))).status, 200)
  assert.deepEqual(await count(), before)
  assert.equal((await gateway.post(add, {}, from('203.0.113.9'))).status, 200)
})

test('V-09 A22 of sixty parallel coupon guesses ten are looked at, and a new session at the same address does not help', async () => {
  await addCoupon(database, { code: 'GUESSME' })
  const guesser = async () => {
    const buyer = newBuyer(database, { remoteAddress: '192.0.2.33' })
    must(await buyer.does((scope) => addToCart(scope, { offerId: '101', quantity: 2 })))
    return buyer
  }
  const guess = async (buyer: Awaited<ReturnType<typeof guesser>>, code: string) => {
    const outcome = await buyer.does((scope) => applyCoupon(scope, code))
    return outcome.ok ? 'ok' : outcome.reason
  }
  const first = await guesser()
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(first, `WRONG${n}`)))
  assert.equal(answers.filter((reason) => reason === 'coupon-unknown').length, 10)
  // Units used by the address count for each of its sessions.
  const next = await guesser()
  assert.equal(await guess(next, 'WRONG-AGAIN'), 'too-many-attempts')
  assert.equal(await guess(next, 'GUESSME'), 'too-many-attempts')
})

test('V-09 right codes are no guesses: a buyer may enter them as often as they like', async () => {
  await addCoupon(database, { code: 'RIGHT' })
  const buyer = newBuyer(database, { remoteAddress: '192.0.2.44' })
  must(await buyer.does((scope) => addToCart(scope, { offerId: '101', quantity: 2 })))
  for (let n = 0; n < 60; n++) must(await buyer.does((scope) => applyCoupon(scope, ' right ')))
})

test('V-11 one session places only so many orders in a quarter of an hour', async () => {
  const buyer = newBuyer(database, { remoteAddress: '192.0.2.55' })
  const orderId = await draftOrder(buyer, [{ offerId: '101', quantity: 1 }])
  await takeQuota('order', { session: buyer.scope().session?.id }, quotas.order.session.units)
  const refused = await place(buyer, orderId)
  assert.deepEqual(refused, { ok: false, reason: 'too-many-attempts' })
})

test('V-01 R-597 the cost of the operations of one address is budgeted, and the response says when to come back', async () => {
  await takeQuota('query', { address: '203.0.113.80' }, quotas.query.address.units)
  const { status, headers, body } = await gateway.post('{ site { market } }', {}, from('203.0.113.80'))
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.equal((body as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code, 'TOO_MANY_REQUESTS')
  assert.equal((await gateway.post('{ site { market } }', {}, from('203.0.113.81'))).status, 200)
})

test('V-11 documents, variables and keys that are refused count as a query of their network, however they are sent', async () => {
  const own = (variables: object) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: hashOfOwn('Product') } }, variables })
  const ways: [string, object, string?][] = [
    ['a text', { query: '{ nothing }' }],
    ['a text without end', { query: '{ site {' }],
    ['JSON', { query: '{"a":1}' }],
    ['wrong variables of our own document', own({ id: [] })],
    ['an unknown hash', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }],
    ['a page of another site', { query: '{ site { market } }' }, 'cross-site'],
    ['too long a batch', Array.from({ length: 11 }, () => ({ query: '{ site { market } }' }))],
  ]
  for (const [at, [name, body, site = 'same-origin']] of ways.entries()) {
    const address = `203.0.113.${100 + at}`
    await takeQuota('query', { address }, quotas.query.address.units - 2_000)
    const send = () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': site, 'x-forwarded-for': address },
        body: JSON.stringify(body),
      })
    assert.ok([200, 400, 403].includes((await send()).status), name)
    const { status, headers } = await send()
    assert.equal(status, 429, name)
    assert.ok(Number(headers.get('retry-after')) >= 1, name)
  }
})

test('V-15 a sender who is refused uses up no quota of the visitors it names', async () => {
  const victim = crypto.randomUUID()
  const flood = { address: '198.51.100.99' }
  await takeQuota('event', flood, quotas.event.address.units)
  assert.equal((await takeQuota('event', { ...flood, session: victim }, quotas.event.session.units)).ok, false)
  assert.equal((await takeQuota('event', { address: '198.51.100.98', session: victim })).ok, true)
})

test('V-11 a quota is new after its period', async ({ mock }) => {
  const who = { address: '203.0.113.90' }
  await takeQuota('vote', who, quotas.vote.address.units)
  await assert.rejects(() => requireQuota('vote', who), { status: 429 })
  mock.timers.enable({ apis: ['Date'], now: Date.now() + quotas.vote.address.seconds * 1000 + 1 })
  assert.equal((await takeQuota('vote', who)).ok, true)
})

test('V-11 with QUOTA_STORE=postgres the machines of a shop count together, and without the database each by itself', async () => {
  useSettings({ ...process.env, QUOTA_STORE: 'postgres' })
  try {
    const other = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
    const who = { address: '203.0.113.100' }
    await takeQuota('vote', who, quotas.vote.address.units - 1)
    const counted = async () =>
      (await database.pool.query<{ points: number }>(`select points from platform.quota where key like 'q:vote:address:%'`)).rows
    assert.deepEqual(await counted(), [{ points: quotas.vote.address.units - 1 }])
    const both = await Promise.all([takeQuota('vote', who), takeQuota('vote', who)])
    assert.equal(both.filter(({ ok }) => ok).length, 1)
    await database.pool.query('alter table platform.quota rename to quota_gone')
    assert.equal((await takeQuota('vote', who)).ok, true)
    await other.close()
  } finally {
    useSettings()
  }
})

test('V-11 A41 mails to Gmail count by mailbox, however its dots and its domain are written; dots elsewhere are part of the address', async () => {
  const spellings = ['victim@gmail.com', 'v.ictim@gmail.com', 'vi.c.tim+news@GoogleMail.com', 'victi.m@googlemail.com']
  const taken: boolean[] = []
  for (const [n, email] of spellings.entries()) taken.push((await takeQuota('newsletter', { email, address: `198.51.100.${n}` })).ok)
  assert.deepEqual(taken, [true, true, true, false])
  for (const email of ['vi.ctim@example.com', 'v.ictim@example.com', 'vic.tim@example.com', 'victim@example.com'])
    assert.equal((await takeQuota('newsletter', { email, address: '198.51.100.90' })).ok, true, email)
})

test('V-11 A41 mails to name+anything@ count as mails to the mailbox they arrive in; a plus elsewhere is part of the address', async () => {
  const limit = quotas.newsletter.email.units
  for (let n = 0; n < limit; n++)
    assert.equal(
      (await takeQuota('newsletter', { email: `robin${n === 0 ? '' : `+${n}`}@Example.com`, address: `203.0.113.${n}` })).ok,
      true,
    )
  assert.equal((await takeQuota('newsletter', { email: 'robin+new+er@example.com', address: '203.0.113.90' })).ok, false)
  for (const email of ['robin@other.example', '+robin@example.com', 'robinson@example.com'])
    assert.equal((await takeQuota('newsletter', { email, address: '203.0.113.91' })).ok, true, email)
})
