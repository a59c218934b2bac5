import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paths } from '@purlin/storefront/paths.ts'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { cardFrame, expectReceipt, offersOfTwoSellers } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { variantsOf } from '../support/variants.ts'
import { people, type Visitor } from '../support/visitor.ts'

/** The length of a guest's way from a product to the receipt, in pages, required fields, taps and tabs. (V-41) */

const journey = startJourney()
const card = { number: '4000000000000002', expiry: '12 / 32', code: '123' }

/** The pages a visitor stops at; redirects are none. */
function watchPages(page: Page): string[] {
  const seen: string[] = []
  page.on('load', () => {
    const { pathname } = new URL(page.url())
    if (seen.at(-1) !== pathname) seen.push(pathname)
  })
  return seen
}

/** Names of the fields that have to be filled in before a form is accepted; choices made already do not count. */
const requiredIn = (place: Page | FrameLocator): Promise<string[]> =>
  place
    .locator('main form :is(input, select, textarea):is([required], [aria-required="true"]):not([type="radio"], [type="hidden"])')
    .evaluateAll((fields) => fields.filter((field) => field.checkVisibility()).map((field) => field.getAttribute('name') ?? ''))

async function typeDetails({ page, market }: Visitor, fill: (box: Locator, value: string) => Promise<void>): Promise<void> {
  const { firstName, lastName, line1, postcode, city } = people[market]
  const values = { email: `short.${market}.${Date.now()}@buyer.example`, name: `${firstName} ${lastName}`, line1, postcode, city }
  for (const [name, value] of Object.entries(values)) await fill(page.locator(`main form[data-details] [name="${name}"]`), value)
}

for (const market of variantsOf(['de', 'gb'] as const))
  test(`V-41 in ${market} on a phone a guest goes from a product to the receipt over 3 pages, with 8 required fields and 5 taps`, async () => {
    const buyer = await journey.visit({ market, viewport: { width: 390, height: 844 } })
    const { page, origin, t } = buyer
    const [offer] = await offersOfTwoSellers(buyer)
    assert.ok(offer)
    await page.goto(origin + offer.url)
    await page.waitForLoadState('networkidle')
    const pages = watchPages(page)
    let taps = 0
    const tap = async (what: Locator) => {
      taps += 1
      await what.click()
    }
    const add = page
      .getByRole('button', { name: t('goods.add'), exact: true })
      .filter({ visible: true })
      .first()
    await Promise.all([page.waitForResponse((response) => /"offerId"|do=add/.test(response.request().postData() ?? '')), tap(add)])
    await tap(page.locator('header').getByRole('link', { name: t('shell.cart') }))
    await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
    await tap(page.getByRole('link', { name: t('cart.order') }))
    await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
    const fields = await requiredIn(page)
    // The bar with the total stays in sight while the form is scrolled.
    await page.getByRole('button', { name: t('checkout.address.continue') }).scrollIntoViewIfNeeded()
    const bar = await page.locator('[data-summary="bar"]').boundingBox()
    assert.ok(bar && bar.y >= 0 && bar.y < 844, `the total is in sight: ${JSON.stringify(bar)}`)
    await typeDetails(buyer, (box, value) => box.fill(value))
    await tap(page.getByRole('button', { name: t('checkout.address.continue') }))
    await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
    const frame = await cardFrame(buyer)
    await frame.locator('input[name=number]').waitFor()
    fields.push(...(await requiredIn(frame)))
    for (const [name, value] of Object.entries(card)) await frame.locator(`input[name=${name}]`).fill(value)
    await tap(frame.locator('form button').first())
    const id = await expectReceipt(buyer)
    assert.deepEqual(fields, ['email', 'name', 'line1', 'postcode', 'city', 'number', 'expiry', 'code'])
    assert.equal(taps, 5)
    const between = pages.filter((path) => path !== offer.url && path !== paths.spartacuxPayment() && path !== new URL(page.url()).pathname)
    assert.deepEqual(between, ['/cart', '/checkout/address', `/order/${id}/secure-payment`])
    assert.deepEqual(buyer.complaints, [])
    await buyer.leave()
  })

