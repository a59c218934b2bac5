import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { testDatabase, useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { handlers as searchHandlers } from '@purlin/server/goods/merchandising/jobs.ts'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { serveShop, type AskOptions } from './serve-shop.ts'

/**
 * Every call of the specification's section 7, by a client that knows nothing else: its paths, methods, bodies and answers are
 * written down here by hand, and no schema, path helper or type of the shop is used. Only the goods and the sign-in are ours.
 */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
await testReference(database.db)
for (const id of [1, 2, 3]) {
  await testProduct(database.db, { id, title: `Drill ${id}`, categoryId: 11 })
  await testOffer(database.db, { id: id * 10, productId: id, price: 10_000 })
}
const shop = await serveShop(database)
after(() => shop.close())

const customer = await addCustomer(database.db)
const session = `__Host-purlin=${(await signIn(database.db, { customerId: customer.id })).token}`
const visitorId = randomUUID()
const host = 'gb.localhost:3000'
const consent = `mm_consent=v1:statistics,personalisedAdvertising,userPreferences; mm_visitor_id=${visitorId}`
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36'

interface Answer {
  status: number
  type: string
  headers: Record<string, unknown>
  text: string
  json: unknown
}
type Call = AskOptions & { path: string; cookie?: string }

/** The generic client: JSON, and X-Requested-With with every call. */
async function call({ path, cookie = `${consent}; ${session}`, ...options }: Call): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'sec-fetch-site': 'same-origin',
    'user-agent': userAgent,
    ...options.headers,
  }
  const { status, headers: answered, body } = await shop.send({ path, host, cookie, ...options, headers })
  const type = String(answered['content-type'] ?? '')
  return { status, type, headers: answered, text: body, json: type.includes('json') && body ? (JSON.parse(body) as unknown) : undefined }
}
const signedOut = consent
const form = (fields: Record<string, string>): AskOptions => ({ form: fields })

const vitals = {
  browserContext: { url: 'https://gb.localhost/', userAgent },
  service: 'storefront',
  resource: 'product',
  version: '1.2.3',
  metrics: [{ name: 'LCP', value: 1800, startTime: 12, tags: {} }],
  startTime: 1_760_000_000_000,
  duration: 2_000,
}
const proEvent = {
  market: 'gb',
  platform_id: 'b2c',
  channel: 'website',
  event: 'pageview-product',
  visitor_id: visitorId,
  customer_id: customer.id,
  content: { product_id: 1, category_id: 11 },
}
const flags = { context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: visitorId }
const viewed = { content: [{ product_id: '1', viewed_at: new Date().toISOString() }] }

const posts = {
  'web vitals': { path: '/api/v1/web-vitals/beacon', json: vitals },
  'flags and variations': { path: '/ab-test/api/v1/user/flags', json: flags },
  'pro event': { path: '/api/v1/pro-event/event', json: [proEvent] },
  'history merge': { path: '/api/v2/product-history/merge', json: viewed },
  'customer segments': { path: '/api/v2/customer-segment/customers', method: 'PATCH', json: { b2b_welcome: true } },
} satisfies Record<string, Call>

test('POST /api/v1/web-vitals/beacon takes the body of the specification, beacon or HTTP, and says nothing', async () => {
  const { status, text } = await call(posts['web vitals'])
  assert.deepEqual([status, text], [204, ''])
})

test('POST /ab-test/api/v1/user/flags returns campaign variations and flags, with and without a user id', async () => {
  for (const user of [{}, { user_id: customer.id }, { user_id: null }]) {
    const { status, json } = await call({ ...posts['flags and variations'], json: { ...flags, ...user } })
    assert.equal(status, 200)
    const { content } = json as { content: { campaign_variations: Record<string, unknown>[]; flags: Record<string, unknown> } }
    assert.deepEqual(Object.keys(content).toSorted(), ['campaign_variations', 'flags'])
    for (const given of content.campaign_variations)
      assert.deepEqual(Object.keys(given).toSorted(), ['campaign_id', 'type', 'variation_id'])
    for (const name of ['batchEnabled', 'csideEnabled', 'enableCustomDataNewFormat', 'eventsWithPurposesEnabled'])
      assert.equal(typeof content.flags[name], 'boolean', name)
  }
  const { visitor_id: _, ...anonymous } = flags
  const refused = await call({ ...posts['flags and variations'], json: anonymous })
  assert.deepEqual([refused.status, refused.text.includes('No visitor_id found')], [400, true])
})

