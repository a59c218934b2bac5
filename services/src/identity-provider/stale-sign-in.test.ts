import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { codeNow } from './second-factor.ts'
import { type TestIdentity, ann, mailsTo, openStep, signInAt, startSignIn, startTestIdentity, testBrowser, url } from './testing.ts'

/** Limits of an old sign-in, an old first step and an old link. */

let identity: TestIdentity
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const people = Array.from({ length: 7 }, (_, n) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: `0199c0de-0000-7000-8000-00000000030${n}`,
  email: `stale${n}@example.com`,
  ...(n === 1 && { totpSecret }),
}))
before(async () => {
  identity = await startTestIdentity({ people })
})
after(() => identity.server.close())

const account = `${url}/realms/b2c/account`
const chosen = 'eight loud trumpets'
const lastLink = async (email: string, template: string) =>
  (await mailsTo(identity, email)).findLast((mail) => mail.template === template)?.link ?? ''
const change = (statement: string, values: unknown[]) => identity.database.pool.query(statement, values)
/** Moves the sign-in of all of a person's sessions at the provider into the past. */
const age = (sub: string, minutes: number) =>
  change(
    `update identity.artifact set payload = jsonb_set(payload::jsonb, '{loginTs}', to_jsonb((payload->>'loginTs')::bigint - $2 * 60))
      where model = 'Session' and account_id = $1`,
    [sub, minutes],
  )
const canSignIn = async (email: string, password: string) => {
  const { browser, page } = await openStep(identity, 'b2c')
  return (await browser.send(page, { email, password })).address.includes('code=')
}

test('A42 password, e-mail address and second factor are changed only within fifteen minutes of a sign-in', async () => {
  const [who] = people
  const { browser } = await signInAt(identity, 'b2c', who)
  await age(who!.sub, 14)
  const fresh = await browser.follow(`${account}/password`)
  assert.match(fresh.html, /name="old_password"/)
  await age(who!.sub, 2)
  for (const step of ['', '/password', '/email', '/second-step']) {
    const page = await browser.follow(`${account}${step}`)
    assert.match(page.address, /\/interaction\//, `${step} asks to sign in again`)
    assert.match(page.html, /name="password"/)
  }
  await browser.send(fresh, { old_password: who!.password, password: chosen })
  assert.equal(await canSignIn(who!.email, chosen), false, 'a page opened in time is sent too late')
  assert.equal(await canSignIn(who!.email, who!.password), true)
})

test('A37 a password entered an hour ago does not count for the second step', async () => {
  const who = people[1]!
  const { browser, page } = await openStep(identity, 'b2c')
  const next = await browser.send(page, { email: who.email, password: who.password })
  assert.match(next.address, /\/second$/)
  await change(
    `update identity.artifact set payload = jsonb_set(payload::jsonb, '{lastSubmission,first,at}',
        to_jsonb((payload #>> '{lastSubmission,first,at}')::bigint - 3600000))
      where model = 'Interaction' and payload::text like '%' || $1 || '%'`,
    [who.sub],
  )
  const late = await browser.send(next, { code: codeNow(totpSecret) })
  assert.ok(!late.address.includes('code='))
  assert.match(late.html, /name="password"/, 'the password again')
})

test('A38 when somebody else signs in at the same browser, the first person’s session and tokens end', async () => {
  const [first, second] = [people[2]!, people[3]!]
  const { config, browser, tokens } = await signInAt(identity, 'b2c', first)
  const begun = await startSignIn(config, 'b2c', { prompt: 'login' })
  const end = await browser.send(await browser.follow(begun.address), { email: second.email, password: second.password })
  assert.equal((await begun.take(end.address)).claims()?.sub, second.sub)
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''), (error: unknown) =>
    /invalid_grant/.test(JSON.stringify(error)),
  )
  const { rows } = await change(`select 1 from identity.artifact where model = 'Session' and account_id = $1`, [first.sub])
  assert.equal(rows.length, 0)
})

test('A42 a sign-in link of before a password reset opens nothing after it', async () => {
  const who = people[4]!
  const thief = await openStep(identity, 'b2c', 'by-mail')
  await thief.browser.send(thief.page, { email: who.email })
  const link = await lastLink(who.email, 'sign-in-link')
  assert.ok(link)
  const owner = await openStep(identity, 'b2c', 'forgotten')
  await owner.browser.send(owner.page, { email: who.email })
  const page = await owner.browser.follow(await lastLink(who.email, 'reset-password'))
  assert.equal((await owner.browser.send(page, { password: chosen })).status, 200)
  assert.equal((await thief.browser.follow(link)).status, 410)
})

test('A42 a new password ends a change of address that somebody else has begun', async () => {
  const who = people[5]!
  const thief = await signInAt(identity, 'b2c', who)
  await thief.browser.send(await thief.browser.follow(`${account}/email`), { email: 'thief5@example.com', old_password: who.password })
  const link = await lastLink('thief5@example.com', 'new-address')
  assert.ok(link)
  const owner = await signInAt(identity, 'b2c', who)
  await owner.browser.send(await owner.browser.follow(`${account}/password`), { old_password: who.password, password: chosen })
  assert.equal(await canSignIn(who.email, chosen), true)
  assert.equal((await thief.browser.follow(link)).status, 410)
  assert.equal((await testBrowser(identity).follow(link)).status, 410)
})
