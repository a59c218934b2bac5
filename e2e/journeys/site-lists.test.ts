import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJourney } from '../support/journey.ts'
import { stateChecks } from '../support/page-states.ts'
import { lookAtState } from '../support/pro-states.ts'
import { proThings } from '../support/pro-things.ts'
import { withoutNotes } from '../support/professionals.ts'

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })

test('R-122 R-291 a buyer fills a list for a building site, a colleague finds it with the site and buys all of it; no axe violations, every width', async () => {
  const visitor = await journey.visit({ market: 'de', mode: 'b2b' })
  const { page, origin, t } = visitor
  await withoutNotes(page)
  const checks = stateChecks(visitor)
  const things = await proThings(journey.shop.databaseUrl(), visitor)
  const wrong: string[] = []
  const look = async (name: string, path: string, as: 'admin' | 'buyer' | 'viewer') => {
    const state = { name, path, as, isFailing: false }
    wrong.push(...(await lookAtState({ visitor, checks, things }, state)))
  }

  await look('siteLists-form', '/my-account/wishlists', 'buyer')
  await page.getByLabel(t('wishlist.name')).fill('Rohbau')
  await page.getByLabel(t('wishlist.site')).selectOption({ index: 1 })
  await page.getByRole('button', { name: t('wishlist.create') }).click()
  await page.waitForURL(/\/my-account\/wishlists\/[\w-]+$/)
  const list = new URL(page.url()).pathname

  // Hearts fill the buyer's own list, from which the products are copied.
  await page.goto(`${origin}/great-deals`)
  for (const heart of (await page.locator('main form:has([name="productId"]) button').all()).slice(0, 2)) {
    await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), heart.click()])
  }
  // The message after a heart leads to the lists of the company's sites.
  const save = page.getByRole('link', { name: t('wishlist.save') })
  const saved = (await save.getAttribute('href')) ?? ''
  await save.click()
  await page.getByLabel(t('wishlist.save.list'), { exact: true }).selectOption({ value: list.split('/').at(-1) ?? '' })
  await page.getByLabel(t('wishlist.quantity'), { exact: true }).fill('3')
  await page.getByRole('button', { name: t('wishlist.quantity.save'), exact: true }).click()
  await page.waitForURL(origin + list)
  assert.equal(await page.locator('main [id^="quantity-"]').inputValue(), '3')
  await look('siteLists-save', saved, 'buyer')

  await page.goto(`${origin}/my-account/wishlists`)
  await page.getByRole('link', { name: t('wishlist.first') }).click()
  await page.getByLabel(t('wishlist.copy')).selectOption(list.split('/').at(-1) ?? '')
  await page.getByRole('button', { name: t('wishlist.copy.do') }).click()
  await page.waitForURL(origin + list)
  await look('siteLists-buyer', list, 'buyer')
  assert.equal(await page.getByRole('button', { name: t('wishlist.share') }).count(), 0, 'a buyer shares no list of the company')

  await look('siteLists-sites', '/my-account/company/sites', 'admin')
  await look('siteLists-quick-order', '/quick-order', 'admin')
  await look('siteLists-admin', list, 'admin')
  await page.getByRole('button', { name: t('wishlist.all-to-cart'), exact: true }).click()
  await page.waitForURL(`${origin}/cart`)
  assert.ok((await page.locator('main [name="offerId"]').count()) > 0)
  const quantities = await page
    .locator('main [name="quantity"]')
    .evaluateAll((fields) => fields.map((each) => (each as HTMLInputElement).value))
  assert.ok(quantities.includes('3'), `${quantities.join()} has the quantity of the list`)

  await page.goto(`${origin}/checkout/address`)
  await page.getByText(t('order-reference.site-of-list')).waitFor()
  const charged = page.getByLabel(t('order-reference.charged-site'), { exact: true })
  assert.notEqual(await charged.inputValue(), '', 'the site of the list is chosen')
  await checks.look('siteLists-checkout')
  assert.equal([...wrong, ...checks.faults].join('\n'), '')
  await visitor.leave()
})
