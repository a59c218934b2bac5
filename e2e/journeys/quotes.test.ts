import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { addKey, caller } from '@purlin/server/after-sale/integrations/testing.ts'
import { textOfPdf } from '@purlin/server/after-sale/invoices/testing.ts'
import { enter } from '../support/account-states.ts'
import { expectReceipt, fillAddress, typeCard } from '../support/buying.ts'
import { searchBox } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { linkIn } from '../support/mailbox.ts'
import { stateChecks, type StateChecks } from '../support/page-states.ts'
import { addToBasket, bytesOf, goodsOf, marketsOf, withDatabase, withoutNotes, type Goods } from '../support/professionals.ts'
import type { Visitor } from '../support/visitor.ts'

/** What sellers agree with a company: a quote from its request on a product's page to the order at its prices, and a price list. */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
const pieces = 3

/** From the product's page, without scripts. Returns the quote's number. */
async function request({ page, origin, t }: Visitor, checks: StateChecks, { url }: Goods): Promise<string> {
  await page.goto(origin + url)
  await page.getByRole('link', { name: t('quote.request') }).click()
  await page.getByLabel(t('cart.quantity')).fill(String(pieces))
  await page.getByLabel(t('quote.message')).fill('For a roof in March.')
  await checks.look('quote-request')
  await page.getByRole('button', { name: t('quote.request.send') }).click()
  await page.getByText(t('flash.quote-requested')).first().waitFor()
  await checks.look('quote-requested')
  return /\S+$/.exec(await page.locator('main h1').innerText())?.[0] ?? ''
}

interface Requested {
  id: string
  number: string
  lines: { offerId: string; quantity: number; listPrice: number }[]
}

/** The seller's program reads the request and answers it with three quarters of the price and free delivery. */
async function answer(number: string, { sellerId }: Goods): Promise<void> {
  const { key } = await withDatabase(journey.shop.databaseUrl(), ({ db }) => addKey(db, sellerId))
  const call = caller(journey.shop.origin, key)
  const { quotes } = (await call('GET', '/quotes')).body as unknown as { quotes: Requested[] }
  const quote = quotes.find((each) => each.number === number)
  assert.equal(quote?.lines[0]?.quantity, pieces)
  const lines = quote.lines.map(({ offerId, listPrice }) => ({ offerId, price: Math.floor(listPrice * 0.75) }))
  const validUntil = new Date(Date.now() + 14 * 86_400_000).toISOString()
  const sent = await call('POST', `/quotes/${quote.id}/answer`, { lines, delivery: 0, validUntil, note: 'Two pallets.' })
  assert.equal(sent.body['state'], 'answered')
}

for (const market of marketsOf('fr'))
  test(`in ${market} a quote is requested without scripts, answered by the seller’s program, read as a PDF and ordered at its prices`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, origin, t } = visitor
    const checks = stateChecks(visitor)
    await withoutNotes(page)
    const { customerId } = await enter(journey.shop.databaseUrl(), visitor)
    const plain = await journey.visit({ market, mode: 'b2b', javaScript: false })
    await withoutNotes(plain.page)
    await plain.page.context().addCookies(await page.context().cookies())
    const plainChecks = stateChecks(plain, { scripts: false })
    const [goods] = await goodsOf(visitor)
    assert.ok(goods)
    const number = await request(plain, plainChecks, goods)
    await answer(number, goods)

    await page.goto(await linkIn(journey.shop.origin, `${customerId}@example.com`, /http:[^"\s<]+\/my-account\/quotes\/[\w-]+/))
    await page.getByText(t('quote.note', { note: 'Two pallets.' })).waitFor()
    await checks.look('quote-answered', { byKeyboard: true })
    const quoted = await page.locator('main tbody td').last().innerText()
    const pdf = textOfPdf(await bytesOf(page, (await page.locator('main a[href*="pdf"]').getAttribute('href')) ?? ''))
    for (const printed of [number, 'Lee Building Ltd', 'Two pallets.']) assert.ok(pdf.includes(printed), `${printed} in ${pdf}`)
    await page.getByRole('button', { name: t('quote.accept') }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
    assert.ok((await page.locator('main').innerText()).includes(quoted), `${quoted} is the sum in the basket`)
    await checks.look('cart-quoted')

    await page.getByRole('link', { name: t('cart.order') }).click()
    await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
    await fillAddress(visitor)
    await typeCard(visitor, '4000 0000 0000 0002')
    const order = await expectReceipt(visitor)
    await page.goto(`${origin}/my-account/quotes`)
    await checks.look('quotes')
    await page.getByRole('link', { name: number }).click()
    await page.getByText(t('quote.ordered', { order })).waitFor()
    await checks.look('quote-ordered')
    assert.deepEqual([...plainChecks.faults, ...checks.faults], [])
    await plain.leave()
    await visitor.leave()
  })

for (const market of marketsOf('de'))
  test(`in ${market} a member reads the price of their company where the page has the public one: in a list, on the product’s page, and the same in the basket`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, origin, t } = visitor
    const checks = stateChecks(visitor)
    await withoutNotes(page)
    const { companyId } = await enter(journey.shop.databaseUrl(), visitor)
    const known = new Map((await goodsOf(visitor)).map((goods) => [goods.offerId, goods]))
    const read = async (place: Locator) => (await place.locator('b').first().innerText()).replaceAll(/\s+/g, '')
    await page.goto(`${origin}/search/${encodeURIComponent('18 v')}`)
    const ids = await page
      .locator('#results button[name=offerId]')
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLButtonElement).value.replace(/x\d+$/, '')))
    const goods = ids.flatMap((id) => known.get(id) ?? [])[0]
    assert.ok(goods)
    const { offerId, productId, sellerId } = goods
    const inList = page.locator(`#results [data-card] > div:has(> button:is([value="${offerId}"], [value^="${offerId}x"]))`)
    const publicPrice = await read(inList)

    const { key } = await withDatabase(journey.shop.databaseUrl(), ({ db }) => addKey(db, sellerId))
    const contract = { market, name: 'Frame contract', companies: [{ companyId }], rules: [{ productId, percentBp: 2500 }] }
    assert.equal((await caller(journey.shop.origin, key)('POST', '/price-lists', contract)).status, 201)
    await page.reload()
    await inList.and(page.locator('[data-yours]')).waitFor()
    const own = await read(inList)
    assert.notEqual(own, publicPrice)
    assert.ok((await inList.innerText()).includes(t('your-price.label')))
    assert.equal(await page.locator('#results [data-yours]').count(), 1, 'other prices stay')
    await checks.look('your-price-list')

    await page.goto(origin + goods.url)
    const onPage = page.locator(`main [data-price="${offerId}"][data-yours]`).first()
    await onPage.waitFor()
    assert.equal(await read(onPage), own)
    await checks.look('your-price-product')
    await addToBasket(visitor, goods)
    await page.goto(`${origin}/cart`)
    const cart = page.locator('main')
    assert.ok((await cart.innerText()).replaceAll(/\s+/g, '').includes(own), `${own} is the price in the basket`)
    await cart.getByText(t('your-price.label'), { exact: true }).waitFor()
    assert.deepEqual([checks.faults, visitor.complaints], [[], []])
    await visitor.leave()
  })