test('GET /api/v1/referer/visitor/{visitorId} returns the five facts of an attribution, for every combination of its query', async () => {
  const query = {
    page_type: 'home',
    referer: 'https://www.google.com/',
    referer_id: '12',
    current_referer_id: '7',
    cookie_disabled: 'false',
  }
  for (let left = 0; left < 2 ** 5; left++) {
    const some = Object.fromEntries(Object.entries(query).filter((_, at) => left & (1 << at)))
    const { status, json } = await call({ path: `/api/v1/referer/visitor/${visitorId}?${new URLSearchParams(some)}` })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(json as object).toSorted(), [
      'rawRefererId',
      'refererId',
      'trackingCampaign',
      'trackingCategory',
      'trackingChannel',
    ])
  }
  const ignored = await call({ path: `/api/v1/referer/visitor/${visitorId}?referer_id=12abc` })
  assert.notEqual((ignored.json as { refererId: unknown }).refererId, '12abc')
  for (const bad of ['x', '%00', 'null', `${visitorId}'`, '..%2f..%2fetc'])
    assert.ok([400, 404].includes((await call({ path: `/api/v1/referer/visitor/${bad}` })).status), bad)
  assert.equal((await call({ path: `/api/v1/referer/visitor/${visitorId}?cookie_disabled=maybe` })).status, 400)
})

test('GET /api/v1/client-page-change takes code, method, to and from', async () => {
  const change = { code: '200', method: 'restore', to: '/cart', from: '/' }
  assert.equal((await call({ path: `/api/v1/client-page-change?${new URLSearchParams(change)}` })).status, 204)
  for (const [name, value] of [
    ['code', 'abc'],
    ['to', '/a\u0000b'],
    ['to', '//evil.example/'],
    ['from', 'x'.repeat(5_000)],
  ] as const)
    assert.equal(
      (await call({ path: `/api/v1/client-page-change?${new URLSearchParams({ ...change, [name]: value })}` })).status,
      400,
      name,
    )
})

test('POST /api/v1/pro-event/event takes an array of product views of the signed-in customer', async () => {
  assert.equal((await call(posts['pro event'])).status, 204)
  assert.equal((await call({ ...posts['pro event'], cookie: signedOut })).status, 401)
  for (const forged of [{ customer_id: randomUUID() }, { visitor_id: randomUUID() }, { market: 'fr' }])
    assert.equal((await call({ ...posts['pro event'], json: [{ ...proEvent, ...forged }] })).status, 403)
  assert.equal((await call({ ...posts['pro event'], json: [{ ...proEvent, channel: 'app' }] })).status, 400)
})

const graphql = (operationName: string, query: string, { method = 'POST', cookie }: { method?: string; cookie?: string } = {}) => {
  const headers = { 'client-name': 'specification', 'client-version': '1', market: 'gb', channel: 'web', platform: 'b2c' }
  return method === 'GET'
    ? call({ path: `/graphql?${new URLSearchParams({ operationName, query })}`, headers, ...(cookie && { cookie }) })
    : call({ path: '/graphql', json: { operationName, query, variables: {} }, headers, ...(cookie && { cookie }) })
}
const dataOf = ({ json }: Answer) => (json as { data?: Record<string, unknown> | null }).data ?? null

