import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { faultsOf } from '../support/axe.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { signIn } from '../support/signing-in.ts'
import { variantsOf } from '../support/variants.ts'

const { visit } = startJourney({ pictures: false })

/** Waits until the service worker has stored the page and the basket. */
async function untilStored(page: Page): Promise<void> {
  const isStored = () =>
    page.evaluate(async () => {
      const basket = await caches.match('/offline/basket')
      return (await caches.has('offline-page')) && ((await basket?.text())?.includes('data-offline-basket') ?? false)
    })
  for (let waitedMs = 0; !(await isStored()); waitedMs += 100) {
    assert.ok(waitedMs < patient(10_000), 'nothing was stored')
    await page.waitForTimeout(100)
  }
}

for (const market of variantsOf(['de', 'gb'] as const))
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
    await page.goto(`${origin}/help`).catch(() => undefined)
    assert.equal(await page.locator('h1').innerText(), t('offline.title'))
    assert.equal(new URL(page.url()).pathname, '/help', 'the wanted address stays')
    assert.match(await page.locator('[data-offline-basket] li').first().innerText(), new RegExp(`^1 × ${RegExp.escape(title)}`))
    await page.setViewportSize({ width: 320, height: 640 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scroll at 320 px')
    assert.deepEqual(await faultsOf(page.mainFrame()), [])

    await page.context().setOffline(false)
    await page.getByRole('link', { name: t('offline.retry') }).click()
    await page.waitForFunction((words) => document.querySelector('h1')?.textContent !== words, t('offline.title'))
    assert.equal(new URL(page.url()).pathname, '/help')
    await visitor.leave()
  })

test('the stored basket follows the basket, a sign-in passes the worker once, and signing out deletes the stored basket', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  await page.locator('[data-card] button[name=offerId]').first().click()
  await untilStored(page)
  await page.evaluate(() => caches.delete('offline-basket'))
  await page.goto(`${origin}/cart`)
  await untilStored(page)
  // A callback requested twice, once by the preload, would be refused the second time.
  await signIn(visitor, 'grace@example.com')
  await page.goto(`${origin}/api/v1/logout`)
  for (let waitedMs = 0; await page.evaluate(() => caches.has('offline-basket')); waitedMs += 100) {
    assert.ok(waitedMs < patient(10_000), 'the basket was not deleted')
    await page.waitForTimeout(100)
  }
  await visitor.leave()
})
