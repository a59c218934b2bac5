import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { PriceAmount, PriceBlock } from '@purlin/contract/price.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { connectSearch } from '../listing/ports.ts'
import { rebuildIndex } from '../listing/rebuild-index.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference, type TestOffer } from '../listing/test-shop.ts'
import { forgetProducts } from './find-product.ts'

const operatorKey = 'test-operator-key'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db } = database
await testReference(db)
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const work = await loadJobs()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

let offers = 0
/** A product that one seller has offered for 200 days. */
async function offered(of: Partial<TestOffer> = {}): Promise<string> {
  const id = (offers += 1)
  await testProduct(db, { id })
  await testOffer(db, { id, productId: id, market: 'fr', price: 10_000, sellerId: 4, ...of })
  return String(id)
}

async function put(id: string, body: unknown, { market = 'fr', key = String(randomUUID()), authorization = `Bearer ${operatorKey}` } = {}) {
  const reply = await fetch(`${gateway.url}/api/v1/operator/offers/${market}/${id}/price`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, authorization },
    body: JSON.stringify(body),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}
const euros = (price: number, proPrice: number | null = null) => ({ currency: 'EUR', price, proPrice })
async function costs(id: string, price: number, proPrice: number | null = null): Promise<void> {
  assert.equal((await put(id, euros(price, proPrice))).status, 200)
}

interface Shown {
  product: { bestOffer: { price: PriceBlock } }
  listing: { cards: { productId: string; prices: PriceBlock }[] }
}

/** The prices on the product page and the product's card: current, struck through, reduction in percent. */
async function shown(id: string): Promise<{ page: unknown[]; card: unknown[] }> {
  await runWork(database, work.handlers, work.jobs)
  // What the web processes do with the purges they receive.
  const purges = await db.rows<{ tags: string[] }>({ name: 'test.purged', text: 'delete from platform.purge_log returning tags' })
  forgetProducts(purges.flatMap(({ tags }) => tags))
  const fields = '{ main { asFloat } retail { asFloat } discount }'
  const { data, errors } = await gateway.execute({
    query: `query ($id: ID!) { product(id: $id) { bestOffer { price ${fields} } }
      listing(input: { kind: category, id: 11 }) { cards { productId prices ${fields} } } }`,
    variables: { id },
    headers: { host: 'fr.localhost:3000' },
  })
  assert.equal(errors, undefined)
  const { product, listing }: Partial<Shown> = data ?? {}
  assert.ok(product && listing)
  const cents = (amount: PriceAmount | null | undefined) => (amount ? Math.round(amount.asFloat * 100) : null)
  const card = listing.cards.find(({ productId }) => productId === id)
  const told = (price: PriceBlock | undefined) => [cents(price?.main), cents(price?.retail), price?.discount ?? null]
  return { page: told(product.bestOffer.price), card: told(card?.prices) }
}
const both = (price: number, retail: number | null = null, discount: number | null = null) => ({
  page: [price, retail, discount],
  card: [price, retail, discount],
})
const history = (id: string) =>
  db.rows<{ price: number; at: Date }>(
    { name: 'test.history', text: 'select price, valid_from as at from catalogue.price_history where offer_id = $1 order by valid_from' },
    [id],
  )
/** Days of the market's calendar: one of them may have had 25 hours. */
const age = (id: string, price: number, days: number) =>
  db.run(
    {
      name: 'test.age',
      text: `update catalogue.price_history set
        valid_from = ((now() at time zone 'Europe/Paris') - $3::integer * interval '1 day') at time zone 'Europe/Paris' where offer_id = $1 and price = $2`,
    },
    [id, price, days],
  )

test('V-23 R-385 a price lowered by an operator is a reduction from the lowest price of the previous 30 days, on the page and the card', async () => {
  const id = await offered()
  assert.deepEqual(await put(id, euros(8_000)), {
    status: 200,
    body: { offerId: id, market: 'fr', currency: 'EUR', price: 8_000, proPrice: null, changed: true },
  })
  assert.deepEqual(await shown(id), both(8_000, 10_000, 20))
  assert.deepEqual(
    (await history(id)).map(({ price }) => price),
    [10_000, 8_000],
  )
})