test('POST /api/v2/product-history/merge returns the content list, which GraphQL ProductHistory then returns as well', async () => {
  const { status, json } = await call(posts['history merge'])
  assert.equal(status, 200)
  const [entry] = (json as { content: { product_id: string; viewed_at: string }[] }).content
  assert.deepEqual(Object.keys(entry ?? {}).toSorted(), ['product_id', 'viewed_at'])
  assert.equal(entry?.product_id, '1')
  const history = await graphql('ProductHistory', 'query ProductHistory { productHistory { productId viewedAt } }')
  assert.deepEqual(dataOf(history), { productHistory: [{ productId: '1', viewedAt: entry?.viewed_at }] })
  assert.ok([401, 403].includes((await call({ ...posts['history merge'], cookie: signedOut })).status))
})

test('GetCustomerProfile and, by GET, GetCustomerSegments return the fields of the specification', async () => {
  const profile = `id uuid firstName lastName email username phone profileImage platform timeZone language fiscalNumber receiveOffers receiveSmsOffers
    receiveOffersPhoneNumber createdAt updatedAt socialAuthIds refererId isGuest market`
  const of = dataOf(await graphql('GetCustomerProfile', `query GetCustomerProfile { customerProfile { ${profile} } }`))?.['customerProfile']
  assert.equal((of as { email: string }).email, customer.email)
  const segments = `b2b_intention b2b_welcome b2b_vat_modal b2b_suspected_pro suspected_pro_type profile cluster buy_number_cluster audience_group
    loyalty_level loyalty_hvc_level app_cluster last_chance_churn anti_churn b2b_subscription customer_value`
  const query = `query GetCustomerSegments { customerSegments { ${segments} } }`
  for (const method of ['GET', 'POST']) {
    const held = dataOf(await graphql('GetCustomerSegments', query, { method }))?.['customerSegments']
    assert.deepEqual(Object.keys(held as object).toSorted(), segments.split(/\s+/).toSorted(), method)
  }
  for (const [name, document] of [
    ['GetCustomerSegments', query],
    ['GetCustomerProfile', 'query GetCustomerProfile { customerProfile { email } }'],
  ] as const)
    assert.ok(!(await graphql(name, document, { cookie: signedOut })).text.includes(customer.email), name)
})

test('PATCH /api/v2/customer-segment/customers sends only what is provided, and returns true; anything else is refused', async () => {
  const patch = (json: unknown, cookie?: string) => call({ ...posts['customer segments'], json, ...(cookie && { cookie }) })
  for (const given of [{ b2b_welcome: true }, { b2b_vat_modal: false }, { b2b_suspected_pro: 'NOT_SUSPECTED_PRO' }]) {
    const { status, json } = await patch(given)
    assert.deepEqual([status, json], [200, true])
  }
  const read = dataOf(await graphql('GetCustomerSegments', 'query GetCustomerSegments { customerSegments { b2b_welcome b2b_vat_modal } }'))
  assert.deepEqual(structuredClone(read), { customerSegments: { b2b_welcome: true, b2b_vat_modal: false } })
  for (const bad of [{}, { customer_value: 'HIGH' }, { b2b_welcome: 'yes' }, { b2b_welcome: true, loyalty_level: 'GOLD' }])
    assert.equal((await patch(bad)).status, 422, JSON.stringify(bad))
  assert.ok([401, 403].includes((await patch({ b2b_welcome: true }, signedOut)).status))
})

