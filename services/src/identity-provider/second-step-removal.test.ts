import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { quotas } from './attempts.ts'
import { codeNow, newRecoveryCodes } from './second-factor.ts'
import { removeDueSteps } from './second-step-removal.ts'
import { type TestIdentity, ann, hosts, mailsTo, openStep, startTestIdentity, testBrowser, url } from './testing.ts'

/** Staff have a second step removed that locks its owner out. */

let identity: TestIdentity
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const person = (n: number, more: object = {}) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: ann.sub.replace(/01$/, String(10 + n)),
  email: `locked-out-${n}@example.com`,
  totpSecret,
  ...more,
})
const [locked, present, recovering, renewed, doubtful, signedIn, spare, robbed, earlier] = [
  person(1, { locale: 'fr-FR' }),
  person(2),
  person(3),
  person(4),
  person(5),
  person(8),
  person(9),
  person(20),
  person(21),
] as const
const plain = { ...person(6), totpSecret: '' }
const clerk = { ...person(7), realms: ['staff'] as const }
before(async () => {
  identity = await startTestIdentity({
    people: [locked, present, recovering, renewed, doubtful, signedIn, spare, robbed, earlier, plain, clerk],
  })
  await identity.database.pool.query(`update identity.totp set created_at = now() - interval '30 days'`)
})
after(() => identity.server.close())

type Who = Pick<typeof locked, 'sub' | 'email' | 'password'>
interface Listed {
  by: string
  reference: string
  requestedAt: string
  dueAt: string
  endedAt: string | null
  outcome: string | null
}

async function call(
  { sub }: Who,
  method: 'GET' | 'PUT' | 'DELETE',
  { realm = 'b2c', body = {} }: { realm?: 'b2c' | 'staff'; body?: object } = {},
) {
  const { access_token: token } = await oidc.clientCredentialsGrant(await identity.shop(realm))
  const response = await identity.fetch(`${url}/admin/realms/${realm}/users/${sub}/second-step-removal`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'PUT' && { body: JSON.stringify({ by: 'Ada Sinclair', reference: 'T-1041', ...body }) }),
  })
  return { status: response.status, listed: (await response.json()) as Listed[] }
}
async function waitAWeek(): Promise<void> {
  const days = `interval '7 days 1 minute'`
  await identity.database.pool.query(
    `update identity.second_step_removal set requested_at = requested_at - ${days}, due_at = due_at - ${days} where ended_at is null`,
  )
  await removeDueSteps({ pool: identity.database.pool, url, hosts })
}
async function afterPassword({ email, password }: Who) {
  const { browser, page } = await openStep(identity, 'b2c')
  return { browser, page: await browser.send(page, { email, password }) }
}
const outcome = async (who: Who) => (await call(who, 'GET')).listed[0]?.outcome

test('A40 a second step that staff have asked to remove ends after a week, with all sessions, and a mail at both ends says so in the account’s language', async () => {
  const { browser, page } = await afterPassword(locked)
  await browser.send(page, { code: codeNow(totpSecret) })
  const { status, listed } = await call(locked, 'PUT')
  assert.equal(status, 200)
  assert.deepEqual([listed[0]?.by, listed[0]?.reference, listed[0]?.outcome], ['Ada Sinclair', 'T-1041', null])
  assert.equal(Date.parse(listed[0]?.dueAt ?? '') - Date.parse(listed[0]?.requestedAt ?? ''), 7 * 86_400_000)
  const [warning] = await mailsTo(identity, locked.email)
  assert.match(warning?.text ?? '', /désactiver la validation en deux étapes .* dans sept jours/)
  assert.doesNotMatch(warning?.text ?? '', /Mot de passe oublié/, 'a new password does not prevent it')

  await removeDueSteps({ pool: identity.database.pool, url, hosts })
  assert.match((await afterPassword(locked)).page.address, /\/second$/, 'not before the week is over')
  await waitAWeek()
  assert.ok((await afterPassword(locked)).page.address.includes('code='), 'the password is enough')
  const { rows } = await identity.database.pool.query(`select 1 from identity.recovery_code where account_id = $1`, [locked.sub])
  assert.deepEqual(rows, [])
  assert.match((await browser.follow(`${url}/realms/b2c/account`)).html, /name="password"/, 'signed out')
  assert.deepEqual(
    (await mailsTo(identity, locked.email)).map(({ template }) => template),
    ['second-step-ends', 'security-change'],
  )
  assert.equal(await outcome(locked), 'removed')
})

test('A40 whoever signs in with the second step within the week keeps it: by its code, or by a recovery code', async () => {
  const codes = await newRecoveryCodes(identity.database.db, { realm: 'b2c', id: recovering.sub })
  for (const who of [present, recovering]) await call(who, 'PUT')
  const byApp = await afterPassword(present)
  assert.equal((await byApp.browser.send(byApp.page, { code: '000000' })).status, 401)
  assert.equal(await outcome(present), null, 'a wrong code proves nothing')
  await byApp.browser.send(byApp.page, { code: codeNow(totpSecret) })
  const byCode = await afterPassword(recovering)
  await byCode.browser.send(await byCode.browser.follow(byCode.page.address.replace(/second$/, 'recovery')), { code: codes[0] ?? '' })
  await waitAWeek()
  for (const who of [present, recovering]) {
    assert.equal(await outcome(who), 'kept', who.email)
    assert.match((await afterPassword(who)).page.address, /\/second$/)
  }
})

