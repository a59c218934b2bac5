import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countAttempt, quotas } from './attempts.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { type TestIdentity, ann, mailsTo, openStep, signInAt, startTestIdentity, testBrowser, url } from './testing.ts'

let identity: TestIdentity
before(async () => {
  identity = await startTestIdentity({ trustProxy: 'loopback' })
})
after(() => identity.server.close())

let network = 0
/** A browser with a network address of its own. */
const elsewhere = () => testBrowser(identity, { 'x-forwarded-for': `203.0.113.${++network % 250}` })

async function tryPassword(email: string, password: string, browser = elsewhere()) {
  const { page } = await openStep(identity, 'b2c', '', browser)
  return browser.send(page, { email, password })
}

test('A40 after ten wrong passwords an account accepts no more guesses for a while, from any network', async () => {
  for (let n = 0; n < quotas.account.free; n++) assert.equal((await tryPassword(ann.email, `guess ${n} of many`)).status, 401)
  const refused = await tryPassword(ann.email, ann.password)
  assert.equal(refused.status, 429, 'even the right one, which a guesser might have')
  assert.match(refused.html, /sign-in link/)
})

test('A40 A41 an address without an account is locked in the same way', async () => {
  for (let n = 0; n < quotas.account.free; n++) assert.equal((await tryPassword('nobody@example.com', `guess ${n} of many`)).status, 401)
  assert.equal((await tryPassword('nobody@example.com', 'one more guess')).status, 429)
})

test('A40 of a hundred concurrent guesses, no more are checked than of a hundred sequential ones', async () => {
  const email = 'parallel@example.com'
  const opened = await Promise.all(Array.from({ length: 25 }, () => openStep(identity, 'b2c', '', elsewhere())))
  const answers = await Promise.all(opened.map(({ browser, page }, n) => browser.send(page, { email, password: `guess ${n} of many` })))
  assert.ok(answers.filter(({ status }) => status === 401).length <= quotas.account.free)
})

test('A40 strangers do not lock out the owner: a browser that has signed in before has its own count, and links still work', async () => {
  await identity.database.pool.query('delete from identity.attempt')
  const { browser } = await signInAt(identity, 'b2c')
  for (let n = 0; n < quotas.account.free + 3; n++) await tryPassword(ann.email, `guess ${n} of many`)
  assert.equal((await tryPassword(ann.email, ann.password)).status, 429, 'a stranger')
  browser.jar.delete('__Host-purlin-id-b2c')
  const end = await tryPassword(ann.email, ann.password, browser)
  assert.ok(end.address.includes('code='), 'the owner')
  const link = await openStep(identity, 'b2c', 'by-mail', elsewhere())
  await link.browser.send(link.page, { email: ann.email })
  assert.equal((await mailsTo(identity, ann.email)).at(-1)?.template, 'sign-in-link')
})

test('A40 the cookie of a known browser is useless for another account, and cannot be forged', async () => {
  await identity.database.pool.query('delete from identity.attempt')
  const { browser } = await signInAt(identity, 'b2c')
  const mark = browser.jar.get('__Host-purlin-id-known')!
  for (const value of [mark.value, 'A'.repeat(43), `${mark.value}.${mark.value}`]) {
    const other = `other-${value.length}@example.com`
    for (let n = 0; n < quotas.account.free; n++) await tryPassword(other, `guess ${n} of many`)
    const forged = elsewhere()
    forged.jar.set('__Host-purlin-id-known', { value, path: '/' })
    assert.equal((await tryPassword(other, 'one more guess', forged)).status, 429)
  }
})

test('A40 a network that tries many accounts is slowed down', async () => {
  await identity.database.pool.query('delete from identity.attempt')
  const browser = elsewhere()
  const { page } = await openStep(identity, 'b2c', '', browser)
  let refused = 0
  for (let n = 0; n < quotas.address.free + 3; n++)
    if ((await browser.send(page, { email: `many-${n}@example.com`, password: 'the same for all' })).status === 429) refused++
  assert.equal(refused, 3)
  assert.equal((await tryPassword('many-x@example.com', 'the same for all')).status, 401, 'another network')
})

