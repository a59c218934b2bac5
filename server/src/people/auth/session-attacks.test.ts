import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { log } from '#platform'
import { backChannelFetch } from './back-channel.ts'
import { callbackPathOf } from './callback-url.ts'
import { somebody } from './test-provider.ts'
import { gb, pro } from './testing.ts'
import { browser, database, follow, gateway, hostile, isRefused, origin, page, provider, returnAddress } from './test-attacks.ts'

for (const callbackUrl of hostile) {
  test(`A33: a callback to ${JSON.stringify(callbackUrl).slice(0, 60)} never leaves the site`, async () => {
    provider.person = somebody()
    const { status, location, setCookies } = await browser().signIn(gb, { callbackUrl })
    // Not a web address at all: the error page. Anything else: this site, and no API endpoint.
    assert.equal(status, 302)
    const url = new URL(location)
    assert.equal(url.origin, page.origin, location)
    const decoded = decodeURIComponent(url.pathname)
    assert.doesNotMatch(decoded, /^\/\/|\\/)
    assert.doesNotMatch(new URL(decoded, origin).pathname, /^\/api/)
    assert.ok(!setCookies.some((line) => line.startsWith('evil')))
    const one = browser()
    const answer = await one.post('/api/auth/signout', { csrfToken: await one.csrfToken(), callbackUrl, json: 'true' })
    if (answer.status !== 400) assert.equal(new URL(String(answer.json['url'])).origin, page.origin)
  })
}

