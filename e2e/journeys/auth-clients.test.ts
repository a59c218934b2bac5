import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { authClients, harnessPath, serveClient, statusOf } from '../support/auth-clients.ts'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'

/** The session service in a real browser, with the published next-auth client and with our own. */

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
assert.ok(consumer && professional)
const gb = originOf(shop.origin, 'gb', 'b2c')
const pro = originOf(shop.origin, 'gb', 'b2b')

/** Destination of this file's sign-ins: an address without scripts that would record them. */
const landing = '/robots.txt'

/** Signs in with this page's client, and fills in the identity provider's form if it appears. */
async function signInHere(page: Page, provider: string, email: string): Promise<void> {
  await page.evaluate(([name, path]) => void window.harness.signIn(name, location.origin + path), [provider, landing] as const)
  await page.waitForURL((url) => url.host.startsWith('id.localhost') || url.pathname === landing)
  if (new URL(page.url()).pathname === landing) return
  await page.getByLabel(/e-?mail/i).fill(email)
  await page.locator('input[type="password"]').fill(demoPassword)
  const form = page.url()
  await page.keyboard.press('Enter')
  await page
    .waitForURL((url) => url.pathname === landing)
    .catch(async (error: unknown) => {
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

for (const client of authClients) {
  describe(client, () => {
    let context: BrowserContext
    let page: Page
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
        (response) => response.url().endsWith('/api/auth/session') && response.request().method() === 'POST',
      )
      await page.evaluate(() => void window.harness.update({ type: 'refresh' }))
      return ((await (await answer).json()) as { error?: string }).error
    }
    const signOutByCall = () =>
      page.evaluate(async () => {
        const { status, redirected } = await fetch('/api/v1/logout', { method: 'POST', body: new URLSearchParams({ no_redirect: 'true' }) })
        return { status, redirected }
      })
    before(async () => {
      context = await browser.newContext()
      await serveClient(context, client)
      page = await context.newPage()
      page.setDefaultTimeout(patient(15_000))
    })
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
      assert.match(await page.evaluate(() => document.cookie), /purlin_new_session=1/)
      assert.equal(await open(), 'authenticated')
      const { user, provider } = (await session()) ?? {}
      assert.deepEqual([user?.email, provider], [consumer.email, 'keycloak-b2c'])
      if (client === 'ours') {
        assert.deepEqual(await logins(page), [{ event: 'login', method: 'keycloak-b2c' }])
        await page.reload()
        await statusOf(page)
        assert.deepEqual(await logins(page), [])
      }
      await page.goto(`${gb}/cart`)
      await page.waitForFunction(() => !document.cookie.includes('purlin_new_session'))
      assert.deepEqual(await logins(page), client === 'ours' ? [] : [{ event: 'login', method: 'keycloak-b2c' }])
      await page.reload()
      await page.locator('[data-signed-in]').waitFor()
      assert.deepEqual(await logins(page), [])
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
      const status = await page.evaluate(async () => {
        const headers = { 'content-type': 'application/json' }
        return (await fetch('/api/auth/session', { method: 'POST', headers, body: '{"data":{"type":"refresh"}}' })).status
      })
      assert.equal(status, 400)
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
      ]) {
        await open()
        await page.evaluate((callbackUrl) => void window.harness.leave(callbackUrl), hostile)
        await page.waitForURL((url) => url.pathname !== harnessPath)
        assert.equal(new URL(page.url()).origin, gb, hostile)
      }
      await open()
      await page.evaluate((callbackUrl) => void window.harness.signIn('keycloak-b2c', callbackUrl), 'https://evil.example/')
      await page.waitForURL((url) => url.pathname !== harnessPath)
      if (page.url().includes('id.localhost')) {
        await page.getByLabel(/e-?mail/i).fill(consumer.email)
        await page.locator('input[type="password"]').fill(demoPassword)
        await page.keyboard.press('Enter')
      }
      await page.waitForURL((url) => url.origin === gb)
    })

    test('R-332: a replayed refresh token gives RefreshAccessTokenError', async () => {
      await open()
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
    ] as const) {
      test(`R-509 R-510: with ${provider} on ${new URL(origin).hostname}: sign-in, refreshes, sign-out in another tab, a used token`, async () => {
        // Another person is still signed in at the identity provider.
        await context.clearCookies({ domain: 'id.localhost' })
        assert.equal(await signIn(origin, provider, email), 'authenticated')
        const { user, provider: by } = (await session()) ?? {}
        assert.deepEqual([user?.email, by], [email, provider])
        const before = await generation()
        await refresh()
        assert.equal(await generation(), before + 1)
        await page.evaluate(() => Promise.all([1, 2, 3, 4, 5].map(() => window.harness.update({ type: 'refresh' }))))
        await page.reload()
        assert.equal(await statusOf(page), 'authenticated')
        assert.equal((await session())?.error, undefined)

        const tab = await context.newPage()
        await tab.goto(origin + harnessPath)
        assert.equal(await statusOf(tab), 'authenticated')
        await tab.evaluate(() => window.harness.signOut())
        await page.waitForFunction(() => window.harness.history.at(-1) === 'unauthenticated')
        await tab.close()

        assert.equal(await signIn(origin, provider, email), 'authenticated')
        assert.equal(await refreshWithUsedToken(), 'RefreshAccessTokenError')
        assert.deepEqual(await signOutByCall(), { status: 200, redirected: false })
        assert.equal(await open(origin), 'unauthenticated')
      })
    }
  })
}

test('R-522: the session is transferred from gb.localhost to pro.gb.localhost and ends on both', async () => {
  const context = await browser.newContext()
  await serveClient(context, 'next-auth')
  const page = await context.newPage()
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

test('R-509 the sessions of these clients are served by two web processes', async () => {
  const metrics = await (await fetch(`${shop.origin}/metrics`)).text()
  const counted = /^purlin_request_seconds_count\{[^}]*route="\/api\/auth\/\*"[^}]*process="(web \d+)"\} [1-9]/gm
  assert.deepEqual([...new Set([...metrics.matchAll(counted)].map(([, name]) => name))].toSorted(), ['web 1', 'web 2'])
})
