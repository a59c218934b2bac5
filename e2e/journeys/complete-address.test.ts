import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { fillAddress, fillCart, goToAddress } from '../support/buying.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf, visit } from '../support/visitor.ts'
import { wordsOf } from '../support/words.ts'

/** Address forms with autocompletion, and the request sent by a wishlist of addresses. */

const shop = await shopForTests()
const t = wordsOf('gb')
const gb = originOf(shop.origin, 'gb', 'b2c')
const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'gb')
assert.ok(consumer)
const pictures = process.env['PICTURES']
let browser: Browser
before(async () => void (browser = await launchBrowser({ pictures: Boolean(pictures) })))
after(async () => {
  await browser.close()
  await shop.stop()
})

async function signedIn(): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(patient(40_000))
  await page.goto(`${gb}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/robots.txt')}`)
  await page.getByLabel(/e-?mail/i).fill(consumer?.email ?? '')
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${gb}/robots.txt`)
  return page
}

const isTown = (page: Page, town: string) =>
  page.waitForFunction((name) => document.querySelector<HTMLInputElement>('input[name="city"]')?.value === name, town)

/** At 320, 390 and 1440 px; none may scroll sideways. */
async function look(page: Page, name: string): Promise<void> {
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= width, `${name} at ${width}: ${wide}`)
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true })
  }
}

test('R-699 at checkout a full postcode fills in its town, announces it, and leaves an entered town alone', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page } = visitor
  page.setDefaultTimeout(patient(40_000))
  await fillCart(visitor)
  await goToAddress(visitor, 'completed@example.com')
  const postcode = page.locator('input[name="postcode"]')
  const city = page.locator('input[name="city"]')
  await postcode.pressSequentially('m1 1ae')
  await isTown(page, 'Manchester')
  await page.locator('form [role="status"]', { hasText: /^Town filled in: Manchester$/ }).waitFor({ state: 'attached' })
  await postcode.fill('SW1A 1AA')
  await isTown(page, 'London')
  await city.fill('Westminster')
  await postcode.fill('M1 1AE')
  await page.waitForTimeout(1500)
  assert.equal(await city.inputValue(), 'Westminster')
  await city.fill('Liv')
  await page.locator('datalist option[value="Liverpool"]').waitFor({ state: 'attached' })
  await fillAddress(visitor)
  await page.waitForURL(/\/secure-payment$/)
  await visitor.leave()
})

test('R-699 in the account the chosen country counts', async () => {
  const page = await signedIn()
  await page.goto(`${gb}/my-account/addresses?add`)
  await page.locator('select[name="country"]').selectOption('FR')
  await page.locator('input[name="postcode"]').fill('75011')
  await isTown(page, 'Paris')
  await page.context().close()
})

test('R-123 a list offers mails and sends them until they are stopped; the page of a mail’s link fits every screen', async () => {
  const page = await signedIn()
  await page.goto(`${gb}/search/drill`)
  await page.locator('[data-card] > button[name="productId"]').first().click()
  await page.locator('[data-flash="success"]').waitFor()
  await page.goto(`${gb}/my-account/wishlists`)
  await page.locator('main a[href^="/my-account/wishlists/"]').first().click()
  await page.getByRole('button', { name: t('wishlist-notice.notify') }).click()
  await page.getByRole('button', { name: t('wishlist-notice.silence') }).waitFor()
  await look(page, 'wishlist')
  await page.getByRole('button', { name: t('wishlist-notice.silence') }).click()
  await page.getByRole('button', { name: t('wishlist-notice.notify') }).waitFor()
  for (const market of ['gb', 'de'] as const) {
    const origin = originOf(shop.origin, market, 'b2c')
    await page.goto(`${origin}/unsubscribe?list=${'t'.repeat(24)}`)
    await look(page, `unsubscribe-${market}`)
    await page.getByRole('button', { name: wordsOf(market)('wishlist-notice.end.do') }).click()
    await page.waitForURL(`${origin}/unsubscribe?done=1`)
  }
  await page.context().close()
})
