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
for (const [id, popularity] of [
  [1, 10],
  [2, 30],
  [3, 20],
] as const) {
  await testProduct(db, {
    id,
    title: `Combi drill ${id} V`,
    popularity,
    attributes: { voltage: 12 + id, color: id === 1 ? 'red' : 'blue' },
  })
  await testOffer(db, { id: id * 10, productId: id, price: 10_000 * id, operations: id === 3 ? [70] : [] })
}
await testProduct(db, { id: 4, title: 'Mitre saw 1 kW', categoryId: 12, brandId: 2, popularity: 99 })
await testProduct(db, { id: 5, title: 'Hammer drill', brandId: 2, popularity: 5, attributes: { voltage: 18, color: 'blue' } })
await testOffer(db, { id: 50, productId: 5 })
// Sold to professionals alone.
await testOffer(db, { id: 40, productId: 4, sellerId: 3 })
for (const id of [6, 7]) {
  await testProduct(db, { id, title: `Mitre saw ${id} kW`, categoryId: 12, brandId: id - 5, popularity: 1 })
  await testOffer(db, { id: id * 10, productId: id, sellerId: 3 })
}
await db.run(
  {
    name: 'test.more-operations',
    text: `insert into catalogue.commercial_operation (id, type, market, slug, name, starts_at, ends_at) values
      (71, 'sales', 'gb', 'winter-sale', 'Winter sale', now() + interval '10 days', now() + interval '20 days'),
      (72, 'sales', 'gb', 'summer-sale', 'Summer sale', now() - interval '20 days', now() - interval '1 day'),
      (73, 'promo', 'gb', 'far-off', 'Far off', now() + interval '40 days', now() + interval '50 days'),
      (74, 'promo', 'de', 'woche', 'Angebote der Woche', now() - interval '1 day', now() + interval '5 days')`,
  },
  [],
)
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)

async function ask<Data>(query: string, host = 'gb.localhost:3000', variables: Record<string, unknown> = {}): Promise<Data> {
  const { body } = await gateway.post(query, variables, { host })
  const { data, errors } = body as { data: Data; errors?: unknown }
  assert.equal(errors, undefined)
  return data
}

type Row = { category: { id: number }; products: { productId: string }[] }
const idsOf = (row: Row | null | undefined) => row?.products.map(({ productId }) => productId)

test('R-034 best sellers are listed by department, by sales, without departments that are empty on the storefront', async () => {
  const query = '{ bestSellers { category { id } products { productId } } }'
  const { bestSellers } = await ask<{ bestSellers: Row[] }>(query)
  assert.deepEqual(
    bestSellers.map((row) => [row.category.id, idsOf(row)]),
    [[1, ['2', '3', '1', '5']]],
  )
  const pro = await ask<{ bestSellers: Row[] }>(query, 'pro.gb.localhost:3000')
  assert.deepEqual(idsOf(pro.bestSellers[0]), ['4', '2', '3', '1', '5'])
})

test('R-035 best sellers of a category hold its parts too; an unknown category has none', async () => {
  const of = (id: number) =>
    ask<{ bestSellersOf: Row | null }>(`{ bestSellersOf(categoryId: ${id}) { category { id } products { productId } } }`)
  assert.deepEqual(idsOf((await of(11)).bestSellersOf), ['2', '3', '1', '5'])
  assert.deepEqual(idsOf((await of(12)).bestSellersOf), [], 'its only product is for professionals')
  assert.equal((await of(999)).bestSellersOf, null)
})

test('R-067 a ranking names its sibling categories that sell something on the storefront, each with a ranking of its own', async () => {
  const of = (id: number, host?: string) =>
    ask<{ bestSellersOf: { siblings: { id: number }[] } }>(`{ bestSellersOf(categoryId: ${id}) { siblings { id } } }`, host)
  assert.deepEqual((await of(12)).bestSellersOf.siblings, [{ id: 11 }])
  assert.deepEqual((await of(11)).bestSellersOf.siblings, [], 'saws are sold to professionals alone')
  assert.deepEqual((await of(11, 'pro.gb.localhost:3000')).bestSellersOf.siblings, [{ id: 12 }])
  assert.deepEqual((await of(1)).bestSellersOf.siblings, [], 'the other department sells nothing')
})

test('R-147 running operations of the market are listed first, then those of the next thirty days; only running ones show products', async () => {
  const query = '{ operations { id state url products { productId } } }'
  const { operations } = await ask<{ operations: { id: number; state: string; url: string; products: { productId: string }[] }[] }>(query)
  assert.deepEqual(
    operations.map(({ id, state, url, products }) => [id, state, url, products.map(({ productId }) => productId)]),
    [
      [70, 'running', '/co/productdays/x-70', ['3']],
      [71, 'coming', '/co/sales/winter-sale-71', []],
    ],
  )
})

