import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import {
  GetCustomerProfileDocument,
  GetCustomerSegmentsDocument,
  GetOptInStatusDocument,
} from '../../storefront/src/generated/documents.ts'
import { harnessPath, serveClient, statusOf } from '../support/auth-clients.ts'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'

/** Requests of our own client about a signed-in customer. */

const shop = await shopForTests()
const gb = originOf(shop.origin, 'gb', 'b2c')
const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'gb')
assert.ok(consumer)
let browser: Browser
let context: BrowserContext
before(async () => {
  browser = await launchBrowser({ pictures: false })
  context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${gb}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/robots.txt')}`)
  await page.getByLabel(/e-?mail/i).fill(consumer.email)
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${gb}/robots.txt`)
  await page.close()
})
after(async () => {
  await browser.close()
  await shop.stop()
})

type Answering = (page: Page) => Promise<unknown>
const failing =
  (document: { id: string }): Answering =>
  (page) =>
    page.route(
      (url) => url.href.includes(document.id),
      (route: Route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"data":null,"errors":[{"message":"No"}]}' }),
    )

/** A page with our client, and the outcome of its requests after sign-in, of which `failures` are reported. */
async function clientPage(arrange: Answering = async () => undefined, failures = 0) {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await serveClient(context, 'ours')
  const told: string[] = []
  const sent: string[] = []
  let answered = 0
  page.on('response', (response) => void (response.url().includes('/graphql?') && answered++))
  page.on('request', (request) => {
    if (request.url().endsWith('/_log')) told.push(new URLSearchParams(request.postData() ?? '').get('code') ?? '')
    if (request.url().includes('/graphql')) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  await arrange(page)
  await page.goto(gb + harnessPath)
  assert.equal(await statusOf(page), 'authenticated')
  for (let look = 0; (answered < 2 || told.length < failures) && look < 100; look++) await page.waitForTimeout(100)
  // The effects of the responses are visible in the page's next turn.
  await page.waitForTimeout(200)
  const state = await page.evaluate(() => window.customer.state())
  return { page, told, sent, state }
}

test('R-438 R-585 R-303 R-304 R-305 after the session check, segments and opt-in status are requested by GET and fill the auth state', async () => {
  const { page, state, sent, told } = await clientPage()
  assert.deepEqual(sent, ['GET /graphql', 'GET /graphql'])
  assert.deepEqual([state.hasRetrievedAuthStatus, state.hasRetrievedCustomerSegments], [true, true])
  assert.equal(state.segments?.b2b_welcome, false)
  assert.deepEqual(state.optin_status, { email: false, sms: false })
  assert.deepEqual(told, [])
  await page.close()
})

test('R-299 R-300 R-301 R-302 R-436 R-437 the auth state is “authenticating” first, then holds id, e-mail address and first name, and nothing when the check fails', async () => {
  const { page, state } = await clientPage()
  const told = ({ isAuthenticated, isAuthenticating, isB2B, isB2C, isGuest, userId, email, given_name: name }: typeof state) => {
    return { isAuthenticated, isAuthenticating, isB2B, isB2C, isGuest, hasId: userId !== null, email, name }
  }
  assert.deepEqual(told(await page.evaluate(() => window.customer.initial)), {
    isAuthenticated: false,
    isAuthenticating: true,
    isB2B: false,
    isB2C: false,
    isGuest: true,
    hasId: false,
    email: null,
    name: null,
  })
  assert.deepEqual(told(state), {
    isAuthenticated: true,
    isAuthenticating: false,
    isB2B: false,
    isB2C: true,
    isGuest: false,
    hasId: true,
    email: consumer.email,
    name: consumer.givenName,
  })
  await page.route('**/api/auth/session', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }))
  await page.reload()
  assert.equal(await statusOf(page), 'unauthenticated')
  const failed = told(await page.evaluate(() => window.customer.state()))
  assert.deepEqual([failed.isAuthenticating, failed.isAuthenticated, failed.isGuest, failed.email], [false, false, true, null])
  await page.close()
})

test('R-527 R-528 R-531 R-587 R-588 R-589 R-590 R-591 R-592 R-593 R-594 a GraphQL request carries the headers of the specification, our cookies, and no cached answer', async () => {
  const { page } = await clientPage()
  const sent = page.waitForRequest((request) => request.url().includes('/graphql'))
  assert.equal(await page.evaluate(() => window.customer.ask()), 'optInStatus')
  const headers = await (await sent).allHeaders()
  const named = ['content-type', 'x-requested-with', 'x-user-agent', 'client-name', 'client-version', 'market', 'channel', 'platform']
  assert.deepEqual(
    named.map((name) => headers[name]),
    ['application/json', 'XMLHttpRequest', 'purlin-storefront/under-test', 'storefront', 'under-test', 'gb', 'web', 'b2c'],
  )
  assert.match(headers['cookie'] ?? '', /__Host-purlin=/)
  const again = page.waitForRequest((request) => request.url().includes('/graphql'))
  assert.equal(await page.evaluate(() => window.customer.ask()), 'optInStatus')
  const response = await (await again).response()
  assert.deepEqual([response?.status(), response?.headers()['cache-control']], [200, 'no-store'], 'asked anew')
  await page.close()
})

test('R-530 R-532 R-533 credentials go to our own hosts alone; idempotency key and exchange token have headers of their own', async () => {
  const { page } = await clientPage()
  const elsewhere = 'https://elsewhere.example'
  await context.addCookies([{ name: 'theirs', value: '1', url: elsewhere, sameSite: 'None', secure: true }])
  const sent: Record<string, string>[] = []
  const headers = { 'access-control-allow-origin': gb, 'access-control-allow-headers': '*', 'access-control-allow-credentials': 'true' }
  await page.route(`${elsewhere}/**`, async (route) => {
    if (route.request().method() === 'GET') sent.push(await route.request().allHeaders())
    await route.fulfill({ status: 200, headers, body: 'hello' })
  })
  await page.route('**/api/v1/probe', async (route) => {
    sent.push(await route.request().allHeaders())
    await route.fulfill({ status: 200, body: 'hello' })
  })
  await page.evaluate((address) => window.customer.call(address), `${elsewhere}/thing`)
  await page.evaluate(() => window.customer.call('/api/v1/probe', { idempotencyKey: 'key-1', exchangeToken: 'token-1' }))
  const [foreign, own] = sent
  assert.equal(foreign?.['cookie'], undefined)
  assert.match(own?.['cookie'] ?? '', /__Host-purlin=/)
  assert.deepEqual([own?.['idempotency-key'], own?.['x-exchange-token']], ['key-1', 'token-1'])
  await page.close()
})

