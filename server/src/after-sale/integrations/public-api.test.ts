import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { connectSearch } from '#listing'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { countQuotasIn } from '../../foundation/platform/quotas.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'

/** Keys of the public API and what they open, through the gateway. */

const operatorKey = 'an-operator-key-of-the-tests-of-32-bytes'
useSettings({ PUBLIC_API: 'on', OPERATOR_API_KEY: operatorKey })
connectSearch(await testEngine())
const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())

interface ApiKey {
  id: string
  name: string
  prefix: string
  costPerMinute: number
  lastUsedAt: string | null
  revokedAt: string | null
}
async function operator(method: string, path = '', body?: unknown, key = operatorKey) {
  const response = await fetch(`${gateway.url}/api/v1/operator/api-keys${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as { key: ApiKey; keys: ApiKey[]; secret: string; error: string } }
}
async function newKey(settings: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await operator('POST', '', { name: 'A partner', ...settings })
  assert.equal(status, 201)
  return { id: body.key.id, secret: body.secret }
}

/** The address comes from a proxy: requests from this machine itself are not counted. */
async function call(key: string | null, body: object, { address = '203.0.113.5', cookie = '' } = {}) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(key !== null && { 'x-api-key': key }),
      ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }),
    },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { data?: Record<string, unknown>; errors?: { message: string; extensions: { code: string } }[] }
  return { status: response.status, headers: response.headers, data: answer.data, code: answer.errors?.[0]?.extensions.code, answer }
}
const strange = { query: '{ site { market } }' }

test('an operator makes, lists and revokes keys of the public API; the key is shown once and only its hash is stored', async () => {
  const { status, body } = await operator('POST', '', { name: 'A comparison', costPerMinute: 60_000, days: 30 })
  assert.deepEqual([status, body.key.name, body.key.costPerMinute], [201, 'A comparison', 60_000])
  assert.match(body.secret, /^pka_[A-Za-z0-9_-]{43}$/)
  const { status: found, body: list } = await operator('GET')
  assert.equal(found, 200, list.error)
  assert.equal(list.keys[0]?.prefix, body.secret.slice(0, 10))
  assert.ok(!JSON.stringify(list).includes(body.secret))
  const { rows } = await database.pool.query('select * from integrations.api_key')
  assert.ok(!JSON.stringify(rows).includes(body.secret.slice(10)))

  assert.equal((await call(body.secret, strange)).status, 200)
  assert.ok((await operator('GET')).body.keys[0]?.lastUsedAt)
  assert.equal((await operator('DELETE', `/${body.key.id}`)).status, 204)
  assert.equal((await call(body.secret, strange)).code, 'API_KEY_INVALID')
  for (const unknown of ['/nothing', '/0190a0a0-0000-7000-8000-000000000000']) assert.equal((await operator('DELETE', unknown)).status, 404)
})

test('only operators make keys, and only well-formed ones', async () => {
  for (const method of ['GET', 'POST'])
    assert.equal((await operator(method, '', method === 'POST' ? { name: 'x' } : undefined, 'wrong')).status, 401)
  const { secret } = await newKey()
  assert.equal((await operator('GET', '', undefined, secret)).status, 401)
  for (const wrong of [{}, { name: ' ' }, { name: 'x', costPerMinute: 49_999 }, { name: 'x', days: 731 }, { name: 'x', scopes: [] }])
    assert.equal((await operator('POST', '', wrong)).status, 400, JSON.stringify(wrong))
})

test('V-01 R-649 with PUBLIC_API=on documents that are not of the shop need a key, and those of the shop do not', async () => {
  const [hash = '', own = ''] = Object.entries(knownDocuments).find(([, document]) => document.startsWith('query CartCount')) ?? []
  const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
  assert.equal((await call(null, persisted(hash))).status, 200)
  for (const body of [strange, { query: own }, { ...persisted('a'.repeat(64)), ...strange }, persisted('b'.repeat(64))]) {
    const { status, code, headers } = await call(null, body)
    assert.deepEqual([status, code, headers.get('www-authenticate')], [401, 'API_KEY_MISSING', 'ApiKey'])
  }
  assert.equal((await call((await newKey()).secret, strange)).status, 200)
})

test('V-01 an unknown, expired or malformed key opens nothing', async () => {
  const { id, secret } = await newKey()
  await database.pool.query(`update integrations.api_key set expires_at = now() - interval '1 second' where id = $1`, [id])
  for (const wrong of [secret, `pka_${'a'.repeat(43)}`, secret.replace('pka_', 'pks_'), `${secret}x`, 'x', '', operatorKey]) {
    const { status, code } = await call(wrong, strange)
    assert.deepEqual([status, code], [401, 'API_KEY_INVALID'], wrong)
  }
})

test('V-01 R-649 a key may use up its budget of cost in a minute, from whatever addresses, and no other key’s', async () => {
  const limited = await newKey({ costPerMinute: 50_000 })
  const other = await newKey({ costPerMinute: 50_000 })
  const dear = {
    query: '{ listing(input: { kind: search, query: "", pageSize: 48 }) { cards { productId title prices { main { asFloat } } } } }',
  }
  let answered = 0
  let refused = await call(limited.secret, dear)
  for (; refused.status === 200 && answered < 500; answered++)
    refused = await call(limited.secret, dear, { address: `203.0.113.${answered % 200}` })
  assert.deepEqual([refused.status, refused.code], [429, 'TOO_MANY_REQUESTS'])
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 60, String(wait))
  const { cost = 0 } = (await gateway.execute({ ...dear, headers: { host: 'gb.localhost:3000' } })) as { cost?: number }
  assert.equal(answered, Math.floor(50_000 / cost))
  assert.equal((await call(limited.secret, strange)).status, 429)
  assert.equal((await call(other.secret, dear)).status, 200)
})

test('R-649 budgets are counted in the database where quotas are', async () => {
  countQuotasIn(database.pool)
  const { id, secret } = await newKey({ costPerMinute: 50_000 })
  assert.equal((await call(secret, strange)).status, 200)
  const { rows } = await database.pool.query<{ key: string }>(`select key from platform.quota where key like 'q:public-api:key:%'`)
  assert.equal(rows.length, 1)
  await database.pool.query(`update platform.quota set points = 50_000 where key like 'q:public-api:key:%'`)
  assert.equal((await call(secret, strange)).status, 429)
  await operator('DELETE', `/${id}`)
})

test('A16 a key gives nobody’s rights: cookies are ignored, and nothing is changed', async () => {
  const { id } = await addStaff(database.db, { sellerId: 1, roles: [{ role: 'owner', market: null }] })
  const cookie = `__Host-purlin-staff=${(await signIn(database.db, { staffId: id, family: 'staff' })).token}`
  const { secret } = await newKey()
  const sees = { query: '{ sellerKeys { id } }' }
  const nobody = await call(secret, sees)
  assert.ok([401, 403].includes(nobody.status), JSON.stringify(nobody.answer))
  useSettings({ OPERATOR_API_KEY: operatorKey })
  const open = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(sees),
  })
  assert.equal(open.status, 200)
  useSettings({ PUBLIC_API: 'on', OPERATOR_API_KEY: operatorKey })
  const { data, code } = await call(secret, sees, { cookie })
  assert.deepEqual([data?.['sellerKeys'] ?? null, code], [null, nobody.code])

  const changed = await call(secret, { query: 'mutation { addToCart(offerId: "1", quantity: 1) { refusal { reason } } }' })
  assert.deepEqual([changed.status, changed.code, changed.headers.get('set-cookie')], [405, 'METHOD_NOT_ALLOWED', null])
  const query = `${gateway.url}/graphql?query=${encodeURIComponent(strange.query)}`
  assert.equal((await fetch(query, { headers: { 'x-api-key': secret } })).status, 200)
  assert.equal((await fetch(query)).status, 401)
})

test('every example of docs/public-api.md works', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/public-api.md'), 'utf8')
  const { secret } = await newKey()
  const examples = [...text.matchAll(/```graphql\n([\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g)]
  assert.equal(examples.length, 3)
  for (const [, query, variables = '{}'] of examples) {
    const { status, answer } = await call(secret, { query, variables: JSON.parse(variables) as object })
    assert.deepEqual([status, answer.errors], [200, undefined], JSON.stringify(answer))
  }
  const bodies = [...text.matchAll(/^curl (-X POST )?https:\/\/www\.purlin\.fr(\S+) .* -d '(.*)'$/gm)]
  assert.deepEqual(
    bodies.map(([, , path]) => path),
    ['/api/v1/operator/api-keys', '/graphql'],
  )
  assert.equal((await operator('POST', '', JSON.parse(bodies[0]?.[3] ?? ''))).status, 201)
  assert.equal((await call(secret, JSON.parse(bodies[1]?.[3] ?? '') as object)).status, 200)
})