test('A40 signing in to an account of its own gives a network no more guesses at others', async () => {
  await identity.database.pool.query('delete from identity.attempt')
  const headers = { 'x-forwarded-for': '198.51.100.77' }
  const browser = testBrowser(identity, headers)
  const { page } = await openStep(identity, 'b2c', '', browser)
  const guess = async (n: number) => (await browser.send(page, { email: `many-${n}@example.com`, password: 'the same for all' })).status
  const signsIn = async () => (await tryPassword(ann.email, ann.password, testBrowser(identity, headers))).status
  for (let n = 0; n < quotas.address.free; n++) {
    if (n % 10 === 0) assert.ok((await signsIn()) < 400, 'a right one, between the guesses')
    assert.equal(await guess(n), 401)
  }
  assert.equal(await guess(quotas.address.free), 429)
  assert.equal(await signsIn(), 429)
})

test('A40 a shared address whose sign-ins all succeed is never slowed down', async () => {
  await identity.database.pool.query('delete from identity.attempt')
  const shared = { 'x-forwarded-for': '198.51.100.7' }
  for (let n = 0; n < quotas.address.free + 5; n++) {
    const end = await tryPassword(ann.email, ann.password, testBrowser(identity, shared))
    assert.ok(end.address.includes('code='), `sign-in ${n + 1}: ${end.status}`)
  }
})

test('A40 pairs from as many networks are checked until five hundred were wrong; then unknown browsers get a link, and known ones sign in', async () => {
  const { pool } = identity.database
  await pool.query('delete from identity.attempt')
  const { browser: known } = await signInAt(identity, 'b2c', ann, testBrowser(identity, { 'x-forwarded-for': '198.51.100.81' }))
  known.jar.delete('__Host-purlin-id-b2c')
  const opened = await openStep(identity, 'b2c', '', elsewhere())
  const from = (n: number) => {
    const browser = testBrowser(identity, { 'x-forwarded-for': `100.64.${n >> 8}.${n & 255}` })
    for (const [name, cookie] of opened.browser.jar) browser.jar.set(name, cookie)
    return browser
  }
  // Most are counted without being sent: each costs a hash.
  for (let n = 0; n < quotas.realm.free - 60; n++) await countAttempt(identity.database.db, [{ quota: 'realm', subject: 'b2c' }])
  const statuses: number[] = []
  for (let n = 0; n < 240; n += 8) {
    const pairs = Array.from({ length: 8 }, (_, at) => n + at)
    const answers = await Promise.all(
      pairs.map((pair) => from(pair).send(opened.page, { email: `leaked-${pair}@example.com`, password: `leaked ${pair} elsewhere` })),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length], [60, 180])

  const stranger = elsewhere()
  const refused = await tryPassword(ann.email, ann.password, stranger)
  assert.equal(refused.status, 429, 'even a right pair, which an attacker might have')
  assert.doesNotMatch(refused.html, /type="password"/)
  const before = (await mailsTo(identity, ann.email)).length
  await stranger.send(refused, { email: ann.email })
  const mails = await mailsTo(identity, ann.email)
  assert.equal(mails.length, before + 1)
  assert.equal(mails.at(-1)?.template, 'sign-in-link')
  assert.ok((await stranger.follow(mails.at(-1)?.link ?? '')).html.length > 0, 'the link opens')

  assert.ok((await tryPassword(ann.email, ann.password, known)).address.includes('code='), 'a known browser')
  const home = testBrowser(identity, { 'x-forwarded-for': '198.51.100.81' })
  assert.ok((await tryPassword(ann.email, ann.password, home)).address.includes('code='), 'a new browser in a known network')
  const { browser, page } = await openStep(identity, 'unified', '', elsewhere())
  assert.ok((await browser.send(page, { email: ann.email, password: ann.password })).address.includes('code='), 'another realm')

  await pool.query(
    `update identity.attempt set since = since - interval '11 minutes', blocked_until = blocked_until - interval '11 minutes'`,
  )
  assert.ok((await tryPassword(ann.email, ann.password)).address.includes('code='), 'ten minutes later')
})

