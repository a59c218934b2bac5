import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { browserStorage, storedThing } from '@purlin/contract/browser-storage.ts'
import { consentPurposes, type ConsentPurpose } from '@purlin/contract/consent.ts'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import { createPool } from '@purlin/server/foundation/platform/index.ts'
import { ProductHistoryDocument } from '@purlin/storefront/generated/documents.ts'
import { faultsOf } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { fillCart } from '../support/buying.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { visit, type Visitor } from '../support/visitor.ts'
import { isAllowedBy, measuring, watch } from '../support/watched-requests.ts'

/** Storage and requests with and without consent, as a browser sees them. */

const shop = await shopForTests()
let browser: Browser
before(async () => {
  browser = await launchBrowser({ pictures: false })
})
after(async () => {
  await browser.close()
  await shop.stop()
})

/** Something that each purpose alone stores. */
const ownThing: Readonly<Record<ConsentPurpose, string>> = {
  statistics: 'mm_session_id',
  personalisedAdvertising: 'mm_gclid_session',
  userPreferences: 'product-history',
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
  const keys = await page.evaluate(async () => [
    ...Object.keys(localStorage).map((key) => ['local', key] as const),
    ...Object.keys(sessionStorage).map((key) => ['session', key] as const),
    ...(await caches.keys()).map((key) => ['cache', key] as const),
    // The shop has no database in the browser: whatever is there is registered nowhere.
    ...(await indexedDB.databases()).map(({ name = '' }) => ['local', `database ${name}`] as const),
  ])
  const all = [...cookies, ...keys].map(([place, name]) => ({ name, thing: storedThing(place, name) }))
  return {
    unregistered: all.filter(({ thing }) => !thing).map(({ name }) => name),
    beyondNeeded: all.filter(({ thing }) => thing && thing.purposes !== 'needed').map(({ name }) => name),
  }
}

test('R-025 R-526 without a choice, and after a refusal, a journey over 30 pages sends and stores nothing beyond the needed', async () => {
  // With pictures, so that one which only counts is seen.
  const seeing = await launchBrowser()
  const visitor = await visit(seeing, shop.origin, { market: 'gb', hasNotChosen: true })
  const { page } = visitor
  const watched = watch(visitor)
  const products = await productsOf(visitor)
  await tour(visitor, [...paths, ...products.slice(0, 5)])
  assert.deepEqual(await stored(page, page.context()), { unregistered: [], beyondNeeded: [] })
  await page.getByRole('button', { name: visitor.t('consent.refuse') }).click()
  await page.locator('[data-consent-dialog]').waitFor({ state: 'hidden' })
  await tour(visitor, [...products.slice(5), ...paths])
  assert.equal(await page.locator('[data-consent-dialog]').isVisible(), false, 'no page asks again')
  assert.deepEqual(await stored(page, page.context()), { unregistered: [], beyondNeeded: [] })
  assert.deepEqual([watched.sent, watched.foreign, visitor.complaints], [[], [], []])
  assert.ok(!watched.scripts.some((path) => path.includes('consented')), 'not even the script is loaded without consent')
  // The same eyes see what a careless script would leave and send.
  await page.evaluate(async () => {
    document.cookie = 'planted=1; path=/'
    localStorage.setItem('planted-key', '1')
    await caches.open('planted-cache')
    await fetch('/api/v1/planted').catch(() => null)
    navigator.sendBeacon('/api/v1/events', '{}')
    await fetch('https://tracker.example/').catch(() => null)
    new Image().src = '/pictures/p/1/0.svg?seen=0198c1f2-0000-7000-8000-000000000000'
    new Image().src = '/planted.gif'
  })
  await page.evaluate(async (sha256Hash) => {
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
    await fetch(`/graphql?${new URLSearchParams({ extensions })}`).catch(() => null)
  }, ProductHistoryDocument.id)
  const caught = await stored(page, page.context())
  assert.deepEqual(caught.unregistered.toSorted(), ['planted', 'planted-cache', 'planted-key'])
  assert.deepEqual(watched.sent.toSorted(), [
    '/api/v1/events',
    '/api/v1/planted',
    '/graphql ProductHistory',
    '/pictures/p/1/0.svg',
    '/planted.gif',
  ])
  await visitor.leave()
  await seeing.close()
})

