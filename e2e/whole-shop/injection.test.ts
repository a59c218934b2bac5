/** Text that means something to SQL or the search engine, in every scalar of the API and every parameter of a page; paths; caches. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema, type GraphQLField } from 'graphql'
import { callOf } from '../support/operations.ts'
import { hostile, internals } from './hostile-texts.ts'
import { shopWithVisitors, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const schema = buildSchema(loadSdl())

const withArguments = (fields: Record<string, GraphQLField<unknown, unknown>>) =>
  Object.values(fields).filter(({ args }) => args.length > 0)

async function untouched(): Promise<unknown> {
  const { rows } = await shop.database.pool.query(
    `select (select count(*) from accounts.staff) as staff, (select array_agg((id, price, stock) order by id) from catalogue.offer) as offers,
      (select count(*) from orders.customer_order where placed_at is not null) as orders`,
  )
  return rows
}

for (const [kind, fields] of [
  ['query', schema.getQueryType()?.getFields() ?? {}],
  ['mutation', schema.getMutationType()?.getFields() ?? {}],
] as const)
  test(`A52 no text in any scalar of any ${kind} reaches the database as SQL, or a caller as an error of it`, async () => {
    const before = await untouched()
    const all = withArguments(fields)
    assert.ok(all.length > 30, `${all.length} fields`)
    for (const field of all) {
      for (const text of hostile) {
        const startedAt = performance.now()
        const { status, body } = await shop.ask('customer', 'b2c', '/graphql', { json: callOf(kind, field, text) })
        assert.ok(status < 500, `${field.name} ${text}: ${status} ${body.slice(0, 200)}`)
        assert.doesNotMatch(body, internals, `${field.name} ${text}`)
        assert.ok(performance.now() - startedAt < 3500, `${field.name} ${text}: slept`)
      }
    }
    assert.deepEqual(await untouched(), before)
  })

test('A52 nor does any path or parameter of a page or a route', async () => {
  const before = await untouched()
  const parameters = ['page', 'size', 'sort', 'q', 'lang', 'market', 'model', 'f[brand]', 'f[price][min]', 'filter', 'callbackUrl', 'year']
  const routes = shop.gateway.routes
    .flatMap(({ method, url }) => (/[:*]/.test(url) ? [method].flat().map((verb) => ({ verb: String(verb), url })) : []))
    .filter(({ verb }) => verb !== 'HEAD' && verb !== 'OPTIONS')
  for (const text of hostile) {
    const encoded = encodeURIComponent(text)
    const paths = ['/search', '/drills-11', '/great-deals', '/customer-area', '/orders', '/brands'].flatMap((path) =>
      parameters.map((name) => `${path}?${encodeURIComponent(name)}=${encoded}`),
    )
    for (const path of [
      ...paths,
      `/search/${encoded}`,
      `/cat/${encoded}`,
      `/p/${encoded}-41`,
      `/drills-${encoded}`,
      `/orders/${encoded}`,
    ]) {
      const { status, body } = await shop.ask('customer', 'b2c', path)
      assert.ok(status < 500, `${path}: ${status}`)
      assert.doesNotMatch(body, /syntax error|SQLSTATE|invalid input syntax|node_modules/, path)
    }
    for (const { verb, url } of routes) {
      const path = url.replaceAll(/:(\w+)(\([^)]*\))?/g, encoded).replace('*', encoded)
      const { status, body } = await shop.ask('customer', 'b2c', path, verb === 'GET' ? {} : { method: verb, json: { id: text } })
      assert.ok(status < 500, `${verb} ${path}: ${status} ${body.slice(0, 200)}`)
      assert.doesNotMatch(body, internals, `${verb} ${path}`)
    }
  }
  assert.deepEqual(await untouched(), before)
})

test('A72 A61 neither sources, settings, repository, source maps nor pages of other frameworks are served', async () => {
  for (const path of [
    '/.env',
    '/.env.example',
    '/.git/config',
    '/.npmrc',
    '/package.json',
    '/package-lock.json',
    '/server/src/modules.ts',
    '/assets/client.js.map',
    '/assets/../../.env',
    '/assets/..%2f..%2f.env',
    '/node_modules/fastify/package.json',
    '/debug',
    '/debug/pprof',
    '/actuator/env',
    '/phpinfo.php',
    '/server-status',
    '/graphiql',
    '/api/auth/../../.env',
  ]) {
    const { status, body } = await shop.ask('customer', 'b2c', path)
    assert.ok(status === 404 || status === 400, `${path}: ${status}`)
    assert.doesNotMatch(body, /ORDER_LINK_SECRET|repositoryformatversion|"dependencies"/, path)
  }
})

test('A49 A51 no spelling of a personal page, and no error, redirect or refusal, may be stored by a cache', async () => {
  const personal = ['/customer-area', '/orders', '/my-wallet']
  for (const path of personal.flatMap((page) => [
    page,
    `${page}/x.css`,
    `${page};.js`,
    `${page}%2fx.css`,
    `${page}?x.css`,
    `${page}.png`,
  ])) {
    const { status, headers, body } = await shop.ask('customer', 'b2c', path)
    assert.match(headers['cache-control'] ?? '', /private|no-store/, `${path}: ${status}`)
    if (status !== 200) assert.ok(!shop.personal.some((text) => body.includes(text)), path)
  }
  for (const path of [
    '/nowhere',
    '/drills-999999',
    '/wrong-name-11',
    '//drills-11',
    '/drills-11/',
    '/p/x-999999',
    '/product?slug=x&id=41',
  ]) {
    const { status, headers } = await shop.ask('anonymous', 'b2c', path)
    assert.ok(status >= 300, path)
    assert.match(headers['cache-control'] ?? '', /private|no-store/, `${path}: ${status}`)
  }
})

test('A51 an odd header does not take the place of a page: the next visitor gets the page', async () => {
  const odd: Record<string, string>[] = [
    { 'accept-encoding': 'zip;q=x' },
    { range: 'bytes=0-10' },
    { 'if-none-match': '*' },
    { expect: 'nothing' },
  ]
  for (const headers of odd) {
    shop.forgetPages()
    for (let time = 0; time < 3; time++) await shop.ask('anonymous', 'b2c', '/drills-11', { headers })
    const { status, body } = await shop.ask('anonymous', 'b2c', '/drills-11')
    assert.equal(status, 200, JSON.stringify(headers))
    assert.match(body, /data-page="category"/)
  }
})

for (const [failure, status] of [
  ['is unavailable', 503],
  ['fails', 500],
] as const)
  test(`A51 what a page says while the database ${failure} is gone with its next request`, async (context) => {
    shop.forgetPages()
    const fail = () => Promise.reject(new Error(status === 503 ? 'timeout expired' : 'out of shared memory'))
    const lanes = (['reads', 'alone', 'reports'] as const).map((lane) => context.mock.method(shop.database.pool.lanes, lane, fail))
    const pages = { '/p/cordless-drill-41': 'product', '/seller-1': 'seller' }
    for (const path of Object.keys(pages))
      for (let time = 0; time < 3; time++) {
        const failed = await shop.ask('anonymous', 'b2c', path)
        assert.deepEqual([failed.status, failed.headers['cache-control']], [status, 'private, no-store'], path)
      }
    for (const { mock } of lanes) mock.restore()
    for (const [path, page] of Object.entries(pages))
      for (let time = 0; time < 3; time++) {
        const { status: now, body } = await shop.ask('anonymous', 'b2c', path)
        assert.equal(now, 200, path)
        assert.match(body, new RegExp(`data-page="${page}"`), path)
      }
  })

test('A51 what one customer’s client has is not "not modified" for another', async () => {
  const { pool } = shop.database
  const { rows } = await pool.query<{ email: string; name: string }>('select email, name from accounts.customer')
  const nameOf = (visitor: VisitorName) => rows.find(({ email }) => email.startsWith(`${visitor.replace(' ', '-')}@`))?.name ?? '?'
  for (const path of ['/customer-area', '/settings', '/orders', '/cart']) {
    const [hers, his] = [await shop.ask('customer', 'b2c', path), await shop.ask('member', 'b2c', path)]
    for (const known of [hers.headers.etag ?? '*', '*']) {
      const reply = await shop.ask('member', 'b2c', path, { headers: { 'if-none-match': known } })
      assert.equal(reply.status, 200, `${path} ${known}`)
      assert.equal(reply.body.length, his.body.length, path)
      assert.ok(!reply.body.includes(nameOf('customer')), path)
    }
  }
  assert.ok((await shop.ask('member', 'b2c', '/customer-area', { headers: { 'if-none-match': '*' } })).body.includes(nameOf('member')))
})

// Last, because a form may sign the visitor out.
test('A52 nor does any field of a form, on either storefront, with characters that no database stores', async () => {
  const before = await untouched()
  const routes = shop.gateway.routes.filter(({ url, method }) => !/[:*]/.test(url) && [method].flat().includes('POST'))
  assert.ok(routes.some(({ url }) => url === '/api/v1/punch-out/oci'))
  const names = [
    'id',
    'token',
    'username',
    'password',
    'hook_url',
    '~OkCode',
    'returntarget',
    'email',
    'code',
    'logout_token',
    'callbackUrl',
  ]
  const endings = ['\0', `${'a'.repeat(199)}🔩`]
  for (const text of [...hostile, ...endings])
    for (const mode of ['b2c', 'b2b'] as const)
      for (const { url } of routes) {
        const form = Object.fromEntries(names.map((name) => [name, text]))
        const answer = await shop.ask('customer', mode, url, { method: 'POST', form })
        assert.ok(answer.status < 500, `${mode} ${url} ${JSON.stringify(text)}: ${answer.status} ${answer.body.slice(0, 200)}`)
        assert.doesNotMatch(answer.body, internals, `${mode} ${url}`)
      }
  assert.deepEqual(await untouched(), before)
})