test('R-529 R-595 a call waits as long as REQUEST_TIMEOUT says, or as long as the operation says', async () => {
  const { page } = await clientPage()
  const ofShop = await context.newPage()
  await ofShop.goto(gb)
  assert.equal(await ofShop.evaluate(() => document.documentElement.dataset['timeout']), '10000')
  await ofShop.close()
  await page.route('**/graphql?**', () => undefined)
  await page.route('**/graphql', () => undefined)
  assert.equal(await page.evaluate(() => window.customer.ask(50)), 'GATEWAY_TIMEOUT_ERROR')
  await page.evaluate(() => (document.documentElement.dataset['timeout'] = '80'))
  assert.equal(await page.evaluate(() => window.customer.ask()), 'GATEWAY_TIMEOUT_ERROR')
  assert.match(await page.evaluate(() => window.customer.call('/graphql')), /^TimeoutError/)
  await page.close()
})

test('R-438 R-623 unavailable segments are null and logged; the opt-in status is loaded all the same', async () => {
  const { page, state, told } = await clientPage(failing(GetCustomerSegmentsDocument), 1)
  assert.deepEqual([state.isAuthenticated, state.segments, state.hasRetrievedCustomerSegments], [true, null, false])
  assert.deepEqual(state.optin_status, { email: false, sms: false })
  assert.deepEqual(told, ['CUSTOMER_SEGMENTS'])
  await page.close()
})

test('R-438 an unavailable opt-in status is null and logged; the segments are loaded all the same', async () => {
  const { page, state, told } = await clientPage(failing(GetOptInStatusDocument), 1)
  assert.deepEqual([state.optin_status, state.hasRetrievedCustomerSegments], [null, true])
  assert.deepEqual(told, ['CUSTOMER_FETCH_ERROR'])
  await page.close()
})

test('R-580 R-581 R-582 R-622 the client’s PATCH sends only the given fields, and returns true, or false on any failure', async () => {
  const { page } = await clientPage()
  const patch = (fields: object) => page.evaluate((given) => window.customer.updateSegments(given), fields)
  const request = page.waitForRequest((each) => each.method() === 'PATCH')
  assert.equal(await patch({ b2b_vat_modal: true }), true)
  assert.deepEqual(JSON.parse((await request).postData() ?? ''), { b2b_vat_modal: true })
  assert.equal(await patch({}), false, 'nothing to change')
  assert.equal(await patch({ b2b_suspected_pro: 'NOBODY' }), false, 'no such level')
  await page.route('**/customer-segment/customers', (route) => route.abort())
  assert.equal(await patch({ b2b_vat_modal: true }), false, 'no answer')
  await page.close()
})

