import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, testBrowser } from './testing.ts'
import { openTransaction, sealTransaction } from './transaction-cookie.ts'

/** Remains of a guest's session, of a sign-in in progress and of an ended session. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const cookieName = '__Host-purlin'

test('A38: the guest’s session ends a minute after the sign-in, for whoever knows or planted its id', async () => {
  provider.person = somebody()
  const victim = testBrowser(gateway)
  await victim.graphql('mutation { createWishlist(name: "Shed") { refusal { reason } } }')
  const planted = victim.cookies.get(gb)?.get(cookieName)
  assert.ok(planted, 'the first write gives a guest a session')
  const attacker = testBrowser(gateway)
  attacker.cookies.set(gb, new Map([[cookieName, planted]]))
  await victim.signIn()
  assert.notEqual(victim.cookies.get(gb)?.get(cookieName), planted)
  assert.deepEqual(await attacker.session(), {}, 'it is nobody’s session')
  const { rows } = await database.pool.query(
    `select expires_at <= now() + interval '1 minute' as "isEnding" from accounts.session where customer_id is null and staff_id is null`,
  )
  assert.deepEqual(rows, [{ isEnding: true }])
})

test('A38: a sign-in in progress is over after ten minutes, even if its cookie is kept longer', async () => {
  const now = Date.now()
  const asked = { state: 'a-state-of-the-tests', provider: 'keycloak-b2c' } as const
  const sealed = await sealTransaction({ ...asked, nonce: 'n', verifier: 'v', callback: '/', until: now + 600_000 })
  assert.equal((await openTransaction(sealed, { ...asked, now: now + 599_000 }))?.callback, '/')
  assert.equal(await openTransaction(sealed, { ...asked, now: now + 600_001 }), null)
})

test('A38: a session that has ended at the provider changes no password', async () => {
  const old = 'seven quiet kettles'
  provider.person = somebody({ sid: 'this-device' })
  Object.assign(provider, { password: old, passwordPolicy: null, mood: 'well', sessions: ['this-device'] })
  const thief = testBrowser(gateway)
  await thief.signIn()
  provider.endSessions()
  await database.pool.query(`update accounts.session set fresh_until = now() - interval '1 second'`)
  const { status } = await thief.ask('/api/v1/credentials', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ json: true, currentPassword: old, newPassword: 'eight loud trumpets' }),
  })
  assert.equal(status, 401)
  assert.equal(provider.password, old)
})
