import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import * as oidc from 'openid-client'
import { quotas } from './attempts.ts'
import { codeNow } from './second-factor.ts'
import { type TestIdentity, ann, formsOf, openStep, signInAt, startSignIn, startTestIdentity, url } from './testing.ts'

let identity: TestIdentity
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const people = Array.from({ length: 8 }, (_, n) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: `0199c0de-0000-7000-8000-00000000020${n}`,
  email: `changer${n}@example.com`,
  ...(n === 5 && { totpSecret }),
}))
before(async () => {
  identity = await startTestIdentity({ people: [ann, ...people] })
})
after(() => identity.server.close())

const chosen = 'eight loud trumpets'

async function reset(sub: string, body: object, token?: string) {
  const { access_token: own } = await oidc.clientCredentialsGrant(await identity.shop('b2c'))
  const response = await identity.fetch(`${url}/admin/realms/b2c/users/${sub}/reset-password`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token ?? own}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'password', value: chosen, currentPassword: ann.password, ...body }),
  })
  const text = await response.text()
  return { status: response.status, error: text.startsWith('{') ? (JSON.parse(text) as { error: string }).error : undefined }
}

test('R-425 the shop changes a password with the current one: this device continues, all others and their tokens end', async () => {
  const [who] = people
  const [mine, other] = [await signInAt(identity, 'b2c', who), await signInAt(identity, 'b2c', who)]
  const sid = decodeJwt(mine.tokens.id_token ?? '')['sid']
  assert.equal(typeof sid, 'string')
  assert.equal((await reset(who!.sub, { sid })).status, 204)
  assert.ok((await oidc.refreshTokenGrant(mine.config, mine.tokens.refresh_token ?? '')).refresh_token)
  await assert.rejects(oidc.refreshTokenGrant(other.config, other.tokens.refresh_token ?? ''))
  const begun = await startSignIn(mine.config, 'b2c', { prompt: 'login', max_age: '900' })
  const step = await mine.browser.send(await mine.browser.follow(begun.address), { email: who!.email, password: chosen })
  assert.ok((await begun.take(step.address)).id_token, 'this device signs in again in its session')
  const again = await signInAt(identity, 'b2c', { email: who!.email, password: chosen })
  assert.ok(again.tokens.id_token)
})

test('R-425 wrong current passwords are counted: after five, even the right one waits', async () => {
  const { sub } = people[1]!
  for (let n = 0; n < quotas.code.free; n++)
    assert.deepEqual(await reset(sub, { currentPassword: `guess ${n}` }), { status: 400, error: 'current-wrong' })
  assert.deepEqual(await reset(sub, {}), { status: 429, error: 'locked' })
})

test('R-425 a short, long, personal or breached password is refused with its reason, an account without one says so', async () => {
  const { sub } = people[2]!
  for (const [value, error] of [
    ['too short', 'too-short'],
    ['x'.repeat(201), 'too-long'],
    ['my changer2 word', 'personal'],
    ['password1234', 'breached'],
  ])
    assert.deepEqual(await reset(sub, { value }), { status: 400, error })
  await identity.database.pool.query('update identity.account set password = null where id = $1', [sub])
  assert.deepEqual(await reset(sub, {}), { status: 400, error: 'no-password' })
})

test('A42 nobody but the shop changes a password: not a customer’s token, not one of another realm, and only a whole request', async () => {
  const who = people[3]!
  const { tokens } = await signInAt(identity, 'b2c', who)
  assert.equal((await reset(who.sub, {}, tokens.access_token)).status, 401)
  const { access_token: foreign } = await oidc.clientCredentialsGrant(await identity.shop('b2b'))
  assert.equal((await reset(who.sub, {}, foreign)).status, 401)
  for (const body of [{ currentPassword: undefined }, { value: null }, { type: 'otp' }])
    assert.equal((await reset(who.sub, body)).status, 400)
  assert.equal((await reset('0199c0de-0000-7000-8000-00000000ffff', {})).status, 404)
})

/** Sends the password and follows no redirect: the provider has finished the sign-in, the shop has heard nothing. */
async function finishOnly({ email, password }: Pick<typeof ann, 'email' | 'password'>) {
  const { browser, begun, page } = await openStep(identity, 'b2c')
  const form = formsOf(page.html).find(({ names }) => names.has('password'))
  assert.ok(form)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url }
  const body = new URLSearchParams({ ...form.hidden, email, password }).toString()
  const answer = await browser.ask(form.action, { method: 'POST', body, headers })
  return { browser, begun, status: answer.status, next: answer.headers.get('location') ?? '' }
}

test('A38 a sign-in that was finished before a new password, and waits to return to the shop, opens nothing', async () => {
  const who = people[4]!
  const [kept, stale] = [await finishOnly(who), await finishOnly(who)]
  assert.equal(stale.status, 303)
  assert.match((await kept.browser.follow(kept.next)).address, /[?&]code=/, 'without a change it returns')
  assert.equal((await reset(who.sub, {})).status, 204)
  assert.doesNotMatch((await stale.browser.follow(stale.next)).address, /[?&]code=/)
})

test('A38 a sign-in that has passed its first step before a new password does not pass the second', async () => {
  const who = people[5]!
  const { browser, page } = await openStep(identity, 'b2c')
  const second = await browser.send(page, { email: who.email, password: who.password })
  assert.match(second.address, /\/second$/)
  assert.equal((await reset(who.sub, {})).status, 204)
  const end = await browser.send(second, { code: codeNow(totpSecret) })
  assert.doesNotMatch(end.address, /[?&]code=/)
  assert.equal(end.status, 400)
})

test('A38 a code that was issued before a new password is worth no tokens', async () => {
  const who = people[6]!
  const { browser, begun, page } = await openStep(identity, 'b2c')
  const end = await browser.send(page, { email: who.email, password: who.password })
  assert.match(end.address, /[?&]code=/)
  assert.equal((await reset(who.sub, {})).status, 204)
  await assert.rejects(begun.take(end.address))
})

test('A38 while a password is being changed, the old one opens nothing any more', async () => {
  const who = people[7]!
  const { pool } = identity.database
  const other = await pool.connect()
  await other.query('begin')
  await other.query(`update identity.account set password = null where id = $1`, [who.sub])
  const old = finishOnly(who)
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  for (let looks = 0; looks < 500 && (await pool.query(waiting)).rowCount === 0; looks++) await sleep(20)
  await other.query('commit')
  other.release()
  const { browser, status, next } = await old
  if (status === 303) assert.doesNotMatch((await browser.follow(next)).address, /[?&]code=/)
  else assert.equal(status, 400)
})