for (const purpose of ['statistics', 'personalisedAdvertising', 'userPreferences'] as const) {
  test(`R-517 R-518 R-519 with ${purpose} alone exactly its things are stored and sent, and withdrawal removes them`, async () => {
    const visitor = await visit(browser, shop.origin, { market: 'gb' })
    const { page, origin, t } = visitor
    await choose(visitor, [purpose])
    const watched = watch(visitor)
    const [product = '', ...others] = await productsOf(visitor)
    await tour(visitor, ['/?gclid=Cj0_1'])
    if (purpose === 'personalisedAdvertising') await page.waitForFunction((name) => document.cookie.includes(name), ownThing[purpose])
    await tour(visitor, [product, ...others, ...paths, ...paths.slice(0, 8)])
    const taken = purpose === 'statistics' && page.waitForRequest((request) => request.url().endsWith('/api/v1/events'))
    await tour(visitor, [product])
    await taken
    assert.deepEqual(
      watched.sent.filter((call) => !isAllowedBy(purpose, call)),
      [],
    )
    assert.deepEqual(watched.foreign, [])
    assert.equal(watched.sent.includes('/api/v1/events'), purpose === 'statistics')
    assert.ok(watched.scripts.some((path) => path.includes('consented')))
    const { unregistered, beyondNeeded } = await stored(page, page.context())
    assert.deepEqual(unregistered, [])
    const allowed = browserStorage.filter(({ purposes }) => purposes !== 'needed' && purposes.includes(purpose)).map(({ name }) => name)
    assert.deepEqual(
      beyondNeeded.filter((name) => !allowed.includes(name)),
      [],
    )
    assert.ok(beyondNeeded.includes('mm_visitor_id'))
    assert.ok(beyondNeeded.includes(ownThing[purpose]), `${ownThing[purpose]} of ${beyondNeeded.join()}`)
    const visitorId = (await page.context().cookies()).find(({ name }) => name === 'mm_visitor_id')?.value ?? ''
    assert.equal((await storedHere(visitorId)) > 0, purpose === 'statistics')
    await page.goto(`${origin}/privacy-choices`)
    await page.getByRole('button', { name: t('consent.refuse') }).click()
    await page.getByText(t('consent.page.saved')).waitFor()
    const before = watched.sent.length
    await tour(visitor, ['/', product])
    assert.deepEqual((await stored(page, page.context())).beyondNeeded, [])
    assert.equal(watched.sent.length, before, 'nothing is sent after the withdrawal')
    await nothingStoredHere(visitorId)
    await visitor.leave()
  })
}

test('R-517 R-519 after a withdrawal a page that the browser restores and a tab left open send and store nothing more', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin, t } = visitor
  await choose(visitor, consentPurposes)
  const [product = ''] = await productsOf(visitor)
  // The part that the experiment changes is out of sight.
  const tab = await page.context().newPage()
  await tab.setViewportSize({ width: 1280, height: 200 })
  await tab.goto(`${origin}/`)
  await tab.locator('[data-experiment][data-tag="loaded"]').waitFor({ state: 'attached' })
  const measured = page.waitForRequest((request) => request.url().endsWith('/api/v1/events'))
  await page.goto(origin + product)
  await measured
  const choices = await page.context().newPage()
  await choices.goto(`${origin}/privacy-choices`)
  await choices.getByRole('button', { name: t('consent.refuse') }).click()
  await choices.getByText(t('consent.page.saved')).waitFor()
  await choices.waitForFunction(() => !document.cookie.includes('mm_visitor_id') && localStorage.getItem('product-history') === null)

  const watches = [watch(visitor), watch({ page: tab, origin })]
  // The event of a page restored from the back/forward cache; whether a browser restores one depends on its memory.
  await page.bringToFront()
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  // As a reader goes down the page, adds to the basket, and leaves.
  for (const seen of [page, tab]) {
    for (let step = 0; step < 12; step++) await seen.mouse.wheel(0, 500)
    await seen.evaluate(() => (window.dataLayer ??= []).push({ event: 'login', method: null }))
    await hide(seen)
    // Longer than events wait for their batch.
    await wait(2_500)
  }
  assert.deepEqual(
    watches.flatMap(({ sent }) => sent),
    [],
  )
  for (const seen of [page, tab]) assert.deepEqual(await stored(seen, seen.context()), { unregistered: [], beyondNeeded: [] })
})

