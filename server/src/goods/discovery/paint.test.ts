import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { connectSearch, rebuildIndex } from '#listing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const tins = [
  [1, 'blue', 2.5, 3_000],
  [2, 'blue', 10, 8_000],
  [3, 'red', 2.5, 3_500],
] as const
for (const [id, color, volume, price] of tins) {
  const attributes = { color, volume, coverage: 10 }
  await testProduct(db, { id, modelId: 900, attributes, unit: { measure: 'l', quantityMilli: volume * 1000 }, title: `Paint ${id}` })
  await testOffer(db, { id: id * 10, productId: id, price, stock: id === 2 ? 1 : 20 })
}
await testProduct(db, { id: 4, attributes: { voltage: 18 } })
await testOffer(db, { id: 40, productId: 4 })
// Germany sells the last tin alone.
await testOffer(db, { id: 31, productId: 3, market: 'de', sellerId: 2, price: 3_900 })
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)

interface Answer {
  paint: {
    url: string
    coverage: number
    colors: { value: string; selected: boolean; url: string; tins: { litres: number; stock: number; card: { offerId: string } }[] }[]
    plan: { litres: number; spare: number; total: { formatted: string }; lines: { quantity: number; tin: { litres: number } }[] } | null
  } | null
}

async function paintOf(productId: string, need = { area: 50, coats: 2 }, host = 'gb.localhost:3000'): Promise<Answer['paint']> {
  const query = `query ($productId: ID!, $area: Float!, $coats: Int!) { paint(productId: $productId, area: $area, coats: $coats) {
    url coverage colors { value selected url tins { litres stock card { offerId } } }
    plan { litres spare total { formatted } lines { quantity tin { litres } } } } }`
  const { body } = await gateway.post(query, { productId, ...need }, { host })
  const { data, errors } = body as { data: Answer; errors?: unknown }
  assert.equal(errors, undefined)
  return data.paint
}

test('R-041 a tin leads to its paint in every colour that is sold, each at an address of its own', async () => {
  const paint = await paintOf('2')
  assert.equal(paint?.url, '/paint/paint-1-1')
  assert.equal(paint.coverage, 10)
  assert.deepEqual(
    paint.colors.map(({ value, selected, url, tins: sold }) => [value, selected, url, sold.map(({ litres }) => litres)]),
    [
      ['blue', true, '/paint/paint-2-2', [2.5, 10]],
      ['red', false, '/paint/paint-3-3', [2.5]],
    ],
  )
})

test('R-070 an area and its coats become litres, and litres the cheapest tins in stock', async () => {
  const one = await paintOf('1')
  assert.deepEqual(one?.plan, { litres: 10, spare: 0, total: { formatted: '£80.00' }, lines: [{ quantity: 1, tin: { litres: 10 } }] })
  // There is one large tin.
  const more = await paintOf('1', { area: 100, coats: 2 })
  assert.deepEqual(
    more?.plan?.lines.map(({ quantity, tin }) => [quantity, tin.litres]),
    [
      [4, 2.5],
      [1, 10],
    ],
  )
  const tooMuch = await paintOf('3', { area: 500, coats: 2 })
  assert.deepEqual(tooMuch?.plan?.lines, [])
})

test('R-070 no area, coats out of bounds or a figure beyond reason is answered without a plan', async () => {
  for (const need of [
    { area: 0, coats: 2 },
    { area: -5, coats: 2 },
    { area: 10, coats: 0 },
    { area: 10, coats: 2_000_000 },
    { area: 1e300, coats: 2 },
  ])
    assert.equal((await paintOf('1', need))?.plan, null, JSON.stringify(need))
})

test('R-041 what is no paint has no paint page; the sitemap names each paint once', async () => {
  assert.equal(await paintOf('4'), null)
  assert.equal(await paintOf('999'), null)
  const { body } = await gateway.post('{ sitemapPaints product(id: "3") { paintUrl } }', {}, { host: 'gb.localhost:3000' })
  assert.deepEqual(body, { data: { sitemapPaints: ['/paint/paint-1-1'], product: { paintUrl: '/paint/paint-3-3' } } })
})

test('V-36 the paint’s page in each market is that of the first tin sold there, which is the canonical one', async () => {
  const query = '{ paint(productId: "2", area: 10, coats: 1) { url alternates { market url } } }'
  const paintIn = async (market: string) => {
    const { body } = await gateway.post(query, {}, { host: `${market}.localhost:3000` })
    return (body as { data: { paint: { url: string; alternates: { market: string; url: string }[] } } }).data.paint
  }
  const [here, there] = [await paintIn('gb'), await paintIn('de')]
  assert.match(there.url, /-3$/)
  for (const { alternates } of [here, there])
    assert.deepEqual(
      alternates.map(({ market, url }) => [market, decodeURIComponent(url)]),
      [
        ['gb', here.url],
        ['de', decodeURIComponent(there.url)],
      ],
    )
})
