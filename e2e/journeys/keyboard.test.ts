import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { startJourney } from '../support/journey.ts'
import { assertSeen, tabTo, tabUntil } from '../support/keyboard.ts'
import { cardFrame, expectReceipt, offersOfTwoSellers } from '../support/buying.ts'
import { mailTo } from '../support/mailbox.ts'
import { walksOf } from '../support/page-states.ts'
import { variantsOf } from '../support/variants.ts'
import { people, type Visitor } from '../support/visitor.ts'

const journey = startJourney()
const { visit } = journey

for (const [market, words] of variantsOf([
  ['gb', 'drill'],
  ['fr', 'perceuse'],
  ['de', 'schrauber'],
] as const)) {
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

for (const { market } of walksOf([
  { market: 'gb', always: false },
  { market: 'de', always: false },
] as const))
  test(`R-291 R-015 in ${market} an account is opened, signed in to, given an address and a card, and used for a two-click purchase, by keyboard alone`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    const email = `keys.${market}.${Date.now()}@mail.example`
    const password = 'seven quiet kettles on the hob'
    const { firstName, lastName, ...place } = people[market]
    await page.goto(`${origin}/login`)
    await press(visitor, page.getByRole('link', { name: t('sign-in.register') }).first())
    await typeInto(visitor, { given_name: firstName, family_name: lastName, email, password })
    await press(visitor, page.getByRole('button', { name: t('identity.register.submit') }))
    await page.getByRole('heading', { name: t('identity.mail-sent.title') }).waitFor()
    const [link = ''] = /http:\/\/id\.localhost[^"\s<]+\/link\/[\w-]+/.exec(await mailTo(journey.shop.origin, email)) ?? []
    await page.goto(link)
    await press(visitor, page.getByRole('button', { name: t('identity.confirm.submit') }))
    await page.waitForURL((url) => url.origin === origin)
    await page.goto(`${origin}/auth/pre-logout`)
    await press(visitor, page.getByRole('button', { name: t('sign-in.out.go'), exact: true }))
    await page.waitForURL((url) => url.origin === origin && url.pathname !== '/auth/pre-logout')

    await page.goto(`${origin}/login`)
    await press(visitor, page.getByRole('link', { name: t('sign-in.go') }))
    await typeInto(visitor, { email, password })
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.origin === origin)

    await page.goto(`${origin}/my-account/addresses?add=1`)
    await typeInto(visitor, place)
    await press(visitor, page.getByRole('button', { name: t('account.addresses.keep') }))
    await page.getByText(place.line1).first().waitFor()

    await addByKeyboard(visitor)
    await press(visitor, page.getByRole('link', { name: t('cart.order') }))
    await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
    await press(visitor, page.locator('main button[value="choose"]').first())
    await press(visitor, page.getByRole('button', { name: t('checkout.delivery.continue') }))
    await payByKeyboard(visitor, '4000000000000002')

    await addByKeyboard(visitor)
    await press(visitor, page.getByRole('button', { name: t('express.go') }))
    await payByKeyboard(visitor, null)
    await visitor.leave()
  })

/** Tabs to a button or a link and presses it. */
async function press(visitor: Visitor, goal: Locator): Promise<void> {
  await tabTo(visitor, goal)
  await visitor.page.keyboard.press('Enter')
}

/** Tabs from field to field and types; what the page has filled in is selected by Tab, and typed over. */
async function typeInto(visitor: Visitor, values: Readonly<Record<string, string>>): Promise<void> {
  const { page } = visitor
  for (const [name, value] of Object.entries(values)) {
    await tabTo(visitor, page.locator(`main [name="${name}"]:not([type="hidden"])`).first())
    await page.keyboard.type(value)
  }
}

async function addByKeyboard(visitor: Visitor): Promise<void> {
  const { page, origin, t } = visitor
  const [offer] = await offersOfTwoSellers(visitor)
  await page.goto(origin + (offer?.url ?? ''))
  await page.waitForLoadState('networkidle')
  await tabTo(visitor, page.getByRole('button', { name: t('goods.add'), exact: true }).first())
  // A message may be about what was done before.
  const added = page.waitForResponse((response) => /"offerId"/.test(response.request().postData() ?? ''))
  await Promise.all([added, page.keyboard.press('Space')])
  await page.goto(`${origin}/cart`)
}

/** In the provider's frame: a new card, which is saved, or the card that was saved before. */
async function payByKeyboard(visitor: Visitor, number: string | null): Promise<void> {
  const { page, t } = visitor
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  const frame = await cardFrame(visitor)
  const reach = async (goal: Locator) => {
    await goal.waitFor()
    await tabUntil(visitor, () => goal.evaluate((one) => one === one.ownerDocument.activeElement), String(goal))
  }
  if (number !== null) {
    for (const [name, value] of Object.entries({ number, expiry: '1232', code: '123' })) {
      await reach(frame.locator(`input[name=${name}]`))
      await page.keyboard.type(value)
    }
    await reach(frame.getByLabel(t('card-payment.save')))
    await page.keyboard.press('Space')
  }
  await reach(frame.locator('form').first().getByRole('button'))
  await page.keyboard.press('Enter')
  await expectReceipt(visitor)
}