test('R-044 an operation is found in its own market, after its end too, and in no other', async () => {
  const find = (id: number, host?: string) =>
    ask<{ operation: { name: string; state: string } | null }>(`{ operation(id: ${id}) { name state } }`, host)
  assert.deepEqual((await find(72)).operation, { name: 'Summer sale', state: 'ended' })
  assert.equal((await find(74)).operation, null)
  assert.equal((await find(74, 'de.localhost:3000')).operation?.name, 'Angebote der Woche')
  assert.equal((await find(999)).operation, null)
})

test('R-072 a hub shows the key questions, best sellers, deals and brands of its category', async () => {
  const query = `{ hub(categoryId: 11) { category { name children { id } } parts { category { id } pictureUrl } questions { key values { value count } }
    bestSellers { productId } deals { productId } brands { name } } }`
  interface Hub {
    category: { name: string }
    questions: { key: string; values: { value: string; count: number }[] }[]
    bestSellers: { productId: string }[]
    brands: { name: string }[]
  }
  const { hub } = await ask<{ hub: Hub }>(query)
  assert.equal(hub.category.name, 'Drills')
  assert.deepEqual(
    hub.questions.map(({ key, values }) => [key, values.map(({ value }) => value).toSorted()]),
    [['voltage', ['13', '14', '15', '18']]],
    'the colour of a drill decides nothing',
  )
  assert.deepEqual(
    hub.bestSellers.map(({ productId }) => productId),
    ['2', '3', '1', '5'],
  )
  assert.deepEqual(
    hub.brands.map(({ name }) => name),
    ['Tarvok', 'Brexiro'],
  )
  const tools = await ask<{ hub: { parts: { category: { id: number }; pictureUrl: string }[] } }>(
    '{ hub(categoryId: 1) { parts { category { id } pictureUrl } } }',
  )
  assert.deepEqual(
    tools.hub.parts.map(({ category, pictureUrl }) => [category.id, pictureUrl.replace(/\?.*/, '')]),
    [
      [11, '/pictures/p/2/main.svg'],
      [12, '/pictures/c/tools.svg'],
    ],
    'a part shows what sells best in it',
  )
  assert.equal((await ask<{ hub: null }>('{ hub(categoryId: 999) { category { id } } }')).hub, null)
})

test('R-150 R-151 popular queries are listed by department and category, each with results on this storefront', async () => {
  interface Queries {
    category: { id: number }
    queries: { query: string; slug: string }[]
  }
  const { popularQueries } = await ask<{ popularQueries: Queries[] }>('{ popularQueries { category { id } queries { query slug } } }')
  assert.deepEqual(
    popularQueries.map(({ category }) => category.id),
    [1],
  )
  const slugs = popularQueries.flatMap(({ queries }) => queries.map(({ slug }) => slug))
  for (const slug of ['combi-drill', 'drills-tarvok']) assert.ok(slugs.includes(slug), slug)
  assert.ok(!slugs.includes('drills'), 'a category has its page already')
  assert.ok(!slugs.includes('mitre-saw'), 'sold to professionals alone')
  const { popularQueriesOf } = await ask<{ popularQueriesOf: Queries }>('{ popularQueriesOf(categoryId: 11) { queries { query slug } } }')
  assert.deepEqual(popularQueriesOf.queries.map(({ slug }) => slug).toSorted(), ['combi-drill', 'drills-tarvok'])
  const german = await ask<{ popularQueriesOf: Queries }>('{ popularQueriesOf(categoryId: 11) { queries { slug } } }', 'de.localhost:3000')
  assert.deepEqual(german.popularQueriesOf.queries, [], 'nobody sells in de')
})

test('R-047 an address names a query that finds something, and nothing else', async () => {
  const find = (slug: string, host?: string) =>
    ask<{ popularQuery: { query: string; label: string } | null }>(
      'query ($slug: String!) { popularQuery(slug: $slug) { query label } }',
      host,
      { slug },
    )
  assert.deepEqual((await find('combi-drill')).popularQuery, { query: 'combi drill', label: 'Combi drill' })
  assert.equal((await find('mitre-saw')).popularQuery, null)
  assert.deepEqual((await find('mitre-saw', 'pro.gb.localhost:3000')).popularQuery, { query: 'mitre saw', label: 'Mitre saw' })
  for (const slug of ['no-such-thing', '', '../x', 'combi drill', 'x'.repeat(500)])
    assert.equal((await find(slug)).popularQuery, null, slug)
})
