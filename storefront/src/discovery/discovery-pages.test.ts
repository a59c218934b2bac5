import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, category, listing } from '../testing/goods.ts'
import { pageOf, shopWith, structuredData, textOf } from '../testing/shop.ts'
import { timeLeft } from './countdown.ts'

const tools = category({ id: 1, name: 'Tools', slug: 'tools', url: '/tools-1', parents: [] })
const drills = category({
  parents: [{ id: 1, name: 'Tools', slug: 'tools', url: '/tools-1' }],
  children: [{ id: 5, name: 'Hammer drills', slug: 'hammer-drills', url: '/hammer-drills-5', pictureUrl: '/p.svg', productCount: 3 }],
})
const operation = (more: object = {}) => ({
  id: 70,
  type: 'promo',
  name: 'Garden days',
  slug: 'garden-days',
  url: '/co/promo/garden-days-70',
  state: 'running',
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: '2026-11-30T22:59:59.000Z',
  products: [card(7)],
  ...more,
})

test('R-034 R-181 best sellers are listed by department, each linking to its own ranking', async () => {
  const { status, body } = await pageOf({ bestSellers: [{ category: tools, products: [card(1), card(2)] }] }, '/bs')
  assert.equal(status, 200)
  assert.ok(body.includes('href="/bs/tools-1"'))
  for (const part of ['Best sellers', 'Tools', 'Drill 1', 'Drill 2']) assert.ok(textOf(body).includes(part), part)
  assert.equal(body.match(/<button value="o\d" [^>]*name="offerId">/g)?.length, 2)
})

test('R-034 without anything to rank the page says so, links onwards, and is not cached', async () => {
  const { status, body } = await pageOf({ bestSellers: [] }, '/bs')
  assert.equal(status, 200)
  assert.ok(textOf(body).includes('Nothing to show right now'))
  assert.ok(body.includes('href="/great-deals"'))
})

test('R-035 R-182 the best sellers of a category are in order, also in structured data', async () => {
  const shop = { bestSellersOf: { category: drills, siblings: [], products: [card(3), card(1)] } }
  const { body } = await pageOf(shop, '/bs/drills-4')
  const list = structuredData(body)['ItemList']!['itemListElement'] as { position: number; url: string }[]
  assert.deepEqual(
    list.map(({ position, url }) => [position, new URL(url).pathname]),
    [
      [1, '/p/drill-3'],
      [2, '/p/drill-1'],
    ],
  )
  for (const href of ['/bs', '/bs/tools-1', '/bs/hammer-drills-5', '/drills-4']) assert.ok(body.includes(`href="${href}"`), href)
  const moved = await pageOf(shop, '/bs/old-words-4')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/bs/drills-4'])
  assert.equal((await pageOf({ bestSellersOf: null }, '/bs/drills-999')).status, 404)
})

test('R-067 a ranking shows rank, price, rating and delivery promise of each product, and links to its sibling rankings', async () => {
  const siblings = [{ id: 12, name: 'Saws', slug: 'saws' }]
  const products = [card(3), card(1)].map((one) => ({ ...one, rating: 4.5, ratingCount: 12, deliveryPromise: 'Delivered by Friday' }))
  const { body } = await pageOf({ bestSellersOf: { category: drills, siblings, products } }, '/bs/drills-4')
  const items = body.match(/<li data-card="">.*?<\/li>/g) ?? []
  assert.equal(items.length, 2)
  for (const [at, item] of items.entries())
    for (const part of [`No. ${at + 1}`, '£49.90', 'Delivered by Friday']) assert.ok(textOf(item).includes(part), `${part} in ${item}`)
  for (const item of items) assert.match(item, /aria-label="4\.5 out of 5, 12 reviews"/)
  assert.match(textOf(body), /Best sellers in other categories/)
  assert.ok(body.includes('href="/bs/saws-12"'))
  assert.doesNotMatch((await pageOf({ bestSellersOf: { category: drills, siblings: [], products } }, '/bs/drills-4')).body, /id="siblings"/)
})

test('R-147 current offers show running operations with their last day and products, and when the next begins', async () => {
  const coming = operation({
    id: 71,
    name: 'Winter sale',
    state: 'coming',
    url: '/co/sales/winter-sale-71',
    startsAt: '2027-01-07T00:00:00.000Z',
    products: [],
  })
  const { status, body } = await pageOf({ operations: [operation(), coming] }, '/our-current-offers')
  assert.equal(status, 200)
  for (const part of ['Garden days', 'Until 30 November 2026', 'Drill 7', 'Winter sale', 'Starts on 7 January 2027'])
    assert.ok(textOf(body).includes(part), part)
  for (const href of ['/co/promo/garden-days-70', '/co/sales/winter-sale-71']) assert.ok(body.includes(`href="${href}"`), href)
  assert.ok(textOf((await pageOf({ operations: [] }, '/our-current-offers')).body).includes('Nothing to show right now'))
})

