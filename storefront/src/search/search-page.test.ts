import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listing } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

test('R-159 a search shows its results and facets, keeps the query in address and field, and suggests a category', async () => {
  const predictedCategories = [{ id: 4, name: 'Drills', url: '/drills-4' }]
  const { status, body } = await pageOf({ listing: listing({ predictedCategories }) }, '/search/dr%C3%A4ll%2018v')
  assert.equal(status, 200)
  assert.match(body, /name="query"[^>]*value="dräll 18v"|value="dräll 18v"[^>]*name="query"/)
  assert.match(body, /<h1[^>]*>“dräll 18v”/)
  assert.match(body, /href="\/drills-4">Drills</)
  assert.ok(textOf(body).includes('2 products') && textOf(body).includes('Kastor'))
  assert.match(body, /name="robots" content="noindex, follow"/)
})

test('R-159 a corrected query is announced', async () => {
  const { body } = await pageOf({ listing: listing({ didYouMean: 'drill bits', droppedWords: ['blorb'] }) }, '/search/dril%20blorb')
  assert.match(body, /Did you mean: <a href="\/search\/drill%20bits">drill bits<\/a>/)
  assert.ok(textOf(body).includes('Shown without “blorb”'))
})

const understood = [
  { kind: 'thing', text: 'drill', name: null, value: null },
  { kind: 'attribute', text: '18V', name: 'Voltage', value: '18 V' },
  { kind: 'without', text: 'not cordless', name: 'Power source', value: 'cordless' },
]

test('V-84 what was understood is shown, and each part can be taken off by a plain link', async () => {
  const { body } = await pageOf({ listing: listing({ understood }) }, '/search/drill%2018V%20not%20cordless?sort=rating')
  const chips = [...body.matchAll(/<a[^>]*href="([^"]*literal=[^"]*)"[^>]*>/g)].map(([tag]) => tag)
  assert.equal(chips.length, 4, 'one for each part, and one for all')
  assert.match(body, /aria-label="Understood"/)
  assert.match(chips[1] ?? '', /href="[^"]*\?literal=18v&amp;sort=rating"/)
  assert.match(chips[1] ?? '', /aria-label="Search for “18V” as typed, not as “Voltage: 18 V”"/)
  assert.match(chips[3] ?? '', /literal=18v%7Cdrill%7Cnot\+cordless&amp;sort=rating"/)
  for (const label of ['Looking for: drill', 'Voltage: 18 V', 'Power source: not cordless', 'All as typed'])
    assert.ok(textOf(body).includes(label), label)
})

test('V-84 a part taken literally is told, kept by filters and sorting, and can be understood again', async () => {
  const asked: unknown[] = []
  const answer = (input: { literal?: string[] }) => {
    asked.push(input.literal)
    return listing({ understood: [] })
  }
  const { body } = await pageOf(
    { listing: ({ input }: { input: { literal?: string[] } }) => answer(input) },
    '/search/drill%2018v?literal=18v%7Cdrill&max[price]=90',
  )
  assert.deepEqual(asked, [['18v', 'drill']])
  assert.match(
    body,
    /href="\/search\/drill%2018v\?max%5Bprice%5D=90&amp;literal=drill"[^>]*>“18v” is searched for as typed\. Understand it again</,
  )
  assert.equal([...body.matchAll(/<input[^>]*name="literal"[^>]*>/g)].length, 2, 'in the form of filters and that of sorting')
  assert.match(body, /name="robots" content="noindex, follow"/)
})

test('R-159 an operator’s rule redirects a query, but never outside the shop', async () => {
  const to = async (redirectUrl: string) => (await pageOf({ listing: listing({ redirectUrl }) }, '/search/garden')).headers.location
  assert.equal(await to('/garden-22'), '/garden-22')
  assert.equal(await to('https://elsewhere.example/'), '/')
  assert.equal(await to('//elsewhere.example/'), '/')
})

test('R-159 without results the page offers hints and the departments', async () => {
  const none = { total: 0, pages: 0, cards: [], facets: [] }
  const { status, body } = await pageOf({ listing: listing(none) }, '/search/qqq')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Nothing found for “qqq”',
    'Check the spelling',
    'Part numbers and EAN work too',
    'Browse by department',
    'Department tools',
  ])
    assert.ok(text.includes(part), part)
})

test('the query is never interpreted as markup', async () => {
  const { body } = await pageOf({ listing: listing() }, `/search/${encodeURIComponent('<img src=x onerror=alert(1)>"\'')}`)
  assert.doesNotMatch(body, /<img src=x/)
})

test('the header’s plain form redirects to the search address', async () => {
  const { status, headers } = await pageOf({ listing: listing() }, '/search?query=cordless+drill')
  assert.deepEqual([status, headers.location], [308, '/search/cordless%20drill'])
})

test('R-629 a search for nothing leads to the home page, temporarily', async () => {
  const { status, headers } = await pageOf({ listing: listing() }, '/search/%20')
  assert.deepEqual([status, headers['location']], [307, '/'])
})
