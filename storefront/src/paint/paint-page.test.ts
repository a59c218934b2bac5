import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, money, offer, product } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const tin = (id: number, litres: number, more: Record<string, unknown> = {}) => ({
  litres,
  url: `/p/tin-${id}`,
  stock: 9,
  card: card(id, more),
})
const color = (value: string, id: number, more: object = {}) => ({
  value,
  label: value,
  hex: '#9caf88',
  selected: value === 'sage',
  url: `/paint/tin-${id}`,
  tins: [tin(id, 2.5), tin(id + 1, 10)],
  ...more,
})
const sage = color('sage', 12)
const plan = {
  litres: 12,
  spare: 0.5,
  total: money(99.8),
  lines: [
    { quantity: 1, total: money(20), tin: tin(12, 2.5) },
    { quantity: 1, total: money(79.8), tin: tin(13, 10) },
  ],
}
const paint = (more: object = {}) => ({
  url: '/paint/cordless-drill-18-v-12',
  alternates: [
    { market: 'gb', url: '/paint/cordless-drill-18-v-12' },
    { market: 'de', url: '/paint/akkubohrer-14' },
  ],
  coverage: 8,
  color: sage,
  colors: [sage, color('terracotta', 14)],
  plan,
  ...more,
})
const address = '/paint/cordless-drill-18-v-12'
const shown = product({ family: 'wall_paint' })

test('R-041 R-070 the paint page shows the colours on a wall, finish and tins, and adds the tins for an area to the basket with a form', async () => {
  const { status, body } = await pageOf({ product: shown, paint: paint() }, `${address}?area=48&coats=2`)
  assert.equal(status, 200)
  assert.match(body, /<svg[^>]*role="img" aria-label="A room with its wall painted sage"/)
  assert.match(body, /style="background:#9caf88"/)
  // The quantity follows to another colour.
  assert.match(body, /href="\/paint\/tin-14\?area=48&amp;coats=2"/)
  assert.match(body, /aria-current="true"[^>]*>.{0,120}sage/)
  assert.match(body, /<form[^>]*method="get"[^>]*>.*name="area"[^>]*value="48"/s)
  const form = /<form[^>]*action="\/cart" method="post">.*?<\/form>/s.exec(body.slice(body.indexOf('id="tins"')))?.[0] ?? ''
  const sent = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => [/name="([^"]*)"/.exec(input)?.[1], /value="([^"]*)"/.exec(input)?.[1]])
  assert.deepEqual(sent, [
    ['do', 'add-all'],
    ['take', 'o12'],
    ['quantities.o12', '1'],
    ['take', 'o13'],
    ['quantities.o13', '1'],
  ])
  for (const part of ['48 m² in 2 coats: 12 litres', '1 × 2.5 L', '1 × 10 L', '£99.80', '0.5 L will be left'])
    assert.ok(textOf(body).includes(part), part)
})

test('R-038 a paint whose colour nobody sells stays at /catalogue/paint with its other colours', async () => {
  const unsold = product({ family: 'masonry_paint', bestOffer: null, offers: [] })
  const answer = { product: unsold, paint: paint({ plan: null, color: { ...sage, tins: [] }, colors: [color('terracotta', 14)] }) }
  const moved = await pageOf(answer, address)
  assert.deepEqual([moved.status, moved.headers.location], [301, `/catalogue${address}`])
  const { status, body } = await pageOf(answer, `/catalogue${address}`)
  assert.equal(status, 200)
  assert.match(body, /href="\/paint\/tin-14"/)
  assert.ok(textOf(body).includes('Nobody sells this colour right now'))
  assert.match(body, /aria-label="A wall outside, painted sage"/)
  const back = await pageOf({ product: shown, paint: paint() }, `/catalogue${address}`)
  assert.deepEqual([back.status, back.headers.location], [301, address])
})

test('R-041 what is no paint goes to its product page, a wrong slug to the right one; unknown is 404, ended 410', async () => {
  const drill = await pageOf({ product: shown, paint: null }, address)
  assert.deepEqual([drill.status, drill.headers.location], [301, '/p/cordless-drill-18-v-12'])
  const fromAd = await pageOf({ product: shown, paint: null }, `${address}?gclid=Cj0_1`)
  assert.equal(fromAd.headers.location, '/p/cordless-drill-18-v-12?gclid=Cj0_1', 'attribution is not lost')
  const slug = await pageOf({ product: shown, paint: paint() }, '/paint/other-12')
  assert.deepEqual([slug.status, slug.headers.location], [301, address])
  assert.equal((await pageOf({ product: null, paint: null }, address)).status, 404)
  assert.equal((await pageOf({ product: product({ family: 'x', status: 'ENDED' }), paint: null }, address)).status, 410)
})

for (const typed of ['0', 'many', '501', '-3'])
  test(`R-070 the area "${typed}" is refused at its field, and no tins are offered`, async () => {
    const { body } = await pageOf({ product: shown, paint: paint({ plan: null }) }, `${address}?area=${typed}`)
    assert.ok(textOf(body).includes('Enter an area between 1 and 500 m²'))
    assert.match(body, new RegExp(`name="area"[^>]*value="${typed}"`))
    assert.doesNotMatch(body, /id="tins"/)
  })

test('R-070 stock that does not suffice is said instead of tins', async () => {
  const short = paint({ plan: { ...plan, lines: [], total: money(0) } })
  const { body } = await pageOf({ product: shown, paint: short }, `${address}?area=400`)
  assert.ok(textOf(body).includes('not enough tins in stock'))
  assert.doesNotMatch(body, /value="add-all"/)
})

test('R-041 search engines get one address for all colours of a paint, and no quantities', async () => {
  const first = await pageOf({ product: shown, paint: paint() }, address)
  assert.match(first.body, /<link rel="canonical" href="[^"]*\/paint\/cordless-drill-18-v-12">/)
  assert.match(first.body, /hreflang="de-DE" href="[^"]*\/paint\/akkubohrer-14"/, 'the tin that is canonical there')
  const other = await pageOf({ product: shown, paint: paint({ url: '/paint/tin-7' }) }, address)
  assert.doesNotMatch(other.body, /hreflang="de-DE" href="[^"]*\/paint\/akkubohrer/)
  assert.match(other.body, /<link rel="canonical" href="[^"]*\/paint\/tin-7">/)
  const asked = await pageOf({ product: shown, paint: paint() }, `${address}?area=20`)
  assert.match(asked.body, /name="robots" content="noindex, follow"/)
})

test('R-041 the page of a tin links to the paint', async () => {
  const best = offer('o1')
  const { body } = await pageOf({ product: product({ bestOffer: best, offers: [best], paintUrl: address }) }, '/p/cordless-drill-18-v-12')
  assert.match(body, new RegExp(`href="${address}"`))
})
