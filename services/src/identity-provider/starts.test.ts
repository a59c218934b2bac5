import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, beforeEach, mock, test } from 'node:test'
import { purge } from './purge.ts'
import { startsPerNetwork } from './start-counts.ts'
import { type TestIdentity, ann, openStep, signInAt, startSignIn, startTestIdentity, url } from './testing.ts'

/** A visitor who never returns costs a bounded number of rows, and what has expired is deleted in time. */

let identity: TestIdentity
/** What the provider does every minute. */
const everyMinute: (() => void)[] = []
before(async () => {
  const { setInterval } = globalThis
  const watched = mock.method(globalThis, 'setInterval', (work: () => void, ms: number) => {
    if (ms === 60_000) everyMinute.push(work)
    return setInterval(work, ms)
  })
  identity = await startTestIdentity({ trustProxy: 'loopback' })
  watched.mock.restore()
})
after(() => identity.server.close())
beforeEach(() => identity.database.pool.query('delete from identity.attempt'))

const count = async (table: string, where = 'true') =>
  (await identity.database.pool.query<{ n: number }>(`select count(*)::integer as n from identity.${table} where ${where}`)).rows[0]?.n ?? 0

const startAddress = async (more: Record<string, string> = {}, host?: string) =>
  (await startSignIn(await identity.shop('b2c'), 'b2c', more, host)).address

/** Starts a sign-in from a network, without a browser. */
const start = (from: string, address: string, init: RequestInit = {}) =>
  identity.fetch(address, { redirect: 'manual', ...init, headers: { 'x-forwarded-for': from, ...(init.headers as object) } })

test('V-11 two thousand starts of a sign-in from one address leave 120 rows; another address starts as before', async () => {
  const [flooding, other] = ['203.0.113.5', '203.0.113.6']
  const address = await startAddress({ ui_locales: 'fr' }, 'http://fr.localhost:3000')
  const before = await count('artifact')
  let admitted = 0
  for (let n = 0; n < 2000; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { status } = await start(flooding, address)
        if (status === 303) admitted++
        else assert.equal(status, 429)
      }),
    )
  assert.equal(admitted, startsPerNetwork.public)
  assert.equal((await count('artifact')) - before, startsPerNetwork.public)
  assert.equal(await count('attempt'), 0)

  const refused = await start(flooding, address)
  assert.ok(Number(refused.headers.get('retry-after')) > 30)
  const html = await refused.text()
  assert.match(html, /<h1[^>]*>Patientez un peu avant de vous connecter</)
  assert.match(html, /10 minutes/)
  assert.ok(html.includes('href="http://fr.localhost:3000/login"'))
  assert.equal((await start(other, address)).status, 303)
})

test('V-11 every way of writing the address of a start counts, and so does a form', async () => {
  const flooding = '203.0.113.15'
  const address = await startAddress()
  for (let n = 0; n < startsPerNetwork.public; n++) await start(flooding, address)
  const before = await count('artifact')
  const { pathname, searchParams } = new URL(address)
  const form = { method: 'POST', body: searchParams.toString(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  for (const spelling of [
    pathname,
    `${pathname}/`,
    pathname.replace('/auth', '/AUTH'),
    pathname.replace('openid-connect/', 'OpenId-Connect/'),
  ]) {
    assert.equal((await start(flooding, `${url}${spelling}?${searchParams}`)).status, 429, spelling)
    assert.equal((await start(flooding, `${url}${spelling}`, form)).status, 429, `a form to ${spelling}`)
  }
  assert.equal(await count('artifact'), before)
})

test('V-11 addresses of one IPv6 line are one network', async () => {
  const address = await startAddress()
  for (let n = 0; n < startsPerNetwork.public; n++) assert.equal((await start(`2001:db8:1:2::${n.toString(16)}`, address)).status, 303)
  assert.equal((await start('2001:db8:1:2:ffff::1', address)).status, 429)
  assert.equal((await start('2001:db8:1:3::1', address)).status, 303)
})

test('V-11 a network that had to wait starts again afterwards, and a private network has room for everybody behind a proxy', async () => {
  const waiting = '203.0.113.25'
  const address = await startAddress()
  for (let n = 0; n < startsPerNetwork.public; n++) await start(waiting, address)
  assert.equal((await start(waiting, address)).status, 429)
  for (let n = 0; n < startsPerNetwork.public + 10; n++) assert.equal((await start('10.1.2.3', address)).status, 303)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + startsPerNetwork.windowMs + 1000 })
  try {
    assert.equal((await start(waiting, address)).status, 303)
  } finally {
    mock.timers.reset()
  }
})

test('V-11 the cookie of a session that has ended begins no session that lasts', async () => {
  const { browser } = await signInAt(identity, 'b2c')
  await identity.database.pool.query(`delete from identity.artifact where model = 'Session'`)
  await browser.ask(await startAddress())
  assert.equal(await count('artifact', `model = 'Session' and expires_at > now() + interval '1 hour'`), 0)
})

test('V-11 opening a page with a button for passkeys stores nothing', async () => {
  const { browser, start: page } = await openStep(identity, 'b2c')
  const owner = await signInAt(identity, 'b2c')
  await owner.browser.follow(`${url}/realms/b2c/account`)
  const before = await count('one_time_token')
  for (let times = 0; times < 5; times++) {
    assert.match((await browser.follow(page.address)).html, /data-passkey="use"/)
    assert.match((await owner.browser.follow(`${url}/realms/b2c/account`)).html, /data-passkey="create"/)
  }
  assert.equal(await count('one_time_token'), before)
})