test('V-23 a price raised and lowered again within 30 days is not a reduction', async () => {
  const id = await offered({ price: 8_000 })
  await costs(id, 10_000)
  assert.deepEqual(await shown(id), both(10_000))
  await costs(id, 8_000)
  assert.deepEqual(await shown(id), both(8_000))
  await costs(id, 7_000)
  assert.deepEqual(await shown(id), both(7_000, 8_000, 12))
})

test('V-23 two changes on one day: the lower price of the morning counts in the afternoon', async () => {
  const id = await offered()
  await costs(id, 8_000)
  await costs(id, 9_000)
  assert.deepEqual(await shown(id), both(9_000))
  await costs(id, 10_000)
  assert.deepEqual(await shown(id), both(10_000), 'back at the old price nothing is reduced')
  const points = await history(id)
  assert.deepEqual(
    points.map(({ price }) => price),
    [10_000, 8_000, 9_000, 10_000],
  )
  assert.equal(new Set(points.map(({ at }) => at.getTime())).size, 4, 'each at its own instant')
})

test('V-23 an offer without history has cost the same since it was created', async () => {
  const id = await offered({ price: 5_000 })
  await db.run({ name: 'test.forget', text: 'delete from catalogue.price_history where offer_id = $1' }, [id])
  assert.deepEqual((await shown(id)).page, [5_000, null, null])
  await costs(id, 6_000)
  await costs(id, 5_500)
  assert.deepEqual(await shown(id), both(5_500), '5,000 was asked within the 30 days')
})

test('V-23 a history that does not end with the current price never justifies a reduction', async () => {
  const id = await offered({ price: 14_000, was: 15_000 })
  // As if a reduced price of 90 had been raised to 140 without a record.
  const drift = 'update catalogue.price_history set price = 9000 where offer_id = $1 and price = 14000'
  await db.run({ name: 'test.drift', text: drift }, [id])
  await database.command({}, async (scope) => scope.emit('offer.changed', { offerId: id, productId: id, market: 'fr' }))
  assert.deepEqual(await shown(id), both(14_000))
  await costs(id, 12_000)
  assert.deepEqual(await shown(id), both(12_000), 'the 90 counts, and so does the 140 once it is known')
  assert.deepEqual(
    (await history(id)).map(({ price }) => price),
    [15_000, 9_000, 14_000, 12_000],
  )
})

test('V-23 the 30 days are days of the market’s calendar', async () => {
  const id = await offered({ price: 7_000 })
  await costs(id, 10_000)
  await costs(id, 9_000)
  // 7,000 ended at some time on the thirtieth day before: that day belongs to the 30.
  await age(id, 10_000, 30)
  assert.deepEqual((await shown(id)).page, [9_000, null, null])
  await age(id, 10_000, 31)
  await database.command({}, async (scope) => scope.emit('offer.changed', { offerId: id, productId: id, market: 'fr' }))
  assert.deepEqual((await shown(id)).page, [9_000, 10_000, 10])
})

test('the professional price has no history of its own and must be the lower one', async () => {
  const id = await offered()
  await costs(id, 10_000, 9_000)
  assert.equal((await history(id)).length, 1)
  assert.deepEqual(await put(id, euros(9_000, 9_000)), { status: 400, body: { error: 'pro-price-not-lower' } })
  await costs(id, 10_000)
  assert.deepEqual(
    await db.row({ name: 'test.pro', text: 'select price, pro_price as "proPrice" from catalogue.offer where id = $1' }, [id]),
    { price: 10_000, proPrice: null },
  )
})

test('a repeated request has no second effect, and a late one does not overwrite a newer price', async () => {
  const id = await offered()
  const key = randomUUID()
  const first = await put(id, euros(8_000), { key })
  await costs(id, 7_000)
  const events = (await database.events()).length
  assert.deepEqual(await put(id, euros(8_000), { key }), first)
  assert.equal((await put(id, euros(7_500), { key })).status, 409)
  assert.equal((await put(id, euros(7_000))).body.changed, false)
  assert.equal((await database.events()).length, events)
  assert.deepEqual(
    (await history(id)).map(({ price }) => price),
    [10_000, 8_000, 7_000],
  )
  assert.equal((await put(id, euros(8_000), { key: '' })).status, 400)
})

