import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetSwitches, setFlag } from '#flags'
import { log } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider, somebody } from './test-provider.ts'
import { useAuthConfiguration } from './providers.ts'
import { gb, pro, testBrowser, type TestBrowser } from './testing.ts'

/** The session service as next-auth's client uses it, over HTTP, with an identity provider alongside. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const gateway = await testGateway(database.pool)
const browser = () => testBrowser(gateway)
const origin = `http://${gb}`

test('R-536 R-440: the session of a signed-out visitor is an empty object', async () => {
  const { status, body, headers } = await browser().ask('/api/auth/session')
  assert.deepEqual([status, body, headers['cache-control']], [200, '{}', 'private, no-store'])
})

test('R-538 R-330: three providers are listed, with their addresses on this host', async () => {
  const { json } = await browser().ask('/api/auth/providers')
  assert.deepEqual(Object.keys(json), ['keycloak-b2c', 'keycloak-b2b', 'keycloak'])
  assert.deepEqual(json['keycloak-b2c'], {
    id: 'keycloak-b2c',
    name: 'Purlin',
    type: 'oauth',
    signinUrl: `${origin}/api/auth/signin/keycloak-b2c`,
    callbackUrl: `${origin}/api/auth/callback/keycloak-b2c`,
  })
})

test('R-537: a browser keeps one CSRF token, and its cookie is inaccessible to scripts', async () => {
  const one = browser()
  const { json, setCookies } = await one.ask('/api/auth/csrf')
  assert.match(setCookies[0] ?? '', /^__Host-purlin-csrf=[\w-]{43}\|[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; .*Secure$/)
  assert.equal(await one.csrfToken(), json['csrfToken'])
  assert.notEqual(await browser().csrfToken(), json['csrfToken'])
})

test('R-539: signing in returns the address of the realm, with code, PKCE, state and nonce', async () => {
  const one = browser()
  const csrfToken = await one.csrfToken()
  const { status, json, setCookies } = await one.post('/api/auth/signin/keycloak-b2c', {
    csrfToken,
    callbackUrl: `${origin}/cart`,
    json: 'true',
  })
  assert.equal(status, 200)
  const url = new URL(String(json['url']))
  assert.equal(url.origin + url.pathname, `${provider.url}/realms/b2c/protocol/openid-connect/auth`)
  const of = (name: string) => url.searchParams.get(name)
  assert.deepEqual(
    [of('client_id'), of('response_type'), of('code_challenge_method'), of('redirect_uri')],
    ['purlin-shop', 'code', 'S256', `${origin}/api/auth/callback/keycloak-b2c`],
  )
  for (const secret of ['state', 'nonce', 'code_challenge']) assert.ok((of(secret) ?? '').length >= 40, secret)
  assert.ok(!setCookies.join().includes(of('nonce') ?? ''), 'the cookie is encrypted')
})

test('R-539: without a CSRF token, or with another browser’s, the sign-in is redirected to its page', async () => {
  const one = browser()
  await one.csrfToken()
  for (const csrfToken of ['', await browser().csrfToken()]) {
    const { json } = await one.post('/api/auth/signin/keycloak-b2c', { csrfToken, json: 'true' })
    assert.equal(json['url'], `${origin}/api/auth/signin?csrf=true`)
  }
  assert.equal((await one.ask('/api/auth/signin?csrf=true')).location, `${origin}/login?callbackUrl=${encodeURIComponent(`${origin}/`)}`)
})

test('R-601 R-603: the sign-in page keeps its callback address and the reason it is shown', async () => {
  const query = new URLSearchParams({ callbackUrl: `${origin}/orders`, error: 'SessionRequired' })
  const { location } = await browser().ask(`/api/auth/signin?${query}`)
  const url = new URL(location)
  assert.deepEqual(
    [url.pathname, url.searchParams.get('callbackUrl'), url.searchParams.get('error')],
    ['/login', `${origin}/orders`, 'SessionRequired'],
  )
})

test('R-435 R-439 R-441 R-509: a visitor signs in at each storefront’s realm and returns to the page they came from', async () => {
  const cases = [
    { host: gb, name: 'keycloak-b2c', person: somebody(), role: 'b2c' },
    { host: pro, name: 'keycloak-b2b', person: somebody({ company_name: 'Lee Building Ltd', vat_number: 'GB123456789' }), role: 'b2b' },
    { host: gb, name: 'keycloak', person: somebody(), role: 'b2c' },
    { host: pro, name: 'keycloak', person: somebody({ company_name: 'Poe Plumbing' }), role: 'b2b' },
  ]
  for (const { host, name, person, role } of cases) {
    provider.person = person
    const one = browser()
    const { status, location, setCookies } = await one.signIn(host, { provider: name, callbackUrl: '/cart?from=header' })
    assert.deepEqual([status, location], [302, `http://${host}/cart?from=header`])
    assert.match(setCookies.join('\n'), /^__Host-purlin=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=5184000; Secure$/m)
    const session = await one.session(host)
    assert.deepEqual(
      [session.user?.email, session.user?.name, session.role, session.provider, session.error],
      [person['email'], 'Ann Lee', role, name, undefined],
    )
    assert.ok(Date.parse(session.expires ?? '') > Date.now())
    assert.doesNotMatch(JSON.stringify(session), /token/i)
  }
})

test('R-445: a readable cookie signals once that a sign-in has just happened', async () => {
  provider.person = somebody()
  const one = browser()
  const { setCookies } = await one.signIn()
  const line = setCookies.find((each) => each.startsWith('purlin_new_session='))
  assert.match(line ?? '', /^purlin_new_session=1; Path=\/; SameSite=Lax; Max-Age=600; Secure$/)
  assert.equal((await one.ask('/api/auth/session')).setCookies.length, 0)
})

test('R-510 R-700: behind the flag pepeUnifyAuth both storefronts use one realm', async () => {
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: '*' }, 'pepeUnifyAuth', true))
  forgetSwitches()
  for (const host of [gb, pro]) assert.match((await browser().ask('/api/auth/pre-login', { host })).location, /\/realms\/unified\//)
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: '*' }, 'pepeUnifyAuth', false))
  forgetSwitches()
  assert.match((await browser().ask('/api/auth/pre-login', { host: pro })).location, /\/realms\/b2b\//)
})

test('a provider of the other storefront redirects there instead of signing in here', async () => {
  const { location, setCookies } = await browser().ask('/api/auth/pre-login?provider=keycloak-b2b&callbackUrl=/cart')
  assert.equal(location, `http://${pro}/login?callbackUrl=${encodeURIComponent(`http://${pro}/cart`)}`)
  assert.deepEqual(setCookies, [])
})

test('R-445: a sign-in of staff is no login of a customer: there is no new-session cookie, which a page of the shop would report', async () => {
  provider.person = somebody()
  const isReported = async (options: { provider?: string }) =>
    (await browser().signIn(gb, options)).setCookies.some((line) => line.startsWith('purlin_new_session=1'))
  assert.deepEqual([await isReported({ provider: 'keycloak-staff' }), await isReported({})], [false, true])
})

test('staff sign in at a realm of their own, in addition to the shop’s session, not instead of it', async () => {
  provider.person = somebody({ name: 'Sam Poe' })
  const one = browser()
  await one.signIn(gb, { provider: 'keycloak-staff' })
  assert.deepEqual(await one.session(), {})
  const staff = await one.session(gb, '?office=staff')
  assert.deepEqual([staff.user?.name, staff.role, staff.provider], ['Sam Poe', 'staff', 'keycloak-staff'])
  const seen = await one.graphql<{ office: object; customerProfile: object | null }>(
    '{ office { name kind sellerId roles { role } actions } }',
  )
  assert.match(JSON.stringify(seen.errors), /FORBIDDEN/, 'known, and without a role yet')
  await database.pool.query(
    `insert into accounts.permission (staff_id, kind, role) select id, kind, 'support' from accounts.staff where name = 'Sam Poe'`,
  )
  const { data } = await one.graphql<{ office: { actions: string[] } }>('{ office { name kind sellerId roles { role market } actions } }')
  const { actions, ...office } = data?.office ?? { actions: [] }
  assert.deepEqual(office, { name: 'Sam Poe', kind: 'operator', sellerId: null, roles: [{ role: 'support', market: null }] })
  for (const action of ['office.see', 'file.see', 'conversion.decide']) assert.ok(actions.includes(action), action)
  for (const action of ['cart.see', 'search.tune', 'sellerOrder.handle']) assert.ok(!actions.includes(action), action)
  const shopping = await one.graphql<{ customerProfile: object | null }>('{ customerProfile { id } }')
  assert.match(JSON.stringify(shopping.errors), /UNAUTHENTICATED/, 'the shop does not know them')
  assert.match(JSON.stringify((await browser().graphql('{ office { name } }')).errors), /UNAUTHENTICATED/)
})

test('R-541 R-442: signing out returns where to go and ends the session', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const stolen = new Map(one.cookies.get(gb))
  const { json } = await one.post('/api/auth/signout', { csrfToken: await one.csrfToken(), callbackUrl: `${origin}/cart`, json: 'true' })
  assert.deepEqual(json, { url: `${origin}/cart` })
  assert.equal(one.cookies.get(gb)?.has('__Host-purlin'), false)
  const other = browser()
  other.cookies.set(gb, stolen)
  assert.deepEqual(await other.session(), {}, 'A38: the cookie of a session that ended is worth nothing')
})

test('A38: after signing out in any way, the next sign-in requires the password, once', async () => {
  const out = [
    async (one: TestBrowser) => one.post('/api/auth/signout', { csrfToken: await one.csrfToken(), callbackUrl: '/', json: 'true' }),
    async (one: TestBrowser) => one.post('/api/v1/logout', { no_redirect: 'true' }),
    async (one: TestBrowser) => one.post('/api/v1/logout', {}),
  ]
  for (const signOut of out) {
    provider.person = somebody()
    const one = browser()
    await one.signIn()
    assert.equal(provider.asked.get('prompt'), null, 'nobody is asked without a reason')
    await signOut(one)
    await one.signIn()
    assert.equal(provider.asked.get('prompt'), 'login')
    assert.ok((await one.session()).user)
    await one.signIn()
    assert.equal(provider.asked.get('prompt'), null)
  }
})

test('signing out of one device leaves the others, signing out of all ends them, and nobody else’s', async () => {
  const [stranger, phone, desk, tablet] = [browser(), browser(), browser(), browser()]
  provider.person = somebody()
  await stranger.signIn()
  provider.person = somebody()
  for (const each of [phone, desk, tablet]) await each.signIn()
  await phone.post('/api/v1/logout', { no_redirect: 'true' })
  assert.deepEqual(await phone.session(), {})
  assert.ok((await desk.session()).user)
  await desk.post('/api/v1/logout', { no_redirect: 'true', everywhere: 'true' })
  assert.deepEqual([await desk.session(), await tablet.session()], [{}, {}])
  assert.ok((await stranger.session()).user)
  const { rows } = await database.pool.query(
    'select 1 from auth.token t where not exists (select 1 from accounts.session s where s.sign_in_id = t.sign_in_id)',
  )
  assert.equal(rows.length, 0, 'no sealed token is left of a session that has ended')
})

test('R-541: without a CSRF token the session stays', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const { json } = await one.post('/api/auth/signout', { json: 'true' })
  assert.equal(json['url'], `${origin}/api/auth/signout?csrf=true`)
  assert.equal((await one.ask('/api/auth/signout?csrf=true')).location, `${origin}/auth/pre-logout`)
  assert.ok((await one.session()).user)
})

test('R-584: the logout call with no_redirect=true answers without a redirect', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const { status, location } = await one.post('/api/v1/logout', { no_redirect: 'true' })
  assert.deepEqual([status, location], [200, ''])
  assert.deepEqual(await one.session(), {})
})

test('logging out redirects through the provider, whose own session ends too; following a link alone logs nobody out', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  assert.equal((await one.ask('/api/v1/logout')).location, `${origin}/auth/pre-logout`)
  assert.ok((await one.session()).user)
  const { status, location } = await one.post('/api/v1/logout', {})
  const url = new URL(location)
  assert.deepEqual(
    [status, url.pathname, url.searchParams.get('post_logout_redirect_uri')],
    [303, '/realms/b2c/protocol/openid-connect/logout', `${origin}/`],
  )
  assert.ok(url.searchParams.get('id_token_hint'))
})

test('R-542: an update without a CSRF token is 400', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await one.ask('/api/auth/session', { method: 'POST', headers, body: '{"data":{"type":"refresh"}}' })
  assert.deepEqual([status, body], [400, '{}'])
})

test('R-543 R-600: client errors are logged, and a browser can log nothing else', async () => {
  const one = browser()
  const { status, body } = await one.post('/api/auth/_log', { level: 'error', code: 'CLIENT_FETCH_ERROR', error: '{}', url: '/x' })
  assert.deepEqual([status, body], [200, '{}'])
  const large = await one.post('/api/auth/_log', { level: 'error', error: 'x'.repeat(30_000) })
  assert.equal(large.status, 413, 'A44')
})

test('an unknown action is 400', async () => {
  for (const path of ['/api/auth/nothing', '/api/auth/callback/unknown']) assert.equal((await browser().ask(path)).status, 400)
  assert.equal((await browser().post('/api/auth/csrf', {})).status, 400)
})

test('R-540: a POST to a callback carries no code and ends on the sign-in page', async () => {
  const one = browser()
  const { json } = await one.post('/api/auth/callback/keycloak-b2c', {
    csrfToken: await one.csrfToken(),
    callbackUrl: `${origin}/cart`,
    json: 'true',
  })
  assert.match(String(json['url']), /\/login\?.*error=OAuthCallback/)
})

const configurations: Record<string, Parameters<typeof useAuthConfiguration>[0]> = {
  'R-605: NO_SECRET': { providers: [], secret: '' },
  'R-609: CALLBACK_CREDENTIALS_JWT_ERROR': {
    providers: [{ id: 'password', name: 'Password', type: 'credentials', authorize: () => null }],
  },
  'R-606: CALLBACK_CREDENTIALS_HANDLER_ERROR': {
    providers: [
      { id: 'keycloak-b2c', name: 'Purlin', type: 'oauth' },
      { id: 'password', name: 'Password', type: 'credentials' },
    ],
  },
  'R-607: EMAIL_REQUIRES_ADAPTER_ERROR': { providers: [{ id: 'email', name: 'E-mail', type: 'email' }] },
  'R-608: MISSING_ADAPTER_METHODS_ERROR': {
    providers: [{ id: 'email', name: 'E-mail', type: 'email' }],
    adapter: { useVerificationToken: true },
  },
}

test('R-602: without providers the list is empty, which sends the client to the error page', async () => {
  useAuthConfiguration({ providers: [] })
  assert.equal((await browser().ask('/api/auth/providers')).body, '{}')
  useAuthConfiguration()
  assert.equal((await browser().ask('/api/auth/error')).location, `${origin}/auth/error-page?error=Default`)
})

async function saysCode(code: string, path = '/api/auth/session', status = 500) {
  const api = await browser().ask(path)
  assert.equal(api.status, status)
  assert.match(String(api.json['message']), new RegExp(`${code}$`))
}

for (const [name, configuration] of Object.entries(configurations)) {
  test(`${name} is the response to such a configuration, and visitors see the error page`, async (t) => {
    useAuthConfiguration(configuration)
    t.after(() => useAuthConfiguration())
    await saysCode(name.split(': ')[1] ?? '')
    assert.equal((await browser().ask('/api/auth/signin')).location, `${origin}/auth/error-page?error=Configuration`)
  })
}

test('R-604: MISSING_NEXTAUTH_API_ROUTE_ERROR is the response to an address without an action', async () => {
  await saysCode('MISSING_NEXTAUTH_API_ROUTE_ERROR', '/api/auth', 400)
  await saysCode('MISSING_NEXTAUTH_API_ROUTE_ERROR', '/api/auth/', 400)
})

test('R-610: INVALID_CALLBACK_URL_ERROR is the response to a callback that is not a web address', async () => {
  for (const callbackUrl of ['javascript:alert(1)', 'data:text/html,x', 'no address', 'ftp://gb.localhost/'])
    await saysCode('INVALID_CALLBACK_URL_ERROR', `/api/auth/session?${new URLSearchParams({ callbackUrl })}`, 400)
  const page = await browser().ask('/api/auth/signin?callbackUrl=javascript:alert(1)')
  assert.equal(page.location, `${origin}/auth/error-page?error=Configuration`)
})

test('A44: wrong requests by anybody write no errors to the log, and a bounded number of warnings', async (t) => {
  const errors = t.mock.method(log, 'error', () => undefined)
  const warnings = t.mock.method(log, 'warn', () => undefined)
  for (let sent = 0; sent < 300; sent++) assert.equal((await browser().ask('/api/auth/session?callbackUrl=x:y')).status, 400)
  assert.equal(errors.mock.callCount(), 0)
  // The minute may turn while they are sent.
  assert.ok(warnings.mock.callCount() <= 240, `${warnings.mock.callCount()} lines`)
})
