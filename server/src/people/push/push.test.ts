import assert from 'node:assert/strict'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { mock, test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../accounts/testing.ts'
import { jobs } from './jobs.ts'
import { pushTo } from './push-to.ts'
import { claimSubscriptions } from './store.ts'

/** Push messages as browsers subscribe to them and an operator sends them. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const preferences = 'mm_consent=v1:userPreferences'
const consent = `${preferences}; mm_visitor_id=${randomUUID()}`

const call = (path: string, body?: unknown, headers: Record<string, string> = { cookie: consent }) =>
  fetch(`${gateway.url}/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'sec-fetch-site': 'same-origin', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const browserKeys = () => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
}
const subscription = (name: string) => ({ endpoint: `https://fcm.googleapis.com/fcm/send/${name}`, keys: browserKeys() })
const stored = async () =>
  (await database.pool.query<{ endpoint: string }>('select endpoint from push.subscription order by endpoint')).rows.map(({ endpoint }) =>
    endpoint.split('/').at(-1),
  )

test('the key for browsers is one uncompressed point, the same at every call', async () => {
  const keys = await Promise.all([1, 2, 3].map(async () => ((await (await call('push/key')).json()) as { publicKey: string }).publicKey))
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual([Buffer.from(keys[0] ?? '', 'base64url').length, Buffer.from(keys[0] ?? '', 'base64url')[0]], [65, 4])
})

test('a subscription is stored with consent to preferences alone and the visitor id that a withdrawal names, once per browser, and ended by it', async () => {
  const mine = subscription('ann')
  const id = `mm_visitor_id=${randomUUID()}`
  for (const cookie of ['', id, `mm_consent=v1:; ${id}`, `mm_consent=v1:statistics,personalisedAdvertising; ${id}`, preferences])
    assert.equal((await call('push/subscriptions', mine, { cookie })).status, 403, cookie)
  assert.deepEqual(await stored(), [])
  for (const _ of [1, 2]) assert.equal((await call('push/subscriptions', mine)).status, 201)
  assert.deepEqual(await stored(), ['ann'])
  assert.equal((await call('push/subscriptions/end', { endpoint: mine.endpoint }, {})).status, 204)
  assert.deepEqual(await stored(), [])
})

test('A69 endpoints of other servers, of our own network and without https, keys of the wrong length and other sites are refused', async () => {
  const good = subscription('bob')
  for (const endpoint of [
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/x',
    'gopher://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:5432/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com@evil.example/x',
    'https://evil.example/fcm.googleapis.com/x',
    'https://notify.windows.com.evil/x',
  ])
    assert.equal((await call('push/subscriptions', { ...good, endpoint })).status, 400, endpoint)
  assert.equal((await call('push/subscriptions', { ...good, keys: { ...good.keys, auth: 'short' } })).status, 400)
  assert.equal((await call('push/subscriptions', { endpoint: good.endpoint })).status, 400)
  assert.equal((await call('push/subscriptions', good, { cookie: consent, 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.deepEqual(await stored(), [])
})

test('an operator’s message is encrypted and signed for each browser of the storefront; ended subscriptions are deleted', async () => {
  for (const name of ['one', 'two', 'gone']) await call('push/subscriptions', subscription(name))
  const sent: { url: string; headers: Headers; bytes: number }[] = []
  const { fetch: real } = globalThis
  mock.method(globalThis, 'fetch', async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof url !== 'string' || !url.startsWith('https://fcm.googleapis.com/')) return real(url, init)
    const bytes = init?.body instanceof Uint8Array ? init.body.byteLength : 0
    sent.push({ url, headers: new Headers(init?.headers), bytes })
    return new Response(null, { status: url.endsWith('gone') ? 410 : 201 })
  })
  const message = {
    key: 'week-48',
    market: 'gb',
    mode: 'b2c',
    title: 'Deals of the week',
    body: 'Up to a third off.',
    path: '/great-deals',
  }
  const operator = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }
  assert.equal((await call('operator/push', message, {})).status, 401)
  for (const wrong of [{ path: '//evil.example' }, { path: 'https://evil.example' }, { title: '' }, { market: 'us' }, { more: 1 }])
    assert.equal((await call('operator/push', { ...message, ...wrong }, operator)).status, 400, JSON.stringify(wrong))
  assert.equal((await call('operator/push', { ...message, key: 'other', market: 'fr' }, operator)).status, 202)
  assert.equal((await call('operator/push', message, operator)).status, 202)
  await runWork(database, [], jobs)
  mock.restoreAll()
  assert.deepEqual(sent.map(({ url }) => url.split('/').at(-1)).toSorted(), ['gone', 'one', 'two'])
  for (const { headers, bytes } of sent) {
    assert.match(headers.get('authorization') ?? '', /^(?:vapid t=|WebPush )/i)
    assert.equal(headers.get('content-encoding'), 'aes128gcm')
    assert.equal(headers.get('ttl'), '43200')
    assert.ok(bytes > 100)
  }
  assert.deepEqual(await stored(), ['one', 'two'])
})

test('a browser gets three messages in seven days, whatever operators send, and a repeated attempt counts once', async () => {
  await database.pool.query('delete from push.subscription; delete from platform.job')
  await call('push/subscriptions', subscription('patient'))
  const { rows } = await database.pool.query<{ id: string }>('select id from push.subscription')
  const ids = rows.map(({ id }) => id)
  const claims = async (key: string) => (await claimSubscriptions(database.db, ids, key)).size
  assert.deepEqual([await claims('one'), await claims('two'), await claims('two'), await claims('three')], [1, 1, 1, 1])
  assert.deepEqual([await claims('four'), await claims('one')], [0, 1])
  await database.pool.query(
    `update push.subscription set recent = recent || jsonb_build_object('one', to_jsonb(now() - interval '8 days'))`,
  )
  assert.deepEqual([await claims('four'), await claims('five')], [1, 0])

  let sent = 0
  const { fetch: real } = globalThis
  mock.method(globalThis, 'fetch', async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof url !== 'string' || !url.startsWith('https://fcm.googleapis.com/')) return real(url, init)
    sent++
    return new Response(null, { status: 201 })
  })
  const operator = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }
  const message = { key: 'week-49', market: 'gb', mode: 'b2c', title: 'More deals', body: 'Every day.', path: '/great-deals' }
  assert.equal((await call('operator/push', message, operator)).status, 202)
  await runWork(database, [], jobs)
  mock.restoreAll()
  assert.equal(sent, 0)
})

test('messages go to their topic alone; news about an order is sent beyond the cap, everything else is not', async () => {
  await database.pool.query('delete from push.subscription; delete from platform.job')
  const person = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: person.id })
  await database.pool.query('update accounts.session set sign_in_id = $2 where customer_id = $1', [person.id, randomUUID()])
  const cookie = `${consent}; __Host-purlin=${token}`
  assert.equal((await call('push/subscriptions', { ...subscription('none'), topics: ['lottery'] }, { cookie })).status, 400)
  assert.equal((await call('push/subscriptions', { ...subscription('hers'), topics: ['orders', 'baskets'] }, { cookie })).status, 201)
  await call('push/subscriptions', { ...subscription('a-guests'), topics: ['orders', 'baskets'] })
  const sent: string[] = []
  const { fetch: real } = globalThis
  mock.method(globalThis, 'fetch', async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof url !== 'string' || !url.startsWith('https://fcm.googleapis.com/')) return real(url, init)
    sent.push(url.split('/').at(-1) ?? '')
    return new Response(null, { status: 201 })
  })
  const to = { customerId: person.id, market: 'gb', mode: 'b2c', title: 'News', body: 'Of yours.', path: '/cart' } as const
  const send = async (topic: 'orders' | 'prices' | 'baskets', key: string) => {
    await pushTo(database.db, { ...to, topic, key })
    await runWork(database, [], jobs)
    return sent.length
  }
  const operator = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }
  const offer = { key: 'week-50', market: 'gb', mode: 'b2c', title: 'Deals', body: 'Of the week.', path: '/great-deals' }
  assert.equal((await call('operator/push', offer, operator)).status, 202)
  await runWork(database, [], jobs)
  assert.equal(sent.length, 0)
  assert.deepEqual([await send('prices', 'a'), await send('baskets', 'b')], [0, 1])
  assert.deepEqual([await send('baskets', 'c'), await send('baskets', 'd'), await send('baskets', 'e')], [2, 3, 3])
  assert.equal(await send('orders', 'f'), 4)
  mock.restoreAll()
  assert.deepEqual(new Set(sent), new Set(['hers']))
})

test('V-11 a subscription that takes none of three messages over a day is deleted, unless no push service could be reached at all', async () => {
  await database.pool.query('delete from push.subscription; delete from platform.job')
  const nowhere = (name: string) => ({ endpoint: `https://${name}.notify.windows.com/${name}`, keys: browserKeys() })
  for (const one of [subscription('real'), subscription('flaky'), subscription('refused'), nowhere('nowhere')])
    assert.equal((await call('push/subscriptions', one)).status, 201)
  let messages = 0
  let isOnline = true
  const { fetch: real } = globalThis
  mock.method(globalThis, 'fetch', async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof url !== 'string' || !url.startsWith('https:')) return real(url, init)
    const name = url.split('/').at(-1)
    if (!isOnline || name === 'nowhere') throw new TypeError('fetch failed')
    return new Response(null, { status: name === 'refused' || (name === 'flaky' && messages % 2 === 0) ? 400 : 201 })
  })
  const operator = { authorization: 'Bearer an-operator-key-of-thirty-two-bytes' }
  const offer = { market: 'gb', mode: 'b2c', title: 'Deals', body: 'Of the week.', path: '/great-deals' }
  const send = async () => {
    // Each of them in a week of its own.
    await database.pool.query(`update push.subscription set recent = '{}'`)
    assert.equal((await call('operator/push', { ...offer, key: `dead-${++messages}` }, operator)).status, 202)
    await runWork(database, [], jobs)
    return stored()
  }
  const all = ['flaky', 'real', 'refused', 'nowhere']
  const aDayPasses = () => database.pool.query(`update push.subscription set failing_since = failing_since - interval '1 day'`)
  isOnline = false
  for (let at = 0; at < 4; at++) {
    assert.deepEqual(await send(), all, 'our own line was down')
    await aDayPasses()
  }
  isOnline = true
  for (let at = 0; at < 4; at++) assert.deepEqual(await send(), all, 'too early')
  await aDayPasses()
  assert.deepEqual(await send(), ['flaky', 'real'])
  for (let at = 0; at < 4; at++) {
    await aDayPasses()
    assert.deepEqual(await send(), ['flaky', 'real'], 'those that take some stay')
  }
  mock.restoreAll()
})

test('V-11 one line adds forty subscriptions a day, however many networks it has; browsers that are known renew theirs', async () => {
  const proxied = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
  const subscribe = async (name: string, from: string) =>
    (
      await fetch(`${proxied.url}/api/v1/push/subscriptions`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie: consent, 'x-forwarded-for': from },
        body: JSON.stringify(subscription(name)),
      })
    ).status
  for (let at = 0; at < 40; at++) assert.equal(await subscribe(`line-${at}`, `2a01:4f8:7:${at}::1`), 201)
  assert.equal(await subscribe('line-40', '2a01:4f8:7:40::1'), 429)
  assert.equal(await subscribe('line-0', '2a01:4f8:7:41::1'), 201)
  assert.equal(await subscribe('line-40', '2a01:4f8:8::1'), 201)
  await proxied.close()
})
