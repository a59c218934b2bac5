/**
 * Pictures of every page, to be looked at: `npm run pictures`, into e2e/pictures/. Takes them of the shop in SHOP_URL,
 * or starts one. `npm run pictures -- cart product` takes those pages only. Ends with 1 when a
 * page could not be taken or scrolls sideways.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './support/browser.ts'
import { fillCart, goToPayment } from './support/buying.ts'
import { scrollsSideways, shoppingPages } from './support/shopping-pages.ts'
import { shopForTests } from './support/shop.ts'
import { visit, type Visitor } from './support/visitor.ts'

const folder = join(import.meta.dirname, 'pictures')
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } }
const sites: { market: Market; mode: Mode; isDark?: boolean }[] = [
  { market: 'gb', mode: 'b2c' },
  { market: 'gb', mode: 'b2c', isDark: true },
  { market: 'gb', mode: 'b2b' },
  { market: 'de', mode: 'b2c' },
  { market: 'de', mode: 'b2b' },
]

/** Pages one cannot go to by an address alone. */
const states: Record<string, (visitor: Visitor) => Promise<void>> = {
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
    await page.getByLabel(t('search.label')).pressSequentially('dr', { delay: 40 })
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
  payment: async (visitor) => {
    await fillCart(visitor)
    await goToPayment(visitor, `pictures.${Date.now()}@buyer.example`)
  },
}

async function takeAll(browser: Browser, shop: string, wanted: string[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { market, mode, isDark } of sites) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const shoot = async (name: string, go: (visitor: Visitor) => Promise<unknown>) => {
        if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) return
        const visitor = await visit(browser, shop, { market, mode, viewport })
        await visitor.page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
        const file = `${name}.${market}.${mode}.${size}${isDark ? '.dark' : ''}`
        try {
          await go(visitor)
          await loadLatePictures(visitor)
          if (await scrollsSideways(visitor.page)) wrong.push(`${file}: scrolls sideways`)
          await visitor.page.screenshot({ path: join(folder, `${file}.png`), fullPage: !name.endsWith('-open') && name !== 'suggestions' })
          process.stdout.write(`${file}\n`)
        } catch (error) {
          wrong.push(`${file}: ${(error as Error).message.split('\n')[0]}`)
        } finally {
          await visitor.leave()
        }
      }
      const guide = await visit(browser, shop, { market, mode })
      const pages = await shoppingPages(guide)
      await guide.leave()
      for (const [name, path] of Object.entries(pages)) await shoot(name, ({ page, origin }) => page.goto(origin + path))
      for (const [name, go] of Object.entries(states)) await shoot(name, go)
    }
  }
  return wrong
}

/** Pictures below the fold come when they are scrolled to. */
async function loadLatePictures({ page }: Visitor): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[loading="lazy"]')) picture.loading = 'eager'
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => undefined)))
  })
}

mkdirSync(folder, { recursive: true })
const shop = await shopForTests()
const browser = await launchBrowser()
try {
  const wrong = await takeAll(browser, shop.origin, process.argv.slice(2))
  for (const line of wrong) process.stdout.write(`wrong: ${line}\n`)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await shop.stop()
}
