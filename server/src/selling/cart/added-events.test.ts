import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'

/** What reaches a cart is measured by the server, on whichever way it got there. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())
for (const id of ['21', '22', '23']) await addOffer(database, { id, proPrice: 1000, stock: 5 })

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const gclid = encodeURIComponent(JSON.stringify({ id: 'Cj0_7', expires: Date.now() + 60_000 }))

interface Sender {
  purposes?: string
  agent?: string
  host?: string
  address?: string
}
async function send(
  visitorId: string,
  query: string,
  { purposes = 'statistics', agent: from = agent, host = 'gb.localhost:3000', address }: Sender = {},
) {
  const cookie = `mm_consent=v1:${purposes}; mm_visitor_id=${visitorId}; mm_gclid_session=${gclid}`
  const { body } = await gateway.post(
    `mutation { ${query} }`,
    {},
    {
      host,
      cookie,
      headers: { 'user-agent': from, ...(address !== undefined && { 'x-forwarded-for': address }) },
    },
  )
  return body as { data: object | null; errors?: object[] }
}
const stored = async (visitorId: string) =>
  (
    await database.pool.query<{ data: Record<string, unknown>; market: string; mode: string }>(
      `select data, market, mode from insights.event where visitor_id = $1 and name = 'add_to_cart' order by (data ->> 'productId')::int`,
      [visitorId],
    )
  ).rows
/** Nobody waits for the record: it is there soon. */
async function recorded(visitorId: string, count: number) {
  for (const until = Date.now() + 10_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const rows = await stored(visitorId)
    if (rows.length >= count) return rows
  }
  return stored(visitorId)
}
const one = (offerId: number, quantity: number) => `addToCart(offerId: "${offerId}", quantity: ${quantity}) { refusal { reason } }`

test('R-028 what the shop has put into a cart is recorded once, with product and quantity, and what it refused is not', async () => {
  const id = crypto.randomUUID()
  assert.deepEqual((await send(id, one(21, 900))).data, { addToCart: { refusal: { reason: 'out-of-stock' } } })
  assert.deepEqual((await send(id, one(999, 1))).data, { addToCart: { refusal: { reason: 'unknown-offer' } } })
  assert.deepEqual((await send(id, one(21, 2))).data, { addToCart: { refusal: null } })
  assert.deepEqual(await recorded(id, 1), [{ data: { productId: 21, quantity: 2 }, market: 'gb', mode: 'b2c' }])
})

test('lists and the quick order are recorded by line, without the lines that were left', async () => {
  const id = crypto.randomUUID()
  const items = '[{offerId: "21", quantity: 1}, {offerId: "22", quantity: 900}, {offerId: "23", quantity: 3}]'
  await send(id, `addAllToCart(items: ${items}) { added left { offerId } }`)
  assert.deepEqual(
    (await recorded(id, 2)).map(({ data }) => data),
    [
      { productId: 21, quantity: 1 },
      { productId: 23, quantity: 3 },
    ],
  )
  const buyer = crypto.randomUUID()
  const rows =
    '[{code: "M21", quantity: "1"}, {code: "M21", quantity: "1"}, {code: "M22", quantity: "99"}, {code: "nothing", quantity: "1"}]'
  const { errors } = await send(buyer, `addQuickOrder(rows: ${rows}) { added }`, { host: 'pro.gb.localhost:3000' })
  assert.equal(errors, undefined)
  assert.deepEqual(await recorded(buyer, 1), [{ data: { productId: 21, quantity: 2 }, market: 'gb', mode: 'b2b' }])
})

test('R-515 R-517 without consent to statistics, and from crawlers, nothing is recorded', async () => {
  const [refusing, crawling, last] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await send(refusing, one(21, 1), { purposes: '' })
  await send(refusing, one(21, 1), { purposes: 'personalisedAdvertising,userPreferences' })
  await send(crawling, one(21, 1), { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })
  await send(last, one(21, 1))
  assert.equal((await recorded(last, 1)).length, 1)
  assert.deepEqual([await stored(refusing), await stored(crawling)], [[], []])
})

test('R-495 a conversion names the ad click of its cookie, with consent to personalised advertising alone', async () => {
  const id = crypto.randomUUID()
  await send(id, one(22, 1), { purposes: 'statistics,personalisedAdvertising' })
  assert.deepEqual(
    (await recorded(id, 1)).map(({ data }) => data),
    [{ productId: 22, quantity: 1, clickId: 'Cj0_7' }],
  )
})

test('V-11 a line whose measurements of a day are used up fills its cart and leaves no more records; another line does', async () => {
  const [greedy, beyond, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const line = (network: number) => ({ address: `2a01:4f8:c:${network}::1` })
  const added = { addToCart: { refusal: null } }
  await takeQuota('measurement', { line: line(1).address }, quotas.measurement.line.units - 1)
  assert.deepEqual((await send(greedy, one(22, 1), line(1))).data, added)
  assert.equal((await recorded(greedy, 1)).length, 1)
  assert.deepEqual((await send(beyond, one(22, 1), line(2))).data, added)
  assert.deepEqual((await send(other, one(22, 1), { address: '2a01:4f8:d::1' })).data, added)
  assert.equal((await recorded(other, 1)).length, 1)
  assert.deepEqual(await stored(beyond), [])
})

test('R-620 a collector that hangs keeps no goods from the basket', async () => {
  const id = crypto.randomUUID()
  const keeper = await database.pool.connect()
  await keeper.query('begin; lock table insights.event in access exclusive mode')
  try {
    const added = await Promise.all([1, 2, 3, 4].map(() => send(id, one(23, 1))))
    assert.ok(added.every(({ data }) => JSON.stringify(data) === JSON.stringify({ addToCart: { refusal: null } })))
  } finally {
    await keeper.query('rollback')
    keeper.release()
  }
})
