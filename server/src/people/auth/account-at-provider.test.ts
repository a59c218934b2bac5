import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser } from './testing.ts'

/** An account's own pages are the identity provider's; what changes there is known here. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)

test('R-293 an address changed at the provider is the account’s here after the next refresh, if the provider has verified it', async () => {
  const person = somebody()
  provider.person = person
  const one = testBrowser(gateway)
  await one.signIn()
  for (const [email, isVerified] of [
    ['unverified@example.com', false],
    ['a@example.com,b@example.com', true],
    ['', true],
  ] as const) {
    const before = (await one.session()).user?.email
    Object.assign(person, { email, email_verified: isVerified })
    await one.update({ type: 'refresh' })
    assert.equal((await one.session()).user?.email, before, email)
  }
  Object.assign(person, { email: 'new.home@example.com', email_verified: true })
  await one.update({ type: 'refresh' })
  assert.equal((await one.session()).user?.email, 'new.home@example.com')
})

test('A43 an address changed to that of another customer makes two accounts of one address, never one', async () => {
  const [ann, eve] = [somebody(), somebody()]
  provider.person = ann
  const victim = testBrowser(gateway)
  await victim.signIn()
  provider.person = eve
  const attacker = testBrowser(gateway)
  await attacker.signIn()
  Object.assign(eve, { email: ann['email'] })
  await attacker.update({ type: 'refresh' })
  const [one, other] = [await victim.session(), await attacker.session()]
  assert.equal(one.user?.email, other.user?.email)
  assert.notEqual(one.user?.id, other.user?.id)
})

test('R-293 the account’s pages are those of the realm of the session, embedded or a Keycloak’s', async (t) => {
  t.after(() => useSettings(provider.settings))
  const at = async (one: ReturnType<typeof testBrowser>, query: string, host = gb) =>
    (await one.ask(`/api/auth/account?${query}`, { host })).location
  provider.person = somebody()
  const one = testBrowser(gateway)
  await one.signIn(gb, { provider: 'keycloak' })
  assert.equal(await at(one, 'page=password'), `${provider.url}/realms/unified/account/#/account-security/signing-in`)
  assert.equal(await at(testBrowser(gateway), 'page=email', pro), `${provider.url}/realms/b2b/account/`)
  useSettings({})
  const shop = 'shop=http%3A%2F%2Fgb.localhost%3A3000&ui_locales=en'
  assert.match(await at(testBrowser(gateway), 'page=email'), new RegExp(`^http://id\\.localhost:\\d+/realms/b2c/account/email\\?${shop}$`))
  for (const page of ['//evil.example', '__proto__', '../x', ''])
    assert.match(await at(testBrowser(gateway), `page=${encodeURIComponent(page)}`), new RegExp(`/realms/b2c/account\\?${shop}$`), page)
})

test('R-081 the provider is asked for the page of a forgotten password, and for no page that it does not have', async () => {
  await testBrowser(gateway).ask('/api/auth/pre-login?step=forgotten&callbackUrl=/cart')
  const { location } = await testBrowser(gateway).ask('/api/auth/pre-login?step=forgotten')
  assert.equal(new URL(location).searchParams.get('purlin_step'), 'forgotten')
  const other = await testBrowser(gateway).ask('/api/auth/pre-login?step=second')
  assert.equal(new URL(other.location).searchParams.get('purlin_step'), null)
})
