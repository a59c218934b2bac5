import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'

const { visit } = startJourney()

test('with scripts a filter takes effect at once, and the scroll position stays', async () => {
  const visitor = await visit({ market: 'gb' })
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
    const visitor = await visit({ market: 'de', mode: 'b2b', javaScript })
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

test('an added product shows in the header and in a message that stays readable in the log', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  const goesWith = page.waitForResponse((answer) => answer.url().includes('placement=add_to_cart'))
  await page.locator('[data-card] button[name=offerId], form[data-add-to-cart] button').first().click()
  const message = page.locator('[data-flash]').first()
  await message.waitFor()
  assert.equal(await page.locator('[data-cart-count]').innerText(), '1')
  // Whether something goes with the product depends on what others have bought; that sheet moves the message up, away from a pointer.
  const rows = await (await goesWith).text()
  if (rows.includes('data-row')) await page.locator('[data-row="added"]').waitFor()
  await message.hover()
  await page.waitForTimeout(5_500)
  assert.equal(await page.locator('[data-flash]').count(), 1, 'the pointer stops the clock')
  await page.mouse.move(5, 5)
  await page.waitForFunction(() => document.querySelectorAll('[data-flashes] [data-flash]').length === 0, null, { timeout: patient(7_000) })
  assert.equal(await page.locator('[data-flash-log] li').count(), 1)
  await visitor.leave()
})
