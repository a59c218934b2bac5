import { consentCookie, consentValue } from '@purlin/contract/consent.ts'
import { ask, queryData } from '@purlin/e2e/support/ask.ts'
import { launchBrowser } from '@purlin/e2e/support/browser.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { figure, type Figure } from './figures.ts'
import { readTimings, watchTimings, type Timings } from './page-timings.ts'
import { asked } from './questions.ts'

/** A slow 4G network, and a phone four times slower than this machine. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
export const slowdown = 4
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
/** Until late scripts, fonts and pictures have arrived. */
const settledMs = 2_500
/** A finger rests on the glass; browsers begin to fetch the next page when it comes down. */
const touchMs = 80

/**
 * Page timings on a slow phone: medians of several visits, each with an empty browser cache. Pages come from the shop's
 * page cache. Figures of a busy machine are too high.
 */
export async function benchBrowser(origin: string, rounds: number): Promise<Figure[]> {
  const shop = `http://gb.localhost:${new URL(origin).port}`
  const { category, product } = await examples(origin)
  const kinds = { home: '/', category, product }
  const browser = await launchBrowser()
  try {
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(kinds)) {
      await visitTwice(origin, path)
      const visits: Timings[] = []
      for (let round = 0; round < rounds; round++) visits.push(await firstVisit(browser, shop + path))
      figures.push(
        figure(`${name}: largest contentful paint`, median(visits.map(({ lcp }) => lcp)), 'ms', '<= 1500'),
        figure(`${name}: blocking time`, median(visits.map(({ blocking }) => blocking)), 'ms', '<= 100'),
        figure(`${name}: layout shift`, median(visits.map(({ shift }) => shift)), '', '<= 0'),
      )
    }
    const taps: Record<string, number[]> = {}
    for (let round = 0; round < rounds; round++)
      for (const [name, ms] of Object.entries(await interactions(browser, shop, kinds))) (taps[name] ??= []).push(ms)
    for (const [name, { target }] of Object.entries(tapTargets)) figures.push(figure(name, median(taps[name] ?? []), 'ms', target))
    return figures
  } finally {
    await browser.close()
  }
}

const tapTargets = {
  'interaction: add to cart': { target: '<= 100' },
  '"added" after the tap': { target: '<= 150' },
  'interaction: a filter': { target: '<= 100' },
  'interaction: the menu': { target: '<= 100' },
  'second page after the tap': { target: '<= 500' },
}

/** Addresses of a category that fills a page and of one of its products. */
export async function examples(origin: string): Promise<{ category: string; product: string }> {
  const { categoryTree } = await queryData<{ categoryTree: { id: number; url: string; productCount: number }[] }>(
    origin,
    asked('{ categoryTree { id url productCount } }', {}),
  )
  const largest = categoryTree.toSorted((one, other) => other.productCount - one.productCount)[0]
  const { listing } = await queryData<{ listing: { cards: { url: string; bestOffer: boolean }[] } }>(
    origin,
    asked('query ($id: Int!) { listing(input: { kind: category, id: $id, pageSize: 48 }) { cards { url bestOffer } } }', {
      id: largest?.id,
    }),
  )
  const product = listing.cards.find(({ bestOffer }) => bestOffer)
  if (!largest || !product) throw new Error('The shop has no goods')
  return { category: largest.url, product: product.url }
}

/** The second request of a page puts it into the page cache; there may be several processes. */
export async function visitTwice(origin: string, path: string): Promise<void> {
  const headers = { host: `gb.localhost:${new URL(origin).port}`, 'accept-encoding': 'br' }
  for (let times = 0; times < 8; times++) await ask(origin, { path, headers })
}

async function openPage(browser: Browser, { consents }: { consents: string | null }): Promise<Page> {
  const context = await browser.newContext(phone)
  if (consents !== null) await context.addCookies([{ name: consentCookie, value: consentValue([], null), url: consents }])
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await watchTimings(page)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** A visitor who has never been here: the dialog about consent is part of what they wait for. */
async function firstVisit(browser: Browser, url: string): Promise<Timings> {
  const page = await openPage(browser, { consents: null })
  try {
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForTimeout(settledMs)
    return await readTimings(page)
  } finally {
    await page.context().close()
  }
}

async function interactions(
  browser: Browser,
  shop: string,
  { category, product }: { category: string; product: string },
): Promise<Record<keyof typeof tapTargets, number>> {
  const page = await openPage(browser, { consents: shop })
  try {
    const open = async (path: string): Promise<void> => {
      await page.goto(shop + path, { waitUntil: 'load' })
      await page.waitForTimeout(settledMs)
    }
    const longest = async (): Promise<number> => (await readTimings(page)).interaction
    await open(product)
    await tap(page, page.locator('form[data-add-to-cart] button:not([type=button])').first())
    await page.locator('[data-flash]').first().waitFor()
    await page.waitForTimeout(settledMs)
    const { interaction: add, message } = await readTimings(page)

    await open(category)
    await tap(page, page.locator('[data-facet-sheet] > summary'))
    await page.locator('[data-facet-close]').waitFor()
    await page.waitForTimeout(settledMs)
    await tap(page, page.locator('[data-facets] label:has(input[type=checkbox])').filter({ visible: true }).first())
    await page.waitForTimeout(settledMs)
    const filter = await longest()

    await open(category)
    await tap(page, page.locator('header details[data-departments] > summary'))
    await page.waitForTimeout(settledMs)
    const menu = await longest()

    await open(category)
    const here = page.url()
    await tap(page, page.locator('[data-card] :is(h2, h3) a').first())
    await page.waitForURL((url) => url.href !== here)
    await page.waitForTimeout(settledMs)
    const { sinceTap } = await readTimings(page)
    return {
      'interaction: add to cart': add,
      '"added" after the tap': message,
      'interaction: a filter': filter,
      'interaction: the menu': menu,
      'second page after the tap': sinceTap,
    }
  } finally {
    await page.context().close()
  }
}

/** A finger that comes down and goes up again, as the browser's own input. */
async function tap(page: Page, goal: Locator): Promise<void> {
  await goal.scrollIntoViewIfNeeded()
  const box = await goal.boundingBox()
  if (!box) throw new Error(`${String(goal)} is not on the page`)
  const session = await page.context().newCDPSession(page)
  const point = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 24) }
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await page.waitForTimeout(touchMs)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