/** A passkey of Ann's, and the responses its device gives. */
async function newPasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    // A map of kty: EC2, alg: ES256, crv: P-256, x and y.
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const id = Buffer.from(randomUUID()).toString('base64url')
  await identity.database.pool.query(
    `insert into identity.passkey (realm, id, account_id, public_key, counter, name) values ('b2c', $1, $2, $3, 0, 'Chrome')`,
    [id, ann.sub, cose],
  )
  return (challenge: string) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: url, crossOrigin: false }))
    // User present and verified; no counter.
    const data = Buffer.concat([createHash('sha256').update('id.localhost').digest(), Buffer.from([5, 0, 0, 0, 0])])
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = createSign('sha256').update(signed).sign(privateKey)
    const text = (bytes: Buffer) => bytes.toString('base64url')
    const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) }
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }
}

/** A sign-in page: its challenge, and the submission of a response to it. */
async function passkeyPage(realm: 'b2c' | 'unified' = 'b2c') {
  const { browser, page } = await openStep(identity, realm)
  const attribute = (name: string) =>
    (new RegExp(`data-${name}="([^"]*)"`).exec(page.html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const { challenge } = JSON.parse(attribute('options')) as { challenge: string }
  const send = async (passkey: string) => {
    const response = await browser.ask(`${url}${attribute('action')}`, {
      method: 'POST',
      body: new URLSearchParams({ form_key: attribute('form-key'), passkey }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
    })
    return new URL(response.headers.get('location') ?? '', url)
  }
  return { challenge, send }
}
const hasFailed = (address: URL) => address.searchParams.get('passkey') === 'failed'

test('a passkey signs in with the challenge of its page: once, in this sign-in, within fifteen minutes', async () => {
  const sign = await newPasskey()
  const page = await passkeyPage()
  const answer = sign(page.challenge)
  const stored = await count('one_time_token')
  assert.match((await page.send(answer)).pathname, /\/protocol\/openid-connect\/auth\//)
  assert.equal(hasFailed(await page.send(answer)), true, 'twice')
  assert.equal((await count('one_time_token')) - stored, 1, 'the challenge that was used')

  const [mine, other] = [await passkeyPage(), await passkeyPage()]
  assert.equal(hasFailed(await mine.send(sign(other.challenge))), true, 'the challenge of another sign-in')
  const bytes = Buffer.from(mine.challenge, 'base64url')
  for (const at of [0, 8, 40]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(hasFailed(await mine.send(sign(changed.toString('base64url')))), true, `a challenge with another byte ${at}`)
  }
  for (const invented of ['', 'AAAA', 'A'.repeat(70)]) assert.equal(hasFailed(await mine.send(sign(invented))), true, `“${invented}”`)
  const strange = await newPasskey()
  assert.equal(hasFailed(await mine.send(strange(mine.challenge).replace(/"id":"[^"]*"/, `"id":"${JSON.parse(answer).id}"`))), true)
  assert.equal((await count('one_time_token')) - stored, 1, 'nothing is stored for responses that are refused')

  mock.timers.enable({ apis: ['Date'], now: Date.now() + 16 * 60_000 })
  try {
    assert.equal(hasFailed(await mine.send(sign(mine.challenge))), true, 'too late')
  } finally {
    mock.timers.reset()
  }
  assert.equal(hasFailed(await mine.send(sign(mine.challenge))), false, 'in time')
})

/** Rows that have expired, and one of each table that has not. */
async function fillWithExpired(rows: number) {
  const { pool } = identity.database
  await pool.query(
    `insert into identity.artifact (realm, model, id, payload, expires_at)
      select 'b2c', 'Interaction', 'old-' || n, '{}'::jsonb, now() - interval '1 second' from generate_series(1, $1::integer) n
      union all select 'b2c', 'Interaction', 'new', '{}'::jsonb, now() + interval '1 hour' on conflict do nothing`,
    [rows],
  )
  await pool.query(
    `insert into identity.one_time_token (hash, realm, purpose, email, expires_at)
      select 'old-' || n, 'b2c', 'link', 'a@example.com', now() - interval '25 hours' from generate_series(1, $1::integer) n
      union all select 'new', 'b2c', 'link', 'a@example.com', now() on conflict do nothing`,
    [rows],
  )
  await pool.query(
    `insert into identity.attempt (key, count, since) select 'old-' || n, 1, now() - interval '25 hours' from generate_series(1, $1::integer) n
      union all select 'new', 1, now() on conflict do nothing`,
    [rows],
  )
  await pool.query(
    `insert into identity.known_network (realm, account_id, mark, seen_at)
      select 'b2c', $2::uuid, 'old-' || n, now() - interval '91 days' from generate_series(1, $1::integer) n
      union all select 'b2c', $2::uuid, 'new', now() on conflict do nothing`,
    [rows, ann.sub],
  )
}

async function leftOver() {
  const left: number[] = []
  for (const [table, column] of [
    ['artifact', 'id'],
    ['one_time_token', 'hash'],
    ['attempt', 'key'],
    ['known_network', 'mark'],
  ] as const) {
    left.push(await count(table, `${column} like 'old-%'`))
    assert.equal(await count(table, `${column} = 'new'`), 1, `${table}: what is still in use`)
  }
  return left
}

test('V-11 the purge removes ten thousand expired rows of each table in one run, and no others', async () => {
  await fillWithExpired(10_000)
  await purge(identity.database.db)
  assert.deepEqual(await leftOver(), [0, 0, 0, 0])
})

test('V-11 the provider purges every minute', async () => {
  await fillWithExpired(3000)
  assert.ok(everyMinute.length > 0)
  for (const work of everyMinute) work()
  await identity.server.settled()
  assert.deepEqual(await leftOver(), [0, 0, 0, 0])
  await fillWithExpired(10)
  for (const work of everyMinute) work()
  await identity.server.settled()
  assert.deepEqual(await leftOver(), [0, 0, 0, 0])
})
