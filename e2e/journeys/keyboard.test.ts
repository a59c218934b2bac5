import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { startJourney } from '../support/journey.ts'
import { people, type Visitor } from '../support/visitor.ts'

const { visit } = startJourney()

for (const [market, words] of [
  ['gb', 'drill'],
  ['fr', 'perceuse'],
  ['de', 'schrauber'],
] as const) {
  test(`R-291 R-710 in ${market} the home page to the payment page can be navigated by keyboard alone, with a visible focus`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    const { keyboard } = page
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await page.goto(origin)
    await page.waitForLoadState('networkidle')

    await keyboard.press('Tab')
    assert.equal(await page.locator(':focus').innerText(), t('shell.skip'), 'the first stop leads past the header')
    await assertSeen(visitor)

    await tabTo(visitor, page.getByLabel(t('search.label')).filter({ visible: true }))
    await keyboard.type(words, { delay: 30 })
    const goods = page.getByRole('group', { name: t('search.products') }).getByRole('option')
    await goods.first().waitFor()
    await keyboard.press('End')
    // In the field the key moves the cursor; from the field, up selects the last item: a product.
    await keyboard.press('ArrowUp')
    const chosen = goods.last()
    assert.equal(await chosen.getAttribute('aria-selected'), 'true')
    const title = await chosen.locator('[data-text]').innerText()
    await keyboard.press('Enter')
    await heading(title)
    await page.waitForLoadState('networkidle')

    await tabTo(visitor, page.getByRole('button', { name: t('goods.add'), exact: true }).first())
    await keyboard.press('Space')
    await page.locator('[data-flash]').first().waitFor()
    // Backwards from here the header's cart is close.
    await tabTo(visitor, page.locator('header').getByRole('link', { name: t('shell.cart') }), 'Shift+Tab')
    await keyboard.press('Enter')
    await heading(t('cart.title'))

    await tabTo(visitor, page.getByRole('link', { name: t('cart.order') }))
    await keyboard.press('Enter')
    await heading(t('checkout.address.title'))
    await tabTo(visitor, page.getByLabel(t('checkout.register.email')))
    await keyboard.type(`keys.${market}.${Date.now()}@buyer.example`)
    const { firstName, lastName, phone, ...place } = people[market]
    const typed = { name: `${firstName} ${lastName}`, ...place, phone }
    for (const key of ['name', 'line1', 'postcode', 'city', 'phone'] as const) {
      const box = page.getByLabel(t(`checkout.address.${key}`), { exact: true }).first()
      if (key === 'phone' && (await box.count()) === 0) continue
      await tabTo(visitor, box)
      // A town that came with its postcode is selected, and typed over.
      await keyboard.type(typed[key])
    }
    const ways = page.locator('main input[type=radio]')
    if ((await ways.count()) > 1) {
      await tabTo(visitor, page.locator('main input[type=radio]:checked').first())
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowUp')
    }
    await tabTo(visitor, page.getByRole('button', { name: t('checkout.address.continue') }))
    await keyboard.press('Enter')
    await heading(t('checkout.payment.title'))

    const frame = page.locator('iframe')
    await frame.waitFor()
    const number = frame.contentFrame().locator('input[name=number]')
    await number.waitFor()
    await tabUntil(visitor, () => number.evaluate((field) => field.ownerDocument.activeElement === field), 'the card number')
    await keyboard.type('4000000000000002')
    assert.match((await number.inputValue()).replace(/\s/g, ''), /^4000000000000002$/)

    // The frame adapts its height: taller with the test cards open, and as before when they are closed.
    const heightOf = () => frame.evaluate((element) => Math.round(element.getBoundingClientRect().height))
    const isHigher = (than: number) => page.waitForFunction((least) => document.querySelector('iframe')!.clientHeight > least, than)
    const isLower = (than: number) => page.waitForFunction((most) => document.querySelector('iframe')!.clientHeight < most, than)
    const cards = frame.contentFrame().locator('summary')
    const usual = await heightOf()
    await cards.press('Enter')
    await isHigher(usual + 50)
    await cards.press('Enter')
    await isLower(usual + 5)
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
}

test('R-291 the skip link leads to the content, and the menu opens and closes by keyboard', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin, t } = visitor
  await page.goto(origin)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'content')
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(() => document.querySelector('main')!.contains(document.activeElement)), 'the next stop is in the content')

  const menu = page.locator('header summary', { hasText: t('shell.menu') })
  await tabTo(visitor, menu, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const panel = page.locator('header').getByRole('navigation', { name: t('shell.menu') })
  await panel.waitFor()
  await page.keyboard.press('Tab')
  assert.ok(await panel.evaluate((one) => one.contains(document.activeElement)))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  assert.ok(await menu.evaluate((one) => one === document.activeElement), 'and where one was')
  await visitor.leave()
})

test('R-291 on a phone the filters open as a sheet, keep the focus visible, and close with escape', async () => {
  const visitor = await visit({ market: 'gb', viewport: { width: 390, height: 844 } })
  const { page, origin, t } = visitor
  await page.goto(`${origin}/great-deals`)
  await page.waitForLoadState('networkidle')
  const opener = page.locator('[data-facet-sheet] > summary')
  await tabTo(visitor, opener)
  await page.keyboard.press('Enter')
  const close = page.getByRole('button', { name: t('shell.close') }).first()
  await close.waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('[data-facet-close]'))
  await tabTo(visitor, page.locator('input[name="f[brand]"]').first())
  const before = await page.locator('[data-facet-show]').innerText()
  await page.keyboard.press('Space')
  await page.waitForFunction((text) => document.querySelector('[data-facet-show]')!.textContent !== text, before)
  await page.keyboard.press('Escape')
  await close.waitFor({ state: 'hidden' })
  assert.ok(await opener.evaluate((one) => one === document.activeElement))
  await visitor.leave()
})

/** Presses Tab until the focus is on the target; each stop must have a visible focus. */
async function tabTo(visitor: Visitor, goal: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await goal.waitFor()
  await tabUntil(visitor, () => goal.evaluate((one) => one === document.activeElement), String(goal), key)
}

const most = 150

async function tabUntil(visitor: Visitor, isThere: () => Promise<boolean>, goal: string, key = 'Tab'): Promise<void> {
  for (let stops = 0; stops < most; stops++) {
    if (await isThere()) return
    await visitor.page.keyboard.press(key)
    await assertSeen(visitor)
  }
  assert.fail(`${goal} is not reached after ${most} presses of ${key}`)
}

/** The focused element is within the viewport, not covered, and outlined. */
async function assertSeen({ page }: Visitor): Promise<void> {
  const fault = await page.evaluate(() => {
    const element = document.activeElement
    // A frame shows the focus of its own fields.
    if (!element || element === document.body || element instanceof HTMLIFrameElement) return null
    const name = `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)}`
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) return `${name} has no size`
    const around = element.closest('label') ?? element
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [left + width * x, top + height * y] as const))
    const isThere = points.some(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (around.contains(hit) || hit.contains(element))
    })
    if (!isThere) return `${name} is out of sight or covered`
    // A whole card is outlined if its link covers it.
    const isMarked = [undefined, '::before', '::after'].some((pseudo) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    })
    return isMarked ? null : `${name} does not show its focus`
  })
  assert.equal(fault, null)
}
