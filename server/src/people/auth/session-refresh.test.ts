import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser } from './testing.ts'

/** Sessions that continue while the identity provider fails. Two gateways stand for two processes. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const second = await testGateway(database.pool)

async function signedIn() {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await one.signIn()
  return one
}
const refreshTokens = async () =>
  (await database.pool.query('select generation from auth.token order by created_at desc limit 1')).rows[0]?.generation as
    | number
    | undefined

test('R-583 R-331: an update with refresh checks with the provider and keeps the session', async () => {
  const one = await signedIn()
  const before = await one.session()
  const { status, json } = await one.update({ type: 'refresh' })
  assert.equal(status, 200)
  assert.deepEqual({ ...json, expires: '' }, { ...before, expires: '' })
  assert.equal(await refreshTokens(), 2)
})

test('R-331: an update with role renews the id and adopts the company joined in the meantime', async () => {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await one.signIn(pro, { provider: 'keycloak' })
  assert.equal((await one.session(pro)).role, 'b2c')
  const before = one.cookies.get(pro)?.get('__Host-purlin')
  const { rows } = await database.pool.query(
    `insert into accounts.company (id, name, country) values (gen_random_uuid(), 'Lee Ltd', 'GB') returning id`,
  )
  await database.pool.query(
    `insert into accounts.membership (customer_id, company_id, role) select id, $1, 'buyer' from accounts.customer where email = $2`,
    [rows[0].id, provider.person['email']],
  )
  const { json } = await one.update({ type: 'role' }, pro)
  assert.equal(json['role'], 'b2b')
  assert.notEqual(one.cookies.get(pro)?.get('__Host-purlin'), before)
  const old = testBrowser(gateway)
  old.cookies.set(pro, new Map([['__Host-purlin', before ?? '']]))
  assert.deepEqual(await old.session(pro), {}, 'the id before the change of rights is worth nothing')
  assert.equal((await one.update({ type: 'refresh' }, pro)).json['error'], undefined)
})

test('five concurrent updates on two processes use the refresh token once, and all succeed', async () => {
  const one = await signedIn()
  const other = testBrowser(second)
  other.cookies.set(gb, one.cookies.get(gb) ?? new Map())
  const before = provider.calls['token'] ?? 0
  const answers = await Promise.all([one, other, one, other, one].map((each) => each.update({ type: 'refresh' })))
  for (const { status, json } of answers) assert.deepEqual([status, json['error']], [200, undefined])
  const used = (provider.calls['token'] ?? 0) - before
  // Updates that arrive just after a refresh start another; no token is used twice.
  assert.ok(used >= 1 && used <= 5)
  assert.ok((await other.session()).user)
})

test('R-673 an update waits for a refresh token that another process has leased: twenty polls every 50 ms, then the session stands as it is', async () => {
  const one = await signedIn()
  const before = await one.session()
  const lock = (until: string) =>
    database.pool.query(`update auth.token set leased_until = ${until} where created_at = (select max(created_at) from auth.token)`)
  const calls = provider.calls['token'] ?? 0
  await lock(`now() + interval '1 minute'`)
  const begun = Date.now()
  const { status, json } = await one.update({ type: 'refresh' })
  assert.ok(Date.now() - begun >= 20 * 50)
  assert.deepEqual([status, { ...json, expires: '' }], [200, { ...before, expires: '' }])
  assert.equal(provider.calls['token'] ?? 0, calls, 'the token of the other process is not used')

  await lock(`now() + interval '1 minute'`)
  const waiting = one.update({ type: 'refresh' })
  await lock('null')
  assert.equal((await waiting).json['error'], undefined)
  assert.equal(provider.calls['token'] ?? 0, calls + 1, 'unlocked in time, it is')
})

test('R-332: a refresh token that the provider rejects ends the session with RefreshAccessTokenError', async () => {
  const one = await signedIn()
  const { rows } = await database.pool.query('select refresh_token from auth.token order by created_at desc limit 1')
  await one.update({ type: 'refresh' })
  // As if the first token were replayed.
  await database.pool.query('update auth.token set refresh_token = $1 where created_at = (select max(created_at) from auth.token)', [
    rows[0].refresh_token,
  ])
  const { json } = await one.update({ type: 'refresh' })
  assert.equal(json['error'], 'RefreshAccessTokenError')
  assert.equal((await one.session()).error, 'RefreshAccessTokenError', 'said until somebody signs in again')
  const { data } = await one.graphql<{ funnel: { email: string | null } }>('{ funnel { email } }')
  assert.equal(data?.funnel.email, null, 'and it opens nothing any more')
  await one.signIn()
  assert.equal((await one.session()).error, undefined)
})

test('R-332: refreshing a session without a refresh token reports MissingToken', async () => {
  const one = await signedIn()
  await database.pool.query('update auth.token set refresh_token = null')
  assert.equal((await one.update({ type: 'refresh' })).json['error'], 'MissingToken')
  assert.ok((await one.session()).user)
})

const troubles = ['down', 'html', 'down-for-tokens', 'html-for-tokens'] as const
for (const mood of troubles) {
  test(`F7: with a provider that is ${mood}, sessions continue, and refresh once it is back`, async (t) => {
    t.after(() => void (provider.mood = 'well'))
    const one = await signedIn()
    provider.mood = mood
    await new Promise((resolve) => setTimeout(resolve, 3100))
    const { json } = await one.update({ type: 'refresh' })
    assert.deepEqual([json['error'], Boolean(json['user'])], [undefined, true])
    assert.equal((await one.graphql('{ site { cartCount } }')).errors, undefined)
    provider.mood = 'well'
    const generation = await refreshTokens()
    assert.equal((await one.update({ type: 'refresh' })).json['error'], undefined)
    assert.equal(await refreshTokens(), (generation ?? 0) + 1)
  })
}

test('F7: with a slow provider, a session is read at once and a sign-in gives up after three seconds', async (t) => {
  t.after(() => void (provider.mood = 'well'))
  const one = await signedIn()
  await database.pool.query(`update accounts.session set fresh_until = now() - interval '1 minute'`)
  provider.mood = 'slow'
  await new Promise((resolve) => setTimeout(resolve, 3100))
  const startedAt = performance.now()
  assert.ok((await one.session()).user)
  assert.ok(performance.now() - startedAt < 1000)
  const { location } = await testBrowser(gateway).ask('/api/auth/pre-login?callbackUrl=/cart')
  assert.match(location, /\/auth\/error-page\?error=OAuthSignin&callbackUrl=%2Fcart$/)
  assert.ok(performance.now() - startedAt < 6000)
})

for (const mood of ['down', 'html'] as const) {
  test(`F7: with a provider that is ${mood}, signing in shows our own error page, and works as soon as it is back`, async (t) => {
    t.after(() => void (provider.mood = 'well'))
    provider.mood = mood
    await new Promise((resolve) => setTimeout(resolve, 3100))
    const one = testBrowser(gateway)
    assert.match((await one.ask('/api/auth/pre-login')).location, /\/auth\/error-page\?error=OAuthSignin/)
    provider.mood = 'well'
    provider.person = somebody()
    await one.signIn()
    assert.ok((await one.session()).user)
  })
}

test('F7: a provider that fails in the middle of a sign-in leaves nobody half signed in', async (t) => {
  t.after(() => void (provider.mood = 'well'))
  provider.person = somebody()
  for (const mood of ['down-for-tokens', 'html-for-tokens'] as const) {
    provider.mood = mood
    const one = testBrowser(gateway)
    const { location } = await one.signIn()
    assert.match(location, /error=OAuthCallback/)
    assert.deepEqual(await one.session(), {})
  }
})

test('F7: keys that were rotated since the last sign-in are found', async () => {
  await signedIn()
  await provider.rotateKeys()
  await new Promise((resolve) => setTimeout(resolve, 3100))
  const one = await signedIn()
  assert.ok((await one.session()).user)
})

test('a session not recently confirmed by the provider is refreshed in the background', async () => {
  const one = await signedIn()
  await database.pool.query(`update accounts.session set fresh_until = now() - interval '1 minute'`)
  const generation = (await refreshTokens()) ?? 0
  assert.ok((await one.session()).user)
  for (let tries = 0; tries < 50 && (await refreshTokens()) === generation; tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(await refreshTokens(), generation + 1)
})
