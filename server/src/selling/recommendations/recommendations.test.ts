import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { connectSearch, rebuildIndex, connectRecommendations } from '#listing'
import { enqueue } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { goesWith } from './goes-with.ts'
import { jobs } from './jobs.ts'
import { boughtTogether, learn, viewedTogether } from './learn.ts'
import { recommendFrom, shareOut, type Learnable } from './model.ts'
import { forgetRecommendations, recommend, recommendationService } from './recommend.ts'
import { writeModel } from './store.ts'

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const { db } = database
await testReference(db)
for (const id of [1, 2, 3, 4, 5, 6]) {
  await testProduct(db, { id, title: `Drill ${id}`, popularity: 900 - id, categoryId: id > 4 ? 12 : 11 })
  await testOffer(db, { id: id * 10, productId: id, price: 10_000 })
}
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine, markets: ['gb'] })
const gateway = await testGateway(database.pool)

type Row = { source: string; card: { productId: string } }
async function recommended(placement: string, productIds: string[], categoryId?: number) {
  const query = `query ($ids: [ID!], $category: Int) { recommendations(placement: ${placement}, productIds: $ids, categoryId: $category) { source card { productId } } }`
  const { body } = await gateway.post(query, { ids: productIds, category: categoryId ?? null })
  const { data, errors } = body as { data?: { recommendations?: Row[] } | null; errors?: object[] }
  return { rows: data?.recommendations ?? [], errors }
}
const shown = ({ rows }: { rows: Row[] }) => rows.map(({ source, card }) => `${source} ${card.productId}`)
async function place(placement: string, sources: string[], key = 'an-operator-key-of-thirty-two-bytes') {
  const answer = await fetch(`${gateway.url}/api/v1/operator/recommendations/${placement}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sources }),
  })
  return answer.status
}

await writeModel(
  db,
  'gb',
  {
    alsoViewed: { 1: ['4', '3'] },
    goesWith: { 1: ['2'] },
    boughtTogether: { 1: ['3', '2', '404'], 2: ['3'] },
    popular: { all: ['6', '5'], 12: ['5', '6'] },
  },
  new Date(),
)

test('R-686 R-687 R-688 R-690 each placement answers from its sources in order, each product with its reason and only once', async () => {
  assert.deepEqual(shown(await recommended('article_page', ['1'])), ['goes_with 2', 'bought_together 3', 'also_viewed 4'])
  for (const placement of ['cart_page', 'add_to_cart'])
    assert.deepEqual(shown(await recommended(placement, ['1'])), ['goes_with 2', 'bought_together 3'], placement)
  assert.deepEqual(shown(await recommended('cart_page', ['1', '2'])), ['bought_together 3'])
  assert.deepEqual(shown(await recommended('category_listing', [], 12)), ['popular 5', 'popular 6'])
})

test('R-656 R-689 R-711 the home page of consumers suggests from a history of three, then what is popular', async () => {
  const popular = ['popular 6', 'popular 5']
  assert.deepEqual(shown(await recommended('homepage_b2c', ['1', '2'])), popular)
  assert.deepEqual(shown(await recommended('homepage_b2c', ['1', '2', '404'])), ['from_history 3', 'from_history 4', ...popular])
})

test('each source has its share of the places before any takes those left over', () => {
  const [many, few] = [Array.from({ length: 9 }, (_, at) => at), [20, 21]]
  assert.deepEqual(shareOut([many, few], 8), [0, 1, 2, 3, 4, 5, 20, 21])
  assert.deepEqual(shareOut([many, [], many], 4), [0, 1, 0, 1])
  assert.deepEqual(shareOut([few, few], 8), [20, 21, 20, 21])
  assert.deepEqual(shareOut([[], []], 8), [])
})

test('R-611 without any configuration the message is "Recommendations configuration is empty"', async () => {
  const placements = ['article_page', 'cart_page', 'add_to_cart', 'homepage_b2c', 'category_listing']
  for (const placement of placements) assert.equal(await place(placement, []), 204)
  const said: unknown[] = []
  const scope = database.scope()
  await recommend(scope, { placement: 'article_page', productIds: ['1'], categoryId: null }).catch((error: Error) =>
    said.push(error.message),
  )
  assert.deepEqual(said, ['Recommendations configuration is empty'])
  assert.ok((await recommended('article_page', ['1'])).errors)
  assert.equal(await place('article_page', ['goes_with', 'bought_together']), 204)
  assert.deepEqual(shown(await recommended('article_page', ['1'])), ['goes_with 2', 'bought_together 3'])
  assert.deepEqual(shown(await recommended('cart_page', ['1'])), [])
  assert.deepEqual([await place('nowhere', []), await place('cart_page', ['magic']), await place('cart_page', [], 'none')], [404, 400, 401])
})

test('R-552 R-656 R-711 suggestions from a history of three come from what was learned, and from likeness where nothing was', async () => {
  connectRecommendations(recommendationService(db))
  const ids = async (seen: string[]) => {
    const { body } = await gateway.post('query ($ids: [ID!]!) { suggestedFromHistory(productIds: $ids) { productId } }', { ids: seen })
    return (body as { data: { suggestedFromHistory: { productId: string }[] } }).data.suggestedFromHistory.map(({ productId }) => productId)
  }
  assert.deepEqual(await ids(['1', '2']), [])
  assert.deepEqual(await ids(['1', '2', '4']), ['3'])
  assert.ok((await ids(['4', '5', '6'])).length > 0)
  await writeModel(db, 'gb', { alsoViewed: {}, goesWith: {}, boughtTogether: { 1: ['6', '3', '5'] }, popular: {} }, new Date())
  forgetRecommendations()
  assert.deepEqual(await ids(['1', '2', '4']), ['6', '3', '5'], 'best first, not by popularity')
  connectRecommendations(undefined)
})

test('R-549 R-550 R-551 products seen are searched by their ids, scored by order, under the rule context of histories, hits only', async () => {
  const before = engine.asked.length
  const { body } = await gateway.post('query ($ids: [ID!]!) { seenProducts(productIds: $ids) { productId } }', { ids: ['3', '1', '404'] })
  const { seenProducts } = (body as { data: { seenProducts: { productId: string }[] } }).data
  assert.deepEqual(
    seenProducts.map(({ productId }) => productId),
    ['3', '1'],
  )
  const asked = engine.asked.slice(before)
  assert.deepEqual(
    asked.map(({ params }) => [params?.ruleContexts, params?.responseFields, params?.filters]),
    [[['product-history'], ['hits'], 'objectID:"3"<score=3> OR objectID:"1"<score=2> OR objectID:"404"<score=1>']],
  )
})

test('the nightly job learns every market from its goods and orders, and from what visitors viewed on three days; histories of accounts, which anybody can write, teach nothing', async () => {
  await database.pool.query('delete from recommendations.model')
  for (const products of [[1, 5], [1, 5], [1, 5, 6], [6]])
    await database.pool.query(
      'insert into history.entry (customer_id, product_id, viewed_at) select $1, id, now() from unnest($2::bigint[]) as id',
      [randomUUID(), products],
    )
  // Views of visitors with consent to statistics, each on a day of its own; those of one market teach that market alone.
  for (const [daysAgo, products] of [
    [1, [2, 3]],
    [2, [2, 3]],
    [3, [2, 3, 4]],
    [3, [2, 3, 4]],
    [3, [2, 4]],
  ] as const)
    await database.pool.query(
      `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at, received_at, network)
       select (now() at time zone 'UTC')::date - $1::int, gen_random_uuid(), 'gb', 'b2c', $2, 'page_view', 'product', 'product', 'mobile', '{statistics}',
         json_build_object('productId', id), at, at, $1 from (values (now() - make_interval(days => $1::int))) as t (at), unnest($3::int[]) as id`,
      [daysAgo, randomUUID(), products],
    )
  await database.command({}, async ({ db: inside }) => {
    await enqueue(inside, { name: 'recommendations.learn', key: 'all', payload: { key: 'all' } })
  })
  await runWork(database, [], jobs)
  forgetRecommendations()
  const { rows } = await database.pool.query<{ market: string; model: Record<'popular' | 'alsoViewed', Record<string, string[]>> }>(
    'select market, model from recommendations.model order by market',
  )
  assert.equal(rows.length, 5)
  assert.deepEqual(rows.find(({ market }) => market === 'gb')?.model.popular['12'], ['5', '6'])
  assert.deepEqual(rows.find(({ market }) => market === 'gb')?.model.alsoViewed, { 2: ['3'], 3: ['2'] })
  assert.deepEqual(rows.find(({ market }) => market === 'fr')?.model.alsoViewed, {})
})

const goods = (id: string, family: string, attributes: Record<string, string | number>, brandId = 1): Learnable => ({
  id,
  family,
  brandId,
  categoryId: 11,
  attributes,
  popularity: 1,
})

test('"goes with" follows attributes: battery platform, blade, plug, drive, thread, width, finish', () => {
  const lists = goesWith(
    [
      goods('drill', 'cordless_drill', { voltage: 18 }),
      goods('battery', 'tool_battery', { voltage: 18 }),
      goods('weaker', 'tool_battery', { voltage: 12 }),
      goods('foreign', 'tool_battery', { voltage: 18 }, 2),
      goods('saw', 'circular_saw', { blade_d: 190 }),
      goods('blade', 'saw_blade', { blade_d: 190, bore: 30, use_for: 'for_wood' }),
      goods('blade-metal', 'saw_blade', { blade_d: 190, bore: 30, use_for: 'for_metal' }),
      goods('blade-small', 'saw_blade', { blade_d: 165, bore: 20, use_for: 'for_wood' }),
      goods('screw', 'screws', { diameter: 5, length_mm: 60, drive: 'torx', head_type: 'csk', material: 'zinc_plated' }),
      goods('screw-short', 'screws', { diameter: 5, length_mm: 30, drive: 'pozi', head_type: 'csk', material: 'zinc_plated' }),
      goods('screw-hex', 'screws', { diameter: 4, length_mm: 60, drive: 'torx', head_type: 'hex', material: 'zinc_plated' }),
      goods('screw-deck', 'screws', { diameter: 5, length_mm: 70, drive: 'hex', head_type: 'csk', material: 'stainless' }),
      goods('plug', 'wall_plugs', { diameter: 8, length_mm: 40 }),
      goods('plug-small', 'wall_plugs', { diameter: 5, length_mm: 40 }),
      goods('set', 'screwdriver_set', { drive: 'torx' }),
      goods('m8', 'hex_bolts', { thread: 8 }),
      goods('m12', 'hex_bolts', { thread: 12 }),
      goods('sockets-half', 'socket_set', { type: '1/2"' }),
      goods('sockets-quarter', 'socket_set', { type: '1/4"' }),
      goods('pipe-15', 'copper_pipe', { diameter: 15 }),
      goods('pipe-18', 'copper_pipe', { diameter: 18 }),
      goods('valve', 'ball_valve', { type: '1/2"' }),
      goods('board', 'decking', { material: 'pine', thickness: 25 }),
      goods('board-thin', 'decking', { material: 'pine', thickness: 21 }),
      goods('vanity', 'vanity', { width_cm: 60 }),
      goods('mirror', 'bathroom_mirror', { width_cm: 60 }),
      goods('mirror-wide', 'bathroom_mirror', { width_cm: 80 }),
    ],
    8,
  )
  assert.deepEqual(lists, {
    drill: ['battery'],
    battery: ['drill'],
    saw: ['blade'],
    blade: ['saw'],
    screw: ['plug', 'set'],
    plug: ['screw', 'screw-deck'],
    'screw-deck': ['plug', 'board'],
    set: ['screw'],
    m8: ['sockets-quarter', 'sockets-half'],
    m12: ['sockets-half'],
    'sockets-half': ['m8', 'm12'],
    'sockets-quarter': ['m8'],
    'pipe-15': ['valve'],
    valve: ['pipe-15'],
    board: ['screw-deck'],
    vanity: ['mirror'],
    mirror: ['vanity'],
  })
})

test('accessories are listed by popularity, and a rule with two keys does not prefer one of them', () => {
  const sold = goods('m8', 'hex_bolts', { thread: 8 })
  const sets = ['1/2"', '1/4"', '3/8"'].map((type, at) => ({ ...goods(type, 'socket_set', { type }), popularity: at }))
  assert.deepEqual(goesWith([sold, ...sets], 2)['m8'], ['3/8"', '1/4"'])
})

test('products viewed together on three days and from three networks are listed; orders say how much more views weigh', () => {
  const view = (network: number, ...productIds: string[]) => ({ network, productIds })
  const of = (counts: Record<string, number>) => new Map(Object.entries(counts))
  const carrying = { orders: of({ 1: 9, 2: 9, 3: 4 }), popularity: of({ 4: 7, 5: 8 }) }
  const learned = (...days: { network: number; productIds: string[] }[][]) => viewedTogether(days, carrying)
  const on = (count: number, pair: string[], networks = count) => Array.from({ length: count }, (_, day) => [view(day % networks, ...pair)])
  const both = ['1', '2']
  const thousand = Array.from({ length: 1000 }, (_, at) => view(at, ...both))
  assert.deepEqual(learned(thousand, thousand), {}, 'a thousand networks on two days')
  assert.deepEqual(learned(...on(28, both, 2)), {}, 'two networks on many days')
  assert.deepEqual(learned(...on(3, both)), { 1: ['2'], 2: ['1'] })
  // Views weigh up to the orders of the product, and nothing for what nobody has bought: these come last, by popularity.
  assert.deepEqual(learned(...on(3, both), ...on(4, ['1', '3']))['1'], ['3', '2'])
  assert.deepEqual(learned(...on(5, both), ...on(23, ['1', '3']), ...on(28, ['1', '4']), ...on(3, ['1', '5']))['1'], ['2', '3', '5', '4'])
})

test('two products are bought together often from three baskets on', () => {
  const pair = ['1', '2']
  assert.deepEqual(boughtTogether([pair, pair, ['1', '3']]), {})
  assert.deepEqual(boughtTogether([pair, pair, pair, ['1', '3']]), { 1: ['2'], 2: ['1'] })
})

test('an answer takes less than 5 ms from memory', () => {
  const random = seeded(5)
  const baskets = Array.from({ length: 20_000 }, () => Array.from({ length: 4 }, () => String(Math.floor(random() * 200))))
  const model = { ...learn([], [], () => []), boughtTogether: boughtTogether(baskets) }
  const ids = Array.from({ length: 20 }, (_, at) => String(at))
  const startedAt = performance.now()
  for (let run = 0; run < 100; run++) recommendFrom(model, 'from_history', { productIds: ids, categoryId: null, limit: 8 })
  const each = (performance.now() - startedAt) / 100
  assert.ok(each < 5, `${each} ms`)
})

function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}
