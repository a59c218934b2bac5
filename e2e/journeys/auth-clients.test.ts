import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { authClients, harnessPath, serveClient, statusOf } from '../support/auth-clients.ts'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { passSecondStep } from '../support/second-step.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'
import { connectToBoth, type Connection } from '../support/web-processes.ts'

/** The session service in a real browser, with the published next-auth client and with our own, in each realm. */

const shop = await shopForTests()
let browser: Browser
const database = new pg.Client({ connectionString: shop.databaseUrl() })
before(async () => {
  browser = await launchBrowser({ pictures: false })
  await database.connect()
})
after(async () => {
  await database.end()
  await browser.close()
  await shop.stop()
})

const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'gb')
const professional = demoPeople.find(({ kind, market }) => kind === 'member' && market === 'gb')
const staff = demoPeople.filter(({ kind }) => kind === 'seller' || kind === 'operator')
assert.ok(consumer && professional)
const gb = originOf(shop.origin, 'gb', 'b2c')
const pro = originOf(shop.origin, 'gb', 'b2b')

/** Destination of this file's sign-ins: an address without scripts that would record them. */
const landing = '/robots.txt'

/**
 * Signs in with this page's client, and fills in the identity provider's forms if they appear. A hostile callback ends at the home page of
 * the site where the sign-in began.
 */
async function signInHere(page: Page, provider: string, email: string, hostile?: string): Promise<void> {
  const { origin } = new URL(page.url())
  const end = hostile === undefined ? landing : '/'
  const isBack = (url: URL) => url.origin === origin && url.pathname === end
  await page.evaluate(([name, callback]) => void window.harness.signIn(name, callback), [provider, hostile ?? origin + landing] as const)
  await page.waitForURL((url) => url.host.startsWith('id.localhost') || isBack(url))
  if (isBack(new URL(page.url()))) return
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.locator('input[type="password"]').fill(demoPassword)
  const form = page.url()
  await page.keyboard.press('Enter')
  if (provider === 'keycloak-staff') {
    await page.waitForURL((url) => url.pathname.endsWith('/second'))
    await passSecondStep(page, email)
  }
  await page.waitForURL(isBack).catch(async (error: unknown) => {
    // The provider explains why it asks again.
    const text = await page
      .locator('main')
      .innerText()
      .catch(() => '')
    throw new Error(`Not signed in at ${form}, now ${page.url()}: ${text.slice(0, 300)}`, { cause: error })
  })
}

/** Login events in the data layer, which also holds the signals of consent. */
const logins = (page: Page) => page.evaluate(() => (window.dataLayer ?? []).filter((entry) => 'event' in entry && entry.event === 'login'))

/** Callbacks that would add a header if a line break of theirs got into one. */
const lineBreaks = ['/cart\r\nSet-Cookie: evil=1', '/cart%0d%0aSet-Cookie: evil=1']
const megabyte = `/${'a'.repeat(1_000_000)}`

