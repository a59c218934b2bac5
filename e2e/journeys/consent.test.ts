import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { browserStorage, storedThing } from '@purlin/contract/browser-storage.ts'
import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { faultsOf } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { shopForTests } from '../support/shop.ts'
import { visit, type Visitor } from '../support/visitor.ts'

/** What the shop stores and sends with and without consent, as a browser sees it. */

const shop = await shopForTests()
let browser: Browser
before(async () => {
  browser = await launchBrowser({ pictures: false })
})
after(async () => {
  await browser.close()
  await shop.stop()
})

/** Calls that are not part of showing a page. */
const measuring = /\/api\/v1\/(?:events|web-vitals|client-page-change|pro-event|referer)|\/ab-test\/|\/search-engine\/1\/events/

interface Watched {
  sent: string[]
  scripts: string[]
}

function watch(page: Page): Watched {
  const watched: Watched = { sent: [], scripts: [] }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (measuring.test(pathname)) watched.sent.push(pathname)
    if (request.resourceType() === 'script') watched.scripts.push(pathname)
  })
  return watched
}

const paths = ['/', '/great-deals', '/search/drill', '/bs', '/brands', '/our-advice', '/cart', '/help', '/sitemap', '/contact']

/** A tour of pages, each looked at until its scripts have run. */
async function tour({ page, origin }: Visitor, addresses: readonly string[]): Promise<void> {
  for (const path of addresses) {
    await page.goto(origin + path)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 50))))
  }
}

async function productsOf({ page, origin }: Visitor): Promise<string[]> {
  await page.goto(`${origin}/great-deals`)
  const links = await page.locator('[data-card] a[href^="/p/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(links)].slice(0, 10)
}

/** Everything this browser has stored for the shop, and which of it needs consent. */
async function stored(page: Page, context: BrowserContext): Promise<{ unregistered: string[]; beyondNeeded: string[] }> {
  const cookies = (await context.cookies()).map(({ name }) => ['cookie', name] as const)
  const keys = await page.evaluate(() => [
    ...Object.keys(localStorage).map((key) => ['local', key] as const),
    ...Object.keys(sessionStorage).map((key) => ['session', key] as const),
  ])
  const all = [...cookies, ...keys].map(([place, name]) => ({ name, thing: storedThing(place, name) }))
  return {
    unregistered: all.filter(({ thing }) => !thing).map(({ name }) => name),
    beyondNeeded: all.filter(({ thing }) => thing && thing.purposes !== 'needed').map(({ name }) => name),
  }
}

test('R-025 without a choice, and after a refusal, a journey over 30 pages sends and stores nothing beyond the needed', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', hasNotChosen: true })
  const { page } = visitor
  const watched = watch(page)
  const products = await productsOf(visitor)
  await tour(visitor, [...paths, ...products.slice(0, 5)])
  assert.deepEqual(await stored(page, page.context()), { unregistered: [], beyondNeeded: [] })
  await page.getByRole('button', { name: visitor.t('consent.refuse') }).click()
  await page.locator('[data-consent-dialog]').waitFor({ state: 'hidden' })
  await tour(visitor, [...products.slice(5), ...paths])
  assert.equal(await page.locator('[data-consent-dialog]').isVisible(), false, 'no page asks again')
  assert.deepEqual(await stored(page, page.context()), { unregistered: [], beyondNeeded: [] })
  assert.deepEqual(watched.sent, [])
  assert.deepEqual(visitor.complaints, [])
  await visitor.leave()
})

