/**
 * Screenshots of every page for visual review: `npm run pictures`, into e2e/pictures/. Uses the shop in SHOP_URL
 * (with its data folder in SHOP_DATA_DIR), or starts one. `npm run pictures -- cart product` takes those pages only,
 * `-- gb.b2c payment` those of one site. Ends with 1 when a page could not be taken or scrolls sideways.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Browser, Page } from 'playwright-core'
import { ensureChromium } from '../scripts/ensure-chromium.ts'
import { launchBrowser, standStill } from './support/browser.ts'
import { fillCart } from './support/buying.ts'
import { tourFunnel, tourStops } from './support/funnel-tour.ts'
import { scrollsSideways, shoppingPages } from './support/shopping-pages.ts'
import { shopForTests, type Shop } from './support/shop.ts'
import { visit, type Visitor } from './support/visitor.ts'

const folder = join(import.meta.dirname, 'pictures')
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } }
const sizeNames = ['phone', 'desk'] as const
const sites: { market: Market; mode: Mode; isDark?: boolean }[] = [
  { market: 'gb', mode: 'b2c' },
  { market: 'gb', mode: 'b2c', isDark: true },
  { market: 'gb', mode: 'b2b' },
  { market: 'de', mode: 'b2c' },
  { market: 'de', mode: 'b2b' },
]

/** Pages not reachable by their address alone. */
const states: Record<string, (visitor: Visitor) => Promise<unknown>> = {
  'menu-open': async ({ page, origin, t }) => {
    await page.goto(origin)
    await page.locator('summary', { hasText: t('shell.menu') }).click()
  },
  'filters-open': async ({ page, origin, t }) => {
    await page.goto(`${origin}/great-deals`)
    const opener = page.locator('summary', { hasText: t('listing.filters') })
    if (await opener.isVisible()) await opener.click()
  },
  'filters-chosen': async ({ page, origin }) => {
    await page.goto(`${origin}/great-deals?min[price]=20&max[price]=400`)
  },
  suggestions: async ({ page, origin, t }) => {
    await page.goto(origin)
    await page.getByLabel(t('search.label')).filter({ visible: true }).pressSequentially('dr', { delay: 40 })
    await page.locator('[role=option]').first().waitFor()
  },
  'cart-empty': async ({ page, origin }) => void (await page.goto(`${origin}/cart`)),
  'cart-filled': fillCart,
  'cart-refused': async (visitor) => {
    await fillCart(visitor)
    await visitor.page.locator('summary', { hasText: visitor.t('cart.coupon-have') }).click()
    await visitor.page.getByLabel(visitor.t('cart.coupon'), { exact: true }).fill('NOPE')
    await visitor.page.getByRole('button', { name: visitor.t('cart.coupon-apply') }).click()
    await visitor.page.locator('#code-error').waitFor()
  },
}

/** The pages and sites named on the command line; all by default. */
interface Wanted {
  page: (name: string) => boolean
  site: (name: string) => boolean
}

function readWanted(words: string[]): Wanted {
  const isSite = (word: string) => /^\w\w\.b2[bc]$/.test(word)
  const pages = words.filter((word) => !isSite(word))
  const named = words.filter(isSite)
  return {
    page: (name) => pages.length === 0 || pages.some((part) => name.includes(part)),
    site: (name) => named.length === 0 || named.includes(name),
  }
}

async function takeAll(browser: Browser, shop: Shop, wanted: Wanted): Promise<string[]> {
  const wrong: string[] = []
  for (const site of sites.filter(({ market, mode }) => wanted.site(`${market}.${mode}`))) {
    const take = async ({ page }: Visitor, name: string, size: keyof typeof sizes) => {
      const file = [name, site.market, site.mode, size, ...(site.isDark ? ['dark'] : [])].join('.')
      await loadLatePictures(page)
      await standStill(page)
      if (await scrollsSideways(page)) wrong.push(`${file}: scrolls sideways`)
      await page.screenshot({ path: join(folder, `${file}.png`), fullPage: !name.endsWith('-open') && name !== 'suggestions' })
      process.stdout.write(`${file}\n`)
    }
    const within = async (name: string, size: keyof typeof sizes, go: (visitor: Visitor) => Promise<unknown>) => {
      const visitor = await visit(browser, shop.origin, { ...site, viewport: sizes[size] })
      await visitor.page.emulateMedia({ colorScheme: site.isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
      try {
        await go(visitor)
      } catch (error) {
        wrong.push(`${name}.${site.market}.${site.mode}.${size}: ${(error as Error).message.split('\n')[0]}`)
      } finally {
        await visitor.leave()
      }
    }
    const guide = await visit(browser, shop.origin, site)
    const addresses = Object.entries(await shoppingPages(guide))
    await guide.leave()
    const pages = Object.fromEntries(
      addresses.map(([name, path]) => [name, async ({ page, origin }: Visitor) => void (await page.goto(origin + path))]),
    )
    for (const [name, go] of Object.entries({ ...pages, ...states }).filter(([page]) => wanted.page(page))) {
      for (const size of sizeNames) {
        await within(name, size, async (visitor) => {
          await go(visitor)
          await take(visitor, name, size)
        })
      }
    }
    // One tour for all of its pages, resized at each.
    if (!site.isDark && tourStops.some(wanted.page)) {
      await within('tour', 'desk', (visitor) =>
        tourFunnel(visitor, shop.databaseUrl(), async (stop) => {
          if (!wanted.page(stop)) return
          await take(visitor, stop, 'desk')
          await visitor.page.setViewportSize(sizes.phone)
          await take(visitor, stop, 'phone')
          await visitor.page.setViewportSize(sizes.desk)
        }),
      )
    }
  }
  return wrong
}

/** Pictures below the fold load when they are scrolled into view. */
async function loadLatePictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[loading="lazy"]')) picture.loading = 'eager'
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)))
  })
}

if (!ensureChromium()) process.exit(1)
mkdirSync(folder, { recursive: true })
const shop = await shopForTests()
const browser = await launchBrowser()
try {
  const wrong = await takeAll(browser, shop, readWanted(process.argv.slice(2)))
  for (const line of wrong) process.stdout.write(`wrong: ${line}\n`)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await shop.stop()
}
