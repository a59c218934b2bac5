import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCart } from '../support/buying.ts'
import { queryShop } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { shoppingPages } from '../support/shopping-pages.ts'
import type { Visitor } from '../support/visitor.ts'

const { visit } = startJourney()

interface Found {
  listing: { cards: { url: string; productId: string }[] }
}
interface Measured {
  product: {
    url: string
    unitMeasure: string | null
    unitQuantity: number | null
    bestOffer: { stock: number; bulk: number | null } | null
  } | null
}

/** Products sold by the square metre, with enough stock. */
async function flooring(visitor: Visitor): Promise<{ url: string; perPack: number; step: number }> {
  const ask = <Data>(query: string) => queryShop<Data>(visitor, query)
  const { listing } = await ask<Found>('{ listing(input: { kind: search, query: "flooring", pageSize: 60 }) { cards { url productId } } }')
  for (const { productId } of listing.cards) {
    const { product } = await ask<Measured>(`{ product(id: "${productId}") { url unitMeasure unitQuantity bestOffer { stock bulk } } }`)
    if (product?.unitMeasure === 'm2' && product.unitQuantity && product.bestOffer && product.bestOffer.stock >= 12)
      return { url: product.url, perPack: product.unitQuantity, step: product.bestOffer.bulk ?? 1 }
  }
  throw new Error('The demo shop has no flooring')
}

test('the calculator converts square metres into packs, with and without an allowance for cuts', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin, t } = visitor
  const { url, perPack, step } = await flooring(visitor)
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto(origin + url)
  const quantity = page.locator('form[data-add-to-cart] input[name=quantity]').first()
  const need = page.getByLabel(t('product.coverage-need', { unit: t('product.unit.m2') }))
  const answer = page.locator('fieldset', { has: need }).getByRole('status')
  await page.waitForLoadState('networkidle')
  const hasReact = () => scripts.some((url) => url.includes('/hydrate-'))
  assert.equal(hasReact(), false, 'React comes with the first touch')
  const packs = (wanted: number) => Math.ceil(Math.ceil(wanted / perPack - 1e-9) / step) * step
  const said = (count: number) => answer.filter({ hasText: new RegExp(`^${count} .*m²$`) }).waitFor()
  const wanted = Number(String(perPack * 3 - 0.01).slice(0, 6))
  await need.fill(String(wanted))
  await said(packs(wanted))
  assert.ok(hasReact())
  assert.equal(Number(await quantity.inputValue()), packs(wanted))
  await page.getByLabel(t('product.coverage-spare', { percent: 10 })).check()
  await said(packs(wanted * 1.1))
  assert.equal(Number(await quantity.inputValue()), packs(wanted * 1.1))
  const less = page.getByRole('button', { name: t('cart.less') }).first()
  assert.equal(await less.isEnabled(), packs(wanted * 1.1) > step, 'the stepper counts on from there')
  await need.fill('nonsense')
  assert.equal(await answer.innerText(), '')
  await visitor.leave()
})

test('the stepper stays within the stock', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin, t } = visitor
  const { url, step } = await flooring(visitor)
  await page.goto(origin + url)
  const quantity = page.locator('form[data-add-to-cart] input[name=quantity]').first()
  const more = page.getByRole('button', { name: t('cart.more') }).first()
  const less = page.getByRole('button', { name: t('cart.less') }).first()
  await more.click()
  assert.equal(Number(await quantity.inputValue()), 2 * step)
  await less.click()
  assert.equal(Number(await quantity.inputValue()), step)
  assert.ok(await less.isDisabled(), 'never below one lot')
  await quantity.fill('999999')
  await quantity.press('Tab')
  assert.equal(
    Number(await quantity.inputValue()),
    Number(await quantity.getAttribute('max')) - (Number(await quantity.getAttribute('max')) % step),
  )
  assert.ok(await more.isDisabled())
  await visitor.leave()
})

test('thumbnails show the large picture, by pointer and by keyboard', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin, t } = visitor
  const { product } = await shoppingPages(visitor)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(origin + product!)
  await page.waitForLoadState('networkidle')
  const thumb = (number: number) => page.getByRole('link', { name: t('product.picture', { number }), exact: true })
  await thumb(2).click()
  await page.waitForFunction(() => document.querySelector('[data-thumb="1"]')?.getAttribute('aria-current') === 'true')
  assert.doesNotMatch(page.url(), /#picture/, 'the page stays where it is')
  await thumb(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('[data-thumb="0"]')?.getAttribute('aria-current') === 'true')
  await visitor.leave()
})

