import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { queryShop, shownCards, shownTotal } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const { visit } = startJourney({ pictures: false })

for (const market of variantsOf(['fr', 'gb', 'de'] as const)) {
  test(`R-071 in ${market} a visitor refines by three facets, views a product, comes back, shares the list, and removes filters`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    const department = await firstDepartment(visitor)
    await page.goto(origin + department)
    await page.waitForLoadState('networkidle')
    const totals = [await shownTotal(visitor)]

    await refine(visitor, 'voltage', '18')
    totals.push(await shownTotal(visitor))
    for (const { title } of await shownCards(visitor)) assert.match(title, /18 V/)
    await refine(visitor, 'stock', 'true')
    totals.push(await shownTotal(visitor))
    const prices = (await shownCards(visitor)).map(({ price }) => price).toSorted((one, other) => one - other)
    const most = Math.ceil(prices[Math.floor(prices.length / 2)]!)
    const ceiling = page.locator('input[name="max[price]"]')
    await ceiling.fill(String(most))
    await Promise.all([page.waitForURL(/max%5Bprice%5D/), ceiling.press('Tab')])
    totals.push(await shownTotal(visitor))

    assert.deepEqual(
      totals,
      totals.toSorted((one, other) => other - one),
      'each choice narrows the list',
    )
    assert.ok(totals[1]! < totals[0]! && totals[3]! < totals[2]!, `${totals}`)
    const list = await listOf(visitor)
    assert.equal(list.chips.length, 3)
    for (const { title, price } of await shownCards(visitor)) {
      assert.match(title, /18 V/)
      assert.ok(price <= most, `${title} costs ${price}, at most ${most} was asked`)
    }

    const product = page.locator('#results [data-card] :is(h2, h3) a').first()
    const title = await product.innerText()
    await product.click()
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.goBack()
    assert.deepEqual(await listOf(visitor), list, 'back leads to the same list')

    const friend = await visit({ market })
    await friend.page.goto(page.url())
    assert.deepEqual(await listOf(friend), list, 'the address is the list, for everybody')
    await friend.leave()

    await page.goBack()
    assert.equal(await shownTotal(visitor), totals[2], 'one more step back is the list before')
    await page.goForward()

    const chips = page.getByRole('list', { name: t('listing.chosen') })
    await Promise.all([page.waitForURL((url) => !url.search.includes('voltage')), chips.getByRole('link', { name: /18/ }).first().click()])
    assert.equal((await listOf(visitor)).chips.length, 2)
    assert.ok((await shownTotal(visitor)) >= totals[3]!, 'a chip taken away widens the list')
    await chips.getByRole('link', { name: t('listing.clear') }).click()
    await page.waitForURL(origin + department)
    assert.equal(await shownTotal(visitor), totals[0])
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test(`R-071 in ${market} a list can be sorted, given a page size, and paged through without gaps`, async () => {
    const visitor = await visit({ market })
    const { page, origin, t } = visitor
    const department = await firstDepartment(visitor)
    await page.goto(origin + department)
    await page.waitForLoadState('networkidle')
    await Promise.all([page.waitForURL(/sort=price_asc/), page.getByLabel(t('listing.sort')).selectOption('price_asc')])
    await page.waitForLoadState('networkidle')
    await Promise.all([page.waitForURL(/size=72/), page.getByLabel(t('listing.size')).selectOption('72')])
    assert.match(page.url(), /sort=price_asc/, 'the order stays when the size changes')
    await walkPages(visitor, 72)
    await visitor.leave()
  })

  test(`R-071 in ${market} without JavaScript filters, order and pages work as well`, async () => {
    const visitor = await visit({ market, javaScript: false })
    const { page, origin, t } = visitor
    await page.goto(origin + (await firstDepartment(visitor)))
    await page.locator('input[name="f[brand]"]').first().check()
    const brand = await page.locator('input[name="f[brand]"]').first().inputValue()
    await page.locator('input[name="min[price]"]').fill('10')
    await page.locator('[data-facet-show]').click()
    assert.match(decodeURIComponent(new URL(page.url()).search), /^\?f\[brand\]=[^&]+&min\[price\]=10$/)
    for (const { text, price } of await shownCards(visitor)) {
      assert.ok(text.includes(brand) && price >= 10, text)
    }
    const chips = page.getByRole('list', { name: t('listing.chosen') })
    await chips.getByRole('link').first().click()
    assert.equal(decodeURIComponent(new URL(page.url()).search), '?min[price]=10', 'one is taken back')
    await page.goBack()
    await chips.getByRole('link', { name: t('listing.clear') }).click()
    await page.getByLabel(t('listing.sort')).selectOption('price_asc')
    await page.getByLabel(t('listing.size')).selectOption('72')
    await page
      .locator('form[data-sort]')
      .getByRole('button', { name: t('listing.apply') })
      .click()
    await page.waitForURL(/sort=price_asc/)
    await walkPages(visitor, 72)
    await visitor.leave()
  })
}

test('R-071 a category’s count equals the number of cards its page lists', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  await page.goto(origin + (await firstDepartment(visitor)))
  const part = page
    .locator('main nav')
    .getByRole('link')
    .filter({ has: page.locator('[data-count]') })
    .first()
  const promised = (await part.locator('[data-count]').getAttribute('data-count')) ?? ''
  await part.click()
  await page.locator('#results [data-card]').first().waitFor()
  assert.equal(await shownTotal(visitor), Number(promised.replace(/\D/g, '')))
  await visitor.leave()
})

test('R-071 a page beyond the last redirects to the first', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, origin } = visitor
  const department = await firstDepartment(visitor)
  await page.goto(`${origin}${department}?page=999`)
  assert.equal(page.url(), origin + department)
  await visitor.leave()
})