test('R-526 R-675 a choice that has lapsed, or was about another wording, leaves nothing beyond the needed after the next page, on both sides', async () => {
  for (const lapses of ['expired', 'another wording']) {
    const visitor = await visit(browser, shop.origin, { market: 'fr' })
    const { page, origin, t } = visitor
    await choose(visitor, consentPurposes)
    const [product = ''] = await productsOf(visitor)
    await page.goto(`${origin}${product}?gclid=Cj0_1&referer_id=12`)
    await page.waitForFunction(
      () =>
        ['product-history', 'mm_referer_id'].every((key) => localStorage.getItem(key) !== null) &&
        ['mm_visitor_id', 'mm_session_id', 'mm_gclid_session'].every((name) => document.cookie.includes(`${name}=`)),
    )
    const context = page.context()
    const visitorId = (await context.cookies()).find(({ name }) => name === 'mm_visitor_id')?.value ?? ''
    for (const until = Date.now() + patient(15_000); (await storedHere(visitorId)) === 0; await wait(200))
      assert.ok(Date.now() < until, 'the shop has stored nothing that could be deleted')
    if (lapses === 'expired') await context.clearCookies({ name: 'mm_consent' })
    else await context.addCookies([{ name: 'mm_consent', value: 'v0:statistics,personalisedAdvertising,userPreferences', url: origin }])
    // The browser is subscribed to push messages.
    await page.addInitScript(() => {
      const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/of-a-lapsed-choice', unsubscribe: () => Promise.resolve(true) }
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      ServiceWorkerContainer.prototype.getRegistration = () =>
        Promise.resolve({ pushManager: { getSubscription: () => Promise.resolve(subscription) } } as unknown as ServiceWorkerRegistration)
    })
    const ended = page.waitForRequest((request) => request.url().endsWith('/api/v1/push/subscriptions/end'))
    await page.goto(`${origin}/cart`)
    await page.getByRole('button', { name: t('consent.refuse') }).waitFor()
    await ended
    await page.waitForFunction(() => !document.cookie.includes('mm_visitor_id'))
    assert.deepEqual(await stored(page, context), { unregistered: [], beyondNeeded: [] }, lapses)
    await nothingStoredHere(visitorId)
    await visitor.leave()
  }
})

/** Rows that the shop itself holds for a visitor. */
const storedHere = async (visitorId: string): Promise<number> =>
  (
    await readHere<{ count: number }>(
      `select ((select count(*) from insights.event where visitor_id = $1) + (select count(*) from insights.pro_event where visitor_id = $1)
        + (select count(*) from experiments.exposure where visitor_id = $1))::int as count`,
      visitorId,
    )
  )[0]?.count ?? 0

/** The visitor's events: all of them, those that may be used for advertising, and those that name the ad that was clicked. */
const eventsHere = async (visitorId: string) =>
  (
    await readHere<{ all: number; advertised: number; clicked: number }>(
      `select count(*)::int as all, (count(*) filter (where 'personalisedAdvertising' = any(purposes)))::int as advertised,
        (count(*) filter (where data ? 'clickId'))::int as clicked from insights.event where visitor_id = $1`,
      visitorId,
    )
  )[0]!

