import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { type TestIdentity, ann, formsOf, mailsTo, openStep, signInAt, startTestIdentity, testBrowser, url, withoutIds } from './testing.ts'

let identity: TestIdentity
const people = Array.from({ length: 14 }, (_, n) => ({
  ...ann,
  realms: ['b2c'] as const,
  sub: ann.sub.replace(/01$/, String(10 + n)),
  email: `p${n}@example.com`,
}))
const clerk = { ...ann, realms: ['staff'] as const, sub: ann.sub.replace(/01$/, '40'), email: 'clerk@example.com' }
const person = (n: number) => people[n] ?? people[0]!
before(async () => {
  identity = await startTestIdentity({ people: [...people, clerk], trustProxy: 'loopback' })
})
after(() => identity.server.close())

const password = 'seven quiet kettles'
const lastMail = async (email: string) => (await mailsTo(identity, email)).at(-1)

async function askFor(step: 'forgotten' | 'by-mail', email: string, browser = testBrowser(identity)) {
  const opened = await openStep(identity, 'b2c', step, browser)
  return { ...opened, sent: await browser.send(opened.page, { email }) }
}

test('a link replaces a forgotten password: the old one becomes invalid, and all sessions end', async () => {
  const who = person(0)
  const { config, tokens } = await signInAt(identity, 'b2c', { ...ann, email: who.email })
  const { browser } = await askFor('forgotten', who.email)
  const mail = await lastMail(who.email)
  assert.equal(mail?.template, 'reset-password')
  const page = await browser.follow(mail?.link ?? '')
  assert.equal((await browser.send(page, { password: 'short' })).status, 422)
  assert.equal((await browser.send(page, { password })).status, 200)
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''))
  const old = await openStep(identity, 'b2c')
  assert.equal((await old.browser.send(old.page, { email: who.email, password: ann.password })).status, 401)
  const fresh = await openStep(identity, 'b2c')
  assert.ok((await fresh.browser.send(fresh.page, { email: who.email, password })).address.includes('code='))
  assert.equal((await lastMail(who.email))?.template, 'security-change')
})

test('a new password asks about passkeys and a young authenticator app: what is not the owner’s goes, an old second step stays', async () => {
  const [who, careful] = [person(12), person(13)]
  const { pool } = identity.database
  const countOf = async (table: 'passkey' | 'totp' | 'recovery_code', sub: string) =>
    (await pool.query(`select 1 from identity.${table} where account_id = $1`, [sub])).rowCount
  for (const { sub } of [who, careful]) {
    for (const name of ['My phone', 'Their laptop'])
      await pool.query(
        `insert into identity.passkey (realm, id, account_id, public_key, counter, transports, name) values ('b2c', $1, $2, '\\x00', 0, '{}', $3)`,
        [`${name} ${sub}`, sub, name],
      )
    await pool.query(`insert into identity.totp (realm, account_id, secret, last_step) values ('b2c', $1, '\\x00', 0)`, [sub])
    await pool.query(`insert into identity.recovery_code (realm, account_id, hash) values ('b2c', $1, 'x')`, [sub])
  }
  await pool.query(`update identity.totp set created_at = now() - interval '8 days' where account_id = $1`, [careful.sub])
  const open = async ({ email }: typeof who) => {
    const { browser } = await askFor('forgotten', email)
    return { browser, page: await browser.follow((await lastMail(email))?.link ?? '') }
  }
  const mine = await open(who)
  assert.match(mine.page.html, /My phone \([^)]+\), Their laptop \([^)]+\)/)
  assert.match(mine.page.html, /name="second"/)
  const refused = await mine.browser.send(mine.page, { password: 'short', passkeys: 'remove', second: 'remove' })
  assert.equal(refused.status, 422)
  assert.deepEqual([await countOf('passkey', who.sub), await countOf('totp', who.sub)], [2, 1])
  assert.equal((await mine.browser.send(refused, { password, passkeys: 'remove', second: 'remove' })).status, 200)
  for (const table of ['passkey', 'totp', 'recovery_code'] as const) assert.equal(await countOf(table, who.sub), 0, table)

  // A mailbox alone must not switch off a second step that has protected the account for longer, whatever is sent.
  const theirs = await open(careful)
  assert.doesNotMatch(theirs.page.html, /name="second"/)
  const form = formsOf(theirs.page.html).find(({ names }) => names.has('password'))
  assert.ok(form)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url }
  const body = new URLSearchParams({ ...form.hidden, password, passkeys: 'keep', second: 'remove' }).toString()
  assert.equal((await theirs.browser.ask(form.action, { method: 'POST', body, headers })).status, 200)
  assert.deepEqual([await countOf('passkey', careful.sub), await countOf('totp', careful.sub)], [2, 1])
})

