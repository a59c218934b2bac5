import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { codeNow, stepOf } from './second-factor.ts'
import { sealStoredSecrets, factorKeyOf } from './sealed-secret.ts'
import { type TestIdentity, ann, mailsTo, openStep, signInAt, startTestIdentity, testBrowser, url } from './testing.ts'

let identity: TestIdentity
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const person = (n: number, more: object = {}) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: ann.sub.replace(/01$/, String(10 + n)),
  email: `p${n}@example.com`,
  ...more,
})
const guarded = person(1, { totpSecret })
const guessed = person(2, { totpSecret })
const plain = person(3)
const leaving = person(5, { totpSecret })
const clerk = { ...person(4), realms: ['staff'] as const }
before(async () => {
  identity = await startTestIdentity({ people: [guarded, guessed, plain, leaving, clerk] })
})
after(() => identity.server.close())

async function passwordOf(who: Pick<typeof plain, 'email' | 'password'>, realm: 'b2c' | 'staff' = 'b2c', browser = testBrowser(identity)) {
  const opened = await openStep(identity, realm, '', browser)
  return { ...opened, next: await browser.send(opened.page, { email: who.email, password: who.password }) }
}

test('with a second factor the password alone is not enough; the app’s code works, once', async () => {
  const first = await passwordOf(guarded)
  assert.match(first.next.address, /\/second$/)
  const code = codeNow(totpSecret)
  const end = await first.browser.send(first.next, { code })
  assert.equal((await first.begun.take(end.address)).claims()?.sub, guarded.sub)
  const second = await passwordOf(guarded)
  assert.equal((await second.browser.send(second.next, { code })).status, 401, 'the same code again')
})

test('the second step is turned off after a page that names the consequences, and only by its own form', async () => {
  const { browser, next } = await passwordOf(leaving)
  await browser.send(next, { code: codeNow(totpSecret) })
  const asked = await browser.follow(`${account()}/second-step/remove`)
  assert.match(asked.html, /your password alone is enough to sign in, and your recovery codes stop working/)
  assert.match((await browser.follow(account())).html, /The second step is on/)
  const done = await browser.send(asked, {})
  assert.match(done.html, /The second step is off/)
  assert.match((await browser.follow(`${account()}/second-step/remove`)).address, /\/account$/, 'there is nothing left to turn off')
  assert.ok((await passwordOf(leaving)).next.address.includes('code='))
})

test('A37 the second step can be neither skipped nor taken first', async () => {
  const { browser, start, page, begun } = await openStep(identity, 'b2c')
  const skipped = await browser.follow(`${start.address}/second`)
  assert.match(skipped.html, /name="password"/, 'before the password')
  await browser.send(page, { email: guarded.email, password: guarded.password })
  for (const path of ['set-up', 'continue/'.padEnd(52, 'A'), 'recovery']) {
    const there = await browser.follow(`${start.address}/${path}`)
    assert.ok(!there.address.includes('code='), path)
  }
  const resume = start.address.replace('/interaction/', '/protocol/openid-connect/auth/')
  const end = await browser.follow(resume)
  assert.ok(!/[?&]code=/.test(end.address), 'resumed without a result')
  assert.ok(begun)
})

test('A40 codes cannot be guessed: after five wrong ones the account is locked, and a sign-in link does not help', async () => {
  const { browser, next } = await passwordOf(guessed)
  for (let n = 0; n < 5; n++) assert.equal((await browser.send(next, { code: `00000${n}` })).status, 401)
  const right = codeNow(totpSecret)
  assert.equal((await browser.send(next, { code: right })).status, 429)
  const link = await openStep(identity, 'b2c', 'by-mail')
  await link.browser.send(link.page, { email: guessed.email })
  const mail = (await mailsTo(identity, guessed.email)).at(-1)
  const after = await link.browser.send(await link.browser.follow(mail?.link ?? ''), {})
  assert.match(after.address, /\/second$/, 'the link is one factor, not two')
})

test('staff without a second factor must set one up before signing in, and get recovery codes that work once', async () => {
  const { browser, begun, next } = await passwordOf(clerk, 'staff')
  assert.match(next.address, /\/set-up$/)
  const secret = /<code[^>]*>([A-Z2-7 ]{32,})<\/code>/.exec(next.html)?.[1]?.replaceAll(' ', '') ?? ''
  assert.equal((await browser.send(next, { code: '000000' })).status, 401)
  const codesPage = await browser.send(next, { code: codeNow(secret) })
  const codes = [...codesPage.html.matchAll(/<code>([\w-]+)<\/code>/g)].map(([, code]) => code ?? '')
  assert.equal(new Set(codes).size, 10)
  const end = await browser.send(codesPage, {})
  assert.equal((await begun.take(end.address)).claims()?.sub, clerk.sub)
  const { rows } = await identity.database.pool.query<{ row: string }>('select row_to_json(r)::text as row from identity.recovery_code r')
  assert.ok(
    rows.every(({ row }) => codes.every((code) => !row.includes(code))),
    'only hashes are kept',
  )

  const lost = await passwordOf(clerk, 'staff')
  const recovery = await lost.browser.follow(lost.next.address.replace(/second$/, 'recovery'))
  assert.ok((await lost.browser.send(recovery, { code: codes[0] ?? '' })).address.includes('code='))
  assert.equal((await mailsTo(identity, clerk.email)).at(-1)?.template, 'security-change')
  const again = await passwordOf(clerk, 'staff')
  const spent = await again.browser.follow(again.next.address.replace(/second$/, 'recovery'))
  assert.equal((await again.browser.send(spent, { code: codes[0] ?? '' })).status, 401, 'used')
})

