import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { SuggestionsDocument } from '../../storefront/src/generated/documents.ts'
import { amountOf, queryShop, searchBox, searchFor, shownCards } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { operateSearch } from '../support/shop.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const journey = startJourney({ pictures: false })
const { visit } = journey

const searches = [
  {
    market: 'gb',
    typo: { typed: 'angle griner', meant: 'angle grinder', finds: /angle grinder/i },
    synonym: { typed: 'faucet', finds: /mixer tap/i },
    begun: 'dril',
  },
  {
    market: 'fr',
    typo: { typed: 'perceusse', meant: 'perceuse', finds: /perceuse/i },
    synonym: { typed: 'disqueuse', finds: /meuleuse/i },
    begun: 'perce',
  },
  {
    market: 'de',
    typo: { typed: 'winkelschlefer', meant: 'winkelschleifer', finds: /winkelschleifer/i },
    synonym: { typed: 'wasserhahn', finds: /armatur/i },
    begun: 'schra',
  },
] as const

test('R-710 after Escape, suggestions that were still on their way do not open the list again', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  await page.goto(origin)
  await searchBox(visitor).pressSequentially('dri', { delay: 30 })
  await page.getByRole('listbox').getByRole('option').first().waitFor()

  const held = Promise.withResolvers<Route>()
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes(SuggestionsDocument.id) ? held.resolve(route) : route.continue(),
  )
  await page.keyboard.type('l')
  const late = await held.promise
  await page.keyboard.press('Escape')
  await late.continue().catch(() => undefined)
  // Longer than the response takes.
  await page.waitForTimeout(patient(500))
  assert.equal(await page.getByRole('listbox').isVisible(), false)
  await visitor.leave()
})