test('A33: script and data addresses are no valid callbacks, and a megabyte of one is refused instantly', async () => {
  for (const callbackUrl of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x'])
    assert.equal(
      (await browser().ask(`/api/auth/pre-login?${new URLSearchParams({ callbackUrl })}`)).location,
      `${origin}/auth/error-page?error=Configuration`,
    )
  const startedAt = performance.now()
  const large = await browser().post('/api/auth/signout', { csrfToken: 'x', callbackUrl: `/${'a'.repeat(1_000_000)}` })
  assert.equal(large.status, 413)
  const twice = await browser().ask('/api/auth/pre-login?callbackUrl=/a&callbackUrl=//evil.example')
  assert.equal(twice.location, `${origin}/auth/error-page?error=Configuration`, 'two callbacks are none')
  assert.ok(performance.now() - startedAt < 2000)
})

test('A34: no other site, no sibling domain and no page of unknown origin can post with a visitor’s session', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const csrfToken = await one.csrfToken()
  const from: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: `http://${pro}` },
    { 'sec-fetch-site': 'none', origin: 'null' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  ]
  for (const headers of from) {
    for (const path of [
      '/api/auth/signout',
      '/api/auth/session',
      '/api/auth/signin/keycloak-b2c',
      '/api/v1/logout',
      '/api/v1/exchange-to-pro',
    ]) {
      const { status } = await one.post(path, { csrfToken, no_redirect: 'true' }, { headers })
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`)
    }
  }
  assert.ok((await one.session()).user, 'still signed in')
})

test('A34: a request without an origin is not trusted', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const cookie = [...(one.cookies.get(gb) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await backChannelFetch(gateway.url.replace('localhost', 'gb.localhost') + '/api/v1/logout', {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'no_redirect=true',
  })
  assert.equal(answer.status, 403)
})

test('A35 A37: the callback address of another browser’s sign-in signs nobody in', async () => {
  provider.person = somebody({ email: 'attacker@example.com' })
  const address = await returnAddress(browser())
  const victim = browser()
  await victim.ask('/api/auth/pre-login')
  await isRefused(victim, address)
})

test('A37: a missing, wrong or used state and a missing or replayed code sign nobody in', async () => {
  provider.person = somebody()
  for (const change of [
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
    (url: URL) => url.searchParams.delete('code'),
    (url: URL) => url.searchParams.set('code', randomUUID()),
    (url: URL) => url.searchParams.set('iss', `${provider.url}/realms/b2b`),
    (url: URL) => url.searchParams.append('state', 'x'),
    (url: URL) => url.searchParams.append('code', 'x'),
  ]) {
    const one = browser()
    const url = await returnAddress(one)
    change(url)
    await isRefused(one, url)
  }
  const one = browser()
  const kept = new Map<string, string>()
  const url = await returnAddress(one)
  for (const [name, value] of one.cookies.get(gb) ?? []) kept.set(name, value)
  await follow(one, url)
  assert.ok((await one.session()).user)
  const replaying = browser()
  replaying.cookies.set(gb, kept)
  await isRefused(replaying, url)
})

test('A37: realms are kept apart: a code from one is refused by another’s callback', async () => {
  provider.person = somebody()
  const one = browser()
  const url = await returnAddress(one)
  url.pathname = url.pathname.replace('keycloak-b2c', 'keycloak')
  await isRefused(one, url)
})

for (const unverified of [{ email_verified: false }, { email_verified: undefined }, { email_verified: 'true' }]) {
  test(`A43: an unverified address (${JSON.stringify(unverified)}) opens no account`, async () => {
    provider.person = somebody({ email: 'owner@example.com', ...unverified })
    const one = browser()
    const { location } = await one.signIn()
    assert.match(location, /\/auth\/error-page\?error=Verification/)
    assert.deepEqual(await one.session(), {})
    const { rows } = await database.pool.query(`select 1 from accounts.customer where email = 'owner@example.com'`)
    assert.deepEqual(rows, [])
  })
}

test('A43: a list of addresses is not an address', async () => {
  provider.person = somebody({ email: 'owner@example.com,attacker@example.com' })
  const one = browser()
  await one.signIn()
  assert.deepEqual(await one.session(), {})
})

test('A43: the same verified address at another realm, or under another subject, is another account', async () => {
  const email = 'same@example.com'
  const ids = new Set<string>()
  provider.person = somebody({ email })
  for (const [host, name] of [
    [gb, 'keycloak-b2c'],
    [pro, 'keycloak-b2b'],
    [gb, 'keycloak'],
  ] as const) {
    const one = browser()
    await one.signIn(host, { provider: name })
    ids.add((await one.session(host)).user?.id ?? '')
  }
  provider.person = somebody({ email })
  const other = browser()
  await other.signIn()
  ids.add((await other.session()).user?.id ?? '')
  assert.equal(ids.size, 4)
})

test('A43: a new owner of an address used before gets an account of their own', async () => {
  provider.person = somebody({ email: 'old@example.com' })
  const first = browser()
  await first.signIn()
  const owner = (await first.session()).user?.id
  provider.person = somebody({ email: 'old@example.com' })
  const second = browser()
  await second.signIn()
  assert.notEqual((await second.session()).user?.id, owner)
})

test('a returning person gets the same account, with the address the provider now reports', async () => {
  provider.person = somebody({ email: 'before@example.com' })
  const [first, second] = [browser(), browser()]
  await first.signIn()
  provider.person = { ...provider.person, email: 'after@example.com' }
  await second.signIn()
  const session = await second.session()
  assert.equal(session.user?.id, (await first.session()).user?.id)
  assert.equal(session.user?.email, 'after@example.com')
})

test('given and family name stay apart as they were registered, follow the provider, and are the person’s own once saved here', async () => {
  provider.person = somebody({ name: 'María José García López', given_name: 'María José', family_name: 'García López' })
  const one = browser()
  const names = async () => {
    await one.signIn()
    const { data } = await one.graphql<{ customerProfile: Record<string, string> }>('{ customerProfile { firstName lastName } }')
    const { user } = await one.session()
    return [data?.customerProfile['firstName'], data?.customerProfile['lastName'], user?.name]
  }
  assert.deepEqual(await names(), ['María José', 'García López', 'María José García López'])
  provider.person = { ...provider.person, given_name: 'María José', family_name: 'Ruiz García' }
  assert.deepEqual(await names(), ['María José', 'Ruiz García', 'María José Ruiz García'])
  await one.graphql('mutation { changeProfile(input: { firstName: "Pepa", lastName: "Ruiz" }) { refusal { reason } } }')
  provider.person = { ...provider.person, given_name: 'María', family_name: 'López' }
  assert.deepEqual(await names(), ['Pepa', 'Ruiz', 'Pepa Ruiz'])
})

test('names too long for the shop, or missing at the provider, refuse no sign-in; a later one splits the same name only', async () => {
  const long = 'x'.repeat(61)
  provider.person = somebody({ name: 'Ann Mary Lee', given_name: long, family_name: 'Lee' })
  const one = browser()
  const first = async () => {
    await one.signIn()
    return (await one.graphql<{ customerProfile: { firstName: string } }>('{ customerProfile { firstName } }')).data?.customerProfile
      .firstName
  }
  assert.equal(await first(), 'Ann')
  provider.person = { ...provider.person, given_name: 'Another', family_name: 'Person' }
  assert.equal(await first(), 'Ann')
  provider.person = { ...provider.person, given_name: 'Ann Mary', family_name: 'Lee' }
  assert.equal(await first(), 'Ann Mary')
})

test('a closed account signs nobody in', async () => {
  provider.person = somebody()
  await browser().signIn()
  await database.pool.query('update accounts.customer set closed_at = now() where email = $1', [provider.person['email']])
  const one = browser()
  const { location } = await one.signIn()
  assert.match(location, /\/auth\/error-page\?error=AccessDenied/)
  assert.deepEqual(await one.session(), {})
})

test('A38: a session planted before the sign-in is not adopted', async () => {
  const attacker = browser()
  await attacker.graphql(
    'mutation { removeCoupon { refusal { reason } } applyCoupon(code: "X") { refusal { reason } } continueAsGuest(email: "a@example.com") { refusal { reason } } }',
  )
  const planted = attacker.cookies.get(gb)?.get('__Host-purlin')
  assert.ok(planted)
  provider.person = somebody()
  const victim = browser()
  victim.cookies.set(gb, new Map([['__Host-purlin', planted]]))
  await victim.signIn()
  assert.notEqual(victim.cookies.get(gb)?.get('__Host-purlin'), planted)
  assert.ok((await victim.session()).user)
  assert.deepEqual(await attacker.session(), {})
})

test('A38: a made-up session, one of another storefront and one of the back offices are worthless', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const token = one.cookies.get(gb)?.get('__Host-purlin') ?? ''
  for (const [host, value] of [
    [gb, 'x'.repeat(43)],
    [gb, `${token}x`],
    [pro, token],
  ] as const) {
    const other = browser()
    other.cookies.set(host, new Map([['__Host-purlin', value]]))
    assert.deepEqual(await other.session(host), {})
  }
  const other = browser()
  other.cookies.set(gb, new Map([['__Host-purlin-staff', token]]))
  assert.deepEqual(await other.session(gb, '?office=staff'), {})
})

test('signing in again ends the session before it', async () => {
  const one = browser()
  provider.person = somebody()
  await one.signIn()
  const before = new Map(one.cookies.get(gb))
  provider.person = somebody()
  await one.signIn()
  const old = browser()
  old.cookies.set(gb, before)
  assert.deepEqual(await old.session(), {})
})

test('the provider’s tokens appear in no response and are unreadable in the database', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const { rows } = await database.pool.query('select refresh_token, id_token from auth.token order by created_at desc limit 1')
  assert.match(rows[0].refresh_token, /^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
  assert.doesNotMatch(Buffer.from(rows[0].id_token.split('.')[3], 'base64url').toString('latin1'), /@example/)
  for (const path of ['/api/auth/session', '/api/auth/csrf', '/api/auth/providers'])
    assert.doesNotMatch((await one.ask(path)).body, /refresh|id_token|eyJ/)
})

test('three tabs may start a sign-in and the last one completes it; cookies do not pile up', async () => {
  provider.person = somebody()
  const one = browser()
  const addresses: URL[] = []
  const count = () => [...(one.cookies.get(gb)?.keys() ?? [])].filter((name) => name.includes('sign-in-')).length
  for (let tab = 0; tab < 9; tab++) {
    addresses.push(await returnAddress(one))
    assert.equal(count(), (tab % 3) + 1)
  }
  const last = addresses.at(-1)
  assert.ok(last)
  await follow(one, last)
  assert.ok((await one.session()).user)
})

test('a long callback fills no cookie: a browser that followed hostile links can still open the shop', async () => {
  const one = browser()
  const sealed = async (path: string) => {
    await one.ask(`/api/auth/pre-login?callbackUrl=${encodeURIComponent(path)}`)
    return [...(one.cookies.get(gb) ?? [])].filter(([name]) => name.includes('sign-in-')).map(([name, value]) => name.length + value.length)
  }
  for (let link = 0; link < 8; link++) {
    const lengths = await sealed(`/search/x?q=${'é'.repeat(135)}${'a'.repeat(1890)}`)
    assert.ok(lengths.reduce((sum, length) => sum + length, 0) < 4_000, lengths.join())
  }
  assert.ok(Math.max(...(await sealed(`/search/${'é'.repeat(84)}`))) > 900, 'a path of 512 bytes is where the sign-in ends')
  assert.equal((await one.ask('/api/auth/session')).status, 200)
  const callbackOf = (path: string) => callbackPathOf({ origin, host: gb }, gb, path)
  assert.equal(callbackOf(`/${'a'.repeat(511)}`).length, 512)
  assert.equal(callbackOf(`/${'a'.repeat(512)}`), '/')
  assert.equal(callbackOf(`/${'é'.repeat(86)}`), '/', 'in bytes as they are encoded')
})

test('A44: returns with invented codes write at most 120 short lines a minute', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  const warnings = t.mock.method(log, 'warn', () => undefined)
  for (let n = 0; n < 125; n++) {
    const one = browser()
    const back = await returnAddress(one)
    back.searchParams.set('code', 'x'.repeat(1000))
    const { location } = await one.ask(back.pathname + back.search, { headers: { 'user-agent': 'y'.repeat(4000) } })
    assert.match(location, /error=OAuthCallback/)
  }
  const lines = warnings.mock.calls.map(({ arguments: given }) => JSON.stringify(given))
  assert.equal(lines.length, 120)
  assert.ok(
    lines.every((line) => line.length < 900),
    lines.join('\n').slice(0, 2000),
  )
})
