import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFaultless, assertFits } from '../support/axe.ts'
import { standStill } from '../support/browser.ts'
import { startJourney } from '../support/journey.ts'
import { signIn } from '../support/signing-in.ts'
import { variantsOf } from '../support/variants.ts'

const { visit } = startJourney()
/** Each page, with something of the person's past that it shows. */
const pages = {
  '/customer-area': 'main [href="/orders"]',
  '/orders': 'main a[href^="/orders/"]',
  '/my-wallet': 'main form:not([method=dialog])',
  '/my-advantages': 'main code',
  '/my-account/addresses': 'main form',
  '/my-account/addresses?add=1': 'main [name="line1"]',
  '/my-account/wishlists': 'main a[href^="/my-account/wishlists/"]',
} as const

for (const [market, email] of variantsOf([
  ['gb', 'grace@example.com'],
  ['de', 'jonas@example.com'],
] as const))
  test(`R-291 R-012 R-014 R-015 R-016 in ${market} the pages of an account with a past have no axe violations, light and dark, and never scroll sideways`, async () => {
    const visitor = await visit({ market })
    const { page, origin } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await signIn(visitor, email)
    for (const [path, sign] of Object.entries(pages)) {
      await page.goto(origin + path)
      await page.locator(sign).first().waitFor()
      await standStill(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await assertFaultless(visitor, `${path}, ${colorScheme}`)
      }
      await assertFits(visitor, path, [320, 390, 768, 1440])
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await visitor.leave()
  })

test('R-090 R-139 R-185 a professional ticks what is needed again and buys a whole order once more; consumers have no such page', async () => {
  const visitor = await visit({ market: 'fr', mode: 'b2b', javaScript: false })
  const { page, origin, t } = visitor
  await signIn(visitor, 'camille@mercier.example', '/orders')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('again.title'), exact: true })
    .click()
  assert.equal(new URL(page.url()).pathname, '/buy-again')
  await assertFits(visitor, '/buy-again', [320, 390, 1440])
  // The article ordered every two months is due and therefore ticked.
  await page.getByText(t('again.due')).first().waitFor()
  const due = page.locator('input[name="take"]:checked')
  const offer = await due.first().inputValue()
  await page.locator(`[name="quantities.${offer}"]`).fill('3')
  await page.getByRole('button', { name: t('again.add') }).click()
  await page.getByText(t('flash.list-added')).waitFor()
  assert.equal(await page.locator(`[name="quantity"][value="3"]`).count(), 1)
  await page.goto(`${origin}/orders?state=delivered`)
  await page.locator('main a[href^="/orders/customer-order/"]').first().click()
  await page.getByRole('button', { name: t('again.order') }).click()
  await page.waitForURL(`${origin}/cart`)
  assert.ok((await page.locator('main input[name="quantity"]').count()) >= 1)
  await visitor.leave()
  const consumer = await visit({ market: 'gb' })
  await signIn(consumer, 'grace@example.com')
  const answer = await consumer.page.goto(`${consumer.origin}/buy-again`)
  assert.deepEqual([answer?.status(), new URL(consumer.page.url()).pathname], [200, '/pro-account/signup'])
  assert.equal(await consumer.page.locator('[href="/buy-again"]').count(), 0)
  await consumer.leave()
})