async function readHere<Row extends object>(text: string, value: string): Promise<Row[]> {
  const pool = createPool({ connectionString: shop.databaseUrl(), sizes: { single: 1 } })
  try {
    return (await pool.query<Row>(text, [value])).rows
  } finally {
    await pool.end()
  }
}

async function nothingStoredHere(visitorId: string): Promise<void> {
  for (const until = Date.now() + patient(15_000); (await storedHere(visitorId)) > 0; await wait(200))
    assert.ok(Date.now() < until, 'what the shop had stored is still there')
}

/** On the page of choices. */
async function choose({ page, origin, t }: Visitor, purposes: readonly ConsentPurpose[]): Promise<void> {
  await page.goto(`${origin}/privacy-choices`)
  for (const purpose of purposes) await page.locator(`input[value="${purpose}"]`).check()
  await page.getByRole('button', { name: t('consent.page.save') }).click()
  await page.getByText(t('consent.page.saved')).waitFor()
}

test('R-025 R-526 the dialog opens without moving the page, leaves the shop usable, works by keyboard, and passes axe', async () => {
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

test('R-518 Global Privacy Control switched on after a consent withdraws the purpose of advertising, in the browser and at the shop', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  await choose(visitor, consentPurposes)
  await page.goto(`${origin}/?gclid=Cj0_1`)
  await page.waitForFunction(() => document.cookie.includes('mm_gclid_session='))
  await fillCart(visitor)
  const kept = async () => Object.fromEntries((await page.context().cookies()).map(({ name, value }) => [name, value]))
  const { mm_visitor_id: visitorId = '', mm_consent: given = '' } = await kept()
  const untilHere = async (what: string, holds: (events: Awaited<ReturnType<typeof eventsHere>>) => boolean) => {
    for (const until = Date.now() + patient(15_000); !holds(await eventsHere(visitorId)); await wait(200))
      assert.ok(Date.now() < until, what)
  }
  await untilHere('the shop has stored what advertising may use', ({ advertised, clicked }) => advertised > clicked && clicked > 0)
  await page.context().setExtraHTTPHeaders({ 'sec-gpc': '1' })
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
  const told = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/consent/visitor'))
  await page.goto(`${origin}/brands`)
  assert.equal((await told).status(), 204)
  const cookies = await kept()
  assert.match(cookies['mm_consent'] ?? '', /^v1:statistics,userPreferences:/)
  assert.deepEqual(['mm_gclid_session' in cookies, cookies['mm_visitor_id']], [false, visitorId])
  await untilHere('no event may be used for advertising, or names the ad', ({ advertised, clicked }) => advertised + clicked === 0)
  assert.ok((await eventsHere(visitorId)).all > 0, 'what was not withdrawn stays')
  const recordOf = async (consent: string) =>
    (
      await readHere<{ purposes: string[]; signal: boolean; isOver: boolean }>(
        'select purposes, has_privacy_signal as signal, replaced_at is not null as "isOver" from consent.choice where id = $1',
        consent.split(':')[2] ?? '',
      )
    ).map((row) => ({ ...row }))
  assert.deepEqual(await recordOf(given), [{ purposes: [...consentPurposes], signal: false, isOver: true }])
  assert.deepEqual(await recordOf(cookies['mm_consent'] ?? ''), [
    { purposes: ['statistics', 'userPreferences'], signal: true, isOver: false },
  ])
  await visitor.leave()
})

interface Batch {
  events: { id: string; name: string; page: { name: string; type: string }; data: Record<string, unknown> }[]
}

/** A visitor who agreed to statistics, in a browser without beacons: calls fall back to HTTP, where they can be read. */
async function measured(): Promise<{ visitor: Visitor; bodies: Record<string, unknown[]> }> {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await choose(visitor, ['statistics'])
  const bodies: Record<string, unknown[]> = {}
  await visitor.page.addInitScript(() => {
    Object.defineProperty(navigator, 'sendBeacon', { value: () => false })
    Math.random = () => 0
  })
  visitor.page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!measuring.test(pathname) && !pathname.endsWith('/_log')) return
    const text = request.postData()
    const isJson = request.headers()['content-type']?.includes('json')
    ;(bodies[pathname] ??= []).push(text && isJson ? JSON.parse(text) : (text ?? Object.fromEntries(searchParams)))
  })
  return { visitor, bodies }
}

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

