import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assignmentsOf } from '@purlin/contract/experiments.ts'
import { createPool } from '@purlin/server/foundation/platform/index.ts'
import { demoExperiments } from '../../start/demo-experiments.ts'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { lookUntil } from '../support/professionals.ts'
import { operate, shopForTests } from '../support/shop.ts'
import { demoPerson, signIn } from '../support/signing-in.ts'
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

/** A consumer of Germany. */
const historian = demoPerson('jonas@example.com')

/** Of the form that the shop gives its own ids: a page replaces others. */
const newVisitorId = () => randomUUID().replace(/^(.{14})./, (_, start: string) => `${start}8`)
const consenting = async (visitor: Visitor, purposes: string, visitorId: string = newVisitorId()) => {
  const cookies = { mm_consent: `v1:${purposes}`, mm_visitor_id: visitorId }
  await visitor.page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: visitor.origin })))
  return visitorId
}
/** The id of a visitor who takes part in the home page's experiment: every other one does. */
const participantId = (): string => {
  for (;;) {
    const unit = newVisitorId()
    const given = assignmentsOf(demoExperiments.map(runs), { market: 'gb', mode: 'b2c', unit })
    if (given.some(({ experiment }) => experiment.name === 'home-order')) return unit
  }
}
const runs = ({ campaignId, name, definition }: (typeof demoExperiments)[number]) => ({ campaignId, name, ...definition })
const cardsOf = async ({ page, origin }: Visitor, path: string) => {
  await page.goto(origin + path)
  const links = await page.locator('[data-card] a[href^="/p/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(links)]
}
const productsOf = async (visitor: Visitor) => (await cardsOf(visitor, '/great-deals')).slice(0, 4)
const remembered = ({ page }: Visitor) => page.evaluate(() => localStorage.getItem('product-history'))

test('R-027 R-430 R-471 R-656 R-689 R-711 with consent to preferences, products seen come back on home, product and cart pages', async () => {
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
  await consenting(visitor, 'statistics', participantId())
  const { page, origin } = visitor
  const asked = page.waitForRequest((request) => request.url().endsWith('/ab-test/api/v1/user/flags'))
  const exposed = page.waitForRequest((request) => request.url().endsWith('/api/v1/experiment-exposures'))
  await page.goto(`${origin}/`)
  const body = (await asked).postDataJSON() as { context: object; visitor_id: string }
  assert.deepEqual(body.context, { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' })
  await page.locator('[data-experiment="home-order"][data-tag="loaded"]').waitFor({ state: 'attached' })
  // Down the page, as a reader goes: what is passed within one frame is not seen.
  for (let step = 0; step < 12; step++) {
    await page.mouse.wheel(0, 500)
    await page.waitForTimeout(100)
  }
  assert.match(String((await exposed).postDataJSON()), /^home-order=[\w-]+$/)
  await visitor.leave()
})

test('R-467 R-599 R-668 R-672 flags that do not come are logged, and the tag is cancelled after 8 s; the page stays whole', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await consenting(visitor, 'statistics')
  const { page, origin } = visitor
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await page.route('**/ab-test/**', () => undefined)
  const startedAt = Date.now()
  await page.goto(`${origin}/`)
  await page.locator('[data-tag="loading"]').waitFor({ state: 'attached' })
  await page.locator('[data-tag="cancelled"]').waitFor({ state: 'attached', timeout: patient(15_000) })
  assert.ok(Date.now() - startedAt >= 8000)
  assert.ok(
    logged.some((line) => line.includes('Flags unavailable')),
    logged.join(),
  )
  await page.getByRole('link', { name: 'Basket' }).first().waitFor()
  await visitor.leave()
})

test('R-492 R-494 R-495 R-496 R-616 R-695 R-696 an arrival is attributed once there is consent, and only numeric ids are remembered', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const visitorId = await consenting(visitor, 'statistics,personalisedAdvertising')
  const asked = page.waitForResponse((answer) => answer.url().includes(`/api/v1/referer/visitor/${visitorId}`))
  await page.goto(`${origin}/?referer_id=12&gclid=Cj0_1`)
  const info = (await (await asked).json()) as { refererId: string; trackingChannel: string }
  assert.deepEqual([info.refererId, info.trackingChannel], ['12', 'paid'])
  await page.waitForFunction(() => localStorage.getItem('mm_referer_id') === '12')
  const click = async () => (await page.context().cookies()).find(({ name }) => name === 'mm_gclid_session')?.value
  const { id, expires } = JSON.parse(decodeURIComponent((await click()) ?? '{}')) as { id: string; expires: number }
  assert.equal(id, 'Cj0_1')
  assert.ok(expires > Date.now())
  const setClick = (value: object) =>
    page.context().addCookies([{ name: 'mm_gclid_session', value: encodeURIComponent(JSON.stringify(value)), url: origin }])
  await setClick({ id: 'Cj0_1', expires: Date.now() - 1000 })

  await page.evaluate(() => localStorage.setItem('mm_referer_id', 'twelve'))
  await page.route('**/api/v1/referer/**', (route) => route.abort())
  await page.goto('about:blank')
  await page.goto(`${origin}/?referer_id=none`)
  await page.waitForFunction(() => localStorage.getItem('mm_referer_id') === null)
  assert.equal(await click(), undefined, 'an expired click is deleted')
  await page.locator('[data-flashes]').waitFor({ state: 'attached' })
  assert.equal(await page.locator('[data-flash]').count(), 0, 'and the failed lookup shows nothing')

  // Without consent to advertising no click is remembered.
  await consenting(visitor, 'statistics')
  await page.goto(`${origin}/?gclid=Cj0_2`)
  await page.waitForLoadState('networkidle')
  assert.equal(await click(), undefined)
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

/** A category of the department of heating, in `demo/data/categories.json`. */
const radiators = 1901

test('R-421 R-423 R-427 guests and customers each see what the header has for them; a campaign stands below its category', async () => {
  const guest = await visit(browser, shop.origin, { market: 'gb' })
  const customer = await visit(browser, shop.origin, { market: 'gb' })
  const languages = ['en', 'fr', 'de', 'es', 'it']
  const put = (id: string, more: object) =>
    operate(shop.origin, 'PUT', `header/${id}`, {
      from: '2026-01-01T00:00:00Z',
      path: '/great-deals',
      markets: ['gb'],
      texts: Object.fromEntries(languages.map((language) => [language, { title: `Only ${id}` }])),
      ...more,
    })
  const audiences = ['guests', 'customers'] as const
  const ids = ['line-all', ...audiences.flatMap((audience) => [`line-${audience}`, `link-${audience}`, `campaign-${audience}`])]
  await put('line-all', { kind: 'pre-header', position: 1 })
  for (const audience of audiences) {
    await put(`line-${audience}`, { kind: 'pre-header', audience })
    await put(`link-${audience}`, { kind: 'quick-link', audience })
    await put(`campaign-${audience}`, { kind: 'campaign', audience, categoryIds: [radiators] })
  }
  try {
    await signIn(customer, 'grace@example.com')
    for (const [visitor, own, others] of [
      [guest, 'guests', 'customers'],
      [customer, 'customers', 'guests'],
    ] as const) {
      const { page, origin } = visitor
      await page.goto(`${origin}/`)
      const only = (what: string) => page.getByRole('link', { name: `Only ${what}` })
      await only(`line-${own}`).waitFor()
      await only(`link-${own}`).waitFor()
      await page.locator('[data-departments] > summary').click()
      const category = page.locator(`[data-departments] [data-category="${radiators}"]`)
      await category.hover()
      await category.getByRole('link', { name: `Only campaign-${own}` }).waitFor()
      for (const what of ['line', 'link', 'campaign']) assert.ok(!(await only(`${what}-${others}`).isVisible()), `${what} for ${others}`)
    }
    // With the line for guests at an end, they have the one for everybody: it is visible without scripts.
    await put('line-guests', { kind: 'pre-header', audience: 'guests', until: '2026-02-01T00:00:00Z' })
    const isSent = async (tag: string) => (await (await fetch('/')).text()).includes(tag)
    await guest.page.waitForFunction(isSent, 'data-pre-header="line-all" data-audience="guests">', { polling: 500 })
    for (const [{ page, origin }, own, other] of [
      [guest, 'all', 'customers'],
      [customer, 'customers', 'all'],
    ] as const) {
      const only = (what: string) => page.getByRole('link', { name: `Only line-${what}` })
      const open = () => page.goto(`${origin}/`)
      await open()
      // The other web process may learn of it a moment later.
      await lookUntil(page, () => only(own).isVisible(), open)
      await only(other).waitFor({ state: 'hidden' })
    }
  } finally {
    for (const id of ids) await operate(shop.origin, 'DELETE', `header/${id}`)
    await Promise.all([guest.leave(), customer.leave()])
  }
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

interface Kept {
  productId: string
  viewedAt: string
}
const history = async (visitor: Visitor) => JSON.parse((await remembered(visitor)) ?? '[]') as Kept[]
const viewed = (productId: string, daysAgo: number): Kept => ({
  productId,
  viewedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
})
const remember = ({ page }: Visitor, entries: readonly Kept[]) =>
  page.evaluate((text) => localStorage.setItem('product-history', text), JSON.stringify(entries))

test('R-652 R-653 R-654 the history is kept under product-history: at most 20 products, none older than three months', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const [product = ''] = await productsOf(visitor)
  await consenting(visitor, 'userPreferences')
  const id = /-(\d+)$/.exec(product)?.[1] ?? ''
  await remember(visitor, [
    ...Array.from({ length: 22 }, (_, at) => viewed(String(900_000 + at), at + 1)),
    viewed('800000', 93),
    { productId: 'no product', viewedAt: 'never' },
  ])
  await page.goto(origin + product)
  await page.waitForFunction((first) => (localStorage.getItem('product-history') ?? '').startsWith(`[{"productId":"${first}"`), id)
  const kept = await history(visitor)
  assert.deepEqual(
    kept.map(({ productId }) => productId),
    [id, ...Array.from({ length: 19 }, (_, at) => String(900_000 + at))],
  )
  await remember(visitor, [viewed('700000', 88), viewed('800000', 93)])
  await page.goto(origin + product)
  await page.waitForFunction((first) => (localStorage.getItem('product-history') ?? '').startsWith(`[{"productId":"${first}"`), id)
  assert.deepEqual(
    (await history(visitor)).map(({ productId }) => productId),
    [id, '700000'],
  )
  await visitor.leave()
})

test('R-656 R-711 R-552 suggestions begin with the third product seen, and not before', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  const products = await productsOf(visitor)
  const ids = products.map((path) => /-(\d+)$/.exec(path)?.[1] ?? '')
  await consenting(visitor, 'userPreferences')
  for (const count of [2, 3]) {
    await remember(
      visitor,
      ids.slice(0, count).map((id, at) => viewed(id, at)),
    )
    await page.goto(origin + products[3])
    await page.locator('[data-history] [data-row="seen"]').waitFor()
    assert.equal(await page.locator('[data-history] [data-row="suggested"]').count(), count === 3 ? 1 : 0, `${count} products`)
  }
  await visitor.leave()
})

test('R-472 R-473 R-475 R-615 R-655 signing in merges the history once; a merge that fails leaves none', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'de' })
  const { page, origin } = visitor
  const ids = (await productsOf(visitor)).map((path) => /-(\d+)$/.exec(path)?.[1] ?? '')
  await consenting(visitor, 'userPreferences')
  await remember(
    visitor,
    ids.map((id, at) => viewed(id, at)),
  )
  const merged: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/v2/product-history/merge') && merged.push(request.postData() ?? ''))
  const status = () => page.evaluate(() => localStorage.getItem('product-history-auth-status'))
  const state = (value: string) => page.locator(`[data-history][data-state="${value}"]`).waitFor({ state: 'attached' })
  await page.goto(`${origin}/`)
  await state('fetched')
  assert.deepEqual([await status(), merged.length], ['guest', 0])

  // The first merge fails, and nothing is left to be merged another time.
  await page.route('**/api/v2/product-history/merge', (route) => route.abort())
  await signIn(visitor, historian.email)
  await state('merge failure')
  assert.deepEqual([await history(visitor), merged.length], [[], 1])
  assert.match((await status()) ?? '', /^authenticated /)
  await page.unroute('**/api/v2/product-history/merge')

  // As at another first sign-in in this browser.
  await page.evaluate(() => localStorage.setItem('product-history-auth-status', 'guest'))
  await remember(
    visitor,
    ids.map((id, at) => viewed(id, at)),
  )
  await page.goto(`${origin}/`)
  await state('merge success')
  assert.ok(ids.every((id) => merged[1]?.includes(`"product_id":"${id}"`)))
  await page.evaluate(() => localStorage.removeItem('product-history'))
  await page.goto(`${origin}/`)
  await state('fetched')
  assert.equal(merged.length, 2)
  assert.deepEqual((await history(visitor)).map(({ productId }) => productId).slice(0, ids.length), ids)

  // On a shared computer nothing of it is left for the next visitor, whoever signs in then.
  await page.goto(`${origin}/auth/pre-logout`)
  await page.locator('main form button').first().click()
  await page.waitForURL(`${origin}/`)
  await state('fetched')
  assert.deepEqual([await history(visitor), await status()], [[], 'guest'])
  await visitor.leave()
})