for (const [at, client] of authClients.entries()) {
  describe(client, () => {
    let context: BrowserContext
    let page: Page
    const openBrowser = async (options: { isOffice?: boolean } = {}) => {
      context = await browser.newContext()
      await serveClient(context, client, options)
      page = await context.newPage()
      page.setDefaultTimeout(patient(15_000))
    }
    const open = async (origin = gb, query = '') => {
      await page.goto(`${origin}${harnessPath}${query}`)
      return query ? '' : statusOf(page)
    }
    const signIn = async (origin: string, provider: string, email: string) => {
      await open(origin)
      await signInHere(page, provider, email)
      return open(origin)
    }
    const session = (on = page) => on.evaluate(() => window.harness.session)
    const refresh = () => page.evaluate(() => window.harness.update({ type: 'refresh' }))
    /** The tokens of this browser's sign-in: other journeys sign in meanwhile. */
    const ownToken = async () => {
      const ids = (await context.cookies(page.url())).map(({ value }) => createHash('sha256').update(value).digest('base64url'))
      const { rows } = await database.query<{ id: string; generation: number; refresh: string }>(
        `select sign_in_id as id, generation, refresh_token as refresh from auth.token
          where sign_in_id in (select sign_in_id from accounts.session where id = any($1))`,
        [ids],
      )
      assert.equal(rows.length, 1)
      return rows[0]!
    }
    const generation = async () => (await ownToken()).generation
    /** The error in the session after a refresh with a used token. */
    const refreshWithUsedToken = async () => {
      const used = await ownToken()
      await refresh()
      await database.query('update auth.token set refresh_token = $1 where sign_in_id = $2', [used.refresh, used.id])
      const answer = page.waitForResponse(
        (response) => new URL(response.url()).pathname === '/api/auth/session' && response.request().method() === 'POST',
      )
      await page.evaluate(() => void window.harness.update({ type: 'refresh' }))
      return ((await (await answer).json()) as { error?: string }).error
    }
    const isNewSession = () => page.evaluate(() => document.cookie.includes('purlin_new_session=1'))
    /** Right after a sign-in: the client pushes the login event if it is ours, else the shop's next page does. */
    const oneLogin = async (origin: string, method: string) => {
      const once = [{ event: 'login', method }]
      assert.deepEqual(await logins(page), client === 'ours' ? once : [])
      if (client === 'ours') {
        await page.reload()
        await statusOf(page)
        assert.deepEqual(await logins(page), [])
      }
      await page.goto(`${origin}/cart`)
      await page.waitForFunction(() => !document.cookie.includes('purlin_new_session'))
      assert.deepEqual(await logins(page), client === 'ours' ? [] : once)
      await page.reload()
      await page.locator('[data-signed-in]').waitFor()
      assert.deepEqual(await logins(page), [])
    }
    /** The site on which the visitor is after a sign-out with this callback. */
    const siteAfter = async (origin: string, callback: string) => {
      await open(origin)
      await page.evaluate((callbackUrl) => void window.harness.leave(callbackUrl), callback)
      await page.waitForURL((url) => url.pathname !== harnessPath)
      return new URL(page.url()).origin
    }
    const isFooled = async () => (await context.cookies()).some(({ name }) => name === 'evil')
    const updateWithoutToken = () =>
      page.evaluate(async () => {
        const headers = { 'content-type': 'application/json' }
        return (await fetch('/api/auth/session', { method: 'POST', headers, body: '{"data":{"type":"refresh"}}' })).status
      })
    const signOutByCall = () =>
      page.evaluate(async () => {
        const { status, redirected } = await fetch('/api/v1/logout', { method: 'POST', body: new URLSearchParams({ no_redirect: 'true' }) })
        return { status, redirected }
      })
    before(() => openBrowser())
    after(() => context.close())

    test('R-435 R-440: starts loading, then is unauthenticated', async () => {
      assert.equal(await open(), 'unauthenticated')
      assert.deepEqual(await page.evaluate(() => window.harness.history), ['loading', 'unauthenticated'])
    })

    test('R-330 R-538: lists three providers', async () => {
      assert.deepEqual(await page.evaluate(() => window.harness.providers()), ['keycloak-b2c', 'keycloak-b2b', 'keycloak'])
    })

    test('R-601: an unknown provider leads to the sign-in page, with a return address', async () => {
      await page.evaluate(() => void window.harness.signIn('nobody'))
      await page.waitForURL((url) => url.pathname === '/login')
      assert.equal(new URL(page.url()).searchParams.get('callbackUrl'), gb + harnessPath)
    })

    test('R-603: a page that needs a session requires a sign-in', async () => {
      await open(gb, '?required')
      await page.waitForURL((url) => url.pathname === '/login')
      const query = new URL(page.url()).searchParams
      assert.deepEqual([query.get('error'), query.get('callbackUrl')], ['SessionRequired', `${gb}${harnessPath}?required`])
    })

    test('R-602: without providers it leads to the error page', async () => {
      await open()
      await page.route('**/api/auth/providers', (route) => route.fulfill({ contentType: 'application/json', body: '{}' }))
      await page.evaluate(() => void window.harness.signIn('keycloak-b2c'))
      await page.waitForURL((url) => url.pathname === '/auth/error-page')
      await page.unroute('**/api/auth/providers')
    })

    test('R-543 R-600: a failed session call is reported to the server', async () => {
      await page.route('**/api/auth/session', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }))
      const told = page.waitForRequest((request) => request.url().endsWith('/api/auth/_log'))
      await page.goto(gb + harnessPath)
      const body = new URLSearchParams((await told).postData() ?? '')
      assert.deepEqual([body.get('level'), body.get('code')], ['error', 'CLIENT_FETCH_ERROR'])
      assert.equal(await statusOf(page), 'unauthenticated')
      await page.unroute('**/api/auth/session')
    })

    test('R-439 R-441 R-445: signs in with code and PKCE; the new-session cookie appears once', async () => {
      await open()
      await signInHere(page, 'keycloak-b2c', consumer.email)
      assert.equal(await isNewSession(), true)
      assert.equal(await open(), 'authenticated')
      const { user, provider } = (await session()) ?? {}
      assert.deepEqual([user?.email, provider], [consumer.email, 'keycloak-b2c'])
      await oneLogin(gb, 'keycloak-b2c')
    })

    test('R-542 R-583: an update with refresh rotates the refresh token', async () => {
      await open()
      const before = await generation()
      await refresh()
      assert.equal(await generation(), before + 1)
      assert.equal(await statusOf(page), 'authenticated')
    })

    test('five concurrent updates survive the rotation', async () => {
      await page.evaluate(() => Promise.all([1, 2, 3, 4, 5].map(() => window.harness.update({ type: 'refresh' }))))
      await page.reload()
      assert.equal(await statusOf(page), 'authenticated')
      assert.equal((await session())?.error, undefined)
    })

    test('R-542: an update without a CSRF token is 400', async () => {
      assert.equal(await updateWithoutToken(), 400)
    })

    test('R-443 R-444 R-541 R-442: another tab follows the sign-out, and the sign-in', async () => {
      const tab = await context.newPage()
      await tab.goto(gb + harnessPath)
      assert.equal(await statusOf(tab), 'authenticated')
      const url = await page.evaluate(() => window.harness.signOut())
      assert.equal(url, gb + harnessPath)
      await tab.waitForFunction(() => window.harness.history.at(-1) === 'unauthenticated')
      assert.equal(await statusOf(page), 'unauthenticated')
      await signIn(gb, 'keycloak-b2c', consumer.email)
      // next-auth notifies its other tabs when a page reads the session, but only once per clock second.
      await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      const hasFollowed = () => tab.evaluate(() => window.harness.history.at(-1) === 'authenticated')
      for (let read = 0; client === 'next-auth' && read < 8 && !(await hasFollowed()); read++) {
        await page.waitForTimeout(1100 + 150 * read)
        await open()
      }
      await tab.waitForFunction(() => window.harness.history.at(-1) === 'authenticated')
      await tab.close()
    })

    test('A33: for any callback, signing out and in ends on this site', async () => {
      for (const hostile of [
        '//evil.example/',
        '/\\evil.example',
        'https://evil.example/',
        '/%2f%2fevil.example',
        originOf(shop.origin, 'fr', 'b2c'),
        ...lineBreaks,
      ])
        assert.equal(await siteAfter(gb, hostile), gb, hostile)
      for (const hostile of ['https://evil.example/', ...lineBreaks]) {
        await open()
        await signInHere(page, 'keycloak-b2c', consumer.email, hostile)
      }
      assert.equal(await isFooled(), false)
    })

    test('A33: script addresses and a megabyte are refused as callbacks, and the visitor stays on this site', async () => {
      await open()
      const statusFor = (callback: string) =>
        page.evaluate(async (callbackUrl) => {
          const { csrfToken } = (await (await fetch('/api/auth/csrf')).json()) as { csrfToken: string }
          const body = new URLSearchParams({ json: 'true', csrfToken, callbackUrl })
          // The shop may close the connection while the rest is being sent.
          return fetch('/api/auth/signout', { method: 'POST', body }).then(
            ({ status }) => status,
            () => 413,
          )
        }, callback)
      assert.equal(await statusFor('javascript:alert(1)'), 400)
      assert.equal(await statusFor(megabyte), 413)
      // The published client follows the callback itself when it gets no address; the shop refuses one as long as this.
      const tab = await context.newPage()
      await tab.goto(gb + harnessPath)
      await statusOf(tab)
      const next = tab.waitForRequest((request) => request.isNavigationRequest(), { timeout: patient(3000) }).catch(() => null)
      await tab.evaluate((callbackUrl) => void window.harness.leave(callbackUrl).catch(() => undefined), megabyte)
      const followed = await next
      assert.ok(followed === null || new URL(followed.url()).origin === gb)
      // Closed while it goes to an address as long as this, a tab does close, but the call may wait for ever.
      const closed = tab.waitForEvent('close')
      void tab.close().catch(() => undefined)
      await closed
      await open()
    })

    test('R-332: a replayed refresh token gives RefreshAccessTokenError', async () => {
      // Our client signs out all the same where only the callback is refused.
      if ((await open()) !== 'authenticated') await signIn(gb, 'keycloak-b2c', consumer.email)
      assert.equal(await refreshWithUsedToken(), 'RefreshAccessTokenError')
    })

    test('R-584: the logout call with no_redirect=true does not redirect', async () => {
      await signIn(gb, 'keycloak-b2c', consumer.email)
      assert.deepEqual(await signOutByCall(), { status: 200, redirected: false })
      assert.equal(await open(), 'unauthenticated')
    })

    for (const [origin, provider, email] of [
      [pro, 'keycloak-b2b', professional.email],
      [gb, 'keycloak', consumer.email],
      [pro, 'keycloak', professional.email],
      // Each code is valid once: the clients sign in with accounts of their own.
      [gb, 'keycloak-staff', staff[at]?.email ?? ''],
    ] as const) {
      const isOffice = provider === 'keycloak-staff'
      test(`R-509 R-510 A33: with ${provider} on ${new URL(origin).hostname}: sign-in, login event, refreshes, sign-out in another tab, hostile callbacks, a used token`, async () => {
        if (isOffice) {
          await context.close()
          await openBrowser({ isOffice })
        }
        // Another person is still signed in at the identity provider.
        await context.clearCookies({ domain: 'id.localhost' })
        await open(origin, '?required')
        await page.waitForURL((url) => url.origin === origin && url.pathname === '/login')
        assert.equal(new URL(page.url()).searchParams.get('error'), 'SessionRequired')
        assert.equal(await open(origin), 'unauthenticated')
        assert.deepEqual(await page.evaluate(() => window.harness.history), ['loading', 'unauthenticated'])

        await signInHere(page, provider, email)
        // Of staff the shop's data layer learns nothing.
        assert.equal(await isNewSession(), !isOffice)
        assert.equal(await open(origin), 'authenticated')
        const { user, provider: by } = (await session()) ?? {}
        assert.deepEqual([user?.email, by], [email, provider])
        if (isOffice) assert.deepEqual(await logins(page), [])
        else await oneLogin(origin, provider)

        assert.equal(await open(origin), 'authenticated')
        const before = await generation()
        await refresh()
        assert.equal(await generation(), before + 1)
        await page.evaluate(() => Promise.all([1, 2, 3, 4, 5].map(() => window.harness.update({ type: 'refresh' }))))
        await page.reload()
        assert.equal(await statusOf(page), 'authenticated')
        assert.equal((await session())?.error, undefined)
        assert.equal(await updateWithoutToken(), 400)

        const tab = await context.newPage()
        await tab.goto(origin + harnessPath)
        assert.equal(await statusOf(tab), 'authenticated')
        await tab.evaluate(() => window.harness.signOut())
        await page.waitForFunction(() => window.harness.history.at(-1) === 'unauthenticated')
        await tab.close()

        await signInHere(page, provider, email, '//evil.example/\r\nSet-Cookie: evil=1')
        assert.equal(await open(origin), 'authenticated')
        assert.equal(await refreshWithUsedToken(), 'RefreshAccessTokenError')
        assert.deepEqual(await signOutByCall(), { status: 200, redirected: false })
        assert.equal(await open(origin), 'unauthenticated')
        for (const hostile of ['/\\evil.example', ...lineBreaks]) assert.equal(await siteAfter(origin, hostile), origin, hostile)
        assert.equal(await isFooled(), false)
      })
    }
  })
}