test('the session client: session, csrf, providers, sign-in, update, sign-out, _log and logout answer as specified', async () => {
  const own = await addCustomer(database.db)
  const cookies = `${consent}; __Host-purlin=${(await signIn(database.db, { customerId: own.id })).token}`
  assert.deepEqual((await call({ path: '/api/auth/session', cookie: signedOut })).json, {})
  const before = (await call({ path: '/api/auth/session', cookie: cookies })).json as { user: { email: string }; expires: string }
  assert.equal(before.user.email, own.email)
  assert.ok(Date.parse(before.expires) > Date.now())
  const providers = (await call({ path: '/api/auth/providers' })).json as Record<string, { id: string; type: string }>
  for (const [id, provider] of Object.entries(providers)) assert.deepEqual([provider.id, provider.type], [id, 'oauth'])
  assert.ok(Object.keys(providers).includes('keycloak-b2c'))

  const token = async () => {
    const { json, headers } = await call({ path: '/api/auth/csrf', cookie: cookies })
    const set = [headers['set-cookie'] ?? []].flat().map((line) => String(line).split(';')[0])
    return { csrfToken: (json as { csrfToken: string }).csrfToken, cookie: [cookies, ...set].join('; ') }
  }
  const { csrfToken, cookie } = await token()
  const callbackUrl = `http://${host}/cart`
  const post = (path: string, fields: Record<string, string>, more: Partial<Call> = {}) =>
    call({ path, cookie, ...form({ csrfToken, callbackUrl, json: 'true', ...fields }), ...more })
  const begun = (await post('/api/auth/signin/keycloak-b2c', {})).json as { url: string }
  // No identity provider runs here, and the page for that is shown; the journey `auth-clients` signs in.
  assert.match(new URL(begun.url).pathname, /^\/auth\/error-page$/)
  // Neither an unknown provider nor a forged token begins anything: both lead back to the form.
  assert.match((await post('/api/auth/signin/nobody', {})).text, /\/signin\?csrf=true/)
  assert.match((await post('/api/auth/signin/keycloak-b2c', { csrfToken: 'forged' })).text, /csrf=true/)
  assert.ok((await post('/api/auth/callback/keycloak-b2c', {})).status < 500)
  for (const evil of ['//evil.example', 'javascript:alert(1)', 'http://evil.example/', '/\\evil.example']) {
    const { text, headers } = await post('/api/auth/signout', { callbackUrl: evil, csrfToken: 'forged' })
    assert.doesNotMatch(text + String(headers['location'] ?? ''), /evil\.example\/?["}]/, evil)
  }

  const update = (body: object) => call({ path: '/api/auth/session', cookie, json: body })
  const refreshed = await update({ csrfToken, data: { type: 'refresh' } })
  assert.ok([200, 401].includes(refreshed.status), String(refreshed.status))
  assert.equal((await update({ data: { type: 'refresh' } })).status, 400)
  assert.equal((await update({ csrfToken: 'forged', data: { type: 'refresh' } })).status, 400)

  const logged = await call({ path: '/api/auth/_log', cookie, form: { level: 'error', code: 'CLIENT_FETCH_ERROR', error: '{}', url: '/' } })
  assert.ok(logged.status < 300)
  const out = (await post('/api/auth/signout', {})).json as { url: string }
  assert.ok(typeof out.url === 'string')
  assert.deepEqual((await call({ path: '/api/auth/session', cookie: cookies })).json, {})
  const { status, headers } = await call({ path: '/api/v1/logout?no_redirect=true', method: 'POST', cookie: signedOut })
  assert.ok(status < 300 && headers['location'] === undefined, String(status))
})

type Search = Record<string, unknown>
const searchKey = { 'x-algolia-application-id': 'purlin', 'x-algolia-api-key': 'purlin-search' }
async function search(params: Search, headers: Record<string, string> = searchKey) {
  const json = { requests: [{ indexName: 'products_gb', ...params }] }
  const answer = await call({ path: '/search-engine/1/indexes/*/queries', json, headers, cookie: signedOut })
  const [result] = (answer.json as { results?: Record<string, unknown>[] }).results ?? []
  const hits = (result?.['hits'] as { objectID: string }[] | undefined) ?? []
  return { status: answer.status, fields: Object.keys(result ?? {}), ids: hits.map(({ objectID }) => objectID) }
}
const seen = (...ids: string[]): Search => ({
  query: '',
  filters: ids.map((id, at) => `objectID:"${id}"<score=${ids.length - at}>`).join(' OR '),
  ruleContexts: ['product-history'],
  responseFields: ['hits'],
})

test('R-544 R-545 queries go to the search provider by the proxy path, with a key; without one, or with another, they are refused', async () => {
  const found = await search({ query: 'drill' }, { ...searchKey, 'x-algolia-usertoken': visitorId })
  assert.deepEqual([found.status, found.ids.toSorted()], [200, ['1', '2', '3']])
  assert.deepEqual((await search({ query: 'nothing of the kind' })).ids, [])
  for (const headers of [{}, { ...searchKey, 'x-algolia-api-key': 'guessed' }]) {
    const { status, ids } = await search({ query: 'drill' }, headers)
    assert.ok(status >= 400 && status < 500, String(status))
    assert.deepEqual(ids, [])
  }
})

test('R-549 R-550 R-551 a history search filters by object ids in order of score, under its rule context, and returns hits alone; so does the shop’s own', async () => {
  assert.deepEqual(await search(seen('3', '1')), { status: 200, fields: ['hits'], ids: ['3', '1'] })
  assert.deepEqual((await search(seen('1', '3'))).ids, ['1', '3'])
  assert.deepEqual((await search(seen('2', '404', '1'))).ids, ['2', '1'])
  const ours = async (...ids: string[]) => {
    const query = 'query SeenProducts($ids: [ID!]!) { seenProducts(productIds: $ids) { productId } }'
    const { json } = await call({ path: '/graphql', json: { operationName: 'SeenProducts', query, variables: { ids } } })
    return (json as { data: { seenProducts: { productId: string }[] } }).data.seenProducts.map(({ productId }) => productId)
  }
  const before = shop.engine.asked.length
  assert.deepEqual(
    [await ours('3', '1'), await ours('1', '3')],
    [
      ['3', '1'],
      ['1', '3'],
    ],
  )
  const { filters, ruleContexts, responseFields } = shop.engine.asked[before]?.params ?? {}
  const expected = seen('3', '1')
  assert.deepEqual([filters, ruleContexts, responseFields], [expected['filters'], expected['ruleContexts'], expected['responseFields']])

  // A rule of an operator for histories holds in these searches, and in no other.
  const rule = await fetch(`${shop.gateway.url}/api/v1/operator/search/gb/rules/seen`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ conditions: [{ context: 'product-history' }], hide: ['3'] }),
  })
  assert.equal(rule.status, 204)
  await runWork(database, searchHandlers)
  assert.deepEqual([(await search(seen('3', '1'))).ids, await ours('3', '1')], [['1'], ['1']])
  const { ruleContexts: _, ...elsewhere } = seen('3', '1')
  assert.deepEqual((await search(elsewhere)).ids, ['3', '1'])
})