test('R-474 a professional has the history of this browser: products seen come back, before and after signing in, and after a session call that failed', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', mode: 'b2b' })
  const { page, origin } = visitor
  const [first = '', ...others] = await productsOf(visitor)
  await consenting(visitor, 'userPreferences')
  await page.goto(origin + first)
  await page.waitForFunction(() => localStorage.getItem('product-history') !== null)
  await signIn(visitor, 'leah@hartley.example')
  for (const [at, path] of others.entries()) {
    await page.goto(origin + path)
    await page.waitForFunction(
      (count) => (JSON.parse(localStorage.getItem('product-history') ?? '[]') as unknown[]).length === count,
      at + 2,
    )
  }
  await page.goto(origin + first)
  await page.locator('[data-history] [data-row="seen"] a[href^="/p/"]').first().waitFor()
  const all = others.length + 1
  assert.equal((await history(visitor)).length, all)

  // A session call that fails is no sign-out: nothing is removed, and what was seen meanwhile is added.
  const more = (await cardsOf(visitor, '/search/saw')).find((path) => path !== first && !others.includes(path))
  for (const fail of ['abort', 'overload'] as const) {
    await page.route('**/api/auth/session', (route) => (fail === 'abort' ? route.abort() : route.fulfill({ status: 503 })))
    await page.goto(origin + (more ?? assert.fail('the shop has more products')))
    await page.locator('[data-history][data-state="failed"]').waitFor({ state: 'attached' })
    assert.equal((await history(visitor)).length, all + 1, fail)
    await page.unroute('**/api/auth/session')
  }
  await page.goto(origin + first)
  await page.locator('[data-history] [data-row="seen"] a[href^="/p/"]').first().waitFor()
  assert.equal((await history(visitor)).length, all + 1)
  await visitor.leave()
})

