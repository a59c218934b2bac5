import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCart } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'

const journey = startJourney({ pictures: false })

for (const javaScript of [true, false])
  test(`V-27 a refused code is reported at its field, visible and focused, on a phone ${javaScript ? 'with' : 'without'} JavaScript`, async () => {
    const buyer = await journey.visit({ market: 'de', javaScript, viewport: { width: 390, height: 844 } })
    const { page, t } = buyer
    await fillCart(buyer)
    await page.locator('summary', { hasText: t('cart.coupon-have') }).click()
    await page.getByLabel(t('cart.coupon'), { exact: true }).fill('GIBTESNICHT')
    await page.getByRole('button', { name: t('cart.coupon-apply') }).click()
    const message = page.locator('#code-error')
    await message.waitFor()
    await page.locator('#code:focus').waitFor()
    for (const locator of [message, page.locator('#code')]) {
      const box = await locator.boundingBox()
      assert.ok(box && box.y >= 0 && box.y + box.height <= 844, `in sight: ${JSON.stringify(box)}`)
    }
    assert.equal(await page.locator('#code').inputValue(), 'GIBTESNICHT')
    assert.match((await page.locator('#code').getAttribute('aria-describedby')) ?? '', /code-error/)
    await buyer.leave()
  })
