import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import type { Browser, Frame } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { expectReceipt, fillCart, typeCard } from '../support/buying.ts'
import { askShop } from '../support/finding.ts'
import { shopForTests, type Shop } from '../support/shop.ts'
import { people, visit, type Visitor } from '../support/visitor.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const narrow = [390, 320]

let shop: Shop
let browser: Browser
before(async () => {
  shop = await shopForTests()
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await shop?.stop()
})

test('the look itself sees a picture without words, a field without a name and a page without a language', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  await visitor.page.setContent('<title>x</title><main><img src="x.png"><input></main>')
  const found = (await faultsOf(visitor.page.mainFrame())).map((fault) => fault.split(':')[0])
  assert.deepEqual(found.toSorted(), ['html-has-lang', 'image-alt', 'label'])
  await visitor.leave()
})

// One market is looked at wide, the other as on a phone; both are made narrow afterwards.
for (const [market, viewport] of [
  ['gb', { width: 1280, height: 900 }],
  ['de', { width: 390, height: 844 }],
] as const) {
  test(`R-291 in ${market} at ${viewport.width} px the pages of the shop have no fault axe finds and never scroll sideways`, async () => {
    for (const mode of ['b2c', 'b2b'] as const) {
      const visitor = await visit(browser, shop.origin, { market, mode, viewport })
      for (const [name, path] of Object.entries(mode === 'b2b' ? { home: '/' } : await pagesOf(visitor))) {
        await visitor.page.goto(visitor.origin + path)
        await look(visitor, `${name} ${mode}`)
      }
      // The browser logs the page that is not there; nothing else may be wrong.
      assert.deepEqual(
        visitor.complaints.filter((line) => !line.includes(nowhere)),
        [],
      )
      await visitor.leave()
    }
  })

  test(`R-291 in ${market} at ${viewport.width} px so it is from the cart to the order, and what is refused says so to everybody`, async () => {
    const visitor = await visit(browser, shop.origin, { market, viewport })
    const { page, t, origin } = visitor
    const heading = (key: string) => page.getByRole('heading', { level: 1, name: t(key) }).waitFor()
    await fillCart(visitor)
    await look(visitor, 'cart')
    await page.getByRole('link', { name: t('cart.order') }).click()
    await heading('checkout.register.title')
    await look(visitor, 'register')
    await page.getByLabel(t('checkout.register.email')).fill(`axe.${market}.${Date.now()}@buyer.example`)
    await page.getByRole('button', { name: t('checkout.register.continue') }).click()

    await heading('checkout.address.title')
    await look(visitor, 'address')
    // As a browser without the checks of its own would send it.
    await page.locator('main form').evaluateAll((forms: HTMLFormElement[]) => forms.forEach((form) => (form.noValidate = true)))
    await page.getByRole('button', { name: t('checkout.address.continue') }).click()
    await page.getByText(t('checkout.error.title')).waitFor()
    await look(visitor, 'address, refused')
    for (const key of ['firstName', 'line1', 'postcode', 'city'] as const) {
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
    for (const key of ['firstName', 'lastName', 'line1', 'postcode', 'city', 'phone'] as const)
      await page
        .getByLabel(t(`checkout.address.${key}`), { exact: true })
        .first()
        .fill(people[market][key])
    await page.getByRole('button', { name: t('checkout.address.continue') }).click()

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

const nowhere = '/there-is-nothing-here'

interface Goods {
  home: { departments: { children: { url: string }[] }[]; brands: { url: string }[] }
  deals: { cards: { url: string; sellerId: number; modelsCount: number }[] }
}

/** One address of each kind of page. Ten cards have the faults of forty-eight. */
async function pagesOf(visitor: Visitor): Promise<Record<string, string>> {
  const { home, deals } = await askShop<Goods>(
    visitor,
    `{
      home { departments { children { url } } brands { url } }
      deals: listing(input: { kind: deals, pageSize: 60 }) { cards { url sellerId modelsCount } }
    }`,
  )
  const product = deals.cards.find(({ modelsCount }) => modelsCount > 1) ?? deals.cards[0]!
  const ten = '?size=10'
  return {
    home: '/',
    category: home.departments[0]!.children[0]!.url + ten,
    search: `/search/18%20v${ten}`,
    'search without results': '/search/qqqxxxzzz',
    product: product.url,
    seller: `/seller-${product.sellerId}${ten}`,
    brand: home.brands[0]!.url + ten,
    'cart, empty': '/cart',
    'no such page': nowhere,
  }
}

/** The page as it stands: what axe finds, and whether it is wider than a phone's window. */
async function look({ page }: Visitor, name: string): Promise<void> {
  for (const frame of page.frames()) assert.deepEqual(await faultsOf(frame), [], name)
  const size = page.viewportSize()!
  for (const width of narrow) {
    await page.setViewportSize({ width, height: size.height })
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(widest <= width, `${name} is ${widest} px wide in a window of ${width}`)
  }
  await page.setViewportSize(size)
}

async function faultsOf(frame: Frame): Promise<string[]> {
  // Evaluated, not added as a script element: the page's policy allows only scripts of its own.
  await frame.evaluate(axe)
  return frame.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
    const { violations } = await checker.run({ runOnly, resultTypes: ['violations'], iframes: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }, rules)
}

interface Violation {
  id: string
  nodes: { html: string }[]
}