test('R-688 R-690 what goes with an added product is shown over the page, and a category shows what is popular in it', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/search/cordless%20drill`)
  const drill = page.locator('[data-card]').filter({ has: page.locator('button[name="offerId"]') })
  await drill.first().locator('button[name="offerId"]').click()
  const sheet = page.getByRole('complementary', { name: 'Goes with what you added' })
  await sheet.locator('a[href^="/p/"]').first().waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })

  await page.locator('[data-departments] > summary').click()
  await page.locator('[data-departments] nav > ul > li > a').first().waitFor()
  const department = await page.locator('[data-departments] nav a[href]').first().getAttribute('href')
  await page.goto(origin + department)
  await page.locator('[data-category]').evaluate((place) => place.scrollIntoView())
  await page.getByRole('heading', { name: 'Popular in this category' }).waitFor()
  assert.ok((await page.locator('[data-category] a[href^="/p/"]').count()) > 1)
  assert.deepEqual(visitor.complaints, [])
  await visitor.leave()
})

test('R-565 R-667 flags are awaited by an event, without polling, and no longer than the page is configured to wait', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await consenting(visitor, 'statistics')
  const { page, origin } = visitor
  await page.addInitScript(() => {
    const delays: number[] = []
    Object.assign(window, { delays })
    const { setTimeout: timeout, setInterval: interval } = window
    window.setTimeout = ((run: () => void, ms = 0, ...rest: unknown[]) => (delays.push(ms), timeout(run, ms, ...rest))) as typeof setTimeout
    window.setInterval = ((run: () => void, ms = 0, ...rest: unknown[]) => (
      delays.push(ms),
      interval(run, ms, ...rest)
    )) as typeof setInterval
  })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/ab-test/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${origin}/`)
  await page.locator('[data-tag="loading"]').waitFor({ state: 'attached' })
  await page.waitForTimeout(500)
  const short = await page.evaluate(() => (window as unknown as { delays: number[] }).delays.filter((ms) => ms > 0 && ms < 50))
  assert.ok(short.length < 5, `${short.length} short timers`)
  answer()
  await page.locator('[data-tag="loaded"]').waitFor({ state: 'attached', timeout: patient(3000) })

  // REQUEST_TIMEOUT reaches the browser with the page.
  await page.unroute('**/ab-test/**')
  await page.route('**/ab-test/**', () => undefined)
  await page.route(`${origin}/?short`, async (route) => {
    const page_ = await route.fetch({ url: `${shop.origin}/`, headers: { ...route.request().headers(), host: new URL(origin).host } })
    await route.fulfill({ response: page_, body: (await page_.text()).replace(/data-timeout="\d+"/, 'data-timeout="700"') })
  })
  const logged = page.waitForEvent('console', { predicate: (message) => message.text().includes('Flags unavailable'), timeout: 4500 })
  await page.goto(`${origin}/?short`)
  await logged
  await visitor.leave()
})