const refused: [string, unknown, Parameters<typeof put>[2], number][] = [
  ['no key', euros(1), { authorization: '' }, 401],
  ['a wrong key', euros(1), { authorization: 'Bearer guessed' }, 401],
  ['no such market', euros(1), { market: 'us' }, 404],
  ['an offer of another market', { ...euros(1), currency: 'GBP' }, { market: 'gb' }, 404],
  ['another currency', { ...euros(1), currency: 'GBP' }, {}, 400],
  ['no currency', { price: 1, proPrice: null }, {}, 400],
  ['nothing', euros(0), {}, 400],
  ['less than nothing', euros(-5), {}, 400],
  ['parts of a cent', euros(9.5), {}, 400],
  ['words', { ...euros(1), price: '100' }, {}, 400],
  ['more than a column holds', euros(3_000_000_000), {}, 400],
  ['a professional price of nothing', euros(100, 0), {}, 400],
  ['fields nobody knows', { ...euros(100), stock: 5 }, {}, 400],
]
for (const [title, body, options, status] of refused) {
  test(`a price is refused and nothing written: ${title}`, async () => {
    const id = await offered()
    assert.equal((await put(id, body, options)).status, status)
    assert.deepEqual(
      (await history(id)).map(({ price }) => price),
      [10_000],
    )
  })
}

test('an unknown, an ended and an impossible offer have no price to change', async () => {
  const id = await offered()
  await db.run({ name: 'test.end', text: `update catalogue.offer set status = 'ended' where id = $1` }, [id])
  assert.deepEqual(await put(id, euros(1_000)), { status: 409, body: { error: 'offer-ended' } })
  for (const unknown of ['999999', '0', 'x', '99999999999999999999']) assert.equal((await put(unknown, euros(1_000))).status, 404)
})

for (const [title, lastChange] of [
  ['', -5_000],
  [', also where its last entry is ahead of the clock', 3_600_000],
] as const) {
  test(`concurrently changed prices appear in the history in the order in which they took effect${title}`, async () => {
    const id = await offered()
    const last = { name: 'test.last-entry', text: 'update catalogue.price_history set valid_from = $2 where offer_id = $1' }
    await db.run(last, [id, new Date(Date.now() + lastChange)])
    await Promise.all(Array.from({ length: 20 }, (_, n) => put(id, euros(1_000 + n))))
    const offer = await db.row<{ price: number }>({ name: 'test.price-now', text: 'select price from catalogue.offer where id = $1' }, [id])
    const prices = (await history(id)).map(({ price }) => price)
    assert.equal(prices.at(-1), offer?.price)
    assert.deepEqual([...prices].sort(), [...Array.from({ length: 20 }, (_, n) => 1_000 + n), 10_000].sort(), 'each once')
  })
}

test('V-71 a change follows the last entry of the history by at least two milliseconds, so that a missing entry fits in between', async () => {
  const id = await offered({ price: 5_000 })
  const last = new Date(Date.now() + 3_600_000)
  const point = (price: number) =>
    db.run({ name: 'test.last-point', text: 'update catalogue.price_history set valid_from = $2, price = $3 where offer_id = $1' }, [
      id,
      last,
      price,
    ])
  const after = async () => (await history(id)).map(({ price, at }) => [price, at.getTime() - last.getTime()])
  await point(5_000)
  await costs(id, 4_000)
  assert.deepEqual(await after(), [
    [5_000, 0],
    [4_000, 2],
  ])
  await db.run({ name: 'test.drop-points', text: 'delete from catalogue.price_history where offer_id = $1 and price = 4000' }, [id])
  await costs(id, 3_000)
  assert.deepEqual(
    await after(),
    [
      [5_000, 0],
      [4_000, 1],
      [3_000, 2],
    ],
    'the price that nobody wrote down stands between',
  )
})
