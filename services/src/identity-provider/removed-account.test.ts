import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { type TestIdentity, ann, openStep, signInAt, startTestIdentity, testBrowser, url } from './testing.ts'

let identity: TestIdentity
const person = (n: number, realms: readonly ('b2c' | 'b2b')[]) => ({
  ...ann,
  realms,
  sub: `0199c0de-0000-7000-8000-0000000002${10 + n}`,
  email: `leaver${n}@example.com`,
})
const [leaver, other, both] = [person(0, ['b2c']), person(1, ['b2c']), person(2, ['b2c', 'b2b'])] as const
before(async () => {
  identity = await startTestIdentity({ people: [leaver, other, both] })
})
after(() => identity.server.close())

async function remove({ sub, email, password }: typeof leaver) {
  const { config } = await signInAt(identity, 'b2c', { email, password })
  await identity.server.settled()
  const { access_token: token } = await oidc.clientCredentialsGrant(config)
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await identity.fetch(`${url}/admin/realms/b2c/users/${sub}`, { method: 'DELETE', headers })).status, 204)
}

test('with an account go its change of address and the mails to a new address that was never confirmed, and nobody else’s', async () => {
  const moves = async (who: typeof leaver, email: string) => {
    const { browser } = await signInAt(identity, 'b2c', who)
    await browser.send(await browser.follow(`${url}/realms/b2c/account/email`), { email, old_password: who.password })
  }
  await moves(leaver, 'never.confirmed@example.com')
  await moves(other, 'another@example.com')
  await identity.server.settled()
  const recipients = async () =>
    (await identity.database.pool.query<{ recipient: string }>('select recipient from mail.mail order by recipient')).rows.map(
      ({ recipient }) => recipient,
    )
  assert.deepEqual(await recipients(), ['another@example.com', leaver.email, other.email, 'never.confirmed@example.com'])
  await remove(leaver)
  assert.deepEqual(await recipients(), ['another@example.com', other.email])
  const { rows } = await identity.database.pool.query('select email from identity.email_change')
  assert.deepEqual(rows, [{ email: 'another@example.com' }])
})

test('with an account goes an unconfirmed registration of its address in another realm, but no link of an account there', async () => {
  const registration = { given_name: 'Ann', family_name: 'Leaver', password: 'seven quiet kettles' }
  const company = { company: 'Leavers Ltd', trade: 'tiler', vat_number: 'de 111 111 125', role: 'owner' }
  const { browser, page } = await openStep(identity, 'b2b', 'register', testBrowser(identity))
  await browser.send(page, { ...registration, ...company, email: other.email })
  const forgotten = await openStep(identity, 'b2b', 'forgotten', testBrowser(identity))
  await forgotten.browser.send(forgotten.page, { email: both.email })
  await identity.server.settled()
  const tokens = async ({ email }: typeof leaver) =>
    (await identity.database.pool.query('select purpose from identity.one_time_token where realm = $1 and email = $2', ['b2b', email])).rows
  assert.deepEqual([await tokens(other), await tokens(both)], [[{ purpose: 'register' }], [{ purpose: 'reset' }]])
  for (const who of [other, both]) await remove(who)
  assert.deepEqual([await tokens(other), await tokens(both)], [[], [{ purpose: 'reset' }]])
})