test('R-044 R-190 a running operation lists its products at its canonical address', async () => {
  const shop = await shopWith({ operation: operation(), listing: listing() })
  const { status, body } = await shop.ask('/co/promo/garden-days-70')
  assert.equal(status, 200)
  assert.match(body, /data-until="2026-11-30T22:59:59\.000Z"/)
  assert.ok(textOf(body).includes('Drill 1'))
  assert.partialDeepStrictEqual(
    shop.asked.find((variables) => 'input' in variables),
    { input: { kind: 'operation', id: 70 } },
  )
  const moved = await shop.ask('/co/sales/other-70')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/co/promo/garden-days-70'])
  await shop.close()
  assert.equal((await pageOf({ operation: null, listing: listing() }, '/co/promo/garden-days-999')).status, 404)
})

test('R-044 an operation that has ended says so, shows no products as reduced and is not indexed', async () => {
  const { status, body } = await pageOf({ operation: operation({ state: 'ended' }), listing: listing() }, '/co/promo/garden-days-70')
  assert.equal(status, 200)
  assert.ok(textOf(body).includes('This promotion is over'))
  assert.ok(!textOf(body).includes('Drill 1'))
  assert.match(body, /name="robots" content="noindex, follow"/)
  assert.ok(body.includes('href="/our-current-offers"'))
})

test('R-043 R-072 R-189 a hub shows subcategories, key questions as filters of the category, best sellers, deals and brands', async () => {
  const hub = {
    category: drills,
    parts: [{ category: category({ id: 5, name: 'Hammer drills', url: '/hammer-drills-5' }), pictureUrl: '/pictures/p/5/main.svg' }],
    questions: [
      {
        key: 'voltage',
        label: 'Voltage',
        kind: 'values',
        unit: 'V',
        min: null,
        max: null,
        values: [{ value: '18', label: '18 V', count: 12, selected: false, hex: null }],
      },
    ],
    bestSellers: [card(1)],
    deals: [card(2)],
    brands: [{ id: 9, name: 'Kastor', url: '/brand/kastor-9', logoUrl: '/pictures/b/9.svg' }],
  }
  const { status, body } = await pageOf({ hub }, '/hub/drills-4')
  assert.equal(status, 200)
  for (const href of ['/hammer-drills-5', '/drills-4?f%5Bvoltage%5D=18', '/bs/drills-4', '/brand/kastor-9', '/drills-4'])
    assert.ok(body.includes(`href="${href}"`), href)
  for (const part of ['What matters first', 'Voltage', '18 V', 'Drill 1', 'Drill 2']) assert.ok(textOf(body).includes(part), part)
  assert.equal((await pageOf({ hub }, '/hub/other-4')).headers.location, '/hub/drills-4')
  assert.equal((await pageOf({ hub: null }, '/hub/drills-999')).status, 404)
})

test('R-150 R-151 popular searches link from departments to categories to landing pages', async () => {
  const queries = [{ query: 'combi drill', label: 'Combi drill', slug: 'combi-drill' }]
  const all = await pageOf(
    { inspirations: [{ label: 'Rugs', slug: 'rugs' }], popularQueries: [{ category: tools, queries }] },
    '/the-most-popular-product-categories',
  )
  assert.equal(all.status, 200)
  for (const href of ['/cat/combi-drill', '/the-most-popular-product-categories/tools-1'])
    assert.ok(all.body.includes(`href="${href}"`), href)
  assert.ok(textOf(all.body).includes('Combi drill'))
  const one = await pageOf({ popularQueriesOf: { category: drills, queries } }, '/the-most-popular-product-categories/drills-4')
  assert.equal(one.status, 200)
  for (const href of ['/cat/combi-drill', '/the-most-popular-product-categories/hammer-drills-5', '/drills-4'])
    assert.ok(one.body.includes(`href="${href}"`), href)
  assert.equal((await pageOf({ popularQueriesOf: null }, '/the-most-popular-product-categories/drills-999')).status, 404)
})