for (const { market, typo, synonym, begun } of variantsOf(searches, 2)) {
  test(`R-008 R-159 in ${market} a query with a typo finds results and offers the correct spelling`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await page.goto(origin)
    await searchFor(visitor, typo.typed)
    const found = (await shownCards(visitor)).slice(0, 5)
    assert.ok(found.length > 0, 'a typo finds something')
    for (const { title } of found) assert.match(title, typo.finds)
    assert.equal(await searchBox(visitor).inputValue(), typo.typed, 'the words stay in the box, to be changed')

    const asked = t.rich('search.did-you-mean', { suggestion: String }, { query: typo.meant })
    await page.getByText(asked).getByRole('link', { name: typo.meant, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: t('search.heading', { query: typo.meant }) }).waitFor()
    assert.equal(decodeURIComponent(new URL(page.url()).pathname), `/search/${typo.meant}`)
    assert.equal(await page.getByText(asked).count(), 0, 'the right word is not asked about')
    assert.match((await shownCards(visitor))[0]!.title, typo.finds)

    // The category of the results, as a link to its page.
    const shelf = page
      .getByRole('navigation', { name: t('search.in-category') })
      .getByRole('link')
      .first()
    const name = await shelf.innerText()
    await shelf.click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    assert.ok((await shownCards(visitor)).length > 0)
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test(`R-008 in ${market} visitors find products by synonyms`, async () => {
    const visitor = await visit({ market })
    await visitor.page.goto(visitor.origin)
    await searchFor(visitor, synonym.typed)
    const found = await shownCards(visitor)
    assert.ok(found.length >= 5, `${synonym.typed} finds ${found.length}`)
    for (const { title } of found.slice(0, 5)) assert.match(title, synonym.finds)
    assert.ok(
      found.every(({ title }) => !title.toLowerCase().includes(synonym.typed)),
      'no title has the word itself',
    )
    await visitor.leave()
  })

  test(`R-008 R-009 in ${market} the manufacturer's number and the EAN find their product`, async () => {
    const visitor = await visit({ market })
    const { page, origin } = visitor
    const { product, path } = await someProduct(visitor)
    for (const number of [product.mpn, product.ean]) {
      await page.goto(origin)
      await searchFor(visitor, number)
      const [first] = await shownCards(visitor)
      assert.equal(first?.path, path, `${number} finds ${product.title}`)
    }
    await page.locator('#results [data-card] h2 a').first().click()
    await page.getByRole('heading', { level: 1, name: product.title, exact: true }).waitFor()
    await visitor.leave()
  })

  test(`R-710 in ${market} the box suggests queries, categories, brands and products with prices, navigable by keyboard`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await page.goto(origin)
    const box = searchBox(visitor)
    await box.focus()
    await box.pressSequentially(begun, { delay: 30 })
    const list = page.getByRole('listbox')
    const options = list.getByRole('option')
    await options.first().waitFor()
    assert.equal(await box.getAttribute('role'), 'combobox')
    assert.equal(await box.getAttribute('aria-expanded'), 'true')
    assert.equal(await box.getAttribute('aria-controls'), await list.getAttribute('id'))

    for (const group of ['queries', 'categories', 'brands', 'products'] as const)
      assert.ok(
        (await list
          .getByRole('group', { name: t(`search.${group}`) })
          .getByRole('option')
          .count()) > 0,
        `${group} are suggested`,
      )
    for (const price of await list
      .getByRole('group', { name: t('search.products') })
      .locator('[data-price]')
      .allInnerTexts())
      assert.ok(amountOf(price) > 0, `${price} is a price`)

    const count = await options.count()
    const active = async () => {
      const id = await box.getAttribute('aria-activedescendant')
      const at = id === null ? -1 : await options.evaluateAll((all, wanted) => all.findIndex((one) => one.id === wanted), id)
      const selected = await options.evaluateAll((all) => all.findIndex((one) => one.getAttribute('aria-selected') === 'true'))
      assert.equal(selected, at, 'what is read out is what is marked')
      return at
    }
    for (const [key, place] of [
      ['ArrowDown', 0],
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['PageDown', 5],
      ['PageUp', 0],
      ['End', count - 1],
      ['Home', 0],
      ['ArrowUp', -1],
      ['ArrowUp', count - 1],
      ['ArrowDown', -1],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await active(), place, key)
    }
    assert.equal(await box.inputValue(), begun, 'back in the field, what was typed stands there')
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    assert.equal(await box.inputValue(), begun.slice(1, -1), 'in the field, the keys edit the text')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.equal(await box.inputValue(), '', 'escape closes the list, then empties the field')

    await box.pressSequentially(begun, { delay: 30 })
    await options.first().waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await list.isVisible(), false, 'tab leaves and closes')
    assert.equal(await box.getAttribute('aria-expanded'), 'false')

    await box.focus()
    await options.first().waitFor()
    const query = await options.first().innerText()
    await page.keyboard.press('ArrowDown')
    await Promise.all([page.waitForURL(/\/search\//), page.keyboard.press('Enter')])
    await page.getByRole('heading', { level: 1, name: t('search.heading', { query: query.trim() }) }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test(`R-008 R-009 in ${market} a suggested product opens with one click, at the suggested price`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await page.goto(origin)
    await searchBox(visitor).pressSequentially(begun, { delay: 30 })
    // Suggestions for its first letters are replaced.
    await page.waitForLoadState('networkidle')
    const goods = page
      .getByRole('group', { name: t('search.products') })
      .getByRole('option')
      .first()
    const title = await goods.locator('[data-text]').innerText()
    const price = await goods.locator('[data-price]').innerText()
    await goods.click()
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    assert.ok((await page.locator('main').innerText()).replace(/\s/g, '').includes(price.replace(/\s/g, '')), `${title} at ${price}`)
    await visitor.leave()
  })

  test(`R-159 in ${market} an empty result offers hints and the departments, with the query still in the address`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await page.goto(origin)
    await searchFor(visitor, 'qqqxxxzzz')
    assert.match(page.url(), /\/search\/qqqxxxzzz$/)
    await page.getByText(t('search.nothing', { query: 'qqqxxxzzz' })).waitFor()
    for (const tip of ['spelling', 'fewer', 'general', 'number'] as const)
      assert.equal(
        await page
          .locator('main')
          .getByText(t(`search.tip.${tip}`))
          .count(),
        1,
        tip,
      )
    const department = page
      .locator(`h2:has-text("${t('search.browse')}") + ul`)
      .getByRole('link')
      .first()
    const name = await department.innerText()
    await department.click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    assert.ok((await shownCards(visitor)).length > 0, 'the department has goods')
    await visitor.leave()
  })
}

test('R-159 words without matches are dropped, and the page names them', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin, t, market } = visitor
  assert.equal(market, 'gb')
  await page.goto(origin)
  await searchFor(visitor, 'drill qqqxxxzzz')
  await page.getByText(t('search.without', { words: t('search.heading', { query: 'qqqxxxzzz' }) })).waitFor()
  assert.match((await shownCards(visitor))[0]!.title, /drill/i)
  await visitor.leave()
})

for (const { market } of variantsOf(searches)) {
  test(`R-159 in ${market} an operator’s redirect rule leads from the search box to its page, until the rule is deleted`, async () => {
    const words = `zzrule ${market}`
    const rule = `${market}/rules/journey`
    const leadsTo = async (visitor: Visitor) =>
      (
        await queryShop<Led>(visitor, 'query($query: String!) { listing(input: { kind: search, query: $query }) { redirectUrl } }', {
          query: words,
        })
      ).listing.redirectUrl
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    await operateSearch(journey.shop.origin, rule, { conditions: [{ pattern: words, anchoring: 'is' }], redirect: '/great-deals' })
    try {
      await until(async () => (await leadsTo(visitor)) === '/great-deals', 'the rule is not followed')
      await page.goto(origin)
      await searchBox(visitor).fill(words)
      await Promise.all([page.waitForURL(`${origin}/great-deals`), searchBox(visitor).press('Enter')])
      await page.getByRole('heading', { level: 1, name: t('deals.title') }).waitFor()
      assert.ok((await shownCards(visitor)).length > 0)
      await searchFor(visitor, `${words} more`)
      assert.deepEqual(visitor.complaints, [])
    } finally {
      await operateSearch(journey.shop.origin, rule)
    }
    await until(async () => (await leadsTo(visitor)) === null, 'the rule is followed still')
    await searchFor(visitor, words)
    await visitor.leave()
  })
}

test('R-008 without JavaScript the search is a plain form', async () => {
  for (const { market, synonym } of searches) {
    const visitor = await visit({ market, javaScript: false })
    const { page, origin, t } = visitor
    await page.goto(origin)
    await searchBox(visitor).fill(synonym.typed)
    await page
      .getByRole('search')
      .getByRole('button', { name: t('shell.search') })
      .click()
    await page.getByRole('heading', { level: 1, name: t('search.heading', { query: synonym.typed }) }).waitFor()
    assert.equal(new URL(page.url()).pathname, `/search/${synonym.typed}`)
    assert.match((await shownCards(visitor))[0]!.title, synonym.finds)
    await visitor.leave()
  }
})

interface Led {
  listing: { redirectUrl: string | null }
}

/** The worker applies operators' changes to the index within moments. */
async function until(holds: () => Promise<boolean>, fault: string): Promise<void> {
  for (const end = Date.now() + patient(20_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 250)))
    if (await holds()) return
  assert.fail(fault)
}

interface Numbered {
  mpn: string
  ean: string
  title: string
}

/** A product of the running shop without variants: of several variants a list shows one. */
async function someProduct(visitor: Visitor): Promise<{ product: Numbered; path: string }> {
  const { listing } = await queryShop<{ listing: { cards: { url: string; productId: string; modelsCount: number }[] } }>(
    visitor,
    '{ listing(input: { kind: deals, pageSize: 60 }) { cards { url productId modelsCount } } }',
  )
  const card = listing.cards.find(({ modelsCount }) => modelsCount === 1)
  assert.ok(card, 'the shop has a product without versions')
  const { product } = await queryShop<{ product: Numbered }>(visitor, 'query($id: ID!) { product(id: $id) { mpn ean title } }', {
    id: card.productId,
  })
  return { product, path: card.url }
}