test('A40 whoever is signed in already sees the removal and its day on the page of the mail’s link, and keeps the second step by a code, or by a recovery code', async () => {
  const [recovery] = await newRecoveryCodes(identity.database.db, { realm: 'b2c', id: spare.sub })
  for (const [who, code] of [
    [signedIn, () => codeNow(totpSecret)],
    [spare, () => recovery ?? ''],
  ] as const) {
    const { browser, page } = await afterPassword(who)
    await browser.send(page, { code: codeNow(totpSecret) })
    const { listed } = await call(who, 'PUT')
    // The code of the sign-in has been used.
    await identity.database.pool.query('update identity.totp set last_step = last_step - 2 where account_id = $1', [who.sub])
    const link = /http:\S+\/account\S*/.exec((await mailsTo(identity, who.email)).at(-1)?.text ?? '')?.[0] ?? ''
    const warned = await browser.follow(link)
    assert.equal(warned.address, link, 'no code is asked for on the way')
    const day = new Date(listed[0]?.dueAt ?? '').toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' })
    assert.match(warned.html, new RegExp(`will do so on ${day}`))
    const wrong = await browser.send(warned, { code: '000000' })
    assert.deepEqual([wrong.status, await outcome(who)], [422, null])
    assert.match(wrong.html, /This code is not right/)
    const kept = await browser.send(wrong, { code: code() })
    assert.match(kept.html, /The second step stays on/)
    assert.doesNotMatch(kept.html, /will do so on/)
    assert.equal(await outcome(who), 'kept')
  }
  assert.equal((await mailsTo(identity, spare.email)).at(-1)?.template, 'security-change', 'the use of a recovery code')
})

test('A40 codes to keep the second step are counted with those of the sign-in', async () => {
  const { browser, page } = await afterPassword(signedIn)
  await identity.database.pool.query('update identity.totp set last_step = last_step - 2 where account_id = $1', [signedIn.sub])
  await browser.send(page, { code: codeNow(totpSecret) })
  await call(signedIn, 'PUT')
  let shown = await browser.follow(`${url}/realms/b2c/account`)
  for (let n = 0; n < quotas.code.free; n++) shown = await browser.send(shown, { code: '000000' })
  assert.equal(shown.status, 422)
  assert.equal((await browser.send(shown, { code: codeNow(totpSecret) })).status, 429)
  const elsewhere = await afterPassword(signedIn)
  assert.equal((await elsewhere.browser.send(elsewhere.page, { code: codeNow(totpSecret) })).status, 429)
  assert.equal(await outcome(signedIn), null)
  assert.equal((await call(signedIn, 'DELETE')).status, 200)
  assert.doesNotMatch((await browser.follow(`${url}/realms/b2c/account`)).html, /will do so on/, 'called off')
})

test('A40 a second step that was set up anew since the request stays', async () => {
  await call(renewed, 'PUT')
  await identity.database.pool.query(`update identity.totp set created_at = now() where account_id = $1`, [renewed.sub])
  await waitAWeek()
  assert.equal(await outcome(renewed), 'kept')
  assert.match((await afterPassword(renewed)).page.address, /\/second$/)
})

for (const [who, since, hours, expected] of [
  [robbed, 'since the day before the address was moved', 23, 'called-off'],
  [earlier, 'before that', 25, null],
] as const)
  test(`A42 taking an address back ${expected ? 'calls off' : 'leaves'} a removal of the second step requested ${since}`, async () => {
    const newEmail = `moved-${who.email}`
    const press = async (to: string, template: string, fields: Record<string, string> = {}) => {
      const browser = testBrowser(identity)
      const link = (await mailsTo(identity, to)).findLast((mail) => mail.template === template)?.link ?? ''
      return browser.send(await browser.follow(link), fields)
    }
    const { browser, page } = await afterPassword(who)
    await browser.send(page, { code: codeNow(totpSecret) })
    await browser.send(await browser.follow(`${url}/realms/b2c/account/email`), { email: newEmail, old_password: who.password })
    await press(newEmail, 'new-address', { present: who.email })
    await press(who.email, 'agree-address')
    await call(who, 'PUT')
    await identity.database.pool.query(
      'update identity.second_step_removal set requested_at = requested_at - make_interval(hours => $2) where account_id = $1',
      [who.sub, hours],
    )
    assert.match((await press(who.email, 'moved-address')).html, new RegExp(who.email))
    assert.equal(await outcome(who), expected)
    await waitAWeek()
    assert.equal(await outcome(who), expected ?? 'removed')
    const { rows } = await identity.database.pool.query('select 1 from identity.totp where account_id = $1', [who.sub])
    assert.equal(rows.length, expected ? 1 : 0)
  })

test('A40 a removal is requested once, can be called off, and is not there for staff, nor for an account without a second step', async () => {
  const first = await call(doubtful, 'PUT')
  assert.deepEqual((await call(doubtful, 'PUT', { body: { by: 'Another', reference: 'T-2' } })).listed, first.listed)
  assert.equal((await mailsTo(identity, doubtful.email)).length, 1)
  assert.equal((await call(doubtful, 'DELETE')).status, 200)
  assert.equal((await call(doubtful, 'DELETE')).status, 409)
  await waitAWeek()
  assert.equal(await outcome(doubtful), 'called-off')
  assert.match((await afterPassword(doubtful)).page.address, /\/second$/)
  assert.equal((await call(plain, 'PUT')).status, 409)
  assert.equal((await call(clerk, 'PUT', { realm: 'staff' })).status, 409)
  assert.equal((await call(doubtful, 'PUT', { body: { by: '' } })).status, 400)
})

test('a deleted account takes its requests along', async () => {
  const { access_token: token } = await oidc.clientCredentialsGrant(await identity.shop('b2c'))
  const removed = await identity.fetch(`${url}/admin/realms/b2c/users/${doubtful.sub}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(removed.status, 204)
  const { rows } = await identity.database.pool.query('select 1 from identity.second_step_removal where account_id = $1', [doubtful.sub])
  assert.deepEqual(rows, [])
})