test('A40 wrong passwords of everybody together are counted by the clock: a steady few never fill the count', async () => {
  const { pool } = identity.database
  await pool.query('delete from identity.attempt')
  const quota = [{ quota: 'realm', subject: 'steady' }] as const
  const count = () => countAttempt(identity.database.db, quota)
  for (let n = 0; n < quotas.realm.free + 20; n++) {
    assert.equal(await count(), undefined, `attempt ${n}`)
    // Four in ten minutes.
    await pool.query(`update identity.attempt set since = since - interval '150 seconds'`)
  }
})

test('A40 a right password uses up nothing of what everybody may try', async () => {
  const { pool } = identity.database
  await pool.query('delete from identity.attempt')
  for (let n = 0; n < 3; n++) await tryPassword(ann.email, ann.password)
  const { rows } = await pool.query<{ count: number }>('select count from identity.attempt where count > 0')
  assert.deepEqual(rows, [])
})

test('A45 X-Forwarded-For is accepted only from trusted proxies', async () => {
  const direct = await startTestIdentity({}, identity.database)
  try {
    await identity.database.pool.query('delete from identity.attempt')
    let refused = 0
    const { page, browser } = await openStep(direct, 'b2c')
    for (let n = 0; n < quotas.address.free + 2; n++) {
      const forged = testBrowser(direct, { 'x-forwarded-for': `198.51.100.${n}` })
      for (const [name, cookie] of browser.jar) forged.jar.set(name, cookie)
      if ((await forged.send(page, { email: `forged-${n}@example.com`, password: 'the same for all' })).status === 429) refused++
    }
    assert.equal(refused, 2)
  } finally {
    await direct.server.close()
    await identity.database.pool.query('delete from identity.attempt')
  }
})

test('A34 A35 forged forms are refused: no token, a token of another browser or another form, another origin', async () => {
  const mine = await openStep(identity, 'b2c', '', elsewhere())
  const other = await openStep(identity, 'b2c', '', elsewhere())
  const key = (html: string) => /name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? ''
  const register = await mine.browser.follow(`${mine.start.address}/register`)
  const send = (form_key: string, headers: Record<string, string> = { origin: url }) =>
    mine.browser.ask(mine.start.address, {
      method: 'POST',
      body: new URLSearchParams({ form_key, email: ann.email, password: ann.password }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  for (const [name, wrong] of Object.entries({ none: '', 'another browser': key(other.page.html), 'another form': key(register.html) }))
    assert.equal((await send(wrong)).status, 403, name)
  const right = key(mine.page.html)
  const foreign: Record<string, string>[] = [
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: 'http://gb.localhost:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of foreign) assert.equal((await send(right, headers)).status, 403, JSON.stringify(headers))
  assert.equal((await send(right, { origin: url, 'content-type': 'text/plain' })).status, 403, 'text/plain')
  assert.equal((await send(right)).status, 303)
})

test('A38 the session at the provider gets a new id at every sign-in', async () => {
  const planted = testBrowser(identity)
  planted.jar.set('__Host-purlin-id-b2c', { value: 'planted-by-somebody-else-0123456789', path: '/' })
  const { browser } = await signInAt(identity, 'b2c', ann, planted)
  const first = browser.jar.get('__Host-purlin-id-b2c')?.value
  assert.notEqual(first, 'planted-by-somebody-else-0123456789')
})

test('A41 a wrong password takes equally long for an address without an account', async () => {
  const stored = await hashPassword('seven quiet kettles')
  const time = async (hash: string | undefined) => {
    // Processor time: a busy machine makes either of them wait.
    const began = process.cpuUsage()
    await verifyPassword('some guess or other', hash)
    const { user, system } = process.cpuUsage(began)
    return user + system
  }
  await time(undefined)
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let n = 0; n < 15; n++) {
    known.push(await time(stored))
    unknown.push(await time(undefined))
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
  const ratio = median(known) / median(unknown)
  assert.ok(ratio > 0.5 && ratio < 2, `ratio ${ratio.toFixed(2)}`)
})