const drill = { de: 'bohrmaschine', fr: 'perceuse', gb: 'drill' }
for (const market of marketsOf('fr'))
  test(`in ${market} the search box suggests a product at the company’s price as somebody types, and consumers never see that price`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, t } = visitor
    await withoutNotes(page)
    const { companyId } = await enter(journey.shop.databaseUrl(), visitor)
    const suggested = async (to: Visitor) => {
      await to.page.goto(to.origin)
      await searchBox(to).pressSequentially(drill[market], { delay: 30 })
      const places = to.page.getByRole('group', { name: to.t('search.products') }).locator('[data-price]')
      await places.first().waitFor()
      // Suggestions for its first letters are replaced.
      await to.page.waitForLoadState('networkidle')
      return places
    }
    const offerId = (await (await suggested(visitor)).first().getAttribute('data-price')) ?? ''
    const [goods] = await withDatabase(journey.shop.databaseUrl(), async (pool) => {
      const select = 'select product_id::text as "productId", seller_id as "sellerId" from catalogue.offer where id = $1'
      return (await pool.query<{ productId: string; sellerId: number }>(select, [offerId])).rows
    })
    assert.ok(goods, `${offerId} is an offer`)
    const place = (to: Visitor) => to.page.getByRole('group', { name: to.t('search.products') }).locator(`[data-price="${offerId}"]`)
    const publicPrice = await place(visitor).innerText()

    const { key } = await withDatabase(journey.shop.databaseUrl(), ({ db }) => addKey(db, goods.sellerId))
    const contract = {
      market,
      name: 'Frame contract',
      companies: [{ companyId }],
      rules: [{ productId: goods.productId, percentBp: 2500 }],
    }
    assert.equal((await caller(journey.shop.origin, key)('POST', '/price-lists', contract)).status, 201)
    // The first page after it learns that there are prices; the next one has them from the start.
    for (const round of ['first', 'next']) {
      await suggested(visitor)
      await place(visitor).and(page.locator('[data-yours]')).waitFor()
      const own = await place(visitor).innerText()
      assert.notEqual(own.replaceAll(/\s/g, ''), publicPrice.replaceAll(/\s/g, ''), round)
      assert.ok(own.includes(t('your-price.label')), own)
      assert.equal(await page.getByRole('listbox').locator('[data-yours]').count(), 1, 'other prices stay')
    }

    const consumer = await journey.visit({ market, mode: 'b2c' })
    await withoutNotes(consumer.page)
    await suggested(consumer)
    await place(consumer).waitFor()
    assert.equal(await consumer.page.locator('[data-yours]').count(), 0)
    assert.ok(!(await consumer.page.getByRole('listbox').innerText()).includes(consumer.t('your-price.label')))
    assert.deepEqual(visitor.complaints, [])
    await consumer.leave()
    await visitor.leave()
  })
