import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, category, listing } from '../testing/goods.ts'
import { pageOf, shopWith, structuredData, textOf } from '../testing/shop.ts'

const shop = { category: category(), listing: listing() }

test('R-071 a category shows breadcrumb, facets with counts, order, size, cards with quick add, and an introduction', async () => {
  const { status, body } = await pageOf(shop, '/drills-4')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Tools',
    'Drills',
    '2 products',
    'Brand',
    'Kastor',
    'Most relevant',
    '48 per page',
    'Drill 1',
    'How to choose a drill.',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /data-count="2"><input [^>]*value="Kastor"/)
  const adds = [...body.matchAll(/<button[^>]*aria-labelledby="a [^>]*>/g)].map(([button]) => button)
  assert.equal(adds.length, 2)
  for (const [at, button] of adds.entries()) assert.ok(button.includes(`a ${at + 1}"`) && button.includes(`value="o${at + 1}"`), button)
  assert.match(body, /<form[^>]*action="\/drills-4" method="get"/)
  const trail = structuredData(body)['BreadcrumbList']!['itemListElement'] as { name: string; item: string }[]
  assert.deepEqual(
    trail.map(({ name, item }) => [name, new URL(item).pathname]),
    [
      ['Home', '/'],
      ['Tools', '/tools-1'],
      ['Drills', '/drills-4'],
    ],
  )
})

test('R-074 the right id with another slug redirects to the right slug, keeping the selection; an unknown id is 404', async () => {
  const moved = await pageOf(shop, '/borers-4?page=2')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/drills-4?page=2'])
  assert.equal((await pageOf({ ...shop, category: null }, '/drills-999')).status, 404)
})

test('the address determines the query to the gateway', async () => {
  const { ask, asked, close } = await shopWith({ ...shop, listing: listing({ page: 2, pages: 3, total: 130 }) })
  await ask('/drills-4?f[brand]=Kastor&min[price]=10&sort=price_asc&size=24&page=2&utm_source=mail')
  const { input } = asked.find((variables) => 'input' in variables)!
  assert.deepEqual(input, {
    kind: 'category',
    id: 4,
    filters: [{ key: 'brand', values: ['Kastor'] }],
    ranges: [{ key: 'price', min: 10, max: null }],
    sort: 'price_asc',
    page: 2,
    pageSize: 24,
  })
  await close()
})

test('R-071 pages are plain links, each page is its own canonical, filtered lists are not indexed', async () => {
  const { ask, close } = await shopWith({ ...shop, listing: listing({ total: 130, pages: 3, page: 2 }) })
  const second = await ask('/drills-4?page=2')
  for (const href of ['/drills-4', '/drills-4?page=3']) assert.ok(second.body.includes(`href="${href}"`), href)
  assert.match(second.body, /rel="canonical" href="http:\/\/gb\.localhost\/drills-4\?page=2"/)
  assert.match(second.body, /<title>Drills, page 2 \|/)
  assert.ok(!textOf(second.body).includes('How to choose a drill.'), 'the text stands on the first page only')
  const filtered = await ask('/drills-4?f[brand]=Kastor')
  assert.match(filtered.body, /name="robots" content="noindex, follow"/)
  await close()
})

test('a page beyond the last redirects to the first; empty fields redirect to the plain address', async () => {
  const beyond = await pageOf({ ...shop, listing: listing({ page: 9, pages: 2, total: 60 }) }, '/drills-4?page=9')
  assert.deepEqual([beyond.status, beyond.headers.location], [302, '/drills-4'])
  const untidy = await pageOf(shop, '/drills-4?min[price]=&max[price]=20')
  assert.deepEqual([untidy.status, untidy.headers.location], [302, '/drills-4?max%5Bprice%5D=20'])
})

test('selected filters are chips, each linking to the page without it; without results, clearing them is offered', async () => {
  const facets = listing().facets.map((facet) => ({
    ...facet,
    values: facet.values.map((value) => ({ ...value, selected: value.value === 'Kastor' })),
  }))
  const { body } = await pageOf({ ...shop, listing: listing({ facets }) }, '/drills-4?f[brand]=Kastor&min[price]=10')
  assert.match(body, /href="\/drills-4\?min%5Bprice%5D=10" aria-label="Remove filter: Kastor"/)
  assert.match(body, /href="\/drills-4\?f%5Bbrand%5D=Kastor" aria-label="Remove filter: Price ≥ £10"/)
  const facet = { key: 'power', label: 'Leistung', kind: 'range', unit: 'kW', min: 1, max: 9, values: [] }
  const german = { ...shop, listing: listing({ facets: [facet] }) }
  const bounds = await pageOf(german, '/drills-4?min[power]=1.5&max[power]=2000', { host: 'de.localhost' })
  assert.match(bounds.body, /aria-label="Filter entfernen: Leistung 1,5 – 2\.000 kW"/)
  const none = await pageOf({ ...shop, listing: listing({ total: 0, pages: 0, cards: [] }) }, '/drills-4?min[price]=9999')
  assert.equal(none.status, 200)
  assert.ok(textOf(none.body).includes('No product fits all of these filters'))
})

test('an empty category and an unavailable search each say so, with a link onwards', async () => {
  const empty = await pageOf({ ...shop, listing: listing({ total: 0, pages: 0, cards: [], facets: [] }) }, '/drills-4')
  assert.ok(textOf(empty.body).includes('Nothing here yet'))
  const down = await pageOf({ ...shop, listing: listing({ total: 0, pages: 0, cards: [], facets: [], available: false }) }, '/drills-4')
  assert.equal(down.status, 200)
  assert.ok(textOf(down.body).includes('We cannot show the products right now'))
  assert.match(down.body, /href="\/drills-4">Try again/)
})

test('subcategories are links with their counts; pictures only where they distinguish them', async () => {
  const child = (id: number, pictureUrl: string) => ({ id, name: `Part ${id}`, url: `/part-${id}`, pictureUrl, productCount: id * 10 })
  const same = await pageOf({ ...shop, category: category({ children: [child(5, '/a.svg'), child(6, '/a.svg')] }) }, '/drills-4')
  assert.match(same.body, /<span data-count="50">Part 5<\/span>/)
  assert.ok(!same.body.includes('/a.svg'))
  const other = await pageOf({ ...shop, category: category({ children: [child(5, '/a.svg'), child(6, '/b.svg')] }) }, '/drills-4')
  assert.ok(other.body.includes('/b.svg'))
})

test('sponsored products are labelled as such', async () => {
  const cards = [card(1, { badges: [{ type: 'sponsored', label: 'Sponsored' }] }), card(2)]
  const { body } = await pageOf({ ...shop, listing: listing({ cards }) }, '/drills-4')
  assert.equal(body.match(/data-badge="sponsored"/g)?.length, 1)
})
