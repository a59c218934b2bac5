import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { gb, pro, testBrowser, type TestBrowser } from './testing.ts'

/** OpenID Connect Back-Channel Logout 1.0, as a Keycloak sends it. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)

afterEach(() => {
  provider.mood = 'well'
})

const event = 'http://schemas.openid.net/event/backchannel-logout'
const now = () => Math.floor(Date.now() / 1000)
const issuer = `${provider.url}/realms/b2c`
const claims = (more: JWTPayload): JWTPayload => ({
  iss: issuer,
  aud: 'purlin-shop',
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  events: { [event]: {} },
  ...more,
})

async function post(body: string, headers: Record<string, string> = {}): Promise<{ status: number; cacheControl: string | null }> {
  const answer = await fetch(`${gateway.url}/webhooks/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
  return { status: answer.status, cacheControl: answer.headers.get('cache-control') }
}
const send = async (token: string) => (await post(new URLSearchParams({ logout_token: token }).toString())).status
const report = async (more: JWTPayload, header?: { alg?: string; typ?: string }) => send(await provider.sign(claims(more), header))

/** A person who has signed in, in a session of the provider. */
async function signedIn(person = somebody(), host = gb): Promise<{ one: TestBrowser; sub: string; sid: string }> {
  const sid = randomUUID()
  provider.person = { ...person, sid }
  const one = testBrowser(gateway)
  await one.signIn(host)
  return { one, sub: String(person['sub']), sid }
}
const isIn = async ({ one }: { one: TestBrowser }, host = gb) => {
  const { user, error } = await one.session(host)
  return user !== undefined && error === undefined
}

test('A38 a session that ends at the provider ends here, and only this one; its tokens go with it', async () => {
  const person = somebody()
  const [desk, phone, stranger] = [await signedIn(person), await signedIn(person), await signedIn()]
  assert.equal(await report({ sid: desk.sid, sub: desk.sub }), 200)
  assert.deepEqual([await isIn(desk), await isIn(phone), await isIn(stranger)], [false, true, true])
  assert.equal((await desk.one.session()).error, 'RefreshAccessTokenError', 'the reason is told once more')
  const { rows } = await database.pool.query('select 1 from auth.token where sid = $1', [desk.sid])
  assert.equal(rows.length, 0)
  assert.equal(await report({ sid: phone.sid }), 200, 'the session alone names it')
  assert.deepEqual([await isIn(phone), await isIn(stranger)], [false, true])
})

test('A38 a token with a subject alone ends all of the person’s sessions, and nobody else’s', async () => {
  const person = somebody()
  const [desk, phone, stranger] = [await signedIn(person), await signedIn(person), await signedIn()]
  assert.equal(await report({ sub: desk.sub }), 200)
  assert.deepEqual([await isIn(desk), await isIn(phone), await isIn(stranger)], [false, false, true])
})

test('A38 the session carried to the other storefront ends with it', async () => {
  const desk = await signedIn()
  let reply = await desk.one.ask('/api/v1/exchange-to-pro?callbackUrl=/cart')
  while (reply.location.includes('/api/')) {
    const url = new URL(reply.location)
    reply = await desk.one.ask(url.pathname + url.search, { host: url.host })
  }
  assert.equal(await isIn(desk, pro), true)
  assert.equal(await report({ sid: desk.sid }), 200)
  assert.deepEqual([await isIn(desk), await isIn(desk, pro)], [false, false])
})

test('A38 an unknown session is no mistake; when the subject is known, the provider is asked about the sessions of before', async () => {
  assert.equal(await report({ sid: randomUUID() }), 200)
  const old = await signedIn()
  await database.pool.query('update auth.token set sid = null where sid = $1', [old.sid])
  assert.equal(await report({ sid: old.sid, sub: old.sub }), 200)
  const before = provider.calls['token'] ?? 0
  await old.one.session()
  assert.equal(provider.calls['token'], before + 1)
  assert.equal(await isIn(old), true, 'it says that this one goes on')
})

test('A37 a token counts once', async () => {
  const person = somebody()
  const first = await signedIn(person)
  const token = await provider.sign(claims({ sub: first.sub }))
  assert.equal(await send(token), 200)
  const later = await signedIn(person)
  assert.equal(await send(token), 400)
  assert.equal(await isIn(later), true, 'a replay does not end the next session')
})