test('R-291 in gb a purchase by keyboard alone takes at most 60 presses of Tab, from the product to the receipt', async () => {
  const buyer = await journey.visit({ market: 'gb' })
  const { page, origin, t } = buyer
  const { keyboard } = page
  const [offer] = await offersOfTwoSellers(buyer)
  assert.ok(offer)
  await page.goto(origin + offer.url)
  await page.waitForLoadState('networkidle')
  let tabs = 0
  const tabTo = async (goal: Locator) => {
    await goal.waitFor()
    for (let more = 0; more < 60; more++) {
      if (await goal.evaluate((element) => element === element.ownerDocument.activeElement)) return
      tabs += 1
      await keyboard.press('Tab')
    }
    assert.fail(`${goal} is not reached; ${tabs} tabs so far`)
  }
  const skip = async () => {
    tabs += 1
    await keyboard.press('Tab')
    await keyboard.press('Enter')
  }
  const steps: Record<string, number> = {}
  const note = (step: string) => (steps[step] = tabs)
  await skip()
  // The next link leads past pictures and options to price and delivery.
  await skip()
  await tabTo(page.getByRole('button', { name: t('goods.add'), exact: true }).first())
  const added = page.waitForResponse((response) => /"offerId"|do=add/.test(response.request().postData() ?? ''))
  await keyboard.press('Space')
  await added
  note('added')
  await tabTo(page.locator('main form a[href="/cart"]:visible').first())
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
  note('cart')
  await skip()
  await tabTo(page.getByRole('link', { name: t('cart.order') }))
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
  note('details')
  await skip()
  await typeDetails(buyer, async (box, value) => {
    await tabTo(box)
    await keyboard.type(value)
  })
  // Enter in a field sends the form.
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  note('payment')
  const frame = await cardFrame(buyer)
  await frame.locator('input[name=number]').waitFor()
  for (const [name, value] of Object.entries(card)) {
    await tabTo(frame.locator(`input[name=${name}]`))
    // The field groups the digits of the date by itself.
    await keyboard.type(value.replace(' / ', ''))
  }
  await keyboard.press('Enter')
  await expectReceipt(buyer)
  assert.ok(tabs <= 60, `${tabs} presses: ${JSON.stringify(steps)}`)
  await buyer.leave()
})

test('V-41 the total follows another choice of delivery before the form is sent', async () => {
  const buyer = await journey.visit({ market: 'gb' })
  const { page, origin, t } = buyer
  const offers = await offersOfTwoSellers(buyer)
  const summary = page.locator('[data-summary="aside"]')
  for (const offer of offers) {
    // A press before the script is there leads to the basket instead.
    await page.goto(origin + offer.url, { waitUntil: 'networkidle' })
    await page
      .getByRole('button', { name: t('goods.add'), exact: true })
      .first()
      .click()
    await page.locator('main form a[href="/cart"]:visible').first().waitFor()
  }
  await page.goto(`${origin}/order`)
  await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
  const ways = page.locator('main form[data-details] input[type="radio"]')
  const before = await summary.innerText()
  // A pick-up point would have to be chosen as well.
  const others = await ways.evaluateAll((radios: HTMLInputElement[]) =>
    radios.flatMap(({ checked, value }, index) => (checked || value === 'relay' ? [] : [index])),
  )
  assert.ok(others.length > 0, 'one of these sellers delivers in two ways')
  await ways.nth(others[0]!).check()
  await page.waitForFunction((was) => document.querySelector<HTMLElement>('[data-summary="aside"]')?.innerText !== was, before)
  const after = await summary.innerText()
  await page.reload()
  assert.equal(await summary.innerText(), after, 'the page itself shows the same')
  assert.deepEqual(buyer.complaints, [])
  await buyer.leave()
})
