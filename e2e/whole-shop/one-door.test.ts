import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import { UnavailableError, settings } from '@purlin/server/foundation/platform/index.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import type { TestReply } from '@purlin/web/testing.ts'
import { failStatementsAfter } from './failing-statements.ts'
import { mountedRoutes, routeCalls, type RouteCall } from './route-calls.ts'
import { shopWithVisitors } from './visitors.ts'

/** Every response of every mounted route, and of the pages before them, has the same headers and the same errors. */

const shop = await shopWithVisitors()
const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: operatorKey })
after(() => shop.close())
const files = await mkdtemp(join(tmpdir(), 'purlin-files-'))
connectObjectStore(folderStore(files))
after(() => rm(files, { recursive: true, force: true }))

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

const isInternal = /timeout expired|node_modules|\.ts:\d|syntax error at|invalid input syntax/
const handlers = channel('tracing:fastify.request.handler:start')

/** Sends a call; tells whether its handler was run. */
async function sendTo({ who, mode, path, options }: RouteCall): Promise<TestReply & { isRun: boolean }> {
  let isRun = false
  const note = () => void (isRun = true)
  handlers.subscribe(note)
  try {
    return { ...(await shop.ask(who, mode, path, options)), isRun }
  } finally {
    handlers.unsubscribe(note)
  }
}

/** Refused for what was sent or who sent it: the handler did not do its work. */
const isRefused = (status: number) => [400, 401, 403, 404, 405, 413, 415, 422, 429].includes(status)
/** Routes that refuse the calls of this test, and what it lacks for them: their handlers are met by tests of their own alone. */
const withoutWork = {
  'a part of the shop that is not running here': ['POST /webhooks/sms', 'POST /webhooks/carrier', 'POST /api/v1/credentials'],
  'a signed token or secret of another system': [
    'POST /webhooks/identity',
    'POST /webhooks/credit',
    'POST /api/v1/punch-out/oci',
    'POST /api/v1/punch-out/cxml',
    'POST /api/v1/punch-out/start',
    'POST /api/v1/pro-event/event',
    'POST /api/v1/consent/visitor',
    'GET /api/auth',
    'POST /api/auth',
  ],
  'a file of a form': ['POST /api/v1/uploads', 'POST /api/v1/quick-order/sheet'],
  'a stored or drawn file, or a mail': [
    'GET /files/:kind/:file',
    'GET /dev/mailbox/:id',
    'GET /dev/mailbox/:id/html',
    'GET /uploads/:id',
    'GET /pictures/p/:id/:file',
    'GET /pictures/h/:file',
    'GET /documents/p/:id/:file',
    'GET /pictures/e/:file',
    'GET /pictures/r/:id/:number',
  ],
  'things that the visitors of this test have not': [
    'GET /api/v1/operator/content/:kind/:id',
    'GET /api/v1/operator/coupons/:market/:code',
    'POST /api/v1/operator/vat-numbers/confirm',
    'GET /api/v1/company/spending.csv',
    'GET /api/v1/my-invoices/:form',
    'GET /api/v1/my-data',
    'GET /api/seller/v1/conversations',
    'GET /api/seller/v1/returns',
    'GET /api/seller/v1/return-feedback',
    'GET /api/seller/v1/cancellation-requests',
    'GET /api/seller/v1/disputes',
    'POST /api/seller/v1/price-lists',
    'GET /api/seller/v1/quotes/:quoteId',
    'POST /api/seller/v1/quotes/:quoteId/answer',
    'POST /api/seller/v1/quotes/:quoteId/refuse',
    'GET /api/seller/v1/webhooks/:webhookId/deliveries',
    'POST /api/seller/v1/deliveries/:deliveryId/replay',
  ],
}
/** Each statement of a call fails once, with all that follow; a route of more statements is left after these. */
const maxFailures = 25

test('V-06 V-07 whichever statement of a route fails, it never answers 500, and each 503 says when to come back and nothing internal', async (context) => {
  const wrong: string[] = []
  const worked = new Set<string>()
  const idle: string[] = []
  let unavailable = 0
  let failures = 0
  for (const make of await routeCalls(shop, operatorKey)) {
    const { method, url } = make()
    const route = `${method} ${url}`
    let last = { status: 0, isRun: false }
    for (let passing = 0; passing <= maxFailures; passing++) {
      const { value: answer, failed } = await failStatementsAfter(passing < maxFailures ? passing : Infinity, () => sendTo(make()))
      last = answer
      if (failed === 0) break
      failures++
      if (answer.status === 500 || isInternal.test(answer.body))
        wrong.push(`${route}, ${passing} passed: ${answer.status} ${answer.body.slice(0, 200)}`)
      if (answer.status === 503) unavailable++
      if (answer.status === 503 && !(Number(answer.headers['retry-after']) >= 1)) wrong.push(`${route}: 503 without Retry-After`)
    }
    if (last.status === 500) wrong.push(`${route} without a failure: 500`)
    if (last.isRun && last.status < 500 && !isRefused(last.status)) worked.add(route)
    else idle.push(`${route}: ${last.status}`)
  }
  assert.deepEqual(wrong, [])
  const all = mountedRoutes(shop).map(({ method, url }) => `${method} ${url}`)
  // Readiness is read every half second: whether its failure is still the answer depends on the clock.
  const left = all.filter((route) => !worked.has(route) && route !== 'GET /health/ready')
  const told = `${worked.size} of ${all.length} routes did their work, ${failures} failed statements, ${unavailable} × 503`
  context.diagnostic(told)
  assert.deepEqual(left.toSorted(), Object.values(withoutWork).flat().toSorted(), `${told}; ${idle.join('; ')}`)
  assert.ok(worked.size >= 0.75 * all.length, told)
  assert.ok(unavailable > all.length, told)
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
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
  Object.assign(new Error('the database system is shutting down'), { code: '57P03' }),
  Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
  new UnavailableError('queue'),
])
  test(`V-07 "${error.message}" of the database is 503 with Retry-After at a route, at GraphQL and on a page`, async (context) => {
    const fail = () => Promise.reject(error)
    const { pool } = shop.database
    for (const lane of ['reads', 'alone', 'reports'] as const) context.mock.method(pool.lanes, lane, fail)
    context.mock.method(pool, 'query', fail)
    context.mock.method(pool.commands, 'connect', fail)
    for (const [path, options] of [
      ['/api/v1/push/key', {}],
      ['/graphql', { json: { query: '{ cart { itemCount } }' } }],
      ['/cart', {}],
    ] as const) {
      const { status, headers, body } = await shop.ask('customer', 'b2c', path, options)
      assert.equal(status, 503, path)
      assert.ok(Number(headers['retry-after']) >= 1, path)
      assert.ok(!body.includes(error.message), path)
    }
  })
