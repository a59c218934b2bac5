import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authProviders, callbackPath, isAuthProvider, realms } from '@purlin/contract/identity.ts'
import { decodeProtectedHeader } from 'jose'
import * as oidc from 'openid-client'
import { rotateSigningKey } from './secrets.ts'
import { type TestIdentity, ann, hosts, signInAt, startSignIn, startTestIdentity, testBrowser, url } from './testing.ts'
import { identity, professional, refused } from './test-sign-ins.ts'

test('every realm publishes its endpoints, at the same addresses as Keycloak', async () => {
  for (const realm of realms) {
    const metadata = (await identity.shop(realm)).serverMetadata()
    const base = `${url}/realms/${realm}`
    assert.equal(metadata.issuer, base)
    const names = { authorization: 'auth', token: 'token', userinfo: 'userinfo', end_session: 'logout', revocation: 'revoke' }
    for (const [name, path] of Object.entries(names)) assert.equal(metadata[`${name}_endpoint`], `${base}/protocol/openid-connect/${path}`)
    assert.equal(metadata.jwks_uri, `${base}/protocol/openid-connect/certs`)
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
  }
})

test('a sign-in with code and PKCE returns the person’s claims, in the ID token and at the userinfo endpoint', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  const expected = {
    sub: ann.sub,
    email: ann.email,
    email_verified: true,
    name: 'Ann Lee',
    given_name: 'Ann',
    family_name: 'Lee',
    locale: 'en-GB',
  }
  const claims = tokens.claims()
  for (const [name, value] of Object.entries(expected)) assert.equal(claims?.[name], value, name)
  assert.deepEqual({ ...(await oidc.fetchUserInfo(config, tokens.access_token, ann.sub)) }, expected)
})

test('professionals have claims about their company, consumers have none', async () => {
  const { tokens } = await signInAt(identity, 'b2b', professional)
  const { company_name, trade, vat_number, professional_role }: Record<string, unknown> = tokens.claims() ?? {}
  assert.deepEqual(
    { company_name, trade, vat_number, professional_role },
    { company_name: 'Hartley Roofing Ltd', trade: 'roofer', vat_number: 'GB1', professional_role: 'owner' },
  )
  assert.equal((await signInAt(identity, 'unified')).tokens.claims()?.['company_name'], undefined)
})

test('a visitor already signed in at the provider is redirected back without a page', async () => {
  const { browser, config } = await signInAt(identity, 'b2c')
  const again = await startSignIn(config, 'b2c', { prompt: 'none' })
  const end = await browser.follow(again.address)
  assert.equal((await again.take(end.address)).claims()?.sub, ann.sub)
})

test('a wrong password and an unknown address get the same page', async () => {
  const config = await identity.shop('b2c')
  const ask = async (email: string) => {
    const browser = testBrowser(identity)
    const page = await browser.follow((await startSignIn(config, 'b2c')).address)
    const { html, status } = await browser.send(page, { email, password: 'not the password' })
    return {
      status,
      html: html
        .replaceAll(email, '')
        .replace(/[\w-]{40,}/g, '')
        .replace(/interaction\/[\w-]+/g, ''),
    }
  }
  const [wrong, unknown] = [await ask(ann.email), await ask('nobody@example.com')]
  assert.equal(wrong.status, 401)
  assert.deepEqual(wrong, unknown)
})

test('an account of one realm does not open another', async () => {
  const config = await identity.shop('b2b')
  const browser = testBrowser(identity)
  const page = await browser.follow((await startSignIn(config, 'b2b')).address)
  assert.equal((await browser.send(page, { email: ann.email, password: ann.password })).status, 401)
})

test('a refresh token is used once; the second use revokes everything issued by the sign-in', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  const first = tokens.refresh_token ?? ''
  const second = await oidc.refreshTokenGrant(config, first)
  assert.notEqual(second.refresh_token, first)
  await assert.rejects(oidc.refreshTokenGrant(config, first), refused('invalid_grant'))
  await assert.rejects(oidc.refreshTokenGrant(config, second.refresh_token ?? ''), refused('invalid_grant'))
})

