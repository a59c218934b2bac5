import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { testBrowser } from './testing.ts'

/** Support has a second step removed. What the embedded provider does with it is tested there. */

const OPERATOR_API_KEY = 'an-operator-key-of-the-tests-with-32-bytes'
const provider = await fakeProvider()
const embedded = {
  IDENTITY_ORIGIN: provider.url,
  PORT: String(Number(new URL(provider.url).port) - 2),
  IDENTITY_CLIENT_SECRET: provider.settings.IDENTITY_CLIENT_SECRET,
  OPERATOR_API_KEY,
}
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)

provider.person = somebody()
const one = testBrowser(gateway)
await one.signIn()
const customerId = (await one.session()).user?.id ?? ''
beforeEach(() => {
  useSettings(embedded)
  provider.removals = []
})

const asked = { by: 'Ada Sinclair', reference: 'T-1041' }
async function call(method: 'GET' | 'PUT' | 'DELETE', body?: object, { id = customerId, key = OPERATOR_API_KEY } = {}) {
  const { status, json } = await testBrowser(gateway).ask(`/api/v1/operator/customers/${id}/second-step-removal`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status, ...(json as { error?: string; accounts?: { realm: string; requests: object[] }[] }) }
}

test('V-51 support requests the removal of a customer’s second step, sees when it is due, and calls it off', async () => {
  const { status, accounts } = await call('PUT', asked)
  assert.equal(status, 200)
  const [account] = accounts ?? []
  const requests = [{ ...asked, requestedAt: '2026-11-30T10:00:00.000Z', dueAt: '2026-12-07T10:00:00.000Z', endedAt: null, outcome: null }]
  assert.deepEqual(account, { realm: 'b2c', requests })
  assert.deepEqual((await call('GET')).accounts, [{ realm: 'b2c', requests }])
  assert.deepEqual(await call('DELETE'), { status: 200, accounts: [{ realm: 'b2c', requests: [] }] })
})

test('V-51 a removal needs the operators’ key, a name, a reference, a known customer, and an account with a second step at the embedded provider', async () => {
  assert.equal((await call('PUT', asked, { key: 'not-the-key' })).status, 401)
  for (const body of [{ by: 'Ada Sinclair' }, { ...asked, by: ' ' }, { ...asked, reference: 'x'.repeat(101) }])
    assert.equal((await call('PUT', body)).status, 400)
  assert.deepEqual(await call('PUT', asked, { id: randomUUID() }), { status: 404, error: 'unknown-customer' })
  assert.deepEqual(provider.removals, [])
  provider.removals = null
  assert.deepEqual(await call('PUT', asked), { status: 409, error: 'nothing-to-do' })
  useSettings({ ...provider.settings, OPERATOR_API_KEY })
  assert.deepEqual(await call('PUT', asked), { status: 409, error: 'not-here' })
})

test('V-51 while the provider is down, support is told to try later', async () => {
  provider.mood = 'down'
  assert.deepEqual(await call('PUT', asked), { status: 503, error: 'identity-provider-unavailable' })
  provider.mood = 'well'
})