test('R-451 R-453 R-578 the profile is loaded for a signed-in customer: request, success', async () => {
  const { page } = await clientPage()
  assert.deepEqual(await page.evaluate(() => window.customer.profile()), {
    email: consumer.email,
    steps: ['request', 'success'],
    error: null,
  })
  await page.close()
})

test('R-428 the auth slice has the customer’s details and cluster, and the next visitor finds nothing of them', async () => {
  const { page, state } = await clientPage()
  assert.deepEqual([state.cluster, 'customerManagement' in state], [state.segments?.cluster ?? null, false])
  await page.evaluate(() => window.customer.profile())
  const loaded = await page.evaluate(() => window.customer.state())
  assert.equal(loaded.customerManagement?.profile?.email, consumer.email)
  await page.route('**/api/auth/session', (route) => route.fulfill({ json: {} }))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.waitForFunction(() => window.customer.state().isGuest)
  const ended = await page.evaluate(() => window.customer.state())
  assert.deepEqual([ended.customerManagement, ended.cluster, ended.segments], [undefined, undefined, null])
  await page.close()
})

test('R-292 R-452 R-453 R-619 a profile is null until it is loaded; an unavailable one is reset, with an error', async () => {
  const { page, told } = await clientPage(failing(GetCustomerProfileDocument))
  assert.deepEqual(await page.evaluate(() => window.customer.profile()), {
    email: null,
    steps: ['request', 'failure'],
    error: 'Error: Could not provide the customer profile',
  })
  await page.waitForTimeout(100)
  assert.deepEqual(told, ['CUSTOMER_PROFILE'])
  await page.close()
})

test('guests’ pages send no customer requests', async () => {
  const guests = await browser.newContext()
  const page = await guests.newPage()
  const sent: string[] = []
  page.on('request', (request) => void (request.url().includes('/graphql?') && sent.push(request.url())))
  await page.goto(gb)
  await page.waitForLoadState('networkidle')
  assert.deepEqual(sent, [])
  await guests.close()
})