test('R-682 R-683 R-684 R-703 push messages are offered with consent and the flag batchEnabled alone, once; "No thanks" and "I subscribe" are kept', async () => {
  const flag = (value: boolean) =>
    fetch(`${shop.origin}/api/v1/operator/flags/gb/b2c/batchEnabled`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${process.env['OPERATOR_API_KEY'] || 'journeys-operator'}`, 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  const person = async (purposes: string) => {
    const visitor = await visit(browser, shop.origin, { market: 'gb' })
    await consenting(visitor, purposes)
    await visitor.page.addInitScript(() => {
      // Headless browsers have no push service.
      const json = {
        endpoint: 'https://fcm.googleapis.com/fcm/send/of-a-journey',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      }
      PushManager.prototype.subscribe = async () => Object.assign(Object.create(PushSubscription.prototype), { toJSON: () => json })
      Object.defineProperty(Notification, 'permission', { get: () => 'default' })
      Notification.requestPermission = async () => 'granted'
    })
    const prompt = visitor.page.getByRole('region', { name: 'Never miss our good deals, our news, our advice!' })
    return { ...visitor, prompt }
  }
  const isOffered = async ({ page, origin, prompt }: Awaited<ReturnType<typeof person>>) => {
    await page.goto(`${origin}/brands`)
    return prompt.waitFor({ timeout: patient(4000) }).then(
      () => true,
      () => false,
    )
  }
  const first = await person('userPreferences')
  assert.equal(await isOffered(first), false, 'the flag is off')
  assert.equal((await flag(true)).status, 204)
  try {
    const other = await person('statistics,personalisedAdvertising')
    assert.equal(await isOffered(other), false, 'without consent to preferences')
    await other.leave()
    for (let n = 0; n < 5 && !(await isOffered(first)); n++);
    await first.prompt.getByRole('button', { name: 'No thanks' }).click()
    await first.prompt.waitFor({ state: 'detached' })
    assert.equal(await isOffered(first), false, 'and not again')
    await first.leave()

    const second = await person('userPreferences')
    assert.equal(await isOffered(second), true)
    const kept = second.page.waitForResponse((answer) => answer.url().endsWith('/api/v1/push/subscriptions'))
    await second.prompt.getByRole('button', { name: 'I subscribe' }).click()
    assert.equal((await kept).status(), 201)
    await second.page.getByText('You are subscribed').first().waitFor()
    await second.leave()
  } finally {
    await flag(false)
  }
})

interface StoredEvent {
  name: string
  page: string
  data: Record<string, unknown>
}

/** The stored events of a visitor, oldest first. */
async function storedOf(visitorId: string): Promise<StoredEvent[]> {
  const pool = createPool({ connectionString: shop.databaseUrl(), sizes: { single: 1 } })
  try {
    const { rows } = await pool.query<StoredEvent>(
      'select name, page_name as page, data from insights.event where visitor_id = $1 order by at, id',
      [visitorId],
    )
    return rows
  } finally {
    await pool.end()
  }
}
/** Pages send what they have when they are hidden. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/** A campaign's link, a product with recommendations of which one is chosen, and a sign-in; each step ends when its event is stored. */
async function arriveChooseSignIn(visitor: Visitor, isDone: (name: string) => Promise<void>): Promise<string> {
  const { page, origin } = visitor
  await page.goto(`${origin}/?utm_source=newsletter&utm_medium=email&utm_campaign=week-47`)
  await page.getByRole('link', { name: 'Basket' }).first().waitFor()
  await isDone('page_view')
  await page.goto(`${origin}/search/cordless%20drill`)
  await page.locator('[data-card] a[href^="/p/"]').first().click()
  const row = page.locator('[data-recommended]').first()
  await row.scrollIntoViewIfNeeded()
  await isDone('recommendation_view')
  const link = row.locator('a[href^="/p/"]').nth(1)
  const chosen = /-(\d+)$/.exec((await link.getAttribute('href')) ?? '')?.[1] ?? ''
  await link.click()
  await page.waitForURL(`**-${chosen}`)
  await isDone('recommendation_click')
  await signIn(visitor, demoPerson('grace@example.com').email, '/brands')
  await isDone('login')
  return chosen
}

test('R-445 R-406 with consent attribution, chosen recommendation and sign-in are each stored once, and without it nothing is sent', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const visitorId = await consenting(visitor, 'statistics')
  const chosen = await arriveChooseSignIn(visitor, async (name) => {
    for (const until = Date.now() + patient(30_000); !(await storedOf(visitorId)).some((event) => event.name === name);) {
      const said = () => visitor.page.evaluate(() => JSON.stringify([document.cookie, window.dataLayer]))
      assert.ok(Date.now() < until, `${name} is not stored at ${visitor.page.url()}, ${await said()}`)
      await hide(visitor.page)
      await visitor.page.waitForTimeout(200)
    }
  })
  const stored = await storedOf(visitorId)
  const of = (name: string) => stored.filter((event) => event.name === name).map(({ data }) => data)
  // An address that is typed, as the search's is here, is a direct arrival.
  const came = of('page_view').filter(({ trackingChannel = 'direct' }) => trackingChannel !== 'direct')
  assert.deepEqual(
    came.map(({ trackingChannel, trackingCategory, trackingCampaign }) => [trackingChannel, trackingCategory, trackingCampaign]),
    [['email', 'newsletter', 'week-47']],
  )
  const [click, ...others] = of('recommendation_click')
  assert.deepEqual([click?.['placement'], String(click?.['productId']), click?.['position'], others], ['article_page', chosen, 2, []])
  assert.ok(of('recommendation_view').some(({ source }) => source === click?.['source']))
  assert.deepEqual(
    of('login').map(({ method }) => typeof method),
    ['string'],
  )
  await visitor.leave()

  const other = await visit(browser, shop.origin, { market: 'gb' })
  const sent: string[] = []
  other.page.on(
    'request',
    (request) => /\/api\/v1\/(?:events|referer|experiment-exposures)/.test(request.url()) && sent.push(request.url()),
  )
  await arriveChooseSignIn(other, async () => undefined)
  await hide(other.page)
  assert.deepEqual(sent, [])
  await other.leave()
})

test('R-028 R-620 each product that reached the basket is stored once with its number, by script and by form, and what the shop refused is not', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const visitorId = await consenting(visitor, 'statistics')
  const { page, origin } = visitor
  const [product = '', other = ''] = await productsOf(visitor)
  const idOf = (path: string) => Number(/-(\d+)$/.exec(path)?.[1])
  const added = async () => (await storedOf(visitorId)).filter(({ name }) => name === 'add_to_cart').map(({ data }) => data['productId'])
  const said = () =>
    page.evaluate(() =>
      (window.dataLayer ?? []).flatMap((one) =>
        'event' in one && one.event === 'add_to_cart' ? [(one as { productId?: number }).productId] : [],
      ),
    )
  await page.goto(origin + product)
  const form = page.locator('form[data-add-to-cart]').first()
  await form.waitFor()
  await page.waitForFunction(() => (window.dataLayer ?? []).some((one) => 'event' in one && one.event === 'page_view'))
  // The button of the page asks for more than there are: the browser's own check is passed by.
  const quantity = await form.locator('[name="quantity"]').first().inputValue()
  const ask = async (pieces: string) => {
    const answered = page.waitForResponse((answer) => /"offerId"/.test(answer.request().postData() ?? ''))
    await form.evaluate((element, value) => {
      const field = (element as HTMLFormElement).elements.namedItem('quantity') as HTMLInputElement
      Object.assign(field, { max: '', step: 'any', value })
      ;(element as HTMLFormElement).requestSubmit(element.querySelector('button:not([type="button"])') as HTMLButtonElement)
    }, pieces)
    await (await answered).finished()
  }
  await ask('999999')
  await page.locator('[data-flash="warning"]').waitFor()
  assert.deepEqual([await said(), await added()], [[], []])
  await ask(quantity)
  await page.waitForFunction(() => (window.dataLayer ?? []).some((one) => 'event' in one && one.event === 'add_to_cart'))
  assert.deepEqual(await said(), [idOf(product)])

  // Without the script that adds to the basket the form leads there.
  await page.route('**/*add-to-cart*', (route) => route.abort())
  await page.goto(origin + other)
  await page.locator('form[data-add-to-cart] button').first().waitFor()
  await page.evaluate(() => (document.querySelector('form[data-add-to-cart]') as HTMLFormElement).submit())
  await page.waitForURL(`${origin}/cart*`)
  for (const until = Date.now() + patient(20_000); (await added()).length < 2; await page.waitForTimeout(100))
    assert.ok(Date.now() < until, 'what reached the basket is not stored')
  await hide(page)
  await page.waitForTimeout(1_000)
  assert.deepEqual((await added()).toSorted(), [idOf(product), idOf(other)].toSorted())
  await visitor.leave()
})