test('of twenty concurrent refreshes with the same token, at most one succeeds', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')))
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('A37 a code can be used once, and only with the verifier', async () => {
  const config = await identity.shop('b2c')
  const browser = testBrowser(identity)
  const begun = await startSignIn(config, 'b2c')
  const page = await browser.follow(begun.address)
  const { address } = await browser.send(page, { email: ann.email, password: ann.password })
  const steal = () =>
    oidc.authorizationCodeGrant(config, new URL(address), {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: oidc.skipStateCheck,
      idTokenExpected: false,
    })
  await assert.rejects(steal(), refused('invalid_grant'))
  const tokens = await begun.take(address)
  await assert.rejects(begun.take(address), refused('invalid_grant'))
  await assert.rejects(
    oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''),
    refused('invalid_grant'),
    'a replay ends what the code gave',
  )
})

test('A37 no code is issued without PKCE, with the plain method, or for another redirect address', async () => {
  const config = await identity.shop('b2c')
  const { address, redirectUri } = await startSignIn(config, 'b2c')
  const refusals: [string, (params: URLSearchParams) => void][] = [
    ['no PKCE', (params) => ['code_challenge', 'code_challenge_method'].forEach((name) => params.delete(name))],
    ['plain', (params) => params.set('code_challenge_method', 'plain')],
    ['implicit', (params) => params.set('response_type', 'id_token token')],
  ]
  for (const [name, change] of refusals) {
    const asked = new URL(address)
    change(asked.searchParams)
    const { address: end } = await testBrowser(identity).follow(asked.href)
    assert.ok(end.startsWith(redirectUri) && /error=/.test(end) && !/[?&]code=/.test(end), `${name}: ${end}`)
  }
  for (const other of [
    'https://evil.example/api/auth/callback/keycloak-b2c',
    `${redirectUri}/../x`,
    `${redirectUri}?x=1`,
    'http://gb.localhost:3000@evil.example/',
  ]) {
    const asked = new URL(address)
    asked.searchParams.set('redirect_uri', other)
    const page = await testBrowser(identity).follow(asked.href)
    assert.equal(page.status, 400, other)
    assert.ok(page.address.startsWith(url), other)
  }
})

test('each host of the shop is an allowed redirect target of its own realm only', async () => {
  for (const realm of realms) {
    const config = await identity.shop(realm)
    const own = Object.keys(authProviders)
      .filter(isAuthProvider)
      .filter((provider) => authProviders[provider] === realm)
    for (const { origin } of hosts.all) {
      const { address } = await startSignIn(config, realm, {}, origin)
      assert.equal((await testBrowser(identity).follow(address)).status, 200, origin)
    }
    const other = new URL((await startSignIn(config, realm)).address)
    const foreign = Object.keys(authProviders)
      .filter(isAuthProvider)
      .find((provider) => !own.includes(provider))!
    other.searchParams.set('redirect_uri', `http://gb.localhost:3000${callbackPath(foreign)}`)
    assert.equal((await testBrowser(identity).follow(other.href)).status, 400)
  }
})

test('a logout with the ID token ends the session and its tokens, from a browser and from the server', async () => {
  for (const from of ['browser', 'server']) {
    const { config, browser, tokens } = await signInAt(identity, 'b2c')
    const address = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'http://gb.localhost:3000/',
      state: 's1',
    })
    const { address: end } = await (from === 'browser' ? browser : testBrowser(identity)).follow(address.href)
    assert.equal(end, 'http://gb.localhost:3000/?state=s1')
    await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''), refused('invalid_grant'), from)
    const page = await browser.follow((await startSignIn(config, 'b2c')).address)
    assert.match(page.html, /name="password"/, `${from}: is asked again`)
  }
})