test('codes a minute old or a minute ahead are refused, those within half a minute are accepted', () => {
  const code = codeNow(totpSecret)
  const today = Math.floor(Date.now() / 1000 / 30)
  assert.ok([today, today - 1].includes(stepOf(totpSecret, code) ?? 0))
  assert.equal(stepOf(totpSecret, code, Date.now() + 95_000), undefined)
  assert.equal(stepOf(totpSecret, code, Date.now() - 95_000), undefined)
  assert.equal(stepOf(totpSecret, '12345'), undefined)
})

const account = (realm = 'b2c') => `${url}/realms/${realm}/account`

test('the list names the devices; one or all can be signed out, and their tokens end', async () => {
  const phone = await signInAt(
    identity,
    'b2c',
    plain,
    testBrowser(identity, { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit Safari/605' }),
  )
  const desk = await signInAt(
    identity,
    'b2c',
    plain,
    testBrowser(identity, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }),
  )
  await identity.server.settled()
  const page = await desk.browser.follow(account())
  assert.match(page.html, /Firefox, Windows/)
  assert.match(page.html, /Safari, iPhone/)
  const row = page.html.split('<li').find((part) => part.includes('Safari, iPhone')) ?? ''
  assert.match(row, /<details[^>]*><summary[^>]*>Sign out<\/summary><p>Whoever uses Purlin there has to sign in again\.<\/p><form/)
  const device = /name="device" value="([^"]*)"/.exec(row)?.[1] ?? ''
  await desk.browser.send({ address: page.address, html: row }, { device })
  await assert.rejects(oidc.refreshTokenGrant(phone.config, phone.tokens.refresh_token ?? ''))
  const kept = await oidc.refreshTokenGrant(desk.config, desk.tokens.refresh_token ?? '')
  const all = (await desk.browser.follow(account())).html.split('</ul>').at(-1) ?? ''
  await desk.browser.send({ address: page.address, html: all }, { device: 'all' })
  await assert.rejects(oidc.refreshTokenGrant(desk.config, kept.refresh_token ?? ''))
})

test('A1 nobody can sign out somebody else’s device', async () => {
  const mine = await signInAt(identity, 'b2c', plain)
  const attacker = await signInAt(identity, 'b2c', plain)
  await identity.database.pool.query(
    `insert into identity.artifact (realm, model, id, payload, account_id, uid, expires_at)
     values ('b2c', 'Session', 'other', '{}', $1, 'uid-of-another', now() + interval '1 hour')`,
    [guarded.sub],
  )
  const page = await attacker.browser.follow(account())
  await attacker.browser.send({ address: page.address, html: page.html.split('</ul>').at(-1) ?? '' }, { device: 'uid-of-another' })
  const { rowCount } = await identity.database.pool.query(`select 1 from identity.artifact where uid = 'uid-of-another'`)
  assert.equal(rowCount, 1)
  assert.ok(mine)
})

test('changing the password requires the current one, ends other sessions and keeps this one', async () => {
  const other = await signInAt(identity, 'b2c', plain)
  const { browser, config, tokens } = await signInAt(identity, 'b2c', plain)
  const page = await browser.follow(`${account()}/password`)
  const password = 'seven quiet kettles'
  assert.equal((await browser.send(page, { old_password: 'not this one', password })).status, 422)
  assert.equal((await browser.send(page, { old_password: plain.password, password: 'short' })).status, 422)
  const done = await browser.send(page, { old_password: plain.password, password })
  assert.match(done.address, /done=password/)
  await assert.rejects(oidc.refreshTokenGrant(other.config, other.tokens.refresh_token ?? ''))
  assert.ok((await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).refresh_token)
  assert.equal((await mailsTo(identity, plain.email)).at(-1)?.template, 'security-change')
})

test("an account's pages require a recent sign-in, and redirect everybody else to it", async () => {
  const stranger = await testBrowser(identity).follow(account())
  assert.match(stranger.html, /name="password"/)
  assert.equal((await testBrowser(identity).ask(`${account()}/devices`, { method: 'POST' })).status, 303)
})

const stored = async (sub: string) =>
  (await identity.database.pool.query<{ secret: string }>('select secret from identity.totp where account_id = $1', [sub])).rows[0]
    ?.secret ?? ''

test('A40 a copy of the database makes no codes: second-factor secrets are encrypted, each bound to its account', async () => {
  const { rows } = await identity.database.pool.query(`select secret from identity.totp`)
  assert.ok(rows.length >= 2)
  for (const { secret } of rows) assert.match(secret, /^v1\.[\w-]{40,}$/)
  const theirs = await stored(guarded.sub)
  await identity.database.pool.query('update identity.totp set secret = $2 where account_id = $1', [guessed.sub, theirs])
  await identity.database.pool.query('delete from identity.attempt')
  const { next } = await passwordOf(guessed)
  assert.deepEqual([next.status, next.address.includes('code=')], [500, false], 'a secret moved to another account')
})

test('secrets stored before there was a key are encrypted at the next start, and their codes still work', async () => {
  const old = person(7, { totpSecret })
  const started = await startTestIdentity({ people: [old] }, identity.database)
  await started.server.close()
  await identity.database.pool.query('update identity.totp set secret = $2 where account_id = $1', [old.sub, totpSecret])
  const key = factorKeyOf('data-key-of-the-tests')
  await sealStoredSecrets(identity.database.db, key)
  const sealed = await stored(old.sub)
  assert.match(sealed, /^v1\./)
  await sealStoredSecrets(identity.database.db, key)
  assert.equal(await stored(old.sub), sealed, 'once')
  const { browser, next, begun } = await passwordOf(old)
  const end = await browser.send(next, { code: codeNow(totpSecret) })
  assert.equal((await begun.take(end.address)).claims()?.sub, old.sub)
})
