import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { takeQuota } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { review } from './testing.ts'

/** Experiments count visitors to whom this server gave an id; what strangers invent changes nothing. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })

const experiment = {
  name: 'home-order',
  state: 'running',
  type: 'ab',
  layer: 'pages',
  slots: [0, 1000],
  markets: ['gb'],
  modes: ['b2c'],
  variations: [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ],
}
const operator = (method: string, path: string, body?: object) =>
  fetch(`${gateway.url}/api/v1/operator/experiments${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
assert.equal((await operator('PUT', '/1', experiment)).status, 204)

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(body),
  })
/** The id of a visitor who agrees. */
async function agree(): Promise<string> {
  const answer = await post('/api/v1/consent', { choice: 'some', purposes: ['statistics'] })
  const id = /mm_visitor_id=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1]
  assert.ok(id)
  return id
}
const consented = (id: string) => `mm_consent=v1:statistics; mm_visitor_id=${id}`
const sees = async (id: string, from?: string) =>
  assert.equal(
    (await post('/api/v1/experiment-exposures', ['home-order'], { cookie: consented(id), ...(from && { 'x-forwarded-for': from }) }))
      .status,
    204,
  )
/** As the operator and the page of insights show it, after the worker has counted. */
async function result(): Promise<{ listed: string; shown: string; visitors: number }> {
  await review(database)
  const listed = await (await operator('GET', '')).text()
  const page = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const shown = [...page.matchAll(/<tr><td>home-order<\/td>.*?<\/tr>/g)].join('\n')
  assert.ok(shown)
  const { experiments } = JSON.parse(listed) as { experiments: { variations: { visitors: number }[] }[] }
  return { listed, shown, visitors: experiments[0]?.variations.reduce((sum, { visitors }) => sum + visitors, 0) ?? 0 }
}
const addsToCart = (id: string) =>
  post(
    '/api/v1/events',
    { events: [{ id: uuid7(), name: 'add_to_cart', page: { name: 'product', type: 'product' }, data: {} }] },
    { cookie: consented(id) },
  )

test(
  '100,000 invented visitor ids change no result of an experiment; each visitor whose id this server issued counts',
  { timeout: 300_000 },
  async () => {
    const visitors = await Promise.all(Array.from({ length: 12 }, agree))
    for (const id of visitors) await sees(id)
    assert.equal((await addsToCart(visitors[0] ?? '')).status, 202)
    const before = await result()
    assert.equal(before.visitors, 12)

    await inventVisitors(100_000)
    // A real id with one digit changed, at its start and at its end, is invented as well.
    for (const id of visitors) for (const at of [0, 9, 35]) await sees(id.slice(0, at) + (id[at] === '0' ? '1' : '0') + id.slice(at + 1))
    for (let nth = 0; nth < 50; nth++) assert.equal((await addsToCart(randomUUID())).status, 202)
    assert.deepEqual(await result(), before)

    await sees(await agree())
    assert.equal((await result()).visitors, 13)
  },
)

test('an invented id still gets its variation, and the same one every time', async () => {
  const variation = async (visitor_id: string) => {
    const answer = await post('/ab-test/api/v1/user/flags', { context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id })
    const { content } = (await answer.json()) as { content: { campaign_variations: { variation_id: number }[] } }
    return content.campaign_variations.map(({ variation_id }) => variation_id)
  }
  const id = randomUUID()
  const first = await variation(id)
  assert.equal(first.length, 1)
  assert.deepEqual(await variation(id), first)
})

test('a network adds so many visitors a day to an experiment, and those it has added before use up nothing', async () => {
  const from = '203.0.113.50'
  const [one, two, three] = [await agree(), await agree(), await agree()]
  const before = (await result()).visitors
  await takeQuota('counted-visitor', { address: from }, quotas['counted-visitor'].address.units - 2)
  await sees(one, from)
  for (let again = 0; again < 5; again++) await sees(one, from)
  await sees(two, from)
  assert.equal((await result()).visitors, before + 2)
  await sees(three, from)
  assert.equal((await result()).visitors, before + 2)
  await sees(three, '203.0.113.51')
  assert.equal((await result()).visitors, before + 3)
})

/** Reports exposures of random ids from our own network, whose requests no quota counts; all are accepted. */
async function inventVisitors(count: number): Promise<void> {
  const { port } = new URL(gateway.url)
  const sockets = 8
  const burst = 25
  const body = '["home-order"]'
  const request = () =>
    `POST /api/v1/experiment-exposures HTTP/1.1\r\nhost: localhost:${port}\r\nuser-agent: Mozilla/5.0 Chrome/140 Safari/537.36\r\nsec-fetch-site: same-origin\r\ncookie: ${consented(randomUUID())}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      let accepted = 0
      let tail = ''
      while (accepted < count / sockets) {
        socket.write(Array.from({ length: burst }, request).join(''))
        for (let answered = 0; answered < burst;) {
          const [chunk] = (await once(socket, 'data')) as [Buffer]
          tail += chunk.toString('latin1')
          for (const [line] of tail.matchAll(/HTTP\/1\.1 \d{3}/g)) {
            // A machine that others use may refuse some for their wait; they do not count.
            assert.match(line, /204$|503$/)
            if (line.endsWith('204')) accepted++
            answered++
          }
          // A status line may arrive in two parts.
          tail = tail.slice(-11).replace(/^.*HTTP\/1\.1 \d{3}/s, '')
        }
      }
      socket.destroy()
    }),
  )
}

/** As browsers make the ids of events: the time comes first. */
function uuid7(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