test('A38 sign-ins in one browser have grants of their own: a sign-out ends one and requires the password again, the others continue', async () => {
  const byToken = (_config: oidc.Configuration, { refresh_token: token }: oidc.TokenEndpointResponse) =>
    identity.fetch(`${url}/realms/b2c/protocol/openid-connect/logout`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'purlin-shop', client_secret: 'secret-of-the-tests', refresh_token: token ?? '' }),
    })
  const byHint = (config: oidc.Configuration, { id_token: hint }: oidc.TokenEndpointResponse) =>
    testBrowser(identity).follow(
      oidc.buildEndSessionUrl(config, { id_token_hint: hint ?? '', post_logout_redirect_uri: 'http://gb.localhost:3000/' }).href,
    )
  for (const signOut of [byToken, byHint]) {
    for (const leaving of [0, 1]) {
      const { config, browser, tokens } = await signInAt(identity, 'b2c')
      const sibling = await startSignIn(config, 'b2c', {}, 'http://fr.localhost:3000')
      const both = [tokens, await sibling.take((await browser.follow(sibling.address)).address)]
      const [left, kept] = [both[leaving], both[1 - leaving]]
      assert.ok(left && kept)
      await signOut(config, left)
      await assert.rejects(oidc.refreshTokenGrant(config, left.refresh_token ?? ''), refused('invalid_grant'))
      assert.ok((await oidc.refreshTokenGrant(config, kept.refresh_token ?? '')).refresh_token, 'its sibling goes on')
      assert.match((await browser.follow((await startSignIn(config, 'b2c')).address)).html, /name="password"/)
    }
  }
})

test('a logout without the ID token asks for confirmation, and redirects only to the shop', async () => {
  const { config, browser, tokens } = await signInAt(identity, 'b2c')
  const base = `${url}/realms/b2c/protocol/openid-connect/logout`
  const asked = await browser.follow(
    `${base}?post_logout_redirect_uri=${encodeURIComponent('http://pro.fr.localhost:3000/x')}&client_id=purlin-shop`,
  )
  assert.ok((await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).refresh_token, 'still signed in')
  const end = await browser.send(asked, {})
  assert.equal(end.address, 'http://pro.fr.localhost:3000/x')
  assert.match((await browser.follow((await startSignIn(config, 'b2c')).address)).html, /name="password"/)
  for (const evil of ['https://evil.example/', 'javascript:alert(1)', '//evil.example', 'http://gb.localhost:3000@evil.example/'])
    assert.equal((await browser.ask(`${base}?post_logout_redirect_uri=${encodeURIComponent(evil)}`)).status, 400, evil)
})

test('a logout by refresh token requires the shop’s client secret', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  const send = (secret: string, token = tokens.refresh_token) =>
    identity.fetch(`${url}/realms/b2c/protocol/openid-connect/logout`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'purlin-shop', client_secret: secret, refresh_token: token ?? '' }),
    })
  assert.equal((await send('wrong')).status, 401)
  const next = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  assert.equal((await send('secret-of-the-tests', next.refresh_token)).status, 204)
  await assert.rejects(oidc.refreshTokenGrant(config, next.refresh_token ?? ''), refused('invalid_grant'))
})

test('a revoked refresh token is useless', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  await oidc.tokenRevocation(config, tokens.refresh_token ?? '')
  await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token ?? ''), refused('invalid_grant'))
})

test('a second process on the same database continues where the first left off: sessions, codes, keys', async () => {
  const { config, browser, tokens } = await signInAt(identity, 'b2c')
  const begun = await startSignIn(config, 'b2c')
  const { address } = await browser.follow(begun.address)
  const second = await startTestIdentity({}, identity.database)
  try {
    const other = await second.shop('b2c')
    assert.deepEqual(
      await second.fetch(`${url}/realms/b2c/protocol/openid-connect/certs`).then((r) => r.json()),
      await identity.fetch(`${url}/realms/b2c/protocol/openid-connect/certs`).then((r) => r.json()),
    )
    assert.ok(address.includes('code='))
    assert.ok((await oidc.refreshTokenGrant(other, tokens.refresh_token ?? '')).refresh_token)
  } finally {
    await second.server.close()
  }
})