const hostile: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['a text', 'text'],
  ['true', true],
  ['an array of nothing known', [[], {}, null, 1]],
  ['an empty object', {}],
  ['a polluted prototype', JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}')],
  ['deep nesting', JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)],
  ['something far too large', { filler: 'x'.repeat(200_000) }],
]

for (const [name, good] of Object.entries(posts))
  test(`A44 hostile bodies for ${name} are refused, and nothing of the shop’s inside is said`, async () => {
    const refused = [400, 403, 413, 415, 422, 429]
    for (const [what, json] of hostile) {
      const { status, text } = await call({ ...good, json })
      assert.ok(refused.includes(status), `${what}: ${status} ${text.slice(0, 200)}`)
      assert.doesNotMatch(text, /node_modules|\.ts:\d|relation|valibot/i, what)
    }
    const object: object = Array.isArray(good.json) ? { ...good.json[0] } : good.json
    for (const field of Object.keys(object))
      for (const value of ['\u0000', { $ne: null }, [[[]]], 1e400, -1, "'; drop table x; --"]) {
        const changed = { ...object, [field]: value }
        const { status, text } = await call({ ...good, json: Array.isArray(good.json) ? [changed] : changed })
        assert.ok(status < 500, `${field} = ${JSON.stringify(value)}: ${status} ${text.slice(0, 200)}`)
      }
    assert.ok([400, 415].includes((await call({ ...good, json: undefined, form: { a: '1' } })).status), 'a form')
    const elsewhere = await fetch(shop.gateway.url + good.path, {
      method: 'method' in good ? good.method : 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
        cookie: `${consent}; ${session}`,
        'user-agent': userAgent,
      },
      body: JSON.stringify(good.json),
    })
    assert.equal(elsewhere.status, name === 'flags and variations' ? 200 : 403, 'from another site')
  })