for (const purpose of ['statistics', 'personalisedAdvertising', 'userPreferences'] as const) {
  test(`R-517 R-518 R-519 with ${purpose} alone exactly its things are stored and sent, and withdrawal removes them`, async () => {
    const visitor = await visit(browser, shop.origin, { market: 'gb' })
    const { page, origin, t } = visitor
    await choose(visitor, [purpose])
    const watched = watch(page)
    const [product = ''] = await productsOf(visitor)
    await tour(visitor, ['/', product, '/cart'])
    const { unregistered, beyondNeeded } = await stored(page, page.context())
    assert.deepEqual(unregistered, [])
    const allowed = browserStorage.filter(({ purposes }) => purposes !== 'needed' && purposes.includes(purpose)).map(({ name }) => name)
    assert.deepEqual(
      beyondNeeded.filter((name) => !allowed.includes(name)),
      [],
    )
    assert.ok(beyondNeeded.includes('mm_visitor_id'))
    await page.goto(`${origin}/privacy-choices`)
    await page.getByRole('button', { name: t('consent.refuse') }).click()
    await page.getByText(t('consent.page.saved')).waitFor()
    const before = watched.sent.length
    await tour(visitor, ['/', product])
    assert.deepEqual((await stored(page, page.context())).beyondNeeded, [])
    assert.equal(watched.sent.length, before, 'nothing is sent after the withdrawal')
    await visitor.leave()
  })
}

/** On the page of choices. */
async function choose({ page, origin, t }: Visitor, purposes: readonly ConsentPurpose[]): Promise<void> {
  await page.goto(`${origin}/privacy-choices`)
  for (const purpose of purposes) await page.locator(`input[value="${purpose}"]`).check()
  await page.getByRole('button', { name: t('consent.page.save') }).click()
  await page.getByText(t('consent.page.saved')).waitFor()
}

test('R-025 the dialog opens without moving the page, leaves the shop usable, works by keyboard, and passes axe', async () => {
  for (const [market, width] of [
    ['gb', 1440],
    ['de', 320],
    ['fr', 390],
  ] as const) {
    const visitor = await visit(browser, shop.origin, { market, hasNotChosen: true, viewport: { width, height: 780 } })
    const { page, origin, t } = visitor
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`${origin}/great-deals`)
    const dialog = page.locator('[data-consent-dialog]')
    await dialog.waitFor({ state: 'visible' })
    const shift = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0))
    assert.ok(shift < 0.05, `${market} ${width}: shift ${shift}`)
    const { height = 780 } = (await dialog.boundingBox()) ?? {}
    assert.ok(height < 780 / 2, `${market} ${width}: the dialog takes ${height} of 780 px`)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${market} ${width} scrolls sideways`)
    assert.deepEqual(await faultsOf(page.mainFrame()), [], `${market} ${width}`)
    // The page behind can be used without answering.
    await page.locator('h1').click()
    await page.getByRole('button', { name: t('consent.accept') }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const layer = await page.evaluate(() =>
      (window.dataLayer ?? []).filter((said) => '0' in said && said[0] === 'consent').map((said) => Object.values(said)),
    )
    const [before, now] = layer as unknown as [string, string, Record<string, string>][]
    assert.deepEqual([before?.[1], before?.[2]?.['ad_user_data'], before?.[2]?.['analytics_storage']], ['default', 'denied', 'denied'])
    assert.deepEqual([now?.[1], now?.[2]?.['ad_user_data'], now?.[2]?.['analytics_storage']], ['update', 'granted', 'granted'])
    await visitor.leave()
  }
})

test('R-025 without JavaScript the dialog is there until a choice is made with it', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', hasNotChosen: true, javaScript: false })
  const { page, origin, t } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.getByRole('button', { name: t('consent.refuse') }).click()
  await page.waitForURL(`${origin}/great-deals`)
  await page.goto(`${origin}/brands`)
  assert.equal(await page.locator('[data-consent-dialog]').isVisible(), false)
  await visitor.leave()
})

test('a browser with Global Privacy Control is not asked, and the page of choices says why', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', hasNotChosen: true })
  const { page, origin, t } = visitor
  await page.context().setExtraHTTPHeaders({ 'sec-gpc': '1' })
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
  await tour(visitor, ['/', '/great-deals'])
  assert.equal(await page.locator('[data-consent-dialog]').isVisible(), false)
  await page.goto(`${origin}/privacy-choices`)
  await page.getByText(t('consent.page.signal')).waitFor()
  assert.equal(await page.locator('input[value="personalisedAdvertising"]').isDisabled(), true)
  await visitor.leave()
})