test('R-028 R-403 R-570 a page view reports the page’s data, also when a page is restored; R-029 R-558 web vitals go out when it is hidden', async () => {
  const { visitor, bodies } = await measured()
  const { page, origin } = visitor
  const [product = ''] = await productsOf(visitor)
  const isOfProduct = (text: string | null) => text?.includes('"productId"') ?? false
  const taken = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events') && isOfProduct(answer.request().postData()))
  await page.goto(origin + product)
  await taken
  const views = () => (bodies['/api/v1/events'] as Batch[]).flatMap(({ events }) => events)
  const view = views().find(({ data }) => 'productId' in data)
  assert.deepEqual([view?.name, view?.page], ['page_view', { name: 'product', type: 'product' }])
  assert.equal(String(view?.data['productId']), /-(\d+)$/.exec(product)?.[1])
  assert.equal(view?.data['statusCode'], 200)
  assert.ok('categoryId' in (view?.data ?? {}))
  const layer = await page.evaluate(() => (window.dataLayer ?? []).find((said) => 'event' in said && said.event === 'page_view'))
  assert.ok(layer && 'pageViewCustomData' in layer && 'pageCustomData' in layer && 'referer' in layer && 'statusCode' in layer)

  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page.waitForResponse((answer) => answer.url().includes('/client-page-change') && answer.status() === 204)
  const [change] = bodies['/api/v1/client-page-change'] as Record<string, string>[]
  assert.deepEqual([change?.['code'], change?.['method'], change?.['to']], ['200', 'restore', product])

  await page.locator('h1').click()
  const reported = page.waitForResponse((answer) => answer.url().endsWith('/web-vitals/beacon'))
  await hide(page)
  assert.equal((await reported).status(), 204)
  const [vitals] = bodies['/api/v1/web-vitals/beacon'] as {
    resource: string
    service: string
    metrics: { name: string; value: number }[]
  }[]
  assert.deepEqual([vitals?.service, vitals?.resource], ['storefront', 'product'])
  const names = new Set(vitals?.metrics.map(({ name }) => name))
  for (const name of ['TTFB', 'FCP', 'LCP', 'CLS']) assert.ok(names.has(name), `${name} of ${[...names].join()}`)
  await visitor.leave()
})

