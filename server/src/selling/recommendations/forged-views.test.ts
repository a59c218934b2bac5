/** Page views that anybody can send, through the endpoint and the nightly job, beside those of visitors. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { connectSearch, rebuildIndex } from '#listing'
import { enqueue } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { moveAllBursts } from '../../people/insights/burst-store.ts'
import { viewRules } from '../../people/insights/read-viewed.ts'
import { jobs } from './jobs.ts'

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
for (const id of [1, 2, 3, 4, 5, 6]) {
  await testProduct(db, { id, title: `Drill ${id}`, popularity: 900 - id })
  await testOffer(db, { id: id * 10, productId: id, price: 10_000 })
}
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine, markets: ['gb'] })
const gateway = await testGateway(pool, { trustProxy: '127.0.0.1' })

let networks = 0
/** A network of its own. */
const somewhere = () => `198.51.${100 + (networks >> 8)}.${networks++ & 255}`
const post = (path: string, body: unknown, headers: Record<string, string>) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36',
      ...headers,
    },
    body: JSON.stringify(body),
  })
/** The id of a visitor who agrees. */
async function agree(): Promise<string> {
  const answer = await post('/api/v1/consent', { choice: 'some', purposes: ['statistics'] }, {})
  const id = /mm_visitor_id=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1]
  assert.ok(id)
  return id
}
/** As browsers make the ids of events: the time comes first. */
function idAt(at: number): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
async function view(visitor: string, from: string, products: readonly number[], at = Date.now()): Promise<void> {
  const events = products.map((productId) => ({
    id: idAt(at),
    name: 'page_view',
    page: { name: 'product', type: 'product' },
    data: { productId: String(productId) },
  }))
  const cookie = `mm_consent=v1:statistics; mm_visitor_id=${visitor}`
  assert.equal((await post('/api/v1/events', { events }, { cookie, 'x-forwarded-for': from })).status, 202)
}
/** A day passes: what has been stored is a day older. */
async function passDay(): Promise<void> {
  await moveAllBursts(db)
  await pool.query(`update insights.event set day = day - 1, at = at - interval '1 day', received_at = received_at - interval '1 day'`)
}
async function alsoViewed(): Promise<Record<string, string[]>> {
  await moveAllBursts(db)
  await database.command({}, async ({ db: inside }) => {
    await enqueue(inside, { name: 'recommendations.learn', key: 'all', payload: { key: 'all' } })
  })
  await runWork(database, [], jobs)
  const { rows } = await pool.query<{ model: { alsoViewed: Record<string, string[]> } }>(
    `select model from recommendations.model where market = 'gb'`,
  )
  return rows[0]?.model.alsoViewed ?? {}
}
/** Four days, on each of which visitors from networks of their own look at two products. */
async function honestDays(): Promise<void> {
  for (let day = 0; day < 4; day++) {
    for (const pair of [
      [1, 2],
      [1, 3],
      [2, 5],
    ])
      await view(await agree(), somewhere(), pair)
    await passDay()
  }
}
const learned = { 1: ['2', '3'], 2: ['1', '5'], 3: ['1'], 5: ['2'] }

beforeEach(async () => {
  await pool.query('truncate insights.event, insights.event_burst')
})

test('V-10 views count on the day they are received, whatever day they claim to be of', async () => {
  await view(await agree(), somewhere(), [1, 4])
  await passDay()
  await honestDays()
  const almostADay = 24 * 3_600_000 - 60_000
  for (const ago of [almostADay, almostADay / 2, 0]) await view(await agree(), somewhere(), [1, 4], Date.now() - ago)
  assert.deepEqual(await alsoViewed(), learned)
})

test('V-10 invented visitor ids teach nothing, on however many days and from however many networks; issued ones do', async () => {
  await honestDays()
  for (let day = 0; day < 4; day++) {
    for (let at = 0; at < 4; at++) await view(randomUUID(), somewhere(), [1, 4])
    await passDay()
  }
  assert.deepEqual(await alsoViewed(), learned)
  for (let day = 0; day < 3; day++) {
    await view(await agree(), somewhere(), [1, 4])
    await passDay()
  }
  assert.deepEqual(await alsoViewed(), { ...learned, 1: ['2', '3', '4'], 4: ['1'] })
})

test('V-10 one network teaches nothing, however many visitors it sends on however many days; an IPv6 line is one network', async () => {
  await honestDays()
  for (let day = 0; day < 5; day++) {
    for (const from of ['203.0.113.9', `2001:db8:77:${day}::1`, `2001:db8:77:1${day}::1`]) await view(await agree(), from, [1, 4])
    await passDay()
  }
  assert.deepEqual(await alsoViewed(), learned)
})

test('V-10 what nobody has bought stands after what buyers carry, whatever is viewed', async () => {
  await honestDays()
  await paidOrders(3, 3)
  assert.deepEqual((await alsoViewed())['1'], ['3', '2'])
  for (let day = 0; day < 6; day++) {
    for (let at = 0; at < 2; at++) await view(await agree(), somewhere(), [1, 4])
    await passDay()
  }
  assert.deepEqual((await alsoViewed())['1'], ['3', '2', '4'])
  await pool.query('truncate orders.customer_order cascade')
})

test('V-10 a flood of views from twenty networks does not keep those of others from being counted', async () => {
  for (let day = 0; day < 4; day++) {
    // More visitors than are considered in a day, and they came first.
    await pool.query(
      `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at, network)
       select (now() at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', v.id, 'page_view', 'product', 'product', 'mobile', '{statistics}',
         json_build_object('productId', p), now(), nth % 20
       from (select gen_random_uuid() as id, nth from generate_series(1, $1) as nth) v, unnest(array[5, 6]) as p`,
      [viewRules.visitorsOfMarket + 200],
    )
    await view(await agree(), somewhere(), [1, 2])
    await passDay()
  }
  assert.deepEqual((await alsoViewed())['1'], ['2'])
})

test('V-10 of one network five visitors count in a day, those who came first', async () => {
  for (let day = 0; day < 3; day++) {
    const from = somewhere()
    for (let at = 0; at < viewRules.visitorsOfNetwork; at++) await view(await agree(), from, at === 4 ? [1, 3] : [1, 2])
    await view(await agree(), from, [1, 6])
    await passDay()
  }
  assert.deepEqual((await alsoViewed())['1'], ['2', '3'])
})

async function paidOrders(productId: number, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const id = `FORGED${productId}${String(at).padStart(8, '0')}`
    await pool.query(
      `insert into orders.customer_order (id, owner, cart_id, market, mode, currency, tax_key, email, state, address, billing_address,
        total, placed_at, paid_at) values ($1, 's:test', $2, 'gb', 'b2c', 'GBP', 'with_vat', 'ann@example.com', 'paid', '{}', '{}', 100, now(), now())`,
      [id, randomUUID()],
    )
    await pool.query(
      `insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, goods, delivery,
        discount, total, seller_discount, commission, commission_vat)
       values ($1 || '-1', $1, 1, 'pending', '{}', 'standard', '[]', 100, 0, 0, 100, 0, 0, 0)`,
      [id],
    )
    await pool.query(
      `insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total,
        discount, net, vat, vat_rate_bp, tax_key, snapshot)
       values ($1, $2 * 10, $1 || '-1', $2, 0, 1, 100, 100, 0, 100, 0, 0, 'with_vat', '{}')`,
      [id, productId],
    )
  }
}
