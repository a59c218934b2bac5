import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword, demoPeople, demoTraders } from '@purlin/demo/people.ts'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'

/** A consumer becomes a professional customer on the way to a page for companies. */

const shop = await shopForTests()
const de = originOf(shop.origin, 'de', 'b2c')
const pro = originOf(shop.origin, 'de', 'b2b')
const consumer = demoPeople.find(({ kind, market }) => kind === 'consumer' && market === 'de')
// No customer yet, of a register that tells names: for others an operator decides.
const trader = demoTraders.find(({ name }) => name.startsWith('MENUISERIE'))
assert.ok(consumer && trader)
let browser: Browser
before(async () => void (browser = await launchBrowser({ pictures: false })))
after(async () => {
  await browser.close()
  await shop.stop()
})

test('R-024 R-521 R-522 without script a consumer converts with a VAT number and arrives at the page for companies, on the professional storefront', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(`${de}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/pro-account/signup?from=/my-account/company')}`)
  await page.getByLabel(/e-?mail/i).fill(consumer.email)
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.locator('input[type="password"]').press('Enter')
  await page.waitForURL((url) => url.pathname === '/pro-account/signup')

  const typed = { companyName: trader.name, line1: 'Farbstr. 8', postcode: '50667', city: 'Köln', vatNumber: trader.vatNumber }
  for (const [name, value] of Object.entries(typed)) await page.locator(`#${name}`).fill(value)
  await page.locator('main form[method="post"] button').last().click()
  // The register is asked in the background; the page looks again by itself.
  await page.waitForURL(`${pro}/my-account/company`, { timeout: patient(60_000) })
  assert.equal(await page.locator('main h1').innerText(), trader.name)

  await page.goto(`${pro}/my-tax-information`)
  assert.ok((await page.locator('main').innerText()).includes('Gültig'))
})
