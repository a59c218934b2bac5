import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/axe.ts'
import { startJourney } from '../support/journey.ts'

const { visit } = startJourney({ pictures: false })

/** Names of what the service worker has stored; the basket counts once its section is there. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const basket = await (await caches.open('offline-basket')).match('/offline/basket')
    const isFilled = (await basket?.text())?.includes('data-offline-basket') ?? false
    const page = await (await caches.open('offline-page')).match('/offline')
    return { page: page !== undefined, basket: isFilled }
  })
const untilStored = async (page: Page) => {
  await page.waitForFunction(async () => {
    const response = await (await caches.open('offline-basket')).match('/offline/basket')
    return response !== undefined && (await (await caches.open('offline-page')).match('/offline')) !== undefined
  })
}

for (const market of ['gb', 'de'] as const)
  test(`${market}: without a connection a page says so and shows the basket; with one again, the wanted page comes`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await page.goto(`${origin}/great-deals`)
    await page.waitForLoadState('networkidle')
    assert.equal(
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      0,
      'not for a visitor who looks',
    )
    const card = page.locator('[data-card]').first()
    const title = (await card.locator(':is(h2, h3, h4) a').first().innerText()).trim()
    await card.locator('button[name=offerId]').click()
    await untilStored(page)

    await page.context().setOffline(true)
    await page.goto(`${origin}/help-center`).catch(() => undefined)
    assert.equal(await page.locator('h1').innerText(), t('offline.title'))
    assert.equal(new URL(page.url()).pathname, '/help-center', 'the wanted address stays')
    assert.match(await page.locator('[data-offline-basket] li').innerText(), new RegExp(`^1 × ${RegExp.escape(title)}`))
    await page.setViewportSize({ width: 320, height: 640 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scroll at 320 px')
    assert.deepEqual(await faultsOf(page.mainFrame()), [])

    await page.context().setOffline(false)
    await page.getByRole('link', { name: t('offline.retry') }).click()
    await page.waitForFunction((words) => document.querySelector('h1')?.textContent !== words, t('offline.title'))
    assert.equal(new URL(page.url()).pathname, '/help-center')
    await visitor.leave()
  })

test('the stored basket follows the basket, and signing out deletes it', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  await page.locator('[data-card] button[name=offerId]').first().click()
  await untilStored(page)
  assert.deepEqual(await stored(page), { page: true, basket: true })
  await page.evaluate(() => caches.delete('offline-basket'))
  await page.goto(`${origin}/cart`)
  await untilStored(page)
  await page.goto(`${origin}/api/v1/logout`)
  await page.waitForFunction(async () => !(await caches.has('offline-basket')))
  await visitor.leave()
})