test('A1 only the shop lists devices and credentials of an account, by names and dates, without secrets', async () => {
  const { config, tokens } = await signInAt(identity, 'b2c')
  await identity.server.settled()
  await identity.database.pool.query(
    `insert into identity.passkey (realm, id, account_id, public_key, counter, name) values ('b2c', 'key-id', $1, 'bytes', 0, 'Safari, iPhone')`,
    [ann.sub],
  )
  const list = async (token: string, what: string, method = 'GET', realm = 'b2c') => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await identity.fetch(`${url}/admin/realms/${realm}/users/${ann.sub}/${what}`, { method, headers })
    return { status: answer.status, body: await answer.text() }
  }
  const { access_token: token } = await oidc.clientCredentialsGrant(config)
  for (const what of ['sessions', 'credentials']) {
    assert.equal((await list(tokens.access_token, what)).status, 401, 'a customer’s token')
    assert.equal((await list(token, what, 'GET', 'b2b')).status, 401, 'a token of another realm')
    for (const method of ['DELETE', 'PUT', 'POST']) assert.equal((await list(token, what, method)).status, 405, method)
  }
  const credentials = await list(token, 'credentials')
  assert.deepEqual(
    JSON.parse(credentials.body).map(({ type, userLabel }: Record<string, unknown>) => [type, userLabel]),
    [
      ['password', undefined],
      ['webauthn', 'Safari, iPhone'],
    ],
  )
  assert.doesNotMatch(credentials.body, /argon2|bytes|key-id/)
  const devices = JSON.parse((await list(token, 'sessions')).body) as { start: number }[]
  assert.ok(devices.length > 0 && devices.every(({ start }) => Date.now() - start < 600_000))
  await identity.database.pool.query(`delete from identity.passkey where id = 'key-id'`)
})