for (const client of authClients)
  test(`R-522: with ${client} the session is transferred from gb.localhost to pro.gb.localhost and ends on both`, async () => {
    const context = await browser.newContext()
    await serveClient(context, client)
    const page = await context.newPage()
    page.setDefaultTimeout(patient(15_000))
    await page.goto(gb + harnessPath)
    await statusOf(page)
    await signInHere(page, 'keycloak-b2c', consumer.email)
    await page.goto(`${gb}/api/v1/exchange-to-pro?callbackUrl=${encodeURIComponent(landing)}`)
    assert.equal(page.url(), pro + landing)
    await page.goto(pro + harnessPath)
    assert.equal(await statusOf(page), 'authenticated')
    await page.evaluate(() => window.harness.signOut())
    await page.goto(gb + harnessPath)
    assert.equal(await statusOf(page), 'unauthenticated')
    await context.close()
  })

test('R-509 R-673 one session is served by both web processes: of their concurrent refreshes one uses the token, and a sign-out in one ends it in the other', async () => {
  const context = await browser.newContext()
  await serveClient(context, 'next-auth')
  const page = await context.newPage()
  page.setDefaultTimeout(patient(15_000))
  await page.goto(gb + harnessPath)
  await statusOf(page)
  await signInHere(page, 'keycloak-b2c', consumer.email)
  const cookies = await context.cookies(gb)
  await context.close()

  const processes = await connectToBoth(shop.origin)
  const [one, two] = processes
  const headers = { host: new URL(gb).host, origin: gb, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  const read = async <Body>(at: Connection, path: string) => JSON.parse(String((await at.ask({ path, headers })).body)) as Body
  const session = (at: Connection) => read<{ user?: { email: string }; error?: string }>(at, '/api/auth/session')
  const { csrfToken } = await read<{ csrfToken: string }>(one, '/api/auth/csrf')
  const refresh = async (at: Connection) => {
    const body = JSON.stringify({ csrfToken, data: { type: 'refresh' } })
    const { status, body: answer } = await at.ask({
      method: 'POST',
      path: '/api/auth/session',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const { user, error } = JSON.parse(String(answer)) as Awaited<ReturnType<typeof session>>
    return [status, user?.email, error]
  }
  const ids = cookies.map(({ value }) => createHash('sha256').update(value).digest('base64url'))
  const generation = async () => {
    const { rows } = await database.query<{ generation: number }>(
      `select generation from auth.token where sign_in_id in (select sign_in_id from accounts.session where id = any($1)) for update`,
      [ids],
    )
    return rows[0]?.generation ?? assert.fail('the sign-in has tokens')
  }
  for (const at of processes) assert.equal((await session(at)).user?.email, consumer.email, at.process)

  // While this transaction holds the row, both processes come to the same token.
  await database.query('begin')
  const before = await generation()
  const both = Promise.all(processes.map(refresh))
  const isAwaited = `select exists (select 1 from pg_locks where not granted and locktype = 'tuple' and relation = 'auth.token'::regclass) as both`
  for (const end = Date.now() + patient(5000); Date.now() < end; await sleep(20))
    if ((await database.query<{ both: boolean }>(isAwaited)).rows[0]?.both) break
  await database.query('commit')
  const refreshed = [200, consumer.email, undefined]
  assert.deepEqual(await both, [refreshed, refreshed])
  assert.equal(await generation(), before + 1)
  assert.deepEqual(await refresh(two), refreshed)
  assert.equal(await generation(), before + 2)

  const signedOut = await one.ask({
    method: 'POST',
    path: '/api/v1/logout',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'no_redirect=true',
  })
  assert.equal(signedOut.status, 200)
  for (const at of [two, one]) assert.deepEqual(await session(at), {}, at.process)
  for (const at of processes) at.close()
})