async function settings(): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${gb}/settings`)
  await page.locator('[data-signed-in]').waitFor()
  return page
}

test('R-424 R-454 details are saved without leaving the page; the fields and the header show the stored values', async () => {
  const page = await settings()
  await page.evaluate(() => void Object.assign(window, { isSamePage: true }))
  const first = page.locator('input[name="firstName"]')
  await first.fill('  Adela ')
  await page.locator('input[name="phone"]').fill('07700 900123')
  await page.locator('form:has(input[name="firstName"]) button').click()
  await page.locator('[data-flash="success"]').waitFor()
  assert.deepEqual([await first.inputValue(), await page.locator('input[name="phone"]').inputValue()], ['Adela', '+44 7700900123'])
  assert.equal(await page.locator('[data-signed-in]').innerText(), 'Adela')
  assert.ok(await page.evaluate(() => 'isSamePage' in window))
  await first.fill(consumer.givenName)
  await page.locator('form:has(input[name="firstName"]) button').click()
  await page.waitForFunction((name) => document.querySelector('[data-signed-in]')?.textContent?.includes(name), consumer.givenName)
  await page.close()
})

test('R-454 R-456 a failed change says so and keeps the entered values; a refused one names the field', async () => {
  const page = await settings()
  await page.route('**/graphql', (route) => route.abort(), { times: 1 })
  await page.locator('input[name="lastName"]').fill('Kept')
  const save = page.locator('form:has(input[name="firstName"]) button')
  await save.click()
  await page.locator('[data-flash="danger"]').waitFor()
  assert.equal(await page.locator('input[name="lastName"]').inputValue(), 'Kept')
  assert.notEqual(await save.getAttribute('aria-busy'), 'true')
  await page.locator('input[name="smsPhone"]').fill('nobody')
  await page.locator('input[name="sms"]').check()
  await page.locator('form:has(input[name="smsPhone"]) button').click()
  await page.locator('#smsPhone-error').waitFor()
  await page.close()
})

test('R-456 the opt-in status is saved without leaving the page', async () => {
  const page = await settings()
  await page.evaluate(() => void Object.assign(window, { isSamePage: true }))
  const toggle = async (isOn: boolean) => {
    await page.locator('input[name="email"][type="checkbox"]').setChecked(isOn)
    const saved = page.waitForResponse(
      (response) => response.request().method() === 'GET' && response.url().includes(GetOptInStatusDocument.id),
    )
    await page.locator('form:has(input[name="smsPhone"]) button').click()
    return ((await (await saved).json()) as { data: { optInStatus: object } }).data.optInStatus
  }
  assert.deepEqual(await toggle(true), { email: true, sms: false })
  assert.deepEqual(await toggle(false), { email: false, sms: false })
  assert.ok(await page.evaluate(() => 'isSamePage' in window))
  await page.close()
})

test('R-307 R-321 whoever seems to buy for a company is asked once: “I buy for myself” is kept', async () => {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${gb}/api/auth/session`)
  const { user } = JSON.parse(await page.locator('body').innerText()) as { user: { id: string } }
  const imported = await fetch(`${shop.origin}/api/v1/operator/customers/${user.id}/segments`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env['OPERATOR_API_KEY'] || 'journeys-operator'}` },
    body: '{"b2b_suspected_pro":"HIGH_SUSPECTED_PRO"}',
  })
  assert.equal(imported.status, 200)
  await page.goto(`${gb}/customer-area`)
  const invitation = page.locator('#pro-invitation')
  await invitation.waitFor()
  if (process.env['PICTURES'])
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: `${process.env['PICTURES']}/invitation-${width}.png` })
    }
  await page.route('**/customer-segment/customers', (route) => route.abort(), { times: 1 })
  await page.locator('[data-not-pro]').click()
  await page.waitForTimeout(500)
  assert.equal(await invitation.count(), 1, 'it stays where the answer was not kept')
  await page.locator('[data-not-pro]').click()
  await invitation.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('h1').waitFor()
  assert.equal(await invitation.count(), 0)
  await page.close()
})

test('R-415 R-419 messages of four kinds are shown by severity, most severe first, three at a time', async () => {
  const guests = await browser.newContext()
  const page = await guests.newPage()
  await page.goto(gb)
  await page.evaluate(() => {
    for (const severity of ['info', 'success', 'danger', 'warning'])
      document.dispatchEvent(new CustomEvent('shop:flash', { detail: { severity, message: severity } }))
  })
  const shown = () =>
    page.locator('[data-flashes] [data-flash]').evaluateAll((items) => items.map((item) => item.getAttribute('data-flash')))
  assert.deepEqual(await shown(), ['danger', 'warning', 'success'])
  assert.equal(await page.locator('[data-flash-log] li').count(), 4)
  await page.waitForFunction(() => document.querySelectorAll('[data-flashes] [data-flash]').length === 2, null, { timeout: patient(8000) })
  assert.deepEqual(await shown(), ['warning', 'success'])
  await guests.close()
})

test('topics of push messages are chosen on the settings page, kept for the browser, and none of them ends the subscription', async () => {
  const page = await settings()
  // No push service answers here: the browser's own part is played by a subscription that is remembered.
  await page.addInitScript(() => {
    const key = new Uint8Array(65).fill(7)
    const text = (bytes: Uint8Array) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, '')
    const endpoint = 'https://fcm.googleapis.com/fcm/send/of-a-journey'
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: text(key), auth: text(key.subarray(0, 16)) } }),
      unsubscribe: () => {
        sessionStorage.removeItem('is-subscribed')
        return Promise.resolve(true)
      },
    }
    Notification.requestPermission = () => Promise.resolve('granted')
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(sessionStorage.getItem('is-subscribed') ? (subscription as unknown as PushSubscription) : null)
    PushManager.prototype.subscribe = () => {
      sessionStorage.setItem('is-subscribed', 'yes')
      return Promise.resolve(subscription as unknown as PushSubscription)
    }
  })
  const form = page.locator('form:has(input[name="push-baskets"])')
  const save = () => form.locator('button').click()
  const reload = async () => {
    await page.reload()
    await form.scrollIntoViewIfNeeded()
  }
  await reload()
  await form.locator('a').waitFor()
  assert.equal(await form.locator('input').first().isDisabled(), true)
  await context.addCookies([{ name: 'mm_consent', value: 'v1:userPreferences', url: gb }])
  await reload()
  await form.locator('input[name="push-baskets"]').check()
  await form.locator('input[name="push-orders"]').check()
  await save()
  await form.getByText('Saved.').waitFor()
  await reload()
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name="push-baskets"]')?.checked)
  assert.deepEqual(await form.locator('input').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked)), [
    true,
    false,
    true,
    false,
  ])
  await form.locator('input[name="push-baskets"]').uncheck()
  await form.locator('input[name="push-orders"]').uncheck()
  await save()
  await form.getByText('Saved.').waitFor()
  assert.equal(await page.evaluate(() => sessionStorage.getItem('is-subscribed')), null)
  await page.close()
})