test('a new password of staff leaves their second step alone, however young: a mailbox must not switch it off', async () => {
  const { pool } = identity.database
  await pool.query(`insert into identity.totp (realm, account_id, secret, last_step) values ('staff', $1, '\\x00', 0)`, [clerk.sub])
  const { browser, page: asked } = await openStep(identity, 'staff', 'forgotten')
  await browser.send(asked, { email: clerk.email })
  const page = await browser.follow((await lastMail(clerk.email))?.link ?? '')
  assert.doesNotMatch(page.html, /name="second"/)
  const form = formsOf(page.html).find(({ names }) => names.has('password'))
  assert.ok(form)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url }
  const body = new URLSearchParams({ ...form.hidden, password, second: 'remove' }).toString()
  assert.equal((await browser.ask(form.action, { method: 'POST', body, headers })).status, 200)
  assert.equal((await pool.query('select 1 from identity.totp where account_id = $1', [clerk.sub])).rowCount, 1)
})

test('A42 a reset link works once, not after another one has been used, and not for another realm', async () => {
  const who = person(1)
  await askFor('forgotten', who.email)
  const first = await lastMail(who.email)
  const { browser } = await askFor('forgotten', who.email)
  const second = await lastMail(who.email)
  const older = await browser.follow(first?.link ?? '')
  assert.equal(older.status, 200, 'several are valid at once')
  assert.equal((await browser.follow((second?.link ?? '').replace('/b2c/', '/b2b/'))).status, 410, 'another realm')
  const page = await browser.follow(second?.link ?? '')
  assert.equal((await browser.send(page, { password })).status, 200)
  assert.equal((await browser.send(page, { password: 'some other words' })).status, 410, 'used')
  assert.equal((await browser.send(older, { password: 'some other words' })).status, 410, 'the one requested before it')
})

test('A42 of ten concurrent uses of one link, one succeeds', async () => {
  const who = person(2)
  const { browser } = await askFor('forgotten', who.email)
  const page = await browser.follow((await lastMail(who.email))?.link ?? '')
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => browser.send(page, { password: `${password} ${n}` })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
})

test('A42 an expired link opens nothing', async () => {
  const who = person(3)
  const { browser } = await askFor('forgotten', who.email)
  const mail = await lastMail(who.email)
  await identity.database.pool.query(`update identity.one_time_token set expires_at = now() - interval '1 second' where email = $1`, [
    who.email,
  ])
  assert.equal((await browser.follow(mail?.link ?? '')).status, 410)
})

test('A42 the link and its page leak nothing: only a hash in the database, no referrer, no third-party address in the mail', async () => {
  const who = person(4)
  const { browser } = await askFor(
    'forgotten',
    who.email,
    testBrowser(identity, { host: 'evil.example', 'x-forwarded-host': 'evil.example' }),
  )
  const mail = await lastMail(who.email)
  assert.ok(mail?.link.startsWith('http://id.localhost:3002/realms/b2c/link/'))
  assert.ok(!mail?.text.includes('evil'))
  const value = mail?.link.split('/').at(-1) ?? ''
  const { rows } = await identity.database.pool.query<{ row: string }>('select row_to_json(t)::text as row from identity.one_time_token t')
  assert.ok(rows.every(({ row }) => !row.includes(value)))
  const response = await browser.ask(mail?.link ?? '')
  assert.equal(response.headers.get('referrer-policy'), 'same-origin')
  assert.equal(response.headers.get('cache-control'), 'no-store')
})

test('A41 a forgotten password and a sign-in link behave the same whether or not there is an account', async () => {
  for (const step of ['forgotten', 'by-mail'] as const) {
    const [known, unknown] = [await askFor(step, person(5).email), await askFor(step, 'nobody@example.com')]
    const plain = ({ sent }: typeof known) => ({ status: sent.status, html: withoutIds(sent.html).replace(/[\w.]+@example\.com/g, '') })
    assert.deepEqual(plain(known), plain(unknown))
  }
  assert.equal((await mailsTo(identity, 'nobody@example.com')).length, 0)
})

test('a sign-in link signs in, in the browser that requested it', async () => {
  const who = person(6)
  const { browser, begun } = await askFor('by-mail', who.email)
  const page = await browser.follow((await lastMail(who.email))?.link ?? '')
  const end = await browser.send(page, {})
  assert.equal((await begun.take(end.address)).claims()?.sub, who.sub)
})

test('A35 a forwarded sign-in link signs nobody in, and stays valid for its owner', async () => {
  const who = person(7)
  const { browser, begun } = await askFor('by-mail', who.email)
  const link = (await lastMail(who.email))?.link ?? ''
  const victim = testBrowser(identity)
  const shown = await victim.follow(link)
  assert.doesNotMatch(shown.html, /<form/)
  await openStep(identity, 'b2c', '', victim)
  assert.doesNotMatch((await victim.follow(link)).html, /<form/, 'with cookies of its own')
  const end = await browser.send(await browser.follow(link), {})
  assert.equal((await begun.take(end.address)).claims()?.sub, who.sub)
})

const from = (address: string) => testBrowser(identity, { 'x-forwarded-for': address })

