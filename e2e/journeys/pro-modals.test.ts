import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import type { Browser, Page } from 'playwright-core'
import { GetCustomerSegmentsDocument } from '../../storefront/src/generated/documents.ts'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { operate, shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'
import { wordsOf } from '../support/words.ts'

/** The professional storefront's welcome and its note on VAT. */

const shop = await shopForTests()
const t = wordsOf('fr')
const pro = originOf(shop.origin, 'fr', 'b2b')
const professional = demoPeople.find(({ kind, market }) => kind === 'member' && market === 'fr')
assert.ok(professional)
let browser: Browser
before(async () => {
  browser = await launchBrowser({ pictures: false })
  await forgetRead()
  // The demo's people have bought, and nobody who has is welcomed.
  await operate(shop.origin, 'PUT', `customers/${professional.sub}/segments`, { buy_number_cluster: 'PROSPECTS' })
})
after(async () => {
  await browser.close()
  await shop.stop()
})

async function signedIn(viewport = { width: 1280, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(patient(60_000))
  await page.goto(`${pro}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/')}`)
  await page.getByLabel(/e-?mail/i).fill(professional?.email ?? '')
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${pro}/`)
  return page
}

/** This professional may have read the notes in another journey already. */
async function forgetRead(): Promise<void> {
  const page = await signedIn()
  const isForgotten = await page.evaluate(async () => {
    const body = JSON.stringify({ b2b_welcome: false, b2b_vat_modal: false })
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/v2/customer-segment/customers', { method: 'PATCH', headers, body })).ok
  })
  assert.ok(isForgotten)
  await page.context().close()
}

const open = 'dialog[open]'
const isPatch = (request: { method(): string }) => request.method() === 'PATCH'

test('R-306 R-580 a professional sees the welcome once, then the note on prices without VAT once, by keyboard and on a narrow screen', async () => {
  let page = await signedIn({ width: 320, height: 640 })
  const dialog = page.getByRole('dialog', { name: t('pro-modal.welcome.title') })
  await dialog.waitFor()
  const { width = 0, x = -1 } = (await dialog.boundingBox()) ?? {}
  assert.ok(x >= 0 && x + width <= 320, `${x} + ${width}`)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
  assert.equal(await page.evaluate(() => document.activeElement?.closest('dialog')?.dataset['modal']), 'b2b_welcome')
  for (let key = 0; key < 4; key++) await page.keyboard.press('Tab')
  assert.notEqual(
    await page.evaluate(() => document.activeElement?.closest('header, main, footer')?.tagName),
    'MAIN',
    'the page behind is out of reach',
  )
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/welcome-320.png` })
  const patch = page.waitForRequest(isPatch)
  await page.keyboard.press('Escape')
  assert.deepEqual(JSON.parse((await patch).postData() ?? ''), { b2b_welcome: true })
  assert.equal(await page.locator(open).count(), 0)
  await (await patch).response()
  await page.context().close()

  // Another device, another day: the welcome is stored with the customer, not in the browser.
  page = await signedIn()
  await page.getByRole('dialog', { name: t('pro-modal.vat.title') }).waitFor()
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/vat-1280.png` })
  const second = page.waitForRequest(isPatch)
  await page.getByRole('button', { name: t('pro-modal.vat.show') }).click()
  assert.deepEqual(JSON.parse((await second).postData() ?? ''), { b2b_vat_modal: true })
  await page.locator('button[name="vat"][value="with"][aria-pressed="true"]').first().waitFor()

  await page.goto(`${pro}/brands`)
  await page.locator('[data-signed-in]').waitFor()
  await page.waitForTimeout(1000)
  assert.equal(await page.locator(open).count(), 0)
  await page.context().close()
})

test('R-622 a change that could not be saved does not show the modal again in this tab', async () => {
  const page = await signedIn()
  const notes = { b2b_welcome: false, b2b_vat_modal: false, buy_number_cluster: 'PROSPECTS' }
  const unread = { ...notes, b2b_intention: 'CONVERTED', b2b_suspected_pro: 'NOT_SUSPECTED_PRO' }
  await page.route(
    (url) => url.href.includes(GetCustomerSegmentsDocument.id),
    (route) => route.fulfill({ json: { data: { customerSegments: unread } } }),
  )
  await page.route('**/customer-segment/customers', (route) => route.abort())
  await page.goto(`${pro}/brands`)
  const dialog = page.getByRole('dialog', { name: t('pro-modal.welcome.title') })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: t('shell.close') }).click()
  await page.goto(`${pro}/brands`)
  await page.locator('[data-signed-in]').waitFor()
  await page.waitForTimeout(1000)
  assert.equal(await page.locator(open).count(), 0)
  await page.context().close()
})

test('consumers and anonymous visitors see no modal, and the consumer storefront has none', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(pro)
  await page.waitForTimeout(1000)
  assert.equal(await page.locator(open).count(), 0)
  await page.goto(originOf(shop.origin, 'fr', 'b2c'))
  assert.equal(await page.locator('dialog').count(), 0)
  await context.close()
})
