import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser } from './testing.ts'

/** The change of a password from the shop, with a Keycloak. The embedded provider is in e2e/journeys. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const old = 'seven quiet kettles'
const chosen = 'eight loud trumpets'

beforeEach(() => {
  provider.person = somebody({ sid: 'this-device' })
  Object.assign(provider, { password: old, passwordPolicy: null, mood: 'well', sessions: ['this-device', 'another-device'] })
})

async function device() {
  const browser = testBrowser(gateway)
  await browser.signIn()
  return browser
}
type Device = Awaited<ReturnType<typeof device>>
const json = { 'content-type': 'application/json' }
const change = (browser: Device, fields: object, headers: Record<string, string> = {}, host = gb) =>
  browser.ask('/api/v1/credentials', {
    method: 'POST',
    host,
    headers: { ...json, ...headers },
    body: JSON.stringify({ json: true, currentPassword: old, newPassword: chosen, ...fields }),
  })
const form = (browser: Device, fields: Record<string, string>) =>
  browser.post('/api/v1/credentials', { do: 'credentials', currentPassword: old, newPassword: chosen, ...fields })
const mails = async (email: unknown) =>
  (await database.pool.query(`select 1 from mail.mail where recipient = $1 and template = 'security-change'`, [email])).rows.length
const reasonOf = ({ status, json: body }: { status: number; json: Record<string, unknown> }) => [status, body['reason']]

test('R-425 the password is changed with the current one: other devices are signed out, here and at the provider, and a mail says so', async () => {
  const [mine, other] = [await device(), await device()]
  const before = mine.cookies.get(gb)?.get('__Host-purlin')
  const { email } = provider.person
  assert.deepEqual((await change(mine, {})).json, { ok: true })
  assert.equal(provider.password, chosen)
  assert.equal((await mine.session()).user?.email, email)
  assert.deepEqual(await other.session(), {})
  assert.deepEqual(provider.sessions, ['this-device'])
  assert.equal(await mails(email), 1)
  const stolen = testBrowser(gateway)
  stolen.cookies.set(gb, new Map([['__Host-purlin', before ?? '']]))
  assert.deepEqual(await stolen.session(), {}, 'a copy of the session’s cookie is worthless')
})

test('R-425 a wrong current password changes nothing and ends no session', async () => {
  const [mine, other] = [await device(), await device()]
  for (const currentPassword of ['not this one', '', chosen])
    assert.deepEqual(reasonOf(await change(mine, { currentPassword })), [422, 'current-wrong'])
  assert.equal(provider.password, old)
  assert.ok((await other.session()).user)
  assert.equal(await mails(provider.person['email']), 0)
})

test('R-425 the provider’s policy is told at the new password', async () => {
  const mine = await device()
  for (const [policy, reason] of [
    ['invalidPasswordMinLengthMessage', 'too-short'],
    ['invalidPasswordMaxLengthMessage', 'too-long'],
    ['invalidPasswordBlacklistedMessage', 'breached'],
    ['invalidPasswordNotUsernameMessage', 'personal'],
    ['invalidPasswordRegexPatternMessage', 'weak'],
  ]) {
    provider.passwordPolicy = policy ?? null
    assert.deepEqual(reasonOf(await change(mine, {})), [422, reason])
  }
  assert.equal(provider.password, old)
})

test('R-455 a form without a script is led back to the page with the reason, or with the flash message', async () => {
  const mine = await device()
  const refused = await form(mine, { currentPassword: 'not this one' })
  assert.deepEqual([refused.status, refused.location], [303, `http://${gb}/settings?credentials=current-wrong#credentials`])
  const done = await form(mine, {})
  assert.deepEqual([done.status, done.location], [303, `http://${gb}/settings`])
  assert.match(done.setCookies.join('\n'), /purlin_flash=%7B%22severity%22%3A%22success%22%2C%22key%22%3A%22flash\.password-changed%22%7D/)
})

test('R-455 an unavailable provider is no wrong password, and nobody is signed out', async () => {
  const [mine, other] = [await device(), await device()]
  for (const mood of ['down-for-tokens', 'html-for-tokens'] as const) {
    provider.mood = mood
    assert.deepEqual(reasonOf(await change(mine, {})), [503, 'unavailable'], mood)
  }
  assert.ok((await other.session()).user)
})

test('A33 A34 the call is taken from a signed-in customer’s own page alone', async () => {
  assert.equal((await change(testBrowser(gateway), {})).status, 401, 'a guest')
  const mine = await device()
  assert.equal((await change(mine, {}, {}, pro)).status, 401, 'the other storefront')
  const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]
  for (const headers of foreign) assert.equal((await change(mine, {}, headers)).status, 403, JSON.stringify(headers))
  for (const fields of [{ currentPassword: null }, { newPassword: { $ne: 1 } }, { currentPassword: [old] }])
    assert.equal((await change(mine, fields)).status, 400, JSON.stringify(fields))
  assert.equal(provider.password, old)
})