test('R-613 R-614 R-669 R-670 a page view waits 5 s for the sign-in and 10 s for the page’s data, logs both, and is sent nevertheless', async () => {
  const { visitor, bodies } = await measured()
  const { page, origin } = visitor
  await page.route('**/api/auth/session', () => undefined)
  await page.route(`${origin}/brands`, async (route) => {
    const answer = await route.fetch({
      url: `${shop.origin}/brands`,
      headers: { ...route.request().headers(), host: new URL(origin).host },
    })
    await route.fulfill({ response: answer, body: (await answer.text()).replace('<html ', '<html data-view-pending ') })
  })
  // Measuring begins by storing the visit, on the page of the choice and then on this one again: then its waits run.
  const hasBegun = async () => (await page.context().cookies()).some(({ name }) => name === 'mm_session_id')
  for (const until = Date.now() + patient(15_000); !(await hasBegun()); await wait(50)) assert.ok(Date.now() < until)
  await page.context().clearCookies({ name: 'mm_session_id' })
  // The page's clock stands still but for what runs here, however long the machine takes.
  const now = Date.now()
  await page.clock.install({ time: now - 60_000 })
  await page.clock.pauseAt(now)
  await page.goto(`${origin}/brands`)
  // Scripts arrive in real time; the clock must not get as far as the waits that are tested.
  for (let n = 0; n < 600 && !(await hasBegun()); n++) {
    await page.clock.runFor(n < 100 ? 25 : 4)
    if (n >= 100) await wait(100)
  }
  assert.ok(await hasBegun())
  const codes = () => (bodies['/api/auth/_log'] ?? []).map((text) => new URLSearchParams(String(text)).get('code'))
  // A report asks for a CSRF token first, so it follows its timer by a request of real time.
  const reported = async (code: string) => {
    for (let n = 0; n < 800 && !codes().includes(code); n++) await wait(25)
    assert.ok(codes().includes(code), `${code} is reported`)
  }
  const sent = () =>
    ((bodies['/api/v1/events'] ?? []) as Batch[]).flatMap(({ events }) => events).filter(({ page: { name } }) => name === 'ourBrands')
  await page.clock.runFor(4_500)
  assert.deepEqual([codes().includes('PAGE_VIEW_AUTH_WAIT'), sent().length], [false, 0])
  // The wait may begin later than the cookie in real time. No further than needed: the timeouts of the reports' own requests run on the same clock.
  for (let n = 0; n < 600 && !codes().includes('PAGE_VIEW_AUTH_WAIT'); n++) {
    await page.clock.runFor(n === 0 ? 600 : 10)
    await wait(100)
  }
  await reported('PAGE_VIEW_AUTH_WAIT')
  assert.deepEqual([codes().includes('PAGE_VIEW_WAIT'), sent().length], [false, 0])
  const taken = page.waitForRequest((request) => request.url().endsWith('/api/v1/events'))
  await page.clock.runFor(5_000)
  await reported('PAGE_VIEW_WAIT')
  await page.clock.runFor(3_000)
  await taken
  assert.equal(codes().filter((code) => code === 'PAGE_VIEW_WAIT').length, 1)
  assert.deepEqual([sent().length, sent()[0]?.data['isAuthenticated']], [1, false])
  await visitor.leave()
})

test('R-571 R-572 R-573 R-574 the product page of a signed-in customer sends the pro event, a guest’s does not', async () => {
  const { visitor, bodies } = await measured()
  const { page, origin } = visitor
  page.setDefaultTimeout(60_000)
  const [product = ''] = await productsOf(visitor)
  const viewed = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events'))
  await page.goto(origin + product)
  await viewed
  assert.equal(bodies['/api/v1/pro-event/event'], undefined)
  const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'gb')
  await page.goto(`${origin}/api/auth/pre-login?callbackUrl=${encodeURIComponent(product)}`)
  await page.getByLabel(/e-?mail/i).fill(consumer?.email ?? '')
  await page.locator('input[type="password"]').fill(demoPassword)
  const taken = page.waitForResponse((answer) => answer.url().endsWith('/pro-event/event'))
  await page.keyboard.press('Enter')
  assert.equal((await taken).status(), 204)
  const [[event] = []] = (bodies['/api/v1/pro-event/event'] ?? []) as Record<string, unknown>[][]
  const { visitor_id, customer_id, content, ...rest } = event ?? {}
  assert.deepEqual(rest, { market: 'gb', platform_id: 'b2c', channel: 'website', event: 'pageview-product' })
  assert.match(String(visitor_id), /^[0-9a-f-]{36}$/)
  assert.match(String(customer_id), /^[0-9a-f-]{36}$/)
  assert.equal(String((content as { product_id: unknown }).product_id), /-(\d+)$/.exec(product)?.[1])
  await visitor.leave()
})

test('R-515 R-516 a crawler that agrees to everything is no visitor: it sends no events and looks up no referer', async () => {
  const visitor = await visit(browser, shop.origin, {
    market: 'gb',
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/140.0 Safari/537.36',
  })
  await choose(visitor, ['statistics', 'userPreferences', 'personalisedAdvertising'])
  const watched = watch(visitor)
  await tour(visitor, ['/?referer_id=12', '/great-deals', '/brands'])
  assert.deepEqual(watched.sent, [])
  assert.equal(await visitor.page.evaluate(() => localStorage.getItem('mm_referer_id')), null)
  await visitor.leave()
})