test('the product page works without a script', async () => {
  const visitor = await visit({ market: 'gb', javaScript: false })
  const { page, origin, t } = visitor
  const { url, step } = await flooring(visitor)
  await page.goto(origin + url)
  assert.equal(await page.getByRole('button', { name: t('cart.more') }).count(), 0, 'no button that does nothing')
  await page
    .locator('form[data-add-to-cart] input[name=quantity]')
    .first()
    .fill(String(2 * step))
  await page
    .getByRole('button', { name: t('goods.add'), exact: true })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
  assert.equal(await page.locator('input[name=quantity]').inputValue(), String(2 * step))
  await visitor.leave()
})

test('the cart: more, less, another delivery, an unknown code, removal; with and without a script', async () => {
  for (const javaScript of [true, false]) {
    const visitor = await visit({ market: 'de', javaScript })
    const { page, t } = visitor
    await fillCart(visitor)
    const quantity = page.locator('input[name=quantity]').first()
    await page
      .getByRole('button', { name: t('cart.more') })
      .first()
      .click()
    await page.locator('input[name=quantity][value="2"]').first().waitFor()
    await quantity.fill('3')
    await quantity.press('Enter')
    await page.locator('input[name=quantity][value="3"]').first().waitFor()
    const seller = await page.locator('form[data-cart-delivery]').evaluateAll((forms) => {
      const other = forms.flatMap((form) => [...form.querySelectorAll<HTMLInputElement>('input[name=kind]:not(:checked)')])[0]
      return other && { id: new FormData(other.form!).get('sellerId') as string, kind: other.value }
    })
    if (seller) {
      const form = page.locator('form[data-cart-delivery]').filter({ has: page.locator(`input[name=sellerId][value="${seller.id}"]`) })
      await form.locator(`input[value=${seller.kind}]`).check()
      if (!javaScript) await form.getByRole('button', { name: t('cart.delivery-choose') }).click()
      await form.locator(`input[value=${seller.kind}][checked]`).waitFor()
    }
    await page.locator('summary', { hasText: t('cart.coupon-have') }).click()
    await page.getByLabel(t('cart.coupon'), { exact: true }).fill('NOPE')
    await page.getByRole('button', { name: t('cart.coupon-apply') }).click()
    await page.locator('#code-error').waitFor()
    assert.equal(await page.getByLabel(t('cart.coupon'), { exact: true }).inputValue(), 'NOPE', 'nothing typed is lost')
    for (let lines = 2; lines > 0; lines--) {
      await page
        .getByRole('button', { name: new RegExp(`^${t('cart.remove')}`) })
        .first()
        .click()
      await page.waitForFunction((left) => document.querySelectorAll('input[value=remove]').length === left, lines - 1)
    }
    await page.getByRole('heading', { level: 1, name: t('cart.empty') }).waitFor()
    await visitor.leave()
  }
})

test('on a phone the filters are a sheet that shows the number of results, and Escape closes it', async () => {
  const visitor = await visit({ market: 'gb', viewport: { width: 390, height: 844 } })
  const { page, origin, t } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  const opener = page.locator('summary', { hasText: t('listing.filters') })
  await opener.click()
  const show = page.locator('[data-facet-show]')
  const before = await show.innerText()
  await page.locator('input[name="f[brand]"]').first().check()
  await page.waitForFunction((text) => document.querySelector('[data-facet-show]')?.textContent !== text, before)
  assert.match(page.url(), /great-deals$/, 'nothing happens before it is asked for')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('[data-facet-sheet]').getAttribute('open'), null)
  assert.ok(await opener.evaluate((element) => element === document.activeElement), 'focus goes back to the button')
  await opener.click()
  await show.click()
  await page.waitForURL(/f%5Bbrand%5D/)
  await visitor.leave()
})

test('the menu opens and closes by keyboard, and only one at a time is open', async () => {
  const visitor = await visit({ market: 'fr', viewport: { width: 1440, height: 900 } })
  const { page, origin, t } = visitor
  await page.goto(origin)
  await page.waitForLoadState('networkidle')
  const menu = page.locator('summary', { hasText: t('shell.menu') })
  await menu.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('navigation', { name: t('shell.menu') })
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  assert.ok(await menu.evaluate((element) => element === document.activeElement))
  await menu.click()
  await panel.waitFor()
  await page.locator('summary', { hasText: t('shell.markets') }).click()
  await panel.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Deutschland' }).first().click()
  await page.waitForURL(/de\.localhost/)
  await visitor.leave()
})