test('R-047 R-221 a landing page lists the products of its query; an unpopular query, or one without results, is 404', async () => {
  const popularQuery = { query: 'combi drill', label: 'Combi drill', slug: 'combi-drill' }
  const shop = await shopWith({ popularQuery, listing: listing() })
  const { status, body } = await shop.ask('/cat/combi-drill')
  assert.equal(status, 200)
  assert.match(body, /<h1[^>]*>Combi drill<\/h1>/)
  assert.ok(!body.includes('value="combi-drill"'), 'nobody typed the words of the address')
  assert.match(body, /rel="canonical" href="http:\/\/gb\.localhost\/cat\/combi-drill"/)
  assert.partialDeepStrictEqual(
    shop.asked.find((variables) => 'input' in variables),
    { input: { kind: 'search', query: 'combi drill' } },
  )
  assert.equal((await shop.ask('/cat/Combi-Drill')).headers.location, '/cat/combi-drill')
  const ad = '?utm_source=news&gclid=Cj0_1'
  assert.equal((await shop.ask(`/cat/Combi-Drill${ad}`)).headers.location, `/cat/combi-drill${ad}`, 'attribution is not lost')
  await shop.close()
  assert.equal((await pageOf({ popularQuery: null, listing: listing() }, '/cat/nothing')).status, 404)
  assert.equal((await pageOf({ popularQuery, listing: listing({ total: 0, cards: [], pages: 0 }) }, '/cat/combi-drill')).status, 404)
  const away = await pageOf({ popularQuery, listing: listing({ available: false, total: 0, cards: [], pages: 0 }) }, '/cat/combi-drill')
  assert.ok(textOf(away.body).includes('We cannot show the products right now'))
})

test('R-190 the countdown of an operation shows days and time down to zero', () => {
  const until = Date.UTC(2026, 10, 30, 23, 0, 0)
  assert.deepEqual(timeLeft(until, Date.UTC(2026, 10, 28, 20, 58, 57)), { days: 2, clock: '02:01:03' })
  assert.deepEqual(timeLeft(until, until - 1000), { days: 0, clock: '00:00:01' })
  for (const now of [until, until + 5000, Number.NaN]) assert.equal(timeLeft(until, now), null)
})

const advertised = {
  id: '100001',
  title: 'Drill of the advertisement',
  slug: 'drill',
  url: '/p/drill-100001',
  modelId: '55',
  status: 'ACTIVE',
  rating: 4.5,
  ratingCount: 8,
  brand: null,
  categories: [{ id: 4, name: 'Drills', url: '/drills-4' }],
  pictures: [],
  bestOffer: {
    id: '900',
    bulk: null,
    stock: 5,
    deliveryPromise: 'Delivered by Friday',
    retailPriceTimeLeftLabel: null,
    price: card(1).prices,
    badges: [],
    seller: { name: 'Albion', url: '/seller-1', countryName: 'United Kingdom' },
  },
  alternatives: [card(7), card(8)],
}

test('R-075 R-046 /pal/{id} lands on the advertised product with a listing of alternatives, and is not indexed', async () => {
  const shop = await shopWith({
    entry: null,
    product: advertised,
    listing: listing({ cards: [card(8), { ...card(9), productId: '100001' }, card(10)] }),
  })
  const { status, body } = await shop.ask('/pal/100001?publisher_id=7')
  assert.equal(status, 200)
  assert.match(body, /name="robots" content="noindex, follow"/)
  for (const part of ['Drill of the advertisement', '£49.90', 'Delivered by Friday', 'Alternatives to this product'])
    assert.ok(textOf(body).includes(part), part)
  assert.match(body, /name="offerId" value="900"/)
  assert.ok(body.includes('href="/p/drill-100001"') && body.includes('href="/drills-4"'))
  const [, alternatives = ''] = body.split('Alternatives to this product')
  assert.deepEqual(
    [...alternatives.matchAll(/<h3[^>]*>.*?Drill (\d+)/g)].map(([, id]) => id),
    ['7', '8', '10'],
    'each once, without itself',
  )
  assert.partialDeepStrictEqual(
    shop.asked.find((variables) => 'input' in variables),
    { input: { kind: 'category', id: 4, modelId: '55' } },
  )
  await shop.close()
})

test('R-075 an advertisement of an ended product shows what there is instead; of an unknown one, nothing', async () => {
  const ended = await pageOf({ entry: null, product: { ...advertised, status: 'ENDED' } }, '/pal/100001')
  assert.equal(ended.status, 410)
  assert.ok(textOf(ended.body).includes('Drill 7'))
  assert.equal((await pageOf({ entry: null, product: null }, '/pal/100002')).status, 404)
})
