import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { testBrowser } from './testing.ts'

/** The limit on beginning and finishing sign-ins, by network. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })

const limit = quotas['sign-in'].address.units
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const steps = [
  '/api/auth/pre-login?callbackUrl=/',
  '/api/v1/register',
  '/api/auth/callback/keycloak-b2c?code=x&state=y',
  '/api/auth/signin',
]

for (const [index, step] of steps.entries())
  test(`V-11 as many sign-ins as the limit allows are begun from a network, and then none, at ${step.split('?', 1)[0]}`, async () => {
    const one = testBrowser(gateway)
    const address = `198.51.100.${index + 1}`
    const statuses: number[] = []
    for (let n = 0; n < limit + 3; n++) statuses.push((await one.ask(step, from(address))).status)
    assert.deepEqual(statuses, [...Array<number>(limit).fill(302), 429, 429, 429])
    const refused = await one.ask(step, from(address))
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal(refused.location, '', 'nobody is sent to the provider')
  })

test('V-11 the steps of a sign-in share one limit, other networks have their own, and sessions go on', async () => {
  provider.person = somebody()
  const signedIn = testBrowser(gateway)
  await signedIn.signIn()
  assert.ok((await signedIn.session()).user)
  const one = testBrowser(gateway)
  const address = '2001:db8:7:1::1'
  for (let n = 0; n < limit; n++) await one.ask(steps[n % steps.length]!, from(`2001:db8:7:1::${n.toString(16)}`))
  for (const step of steps) assert.equal((await one.ask(step, from(address))).status, 429, step)
  assert.equal((await one.ask(steps[0]!, from('2001:db8:7:2::1'))).status, 302)
  // Reading or ending a session begins none.
  for (const path of ['/api/auth/session', '/api/auth/csrf', '/api/auth/providers'])
    assert.equal((await signedIn.ask(path, from(address))).status, 200, path)
  const out = await signedIn.post('/api/v1/logout', { no_redirect: 'true' }, from(address))
  assert.equal(out.status, 200)
})