interface Badged {
  title: string
  url: string
  badges: { type: string; label: string }[]
}

/** Badges shown on any day, as opposed to seasonal ones. */
const badgeLines = {
  promo: 'R-388',
  coupon: 'R-389',
  is_eco_responsible: 'R-390',
  is_local: 'R-391',
  top_sale: 'R-392',
  proPriceAdvantage: 'R-396',
  sponsored: 'R-397',
  loweredprice: 'R-398',
}
const badgesOf: [Market, Mode, (keyof typeof badgeLines)[]][] = [
  ['gb', 'b2c', ['promo', 'coupon', 'is_eco_responsible', 'top_sale', 'sponsored', 'loweredprice']],
  ['fr', 'b2c', ['is_local', 'sponsored']],
  ['de', 'b2b', ['proPriceAdvantage', 'sponsored']],
]

for (const [market, mode, types] of badgesOf) {
  test(`${types.map((type) => badgeLines[type]).join(' ')} in ${market} ${mode} cards show as text: ${types.join(', ')}`, async () => {
    const visitor = await visit({ market, mode })
    const { page, origin } = visitor
    const wanted = new Set<string>(types)
    for await (const { path, cards } of shelves(visitor)) {
      const badges = cards.flatMap((card) => card.badges.slice(0, 3).map((badge) => ({ ...badge, card })))
      if (!badges.some(({ type }) => wanted.has(type))) continue
      await page.goto(origin + path)
      for (const { type, label, card } of badges) {
        const shown = page.locator('#results [data-card]', { has: page.locator(`a[href="${card.url}"]`) })
        const badge = shown.locator(`[data-badge="${type}"]`)
        // A reduction is told once: beside the struck price, where there is one.
        if (type === 'promo' && (await badge.count()) === 0) continue
        if (!wanted.delete(type)) continue
        await badge.scrollIntoViewIfNeeded()
        assert.equal((await badge.textContent())?.trim(), label, `${type} on ${card.title}`)
      }
      if (wanted.size === 0) break
    }
    assert.deepEqual([...wanted], [], 'all of them were met')
    await visitor.leave()
  })
}

/** Ticks a facet value, opening its section first as a visitor would: the list then has as many products as its count said. */
async function refine(visitor: Visitor, key: string, value: string): Promise<void> {
  const { page } = visitor
  const facet = page.locator(`details[data-facet="${key}"]`)
  if (!(await facet.evaluate((one: HTMLDetailsElement) => one.open))) await facet.locator('> summary').click()
  const box = facet.locator(`input[value="${value}"]`)
  const promised = await box.locator('xpath=..').getAttribute('data-count')
  await Promise.all([page.waitForURL(new RegExp(`f%5B${key}%5D=${value}`)), box.check()])
  assert.equal(await shownTotal(visitor), Number(promised), `${key} ${value}`)
  await page.waitForLoadState('networkidle')
}

/** The parts of a list to compare. */
async function listOf(visitor: Visitor): Promise<{ path: string; total: number; chips: string[]; cards: string[] }> {
  const { page, t } = visitor
  await page.locator('#results [data-card]').first().waitFor()
  const { pathname, search } = new URL(page.url())
  const chips = await page
    .getByRole('list', { name: t('listing.chosen') })
    .getByRole('link')
    .allInnerTexts()
  return {
    path: pathname + search,
    total: await shownTotal(visitor),
    chips: chips.filter((label) => label !== t('listing.clear')),
    cards: (await shownCards(visitor)).map(({ path }) => path),
  }
}

/** From the first page to the last by their links: ascending prices, no duplicates, no gaps. */
async function walkPages(visitor: Visitor, size: number): Promise<void> {
  const { page, t } = visitor
  const total = await shownTotal(visitor)
  const seen: string[] = []
  let last = 0
  for (let number = 1; ; number++) {
    // All cards are counted, so the page must be complete.
    await page.waitForLoadState('load')
    const cards = await shownCards(visitor)
    for (const { path, price } of cards) {
      assert.ok(price >= last, `${path} at ${price} comes after ${last}`)
      last = price
      seen.push(path)
    }
    const pages = page.getByRole('navigation', { name: t('listing.pages') })
    assert.equal(await pages.locator('[aria-current=page]').innerText(), String(number))
    const next = pages.locator('a[rel=next]')
    if ((await next.count()) === 0) break
    assert.equal(cards.length, size)
    assert.match((await next.getAttribute('href')) ?? '', new RegExp(`page=${number + 1}$`), 'a link that crawlers follow')
    await next.click()
    await page.waitForURL(new RegExp(`page=${number + 1}$`))
  }
  assert.equal(seen.length, total)
  assert.equal(new Set(seen).size, total, 'nothing is shown twice')
}

async function firstDepartment(visitor: Visitor): Promise<string> {
  const { home } = await queryShop<{ home: { departments: { url: string }[] } }>(visitor, '{ home { departments { url } } }')
  return home.departments[0]!.url
}

/** The first page of the deals and of every department, with the badges of its cards. */
async function* shelves(visitor: Visitor): AsyncGenerator<{ path: string; cards: Badged[] }> {
  const { home } = await queryShop<{ home: { departments: { id: number; url: string }[] } }>(visitor, '{ home { departments { id url } } }')
  const query = 'query($input: ListingInput!) { listing(input: $input) { cards { title url badges { type label } } } }'
  for (const { id, url } of [{ id: null, url: '/great-deals' }, ...home.departments]) {
    const input = id === null ? { kind: 'deals' } : { kind: 'category', id }
    const { listing } = await queryShop<{ listing: { cards: Badged[] } }>(visitor, query, { input })
    yield { path: url, cards: listing.cards }
  }
}
