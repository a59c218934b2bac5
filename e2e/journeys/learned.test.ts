import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { shopForTests } from '../support/shop.ts'
import { visit, type Visitor } from '../support/visitor.ts'

/** What the shop learns and announces, in a browser: history, experiments, attribution, menu campaigns, messages. */

const shop = await shopForTests()
let browser: Browser
before(async () => {
  browser = await launchBrowser({ pictures: false })
})
after(async () => {
  await browser.close()
  await shop.stop()
})

const consenting = async (visitor: Visitor, purposes: string, visitorId: string = randomUUID()) => {
  const cookies = { mm_consent: `v1:${purposes}`, mm_visitor_id: visitorId }
  await visitor.page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: visitor.origin })))
  return visitorId
}
const productsOf = async ({ page, origin }: Visitor) => {
  await page.goto(`${origin}/great-deals`)
  const links = await page.locator('[data-card] a[href^="/p/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(links)].slice(0, 4)
}
const remembered = ({ page }: Visitor) => page.evaluate(() => localStorage.getItem('product-history'))

/** A headless browser counts as a crawler, for which nothing is looked up. */
async function asPerson(page: Page): Promise<void> {
  const person = (await page.evaluate(() => navigator.userAgent)).replace('Headless', '')
  await page.addInitScript((userAgent) => Object.defineProperty(navigator, 'userAgent', { get: () => userAgent }), person)
}

test('R-027 R-430 R-471 with consent to preferences, products seen come back on home, product and cart pages', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const products = await productsOf(visitor)
  assert.ok(products.length >= 4)
  await page.goto(origin + products[0])
  await page.waitForLoadState('networkidle')
  assert.equal(await remembered(visitor), null)

  await consenting(visitor, 'userPreferences')
  for (const [at, path] of products.entries()) {
    await page.goto(origin + path)
    await page.waitForFunction(
      (count) => (JSON.parse(localStorage.getItem('product-history') ?? '[]') as unknown[]).length === count,
      at + 1,
    )
  }
  const last = /-(\d+)$/.exec(products.at(-1) ?? '')?.[1]
  assert.equal((JSON.parse((await remembered(visitor)) ?? '[]') as { productId: string }[])[0]?.productId, last)
  for (const path of ['/', products[0] ?? '']) {
    await page.goto(origin + path)
    const row = page.getByRole('region', { name: 'Recently seen' }).or(page.getByRole('heading', { name: 'Recently seen' }))
    await row.first().waitFor()
    assert.equal(await page.locator('[data-history]').getAttribute('data-state'), 'fetched')
    assert.ok((await page.locator('[data-history] [data-row="seen"] a[href^="/p/"]').count()) >= 3, path)
  }
  await visitor.leave()
})

test('R-466 R-405 R-469 with consent to statistics a page’s experiment loads its tag and reports what was seen', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await consenting(visitor, 'statistics')
  const { page, origin } = visitor
  await asPerson(page)
  const asked = page.waitForRequest((request) => request.url().endsWith('/ab-test/api/v1/user/flags'))
  const exposed = page.waitForRequest((request) => request.url().endsWith('/api/v1/experiment-exposures'))
  await page.goto(`${origin}/`)
  const body = (await asked).postDataJSON() as { context: object; visitor_id: string }
  assert.deepEqual(body.context, { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' })
  await page.locator('[data-experiment="home-order"][data-tag="loaded"]').waitFor({ state: 'attached' })
  // Down the page, as a reader goes.
  for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 500)
  assert.deepEqual((await exposed).postDataJSON(), ['home-order'])
  await visitor.leave()
})

test('R-467 R-599 R-668 R-672 flags that do not come are logged, and the tag is cancelled after 8 s; the page stays whole', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await consenting(visitor, 'statistics')
  const { page, origin } = visitor
  await asPerson(page)
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await page.route('**/ab-test/**', () => undefined)
  const startedAt = Date.now()
  await page.goto(`${origin}/`)
  await page.locator('[data-tag="loading"]').waitFor({ state: 'attached' })
  await page.locator('[data-tag="cancelled"]').waitFor({ state: 'attached', timeout: 15_000 })
  assert.ok(Date.now() - startedAt >= 8000)
  assert.ok(
    logged.some((line) => line.includes('Flags are unavailable')),
    logged.join(),
  )
  await page.getByRole('link', { name: 'Basket' }).first().waitFor()
  await visitor.leave()
})

test('R-492 R-494 R-495 R-696 an arrival is attributed once there is consent, and only numeric ids are remembered', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const visitorId = await consenting(visitor, 'statistics,personalisedAdvertising')
  await asPerson(page)
  const asked = page.waitForResponse((answer) => answer.url().includes(`/api/v1/referer/visitor/${visitorId}`))
  await page.goto(`${origin}/?referer_id=12&gclid=Cj0_1`)
  const info = (await (await asked).json()) as { refererId: string; trackingChannel: string }
  assert.deepEqual([info.refererId, info.trackingChannel], ['12', 'paid'])
  await page.waitForFunction(() => localStorage.getItem('mm_referer_id') === '12')
  assert.ok((await page.context().cookies()).some(({ name }) => name === 'mm_gclid_session'))

  await page.evaluate(() => localStorage.setItem('mm_referer_id', 'twelve'))
  await page.route('**/api/v1/referer/**', (route) => route.abort())
  await page.goto('about:blank')
  await page.goto(`${origin}/?referer_id=none`)
  await page.waitForFunction(() => localStorage.getItem('mm_referer_id') === null)
  await visitor.leave()
})

test('R-427 R-459 the menu announces campaigns of a department when a visitor turns to it, and does without when they fail', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const turnTo = async () => {
    await page.goto(`${origin}/`)
    await page.locator('summary', { hasText: 'Departments' }).or(page.locator('[data-departments] > summary')).first().click()
    const entry = page.locator('[data-departments] nav > ul > li', { hasText: 'Heating' }).first()
    await entry.locator('ul').waitFor({ state: 'attached' })
    await entry.hover()
    return entry
  }
  const entry = await turnTo()
  await entry.getByRole('link', { name: 'Electric radiators compared' }).waitFor()
  assert.equal(await entry.getAttribute('data-campaigns'), 'success')
  await page.route('**/graphql*', (route) =>
    (route.request().postData() ?? route.request().url()).includes('familyId') ? route.abort() : route.continue(),
  )
  const failing = await turnTo()
  await page.locator('[data-campaigns="failure"]').first().waitFor({ state: 'attached' })
  assert.ok((await failing.locator('a').count()) > 1)
  await visitor.leave()
})

test('R-476 R-477 R-671 messages are ordered by severity; after 5 s the most severe one goes, then the next', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  await page.clock.install()
  await page.goto(`${origin}/cart`)
  await page.waitForFunction(() => document.querySelector('[data-enhance="flash"]') !== null)
  await page.clock.runFor(500)
  await page.evaluate(() => {
    for (const severity of ['info', 'danger', 'success'])
      document.dispatchEvent(new CustomEvent('shop:flash', { detail: { severity, message: `A ${severity}` } }))
  })
  const shown = () =>
    page.locator('[data-flashes] [data-flash]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['flash']))
  assert.deepEqual(await shown(), ['danger', 'success', 'info'])
  // Time also passes by itself.
  await page.clock.runFor(3000)
  assert.equal((await shown()).length, 3)
  await page.clock.runFor(2000)
  assert.deepEqual(await shown(), ['success', 'info'])
  await page.clock.runFor(5000)
  assert.deepEqual(await shown(), ['info'])
  await page.clock.runFor(5000)
  assert.deepEqual(await shown(), [])
  await visitor.leave()
})
