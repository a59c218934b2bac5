import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { mayGoOn } from './overdue-session.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser, type TestBrowser } from './testing.ts'

/** Sessions that are checked with the identity provider although their browser never requests its session. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)

async function signedIn(host = gb, options = {}): Promise<TestBrowser> {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await one.signIn(host, options)
  return one
}
const accessTokensExpire = () => database.pool.query(`update accounts.session set fresh_until = now() - interval '1 second'`)
const emailOf = async (one: TestBrowser, host = gb) =>
  (await one.graphql<{ customerProfile: { email: string } }>('{ customerProfile { email } }', host)).data?.customerProfile?.email ?? null
const pauseIsOver = () => sleep(4100)

test('A38: a password reset at the provider ends a session that is never queried, at its first request after the access token expires', async () => {
  const one = await signedIn()
  assert.ok(await emailOf(one))
  provider.endSessions()
  assert.ok(await emailOf(one), 'within the life of the access token nobody asks')
  await accessTokensExpire()
  assert.equal(await emailOf(one), null)
  assert.equal((await one.session()).error, 'RefreshAccessTokenError', 'and the browser is told why')
})

test('A38: an ended session neither issues exchange tokens nor adopts a company', async () => {
  const one = await signedIn()
  provider.endSessions()
  await accessTokensExpire()
  assert.equal((await one.ask('/api/v1/exchange-to-pro', { method: 'POST' })).status, 401)
  const other = await signedIn(pro, { provider: 'keycloak-b2b' })
  provider.endSessions()
  await accessTokensExpire()
  const before = other.cookies.get(pro)?.get('__Host-purlin')
  assert.equal((await other.update({ type: 'role' }, pro)).json['error'], 'RefreshAccessTokenError')
  assert.equal(other.cookies.get(pro)?.get('__Host-purlin'), before, 'no new id for a session that has ended')
})

test('a dozen concurrent requests with an overdue session refresh it once, and all are answered', async () => {
  const one = await signedIn()
  await accessTokensExpire()
  const before = provider.calls['token'] ?? 0
  const emails = await Promise.all(Array.from({ length: 12 }, () => emailOf(one)))
  assert.deepEqual(new Set(emails), new Set([provider.person['email']]))
  assert.equal((provider.calls['token'] ?? 0) - before, 1)
})

test('a request that read its session just before another refreshed it does not refresh it again', async () => {
  const one = await signedIn()
  await accessTokensExpire()
  const signIn = {
    name: 'test.sign-in',
    text: 'select sign_in_id as id from accounts.session where fresh_until < now() order by id desc limit 1',
  }
  const overdue = (await database.db.row<{ id: string }>(signIn))?.id ?? ''
  assert.ok(await emailOf(one))
  const before = provider.calls['token'] ?? 0
  assert.equal(await mayGoOn(database.db, overdue), true)
  assert.equal(provider.calls['token'] ?? 0, before)
})

test('A48: requests for public data never call the provider', async () => {
  const one = await signedIn()
  await accessTokensExpire()
  const before = provider.calls['token'] ?? 0
  assert.equal((await one.graphql('{ categoryTree { name } }')).errors, undefined)
  assert.equal(provider.calls['token'] ?? 0, before)
})

for (const mood of ['down', 'html', 'slow'] as const) {
  test(`F7: with a provider that is ${mood}, overdue sessions continue, at most one request waits, and a reset takes effect once it is back`, async (t) => {
    t.after(async () => {
      provider.mood = 'well'
      await pauseIsOver()
    })
    const one = await signedIn()
    // The cached discovery documents are forgotten in the meantime.
    await sleep(3100)
    await accessTokensExpire()
    provider.mood = mood
    const calls = () => Object.values(provider.calls).reduce((sum, count) => sum + count, 0)
    const before = calls()
    const startedAt = performance.now()
    assert.ok(await emailOf(one))
    assert.ok(performance.now() - startedAt < 2900, 'it gives up before a sign-in would')
    const first = calls()
    assert.ok(first > before, 'the first one asks')
    for (let asked = 0; asked < 10; asked++) assert.ok(await emailOf(one))
    assert.equal(calls(), first, 'those after it do not ask, so they do not wait')
    provider.mood = 'well'
    await pauseIsOver()
    provider.endSessions()
    // A refresh that hangs at a slow provider keeps its lease until it gives up.
    await database.pool.query('update auth.token set leased_until = null')
    assert.equal(await emailOf(one), null)
  })
}
