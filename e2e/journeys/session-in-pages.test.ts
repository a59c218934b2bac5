import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import type { Browser, Page, Route } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'

/** A visitor's session on the pages of the shop. */

const shop = await shopForTests()
const gb = originOf(shop.origin, 'gb', 'b2c')
const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'gb')
assert.ok(consumer)
let browser: Browser
before(async () => {
  browser = await launchBrowser({ pictures: false })
})
after(async () => {
  await browser.close()
  await shop.stop()
})

async function signIn(page: Page, address = '/'): Promise<void> {
  await page.goto(`${gb}/api/auth/pre-login?callbackUrl=${encodeURIComponent(address)}`)
  await page.getByLabel(/e-?mail/i).fill(consumer?.email ?? '')
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(gb + address)
}

async function signedIn(run: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(patient(15_000))
  await signIn(page)
  await page.locator('[data-signed-in]').waitFor()
  await run(page)
  await context.close()
}

const nobody = (route: Route) =>
  route.fulfill({ status: 401, contentType: 'application/json', body: '{"data":null,"errors":[{"message":"Nobody"}]}' })
const isRefresh = (url: string, method: string) => url.endsWith('/api/auth/session') && method === 'POST'

test('R-509 R-507 without script, a protected page redirects to sign-in and back, and the account can sign out', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${gb}/customer-area`)
  assert.equal(new URL(page.url()).pathname, '/login')
  await page.locator('main a[href*="pre-login"]').click()
  await page.getByLabel(/e-?mail/i).fill(consumer.email)
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.locator('form button[type="submit"], form button:not([type])').first().click()
  await page.waitForURL(`${gb}/customer-area`)
  assert.match(await page.locator('h1').innerText(), new RegExp(consumer.givenName))
  await page.goto(`${gb}/auth/pre-logout`)
  await page.locator('main form button').first().click()
  await page.waitForURL(`${gb}/`)
  await page.goto(`${gb}/customer-area`)
  assert.equal(new URL(page.url()).pathname, '/login')
  await context.close()
})

test('A38 on a shared computer, the next person to sign in after a sign-out must enter a password, whether next-auth or the page signed out', async () => {
  const byCall = async (page: Page) => {
    const answer = await page.evaluate(async () => {
      const { csrfToken } = (await (await fetch('/api/auth/csrf')).json()) as { csrfToken: string }
      const body = new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true' })
      return (await fetch('/api/auth/signout', { method: 'POST', body })).text()
    })
    assert.deepEqual(JSON.parse(answer), { url: `${gb}/` })
  }
  const byPage = async (page: Page, label: string) => {
    await page.goto(`${gb}/auth/pre-logout`)
    await page.getByRole('button', { name: label, exact: true }).click()
    await page.waitForURL(`${gb}/`)
  }
  const ways = [byCall, (page: Page) => byPage(page, 'Sign out'), (page: Page) => byPage(page, 'Sign out on all devices')]
  for (const signOut of ways)
    await signedIn(async (page) => {
      await signOut(page)
      await page.goto(`${gb}/api/auth/pre-login?callbackUrl=%2F`)
      await page.locator('input[type="password"]').waitFor()
      // No cookie tells another market's shop of the sign-out: the provider itself has ended its session.
      await page.goto(`${originOf(shop.origin, 'fr', 'b2c')}/api/auth/pre-login?callbackUrl=%2F`)
      await page.locator('input[type="password"]').waitFor()
    })
})

test('A48 the header shows the customer’s name, and the page as sent does not contain it', () =>
  signedIn(async (page) => {
    assert.equal(await page.locator('[data-signed-in]').innerText(), consumer.givenName)
    const sent = (await (await page.goto(`${gb}/`))?.text()) ?? ''
    assert.match(sent, /data-account=/)
    assert.ok(!sent.includes(consumer.givenName) && !sent.includes(consumer.email))
  }))

test('R-448 R-612 after a 401 the session is refreshed and the call repeated once', () =>
  signedIn(async (page) => {
    let calls = 0
    // The page being left may still send requests; they are not part of this test.
    const isOfBrands = (route: Route) => route.request().headers()['referer'] === `${gb}/brands`
    await page.route('**/graphql', (route) => (isOfBrands(route) && ++calls === 1 ? nobody(route) : route.fallback()))
    const refreshed = page.waitForRequest((request) => isRefresh(request.url(), request.method()))
    const again = page.waitForResponse((response) => response.url().endsWith('/graphql') && response.status() === 200)
    await page.goto(`${gb}/brands`)
    assert.equal(JSON.parse((await refreshed).postData() ?? '{}').data.type, 'refresh')
    await again
    await page.locator('[data-signed-in]').waitFor()
  }))

test('R-449 R-447 a second 401 on a public page signs out and stays on the page', () =>
  signedIn(async (page) => {
    await page.route('**/graphql', nobody)
    await page.goto(`${gb}/brands`)
    await page.waitForResponse((response) => response.url().endsWith('/api/auth/signout'))
    await page.locator('[data-account]:not([data-signed-in])').waitFor()
    assert.equal(page.url(), `${gb}/brands`)
  }))

test('R-450 R-446 R-479 a second 401 on a protected page leads to sign-in, with a return address', () =>
  signedIn(async (page) => {
    await page.route('**/graphql', nobody)
    await page.goto(`${gb}/customer-area`)
    await page.waitForURL((url) => url.pathname === '/login')
    const query = new URL(page.url()).searchParams
    assert.deepEqual([query.get('error'), query.get('callbackUrl')], ['SessionRequired', `${gb}/customer-area`])
    assert.equal(await page.evaluate(() => sessionStorage.getItem('purlin.callback')), `${gb}/customer-area`)
  }))

test('R-332 R-446 R-447 a session whose refresh has failed signs out on a public page and leads to sign-in on a protected one', () =>
  signedIn(async (page) => {
    const failed = { user: { id: 'x', name: 'x', email: 'x@example.com', given_name: 'x' }, role: 'b2c', error: 'RefreshAccessTokenError' }
    await page.route('**/api/auth/session', (route) => route.fulfill({ json: failed }), { times: 1 })
    const out = page.waitForResponse((response) => response.url().endsWith('/api/auth/signout'))
    await page.goto(`${gb}/brands`)
    await out
    assert.equal(page.url(), `${gb}/brands`)
    await signIn(page, '/customer-area').catch(() => undefined)
    await page.route('**/api/auth/session', (route) => route.fulfill({ json: failed }), { times: 1 })
    await page.goto(`${gb}/customer-area`)
    await page.waitForURL((url) => url.pathname === '/login')
  }))

test('R-614 waiting longer than five seconds for the session is reported to the server', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.clock.install()
  let isAsked = false
  await page.route('**/api/auth/session', () => void (isAsked = true))
  const codes: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/_log')) codes.push(new URLSearchParams(request.postData() ?? '').get('code'))
  })
  await page.goto(`${gb}/brands`)
  // Scripts that wait for an idle moment need the clock as well.
  for (let n = 0; n < 150 && !isAsked; n++) await page.clock.runFor(20)
  assert.deepEqual([isAsked, codes], [true, []])
  await page.clock.runFor(5_100)
  for (let n = 0; n < 200 && !codes.includes('AUTH_WAIT'); n++) await sleep(50)
  assert.ok(codes.includes('AUTH_WAIT'), codes.join())
  await context.close()
})