test('R-526 R-554 R-555 R-556 R-675 R-691 refusing takes as much as accepting; accepting keeps the version, its proof and a visitor id of one year', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', hasNotChosen: true })
  const { page, origin, t } = visitor
  await page.goto(`${origin}/brands`)
  const button = (key: 'consent.accept' | 'consent.refuse') => page.getByRole('button', { name: t(key) })
  await button('consent.accept').waitFor()
  const look = (key: 'consent.accept' | 'consent.refuse') =>
    button(key).evaluate((element) => {
      const { fontSize, fontWeight, backgroundColor, color } = getComputedStyle(element)
      return { fontSize, fontWeight, backgroundColor, color, height: element.getBoundingClientRect().height }
    })
  assert.deepEqual(await look('consent.refuse'), await look('consent.accept'))
  await button('consent.accept').click()
  await page.locator('[data-consent-dialog]').waitFor({ state: 'hidden' })
  const cookies = await page.context().cookies()
  const [choice, id] = ['mm_consent', 'mm_visitor_id'].map((name) => cookies.find((cookie) => cookie.name === name))
  assert.match(decodeURIComponent(choice?.value ?? ''), /^v1:statistics,personalisedAdvertising,userPreferences:[0-9a-f-]{36}$/)
  // Version 8: it vouches for itself (decision 084).
  assert.match(id?.value ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(id?.path, '/')
  const days = ((id?.expires ?? 0) - Date.now() / 1000) / 86_400
  assert.ok(days > 364.9 && days <= 365, `${days} days`)

  // A choice about another wording counts as none: the visitor is asked again.
  await page.context().addCookies([{ name: 'mm_consent', value: 'v0:statistics', url: origin }])
  await page.goto(`${origin}/brands`)
  await button('consent.refuse').waitFor()
  await visitor.leave()
})

test('R-429 R-493 a page view carries the category of the page, and the publisher of the link if it is a number', async () => {
  const { visitor, bodies } = await measured()
  const { page, origin } = visitor
  const viewsAt = async (path: string) => {
    delete bodies['/api/v1/events']
    // The page before may still report itself.
    const isOfCategory = (text: string | null) => text?.includes('"name":"category"') ?? false
    const taken = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events') && isOfCategory(answer.request().postData()))
    await page.goto(origin + path)
    await taken
    const views = (bodies['/api/v1/events'] as Batch[]).flatMap(({ events }) => events)
    return views.findLast(({ name, page: of }) => name === 'page_view' && of.name === 'category')?.data
  }
  await page.goto(`${origin}/`)
  const department = (await page.locator('#departments a[href]').first().getAttribute('href')) ?? ''
  const categoryId = Number(/-(\d+)$/.exec(department)?.[1])
  const data = await viewsAt(`${department}?publisher_id=77`)
  assert.deepEqual([data?.['categoryId'], data?.['publisherId']], [categoryId, '77'])
  const slice = await page.evaluate(() => (window.dataLayer ?? []).find((said) => 'event' in said && said.event === 'page_view'))
  assert.deepEqual(slice && 'pageCustomData' in slice && slice.pageCustomData, { categoryId })
  assert.equal((await viewsAt(`${department}?publisher_id=77x`))?.['publisherId'], undefined)
  await visitor.leave()
})

