import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectReceipt, goToPayment, typeCard } from '../support/buying.ts'
import { searchFor, shownCards } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { operate } from '../support/shop.ts'
import type { Visitor } from '../support/visitor.ts'

/** Click and conversion events of search results and category lists, from the browser to the operators' search analytics. */

const journey = startJourney({ pictures: false })
interface Chosen {
  clicks: number
  conversions: number
}
interface Analytics {
  popular: (Chosen & { query: string })[]
  categories: (Chosen & { categoryId: number })[]
}
const analytics = () => operate<Analytics>(journey.shop.origin, 'GET', 'search/gb/analytics?limit=1000')
const ofQuery = async (words: string): Promise<Chosen> => {
  const found = (await analytics()).popular.find(({ query }) => query === words)
  return { clicks: found?.clicks ?? 0, conversions: found?.conversions ?? 0 }
}
const ofCategory = async (id: number): Promise<Chosen> => {
  const found = (await analytics()).categories.find(({ categoryId }) => categoryId === id)
  return { clicks: found?.clicks ?? 0, conversions: found?.conversions ?? 0 }
}

async function until(holds: () => Promise<boolean>, fault: string): Promise<void> {
  for (const end = Date.now() + patient(20_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200)))
    if (await holds()) return
  assert.fail(fault)
}

async function agree({ page, origin, t }: Visitor): Promise<void> {
  await page.goto(`${origin}/privacy-choices`)
  await page.locator('input[value="userPreferences"]').check()
  await page.getByRole('button', { name: t('consent.page.save') }).click()
  await page.getByText(t('consent.page.saved')).waitFor()
}

/** Once the script of its list is there. */
async function chooseCard({ page }: Visitor, place: number): Promise<void> {
  await page.waitForLoadState('networkidle')
  const link = page.locator('#results [data-card] h2 a').nth(place)
  await Promise.all([page.waitForURL(/\/p\//), link.click()])
  await page.waitForLoadState('networkidle')
}

async function addToCart({ page, t }: Visitor): Promise<void> {
  const add = page.getByRole('button', { name: t('goods.add'), exact: true }).first()
  await Promise.all([page.waitForResponse((response) => /"offerId"/.test(response.request().postData() ?? '')), add.click()])
  await page.waitForLoadState('networkidle')
}

const remembered = ({ page }: Visitor) => page.evaluate(() => sessionStorage.getItem('list-choices'))

test('R-520 a product chosen in a search and put in the cart reaches the analytics with consent to preferences, and never without', async () => {
  const words = 'hammer drill'
  const visitor = await journey.visit({ market: 'gb' })
  // The test cannot read what a beacon sends: it goes out as it does where the browser refuses one.
  await visitor.page.addInitScript(() => void (navigator.sendBeacon = () => false))
  const { page, origin, t } = visitor
  const sent: string[] = []
  page.on('request', (request) => {
    if (/search-events|search-engine/.test(request.url())) sent.push(request.postData() ?? '')
  })
  const before = await ofQuery(words)
  // Everything is refused.
  await page.goto(origin)
  await searchFor(visitor, words)
  await chooseCard(visitor, 0)
  await addToCart(visitor)
  assert.deepEqual([sent, await remembered(visitor)], [[], null])

  await agree(visitor)
  await searchFor(visitor, words)
  const second = (await shownCards(visitor))[1]
  await chooseCard(visitor, 1)
  assert.equal(new URL(page.url()).pathname, second?.path)
  await until(async () => (await ofQuery(words)).clicks === before.clicks + 1, 'the click has not arrived')
  await addToCart(visitor)
  await until(async () => (await ofQuery(words)).conversions === before.conversions + 1, 'the conversion has not arrived')
  const [click, conversion] = sent.map((body) => JSON.parse(body) as { type: string; position: number; queryId: string; query: string })
  assert.deepEqual([click?.type, click?.position, click?.query, sent.length], ['click', 2, words, 2])
  assert.deepEqual({ ...conversion, type: 'click' }, click)

  // The same again, from the page that caches hold.
  await searchFor(visitor, words)
  await chooseCard(visitor, 1)
  await until(() => Promise.resolve(sent.length === 3), 'the second click is not sent')
  assert.equal((JSON.parse(sent[2] ?? '') as { queryId: string }).queryId, click?.queryId)
  await searchFor(visitor, words)
  await chooseCard(visitor, 2)
  await until(async () => (await ofQuery(words)).clicks === before.clicks + 2, 'a click on another product has not arrived')
  assert.deepEqual(await ofQuery(words), { clicks: before.clicks + 2, conversions: before.conversions + 1 })

  assert.notEqual(await remembered(visitor), null)
  await page.goto(`${origin}/privacy-choices`)
  await page.getByRole('button', { name: t('consent.refuse') }).click()
  await page.getByText(t('consent.page.saved')).waitFor()
  await until(async () => (await remembered(visitor)) === null, 'what was remembered is still there')

  // Withdrawn elsewhere while the list is open.
  await agree(visitor)
  await searchFor(visitor, words)
  await page.waitForLoadState('networkidle')
  await page.context().addCookies([{ name: 'mm_consent', value: 'v1:', url: origin }])
  await chooseCard(visitor, 0)
  await searchFor(visitor, words)
  await chooseCard(visitor, 0)
  assert.equal(sent.length, 4, 'nothing is sent after a withdrawal')
  assert.deepEqual(visitor.complaints, [])
  await visitor.leave()
})

test('R-520 an order of a product chosen in a category counts for the category, however it came into the cart', async () => {
  const visitor = await journey.visit({ market: 'gb' })
  // The test cannot read what a beacon sends: it goes out as it does where the browser refuses one.
  await visitor.page.addInitScript(() => void (navigator.sendBeacon = () => false))
  const { page, origin, t } = visitor
  await agree(visitor)
  await page.goto(`${origin}/search/drill`)
  const shelf = page
    .getByRole('navigation', { name: t('search.in-category') })
    .getByRole('link')
    .first()
  const path = await shelf.getAttribute('href')
  const categoryId = Number(/-(\d+)$/.exec(path ?? '')?.[1])
  const before = await ofCategory(categoryId)
  await page.goto(origin + path)
  await chooseCard(visitor, 0)
  await until(async () => (await ofCategory(categoryId)).clicks === before.clicks + 1, 'the click has not arrived')
  // The script cannot reach the shop: the form is sent as it is.
  await page.route('**/graphql', (route) => route.abort())
  await Promise.all([
    page.waitForURL(/\/cart/),
    page
      .getByRole('button', { name: t('goods.add'), exact: true })
      .first()
      .click(),
  ])
  await page.unroute('**/graphql')
  await page.goto(`${origin}/cart`)
  await goToPayment(visitor, `choices.${Date.now()}@buyer.example`)
  assert.equal((await ofCategory(categoryId)).conversions, before.conversions)
  await typeCard(visitor, '4000000000000002')
  await expectReceipt(visitor)
  await until(async () => (await ofCategory(categoryId)).conversions === before.conversions + 1, 'the order has not arrived')
  await visitor.leave()
})