test('A40 A42 whoever else requests a link or registers the address, the owner’s links stay valid', async () => {
  const who = person(10)
  const signIn = await askFor('by-mail', who.email)
  const own = (await lastMail(who.email))?.link ?? ''
  await askFor('by-mail', who.email, from('192.0.2.1'))
  assert.notEqual((await lastMail(who.email))?.link, own)
  const end = await signIn.browser.send(await signIn.browser.follow(own), {})
  assert.equal((await signIn.begun.take(end.address)).claims()?.sub, who.sub)
  assert.equal((await signIn.browser.follow(own)).status, 410, 'single use')
  const reset = await askFor('forgotten', who.email)
  const link = (await lastMail(who.email))?.link ?? ''
  const register = await openStep(identity, 'b2c', 'register', from('192.0.2.1'))
  await register.browser.send(register.page, {
    given_name: 'Not',
    family_name: 'Ann',
    email: who.email,
    password: 'three blue wheelbarrows',
  })
  assert.equal((await lastMail(who.email))?.template, 'existing-account')
  assert.equal((await reset.browser.send(await reset.browser.follow(link), { password })).status, 200)
})

test('A40 strangers on many networks stop neither the mails nor the sign-in of a new browser where the owner has signed in before', async () => {
  const who = person(11)
  const home = () => from('192.0.2.77')
  await signInAt(identity, 'b2c', { ...ann, email: who.email }, home())
  for (let n = 0; n < 16; n++) await askFor('forgotten', who.email, from(`198.51.100.${100 + n}`))
  const sent = (await mailsTo(identity, who.email)).length
  await askFor('forgotten', who.email, from('198.51.100.140'))
  assert.equal((await mailsTo(identity, who.email)).length, sent, 'a stranger')
  await askFor('forgotten', who.email, home())
  assert.equal((await mailsTo(identity, who.email)).length, sent + 1, 'the owner')
  const tryPassword = async (browser: ReturnType<typeof testBrowser>, given: string) => {
    const { page } = await openStep(identity, 'b2c', '', browser)
    return browser.send(page, { email: who.email, password: given })
  }
  for (let n = 0; n < 11; n++) await tryPassword(from(`198.51.100.${150 + n}`), `guess ${n} of many`)
  assert.equal((await tryPassword(from('198.51.100.170'), ann.password)).status, 429, 'a stranger')
  assert.ok((await tryPassword(home(), ann.password)).address.includes('code='), 'the owner')
  for (let n = 0; n < 11; n++) await tryPassword(home(), `guess ${n} of many`)
  assert.equal((await tryPassword(home(), ann.password)).status, 429, 'guesses from there are counted too')
})

test('A44 mails to one address are limited, whoever requests them', async () => {
  const who = person(8)
  for (let n = 0; n < 8; n++) await askFor('forgotten', who.email, from('203.0.113.1'))
  const count = (await mailsTo(identity, who.email)).length
  assert.ok(count >= 2 && count <= 5, `${count} mails`)
  for (let n = 0; n < 24; n++) await askFor('forgotten', who.email, from(`203.0.113.${10 + n}`))
  const all = (await mailsTo(identity, who.email)).length
  assert.ok(all >= 8 && all <= 13, `${all} mails`)
})

test('A44 spellings of one mailbox count as one: forms of registration from many networks do not flood it', async () => {
  for (let n = 0; n < 24; n++) {
    const { page, browser } = await openStep(identity, 'b2c', 'register', from(`203.0.113.${100 + n}`))
    const email = n % 2 ? `vic.tim+${n}@gmail.com` : `victim+${n}@googlemail.com`
    await browser.send(page, { given_name: 'Vic', family_name: 'Tim', password, email })
  }
  const { rows } = await identity.database.pool.query(`select 1 from mail.mail where recipient like 'vic%'`)
  assert.ok(rows.length >= 8 && rows.length <= 13, `${rows.length} mails`)
})

test('A40 a stranger’s requests for mails stop neither the owner’s from another network nor those of another kind', async () => {
  const who = person(9)
  const { browser } = await signInAt(identity, 'b2c', { ...ann, email: who.email })
  const count = async () => (await mailsTo(identity, who.email)).length
  const isSent = async (step: 'forgotten' | 'by-mail', own: ReturnType<typeof testBrowser>) => {
    const before = await count()
    const { sent } = await askFor(step, who.email, own)
    return { isSent: (await count()) > before, html: withoutIds(sent.html) }
  }
  for (let n = 0; n < 6; n++) await askFor('forgotten', who.email, from('198.51.100.1'))
  const [stranger, owner] = [await isSent('forgotten', from('198.51.100.1')), await isSent('forgotten', from('198.51.100.2'))]
  assert.deepEqual([stranger.isSent, owner.isSent], [false, true])
  assert.equal(stranger.html, owner.html, 'the page does not tell')
  assert.equal((await isSent('by-mail', from('198.51.100.1'))).isSent, true, 'another kind, even from the same network')
  for (let n = 0; n < 14; n++) await askFor('forgotten', who.email, from(`198.51.100.${10 + n}`))
  assert.equal((await isSent('forgotten', from('198.51.100.99'))).isSent, false, 'many networks together')
  browser.jar.delete('__Host-purlin-id-b2c')
  assert.equal((await isSent('forgotten', browser)).isSent, true, 'the owner, in a browser that has signed in before')
})