test('R-676 R-715 of a sampled page view the ten slowest interactions are reported, of the others none', async () => {
  const report = async (chance: number) => {
    const { visitor, bodies } = await measured()
    const { page, origin } = visitor
    await page.addInitScript((value) => (Math.random = () => value), chance)
    const measuring = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/events'))
    await page.goto(`${origin}/brands`)
    await measuring
    await page.evaluate(() => {
      let clicks = 0
      document.querySelector('h1')?.addEventListener('pointerdown', () => {
        const until = performance.now() + 60 + 12 * ++clicks
        while (performance.now() < until);
      })
    })
    for (let click = 0; click < 13; click++) await page.locator('h1').click()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
    const reported = page.waitForResponse((answer) => answer.url().endsWith('/web-vitals/beacon'))
    await hide(page)
    assert.equal((await reported).status(), 204)
    const [vitals] = bodies['/api/v1/web-vitals/beacon'] as { metrics: { name: string; value: number; tags: Record<string, string> }[] }[]
    await visitor.leave()
    return (vitals?.metrics ?? []).filter(({ name }) => name === 'INTERACTION')
  }
  const slowest = await report(0)
  assert.equal(slowest.length, 10)
  assert.deepEqual(
    slowest.map(({ value }) => value),
    slowest.map(({ value }) => value).toSorted((a, b) => b - a),
  )
  assert.ok(slowest.every(({ value, tags }) => value >= 90 && tags['target']?.startsWith('h1')))
  assert.deepEqual(await report(0.5), [])
})

test('R-616 R-620 when measuring, attribution and experiments fail, the visitor is not told and the shop goes on', async () => {
  const { visitor } = await measured()
  const { page, origin } = visitor
  const failed: string[] = []
  await page.route(measuring, (route) => {
    failed.push(new URL(route.request().url()).pathname)
    return route.request().url().includes('referer') ? route.fulfill({ status: 500, body: 'broken' }) : route.abort()
  })
  await page.goto(`${origin}/?referer_id=5`)
  for (let n = 0; n < 100 && !(failed.some((path) => path.includes('referer')) && failed.includes('/api/v1/events')); n++) await wait(50)
  assert.ok(failed.includes('/api/v1/events') && failed.some((path) => path.startsWith('/api/v1/referer/visitor/')))
  assert.equal(await page.locator('[data-flashes] [data-flash], [role="alert"]').count(), 0)
  assert.equal(await page.evaluate(() => localStorage.getItem('mm_referer_id')), null)
  const [product = ''] = await productsOf(visitor)
  await page.goto(origin + product)
  await page.locator('form[data-add-to-cart] button').first().waitFor()
  assert.deepEqual(
    visitor.complaints.filter((said) => said.startsWith('error:')),
    [],
  )
  await visitor.leave()
})

test('R-704 R-705 R-706 the remote flags change what is measured: foreign scripts, the format of page data, the purposes of events', async () => {
  const { visitor, bodies } = await measured()
  const { page, origin } = visitor
  const viewAt = async (path: string) => {
    delete bodies['/api/v1/events']
    await page.goto(origin + path)
    // The page before may have events to send when it is left.
    const view = () =>
      ((bodies['/api/v1/events'] ?? []) as Batch[])
        .flatMap(({ events }) => events)
        .find((event) => event.name === 'page_view' && event.page.name === 'product')
    for (let n = 0; n < 600 && !view(); n++) await wait(50)
    return view()?.data ?? {}
  }
  const foreign = async () => {
    await page.evaluate(() =>
      document.head.append(Object.assign(document.createElement('script'), { src: 'https://cdn.example/a.js?x=1' })),
    )
    await wait(500)
    return (bodies['/api/auth/_log'] ?? [])
      .map((text) => new URLSearchParams(String(text)))
      .filter((log) => log.get('code') === 'FOREIGN_SCRIPT')
  }
  const [product = ''] = await productsOf(visitor)
  const before = await viewAt(product)
  assert.ok('productId' in before && !('view_productId' in before) && !('purposes' in before))
  assert.deepEqual(await foreign(), [])

  const flags = { csideEnabled: true, enableCustomDataNewFormat: true, eventsWithPurposesEnabled: true }
  await page.context().addCookies([{ name: 'mm_flag_overrides', value: encodeURIComponent(JSON.stringify(flags)), url: origin }])
  const after = await viewAt(product)
  assert.deepEqual(
    [after['view_productId'], after['page_categoryId'], after['purposes'], after['productId']],
    [before['productId'], before['categoryId'], 'statistics', undefined],
  )
  const reports = await foreign()
  assert.deepEqual(
    reports.map((log) => log.get('error')),
    ['https://cdn.example/a.js'],
  )
  await visitor.leave()
})