test('A37 all spellings of the type that providers use are accepted', async () => {
  for (const typ of [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']) {
    const one = await signedIn()
    assert.equal(await report({ sid: one.sid }, typ === undefined ? {} : { typ }), 200, String(typ))
    assert.equal(await isIn(one), false)
  }
})

const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const bad: [string, (at: { sub: string; sid: string }) => Promise<string> | string][] = [
  ['of another issuer', (at) => provider.sign(claims({ ...at, iss: 'https://evil.example/realms/b2c' }))],
  ['of a realm that does not exist', (at) => provider.sign(claims({ ...at, iss: `${provider.url}/realms/evil` }))],
  ['for another client', (at) => provider.sign(claims({ ...at, aud: 'another-shop' }))],
  ['without an audience', (at) => provider.sign(claims({ ...at, aud: undefined }))],
  ['issued ten minutes ago', (at) => provider.sign(claims({ ...at, iat: now() - 600 }))],
  ['issued in an hour', (at) => provider.sign(claims({ ...at, iat: now() + 3600, exp: now() + 7200 }))],
  ['without a time', (at) => provider.sign(claims({ ...at, iat: undefined }))],
  ['that has expired', (at) => provider.sign(claims({ ...at, exp: now() - 60 }))],
  ['without an id', (at) => provider.sign(claims({ ...at, jti: undefined }))],
  ['without the event', (at) => provider.sign(claims({ ...at, events: { 'http://schemas.example/other': {} } }))],
  ['whose event is no object', (at) => provider.sign(claims({ ...at, events: { [event]: true } }))],
  ['without events, such as an ID token', (at) => provider.sign(claims({ ...at, events: undefined }))],
  ['with a nonce', (at) => provider.sign(claims({ ...at, nonce: 'n' }))],
  ['that names nobody', () => provider.sign(claims({}))],
  ['of another type', (at) => provider.sign(claims({ ...at }), { typ: 'at+jwt' })],
  ['signed with another key', (at) => new SignJWT(claims({ ...at })).setProtectedHeader({ alg: 'RS256' }).sign(foreignKey)],
  [
    'signed with the client’s secret',
    (at) =>
      new SignJWT(claims({ ...at }))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(provider.settings.IDENTITY_CLIENT_SECRET.repeat(2))),
  ],
  ['without a signature', (at) => new UnsecuredJWT(claims({ ...at })).encode()],
  [
    'whose contents were changed',
    async (at) => {
      const [head, , signature] = (await provider.sign(claims({ sid: 'x' }))).split('.')
      return [head, Buffer.from(JSON.stringify(claims({ ...at }))).toString('base64url'), signature].join('.')
    },
  ],
  ['of an endless length', (at) => provider.sign(claims({ ...at, more: 'x'.repeat(9000) }))],
  ['that is none', () => 'a.b.c'],
  ['that is empty', () => ''],
]
for (const [name, make] of bad)
  test(`A36 A38 a logout token ${name} is refused and ends nothing`, async () => {
    const one = await signedIn()
    assert.equal(await send(await make({ sub: one.sub, sid: one.sid })), 400)
    assert.equal(await isIn(one), true)
  })

test('A36 a token of another realm ends no session of this one', async () => {
  const one = await signedIn()
  assert.equal(await report({ iss: `${provider.url}/realms/b2b`, sub: one.sub, sid: one.sid }), 200)
  assert.equal(await isIn(one), true)
})

test('A38 other requests are refused: no token, JSON without one, two tokens, a body too long, another method', async () => {
  const one = await signedIn()
  const token = await provider.sign(claims({ sid: one.sid }))
  assert.deepEqual(await post(''), { status: 400, cacheControl: 'no-store' })
  assert.equal((await post('{}', { 'content-type': 'application/json' })).status, 400)
  assert.equal((await post(JSON.stringify({ logout_token: [token] }), { 'content-type': 'application/json' })).status, 400)
  assert.equal((await post(`logout_token=${'x'.repeat(20_000)}`)).status, 413)
  assert.equal((await fetch(`${gateway.url}/webhooks/identity?logout_token=${token}`)).status, 404)
  assert.equal(await isIn(one), true)
})

test('F7 while the provider’s keys cannot be read nothing ends, and the provider may send the token again', async () => {
  const one = await signedIn()
  const token = await provider.sign(claims({ sid: one.sid }))
  // The cached discovery document is forgotten in the meantime.
  await new Promise((resolve) => setTimeout(resolve, 3100))
  provider.mood = 'down'
  assert.equal(await send(token), 503)
  provider.mood = 'well'
  assert.equal(await isIn(one), true)
  assert.equal(await send(token), 200)
  assert.equal(await isIn(one), false)
})