test('A1 only the shop can delete an account, with all of its data and nobody else’s', async () => {
  const person = {
    ...ann,
    realms: ['b2c', 'b2b'] as const,
    sub: '0199c0de-0000-7000-8000-000000000a09',
    email: 'gone@example.com',
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  }
  const own = await startTestIdentity({ people: [person, ann] }, identity.database)
  const { config, tokens } = await signInAt(identity, 'b2c')
  const browser = testBrowser(identity)
  const hinted = await startSignIn(await identity.shop('b2c'), 'b2c', { login_hint: 'Gone@example.com' })
  const page = await browser.follow(hinted.address)
  await browser.send(page, { email: person.email, password: person.password })
  await browser.send(await browser.follow(`${page.address}/forgotten`), { email: person.email })
  await own.server.settled()
  await identity.server.settled()
  const remove = async (token: string, id = person.sub, realm = 'b2c') =>
    (await identity.fetch(`${url}/admin/realms/${realm}/users/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } }))
      .status
  const { access_token: token } = await oidc.clientCredentialsGrant(config)
  assert.equal((await identity.fetch(`${url}/admin/realms/b2c/users/${person.sub}`, { method: 'DELETE' })).status, 401)
  assert.equal(await remove(tokens.access_token), 401, 'a customer’s token')
  assert.equal(await remove(token, person.sub, 'b2b'), 401, 'a token of another realm')
  assert.equal(await remove(token), 204)
  assert.equal(await remove(token), 404)
  for (const table of ['account', 'artifact', 'totp', 'recovery_code', 'passkey', 'device', 'known_network', 'one_time_token']) {
    const { rows } = await identity.database.pool.query(
      `select 1 from identity.${table} t where realm = 'b2c' and (t::text ilike $1 or t::text ilike $2)`,
      [`%${person.sub}%`, `%${person.email}%`],
    )
    assert.equal(rows.length, 0, table)
  }
  const { rows } = await identity.database.pool.query('select realm from identity.account where id = $1', [person.sub])
  assert.deepEqual(rows, [{ realm: 'b2b' }], 'the account of another realm is another one')
  assert.ok((await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')).refresh_token, 'nobody else is signed out')
  await own.server.close()
})

test('a rotated key is published before it signs, and earlier ID tokens remain valid', async () => {
  const database = identity.database
  const kidsOf = async (from: TestIdentity) => {
    const { keys } = (await from.fetch(`${url}/realms/b2b/protocol/openid-connect/certs`).then((r) => r.json())) as {
      keys: { kid: string; d?: string }[]
    }
    assert.ok(
      keys.every(({ d }) => d === undefined),
      'no private key',
    )
    return keys.map(({ kid }) => kid)
  }
  const person = { email: professional.email, password: professional.password }
  const signedBy = async (from: TestIdentity) => decodeProtectedHeader((await signInAt(from, 'b2b', person)).tokens.id_token ?? '').kid
  const [old] = await kidsOf(identity)
  await rotateSigningKey(database.db, 'b2b', 60)
  const announced = await startTestIdentity({}, database)
  try {
    assert.equal((await kidsOf(announced)).length, 2)
    assert.equal(await signedBy(announced), old)
  } finally {
    await announced.server.close()
  }
  await database.pool.query(`update identity.signing_key set signs_from = now() - interval '1 second' where realm = 'b2b' and kid <> $1`, [
    old,
  ])
  const rotated = await startTestIdentity({}, database)
  try {
    assert.notEqual(await signedBy(rotated), old)
    assert.ok((await kidsOf(rotated)).includes(old ?? ''))
  } finally {
    await rotated.server.close()
  }
})

test('nothing in the database can be used as a cookie, a code or a token', async () => {
  const { browser, tokens, end } = await signInAt(identity, 'b2c')
  const { rows } = await identity.database.pool.query<{ row: string }>('select row_to_json(a)::text as row from identity.artifact a')
  const dump = rows.map(({ row }) => row).join('\n')
  const session = browser.jar.get('__Host-purlin-id-b2c')?.value ?? ''
  const code = new URL(end.address).searchParams.get('code') ?? ''
  assert.ok(session.length >= 20 && code.length >= 20)
  for (const secret of [session, code, tokens.access_token, tokens.refresh_token ?? '']) assert.ok(!dump.includes(secret))
  const stored = await identity.database.pool.query<{ id: string }>(`select id from identity.artifact where model = 'RefreshToken' limit 1`)
  await assert.rejects(oidc.refreshTokenGrant(await identity.shop('b2c'), `#${stored.rows[0]?.id}`), refused('invalid_grant'))
})

test('A42 A46 addresses come from the settings, whatever the Host and forwarding headers claim', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const { port } = identity.server
  const response = await fetch(`http://127.0.0.1:${port}/realms/b2c/.well-known/openid-configuration`, { headers })
  const text = await response.text()
  assert.ok(!text.includes('evil') && text.includes(`"${url}/realms/b2c/protocol/openid-connect/auth"`))
})

test('cookies are HttpOnly, Secure and Lax, and the session is bound to this host', async () => {
  const browser = testBrowser(identity)
  const lines: string[] = []
  const page = await browser.follow((await startSignIn(await identity.shop('b2c'), 'b2c')).address)
  const first = await browser.ask(page.address)
  lines.push(...first.headers.getSetCookie())
  const { browser: signedIn } = await signInAt(identity, 'b2c')
  assert.ok([...signedIn.jar.keys()].includes('__Host-purlin-id-b2c'))
  const again = await testBrowser(identity).ask((await startSignIn(await identity.shop('b2c'), 'b2c')).address)
  lines.push(...again.headers.getSetCookie())
  assert.ok(lines.length > 0)
  for (const line of lines) for (const part of [/httponly/i, /secure/i, /samesite=lax/i]) assert.match(line, part)
})
