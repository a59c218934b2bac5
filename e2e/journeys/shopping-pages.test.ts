import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { launchBrowser } from '../support/browser.ts'
import { fillCart } from '../support/buying.ts'
import { shopForTests, type Shop } from '../support/shop.ts'
import { scrollsSideways, shoppingPages } from '../support/shopping-pages.ts'
import { visit } from '../support/visitor.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let shop: Shop
let browser: Browser
before(async () => {
  shop = await shopForTests()
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await shop?.stop()
})

/** What axe finds wrong with the page as it stands. */
async function faults(page: Page): Promise<string[]> {
  // Evaluated, not added as a script element: the page's policy allows only scripts of its own.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const found = await (
      window as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
  })
}

const sites: [Market, Mode][] = [
  ['gb', 'b2c'],
  ['de', 'b2b'],
]

for (const [market, mode] of sites) {
  test(`every shopping page is free of faults axe can find, in ${market} ${mode}, light and dark, wide and narrow`, async () => {
    const visitor = await visit(browser, shop.origin, { market, mode })
    const { page, origin } = visitor
    for (const [name, path] of Object.entries(await shoppingPages(visitor))) {
      for (const [scheme, width] of [
        ['light', 1440],
        ['dark', 390],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        // Ten cards have the faults of forty-eight.
        await page.goto(`${origin}${path}?size=10`)
        assert.deepEqual(await faults(page), [], `${name}, ${scheme}, ${width}`)
      }
    }
    await fillCart(visitor)
    assert.deepEqual(await faults(page), [], 'cart')
    // The address that is not there is logged by the browser; nothing else may be.
    assert.deepEqual(
      visitor.complaints.filter((line) => !line.includes('there-is-nothing-here')),
      [],
    )
    await visitor.leave()
  })
}

test('nothing scrolls sideways from 360 to 1920 px, in the language with the longest words', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'de', mode: 'b2b' })
  const { page, origin } = visitor
  for (const [name, path] of Object.entries(await shoppingPages(visitor))) {
    await page.goto(origin + path)
    for (const width of [360, 390, 600, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal(await scrollsSideways(page), false, `${name} at ${width}`)
    }
  }
  await visitor.leave()
})

test('the search box is walked by keyboard: arrows, page keys, home, end, escape, enter', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin, t } = visitor
  await page.goto(origin)
  const box = page.getByLabel(t('search.label'))
  await box.focus()
  await page.keyboard.type('dril', { delay: 40 })
  const options = page.getByRole('option')
  await options.first().waitFor()
  assert.equal(await box.getAttribute('aria-expanded'), 'true')
  const active = async () => {
    const id = await box.getAttribute('aria-activedescendant')
    return id === null ? -1 : Number(id.split('-').at(-1))
  }
  const last = (await options.count()) - 1
  for (const [key, expected] of [
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['PageDown', Math.min(5, last)],
    ['End', last],
    ['PageUp', Math.max(0, last - 5)],
    ['Home', 0],
    ['ArrowUp', -1],
    ['ArrowUp', last],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await active(), expected, key)
  }
  await page.keyboard.press('Escape')
  assert.equal(await box.getAttribute('aria-expanded'), 'false')
  assert.equal(await box.inputValue(), 'dril')
  await Promise.all([page.waitForURL(/\/search\/dril/), page.keyboard.press('Enter')])
  await visitor.leave()
})

test('R-071 filters work without script, stand in the address, and are taken back one by one', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb', javaScript: false })
  const { page, origin, t } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.locator('input[name="f[brand]"]').first().check()
  await page.locator('input[name="min[price]"]').fill('1')
  await page.locator('[data-facet-show]').click()
  assert.match(decodeURIComponent(new URL(page.url()).search), /^\?f\[brand\]=[^&]+&min\[price\]=1$/)
  const chips = page.getByRole('list', { name: t('listing.chosen') }).getByRole('link')
  await chips.first().click()
  assert.equal(decodeURIComponent(new URL(page.url()).search), '?min[price]=1')
  await visitor.leave()
})

test('with script a filter counts at once, and the page stays where it was', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.locator('page-island[data-enhance=listing]').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => scrollTo(0, 160))
  await page.locator('input[name="f[brand]"]').first().check()
  await page.waitForURL(/f%5Bbrand%5D/)
  await page.waitForFunction(() => scrollY > 100)
  assert.ok(await page.locator('input[name="f[brand]"]').first().isChecked())
  await visitor.leave()
})

test('a professional chooses prices with or without VAT, with and without script', async () => {
  for (const javaScript of [true, false]) {
    const visitor = await visit(browser, shop.origin, { market: 'de', mode: 'b2b', javaScript })
    const { page, origin, t } = visitor
    await page.goto(`${origin}/great-deals`)
    const chosen = () => page.locator('button[name=vat][aria-pressed=true]').innerText()
    assert.equal(await chosen(), t('goods.without-vat'))
    await page.locator('button[name=vat][value=with]').click()
    await page.waitForURL(/great-deals/)
    await page.waitForFunction(() => document.querySelector('button[name=vat][value=with]')?.getAttribute('aria-pressed') === 'true')
    assert.equal(await chosen(), t('goods.with-vat'))
    await visitor.leave()
  }
})

test('what is added shows in the header and as a message that stays readable in its log', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  await page.locator('form[data-add-to-cart] button').first().click()
  const message = page.locator('[data-flash]').first()
  await message.waitFor()
  assert.equal(await page.locator('[data-cart-count]').innerText(), '1')
  await message.hover()
  await page.waitForTimeout(5_500)
  assert.equal(await page.locator('[data-flash]').count(), 1, 'the pointer stops the clock')
  await page.mouse.move(5, 5)
  await page.waitForFunction(() => document.querySelectorAll('[data-flashes] [data-flash]').length === 0, null, { timeout: 7_000 })
  assert.equal(await page.locator('[data-flash-log] li').count(), 1)
  await visitor.leave()
})
