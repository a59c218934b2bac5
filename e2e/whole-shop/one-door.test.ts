import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { UnavailableError, isUnavailable, settings } from '@purlin/server/foundation/platform/index.ts'
import { shopWithVisitors } from './visitors.ts'

/** Every response of every mounted route, and of the pages before them, has the same headers and the same errors. */

const shop = await shopWithVisitors()
after(() => shop.close())

const paths = shop.gateway.routes.flatMap(({ method, url }) =>
  [method].flat().map((verb) => ({
    method: String(verb),
    path: url.replaceAll(/:(\w+)(\([^)]*\))?/g, (_, name: string) => (name === 'market' ? 'gb' : '1')).replace('*', '1/x'),
  })),
)

test('V-18 every mounted route, search, pictures and webhooks included, answers with nosniff, a cache rule and a policy', async () => {
  assert.ok(paths.length > 80, `${paths.length} routes`)
  for (const { method, path } of paths) {
    const { status, headers } = await shop.ask(
      'anonymous',
      'b2c',
      path,
      method === 'GET' || method === 'HEAD' ? { method } : { method, json: {} },
    )
    const at = `${method} ${path} ${status}`
    assert.equal(headers['x-content-type-options'], 'nosniff', at)
    assert.ok(headers['cache-control'], at)
    assert.ok(headers['content-security-policy'], at)
  }
})

test('V-18 pages, files, redirects and refusals of the storefront answer with nosniff, a cache rule and a policy, too', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/robots.txt'],
    ['GET', '/sitemap.xml'],
    ['GET', '/sitemaps/categories.xml'],
    ['GET', '/sitemaps/products-99.xml'],
    ['GET', '/manifest.json'],
    ['GET', '/speculation-rules.json'],
    ['GET', '/llms.txt'],
    ['GET', '/feeds/google.xml'],
    ['HEAD', '/sitemap.xml'],
    ['POST', '/sitemap.xml'],
    ['GET', '/api/static/manifest-b2b'],
    ['GET', '/homepage-b2c'],
    ['DELETE', '/cart'],
    ['DELETE', '/robots.txt'],
    ['POST', '/cart'],
  ] as const) {
    const { headers } = await shop.ask('anonymous', 'b2c', path, { method })
    const at = `${method} ${path}`
    assert.equal(headers['x-content-type-options'], 'nosniff', at)
    assert.ok(headers['cache-control'], at)
    assert.match(String(headers['content-security-policy']), /default-src/, at)
    assert.ok(headers['referrer-policy'], at)
  }
})

test('V-06 V-07 when the database does not answer, no route answers 500, and each 503 says when to come back and nothing internal', async (context) => {
  // The message of a connection that could not be made in time, as the driver words it.
  const fail = () => Promise.reject(new Error('timeout expired'))
  const { pool } = shop.database
  for (const lane of ['reads', 'alone', 'reports'] as const) context.mock.method(pool.lanes, lane, fail)
  context.mock.method(pool, 'query', fail)
  context.mock.method(pool.commands, 'connect', fail)
  let unavailable = 0
  for (const { method, path } of paths) {
    const { status, headers, body } = await shop.ask('customer', 'b2c', path, {
      ...(method === 'GET' || method === 'HEAD' ? { method } : { method, json: { query: '{ cart { itemCount } }' } }),
      headers: { authorization: `Bearer ${settings().keys.operator ?? ''}` },
    })
    // The session service's own word for an address without an action (R-543).
    if (path === '/api/auth') continue
    assert.notEqual(status, 500, `${method} ${path}: ${body}`)
    assert.doesNotMatch(body, /timeout expired|node_modules|\.ts:\d/, `${method} ${path}`)
    if (status === 503) {
      unavailable++
      assert.ok(Number(headers['retry-after']) >= 1, `${method} ${path}`)
    }
  }
  assert.ok(unavailable > 3, `${unavailable} routes need the database`)
})

test('V-06 a signed message of a provider that makes no sense is refused with 400', async () => {
  const { payments } = settings()
  const secret = payments.webhookSecret
  for (const body of ['nonsense', '[]', 'null', '{}', '{"id":1,"type":"intent.captured","intent":null}']) {
    const seconds = Math.floor(Date.now() / 1000)
    const signature = `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
    const { statusCode, body: told } = await shop.gateway.app.inject({
      method: 'POST',
      url: '/webhooks/payment',
      payload: body,
      headers: { 'content-type': 'application/json', 'x-payment-signature': signature },
    })
    assert.equal(statusCode, 400, `${body}: ${told}`)
  }
})

for (const error of [
  new Error('timeout expired'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Connection terminated unexpectedly'),
  new UnavailableError('queue'),
])
  test(`V-07 "not now" of the database, ${error.message}, is unavailable`, () => {
    assert.equal(isUnavailable(error), true)
  })
