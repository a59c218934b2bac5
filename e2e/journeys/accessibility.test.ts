import type { PlainKey } from '@purlin/words/catalogues.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFaultless, assertFits, faultsOf } from '../support/axe.ts'
import { standStill } from '../support/browser.ts'
import { expectReceipt, fillAddress, fillCart, typeCard } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { shoppingPages } from '../support/shopping-pages.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const { visit } = startJourney()

test('the check itself detects a picture without alternative text, a field without a name and a page without a language', async () => {
  const visitor = await visit({ market: 'gb' })
  await visitor.page.setContent('<title>x</title><main><img src="x.png"><input></main>')
  const found = (await faultsOf(visitor.page.mainFrame())).map((fault) => fault.split(':')[0])
  assert.deepEqual(found.toSorted(), ['html-has-lang', 'image-alt', 'label', 'page-has-heading-one'])
  await visitor.leave()
})

const widths = [320, 360, 390, 600, 768, 1024, 1280, 1920]

// The consumer storefront of one market, and the professional storefront with the longest words of another.
for (const [market, mode] of variantsOf([
  ['gb', 'b2c'],
  ['de', 'b2b'],
] as const)) {
  test(`R-291 in ${market} ${mode} the pages of the shop have no axe violations, light and wide, dark and narrow, and never scroll sideways`, async () => {
    const visitor = await visit({ market, mode })
    const { page, origin, complaints } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const pages = Object.entries({ ...(await shoppingPages(visitor)), 'cart, empty': '/cart' })
    for (const [index, [name, path]] of pages.entries()) {
      // Ten cards have the same violations as forty-eight.
      await page.goto(`${origin}${path}?size=10`)
      await standStill(page)
      // Each page is light and wide in one market, dark and narrow in the other.
      const [colorScheme, width] = (index % 2 === 0) === (market === 'gb') ? (['light', 1440] as const) : (['dark', 390] as const)
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await assertFaultless(visitor, `${name}, ${colorScheme}, ${width}`)
      await assertFits(visitor, name, widths)
      await page.emulateMedia({ colorScheme: 'light' })
    }
    // The browser logs the missing page; nothing else may be wrong.
    assert.deepEqual(
      complaints.filter((line) => !line.includes('there-is-nothing-here')),
      [],
    )
    await visitor.leave()
  })
}

// One market is checked on a wide screen, the other as on a phone; both are narrowed afterwards.
for (const [market, mode, viewport] of variantsOf([
  ['de', 'b2b', { width: 390, height: 844 }],
  ['gb', 'b2c', { width: 1280, height: 900 }],
] as const)) {
  test(`R-053 R-098 R-291 in ${market} ${mode} at ${viewport.width} px the same holds from the cart to the order, and refusals are announced`, async () => {
    const visitor = await visit({ market, mode, viewport })
    const { page, t, origin } = visitor
    const heading = (key: PlainKey) => page.getByRole('heading', { level: 1, name: t(key) }).waitFor()
    await fillCart(visitor)
    await look(visitor, 'cart')
    await page.getByRole('link', { name: t('cart.order') }).click()
    await heading('checkout.address.title')
    await page.goto(`${origin}/checkout/register`)
    await heading('checkout.register.title')
    await look(visitor, 'register')
    await page.getByLabel(t('checkout.register.email')).fill(`axe.${market}.${Date.now()}@buyer.example`)
    await page.getByRole('button', { name: t('checkout.register.continue') }).click()
    await heading('checkout.address.title')
    await look(visitor, 'address')
    // As a browser without built-in validation would send it.
    await page.locator('main form').evaluateAll((forms: HTMLFormElement[]) => forms.forEach((form) => (form.noValidate = true)))
    await page.getByRole('button', { name: t('checkout.address.continue') }).click()
    await page.getByText(t('checkout.error.title')).waitFor()
    await look(visitor, 'address, refused')
    for (const key of ['name', 'line1', 'postcode', 'city'] as const) {
      const field = page.getByLabel(t(`checkout.address.${key}`), { exact: true }).first()
      assert.equal(await field.getAttribute('aria-invalid'), 'true', key)
      const explained = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
      const words = await page.evaluate(
        (ids) =>
          ids
            .map((id) => document.getElementById(id)?.textContent ?? '')
            .join(' ')
            .trim(),
        explained,
      )
      assert.notEqual(words, '', `${key} says what is wrong`)
    }
    await fillAddress(visitor)
    await page.getByRole('link', { name: t('checkout.payment.edit') }).click()
    await heading('checkout.delivery.title')
    await look(visitor, 'delivery')
    await page.getByRole('button', { name: t('checkout.delivery.continue') }).click()
    await heading('checkout.payment.title')
    await page.locator('iframe').contentFrame().locator('input[name=number]').waitFor()
    await look(visitor, 'payment')
    await typeCard(visitor, '4000000000000002')
    const id = await expectReceipt(visitor)
    await look(visitor, 'receipt')
    await page.getByRole('link', { name: t('checkout.receipt.view') }).click()
    await page.getByRole('heading', { level: 1, name: t('checkout.order.title', { id }) }).waitFor()
    await look(visitor, 'order')
    assert.ok(page.url().startsWith(origin))
    await visitor.leave()
  })
}

/** The current page: axe violations, and whether it is wider than a phone's viewport. */
async function look(visitor: Visitor, name: string): Promise<void> {
  await assertFaultless(visitor, name)
  await assertFits(visitor, name, [390, 320])
}
