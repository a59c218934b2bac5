import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { limitsOf } from '../../foundation/platform/quota-limits.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { addKey, caller } from './testing.ts'

/** Prices that sellers set, through their API, as buyers then meet them. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const seller = caller(gateway.url, (await addKey(database.db, 1)).key)
const another = caller(gateway.url, (await addKey(database.db, 2)).key)
const reader = caller(gateway.url, (await addKey(database.db, 1, { scopes: ['prices:read'] })).key)
const path = (id: string, market = 'gb') => `/offers/${market}/${id}/quantity-breaks`
const breaks = [
  { group: 'b2b', from: 5, price: 1000 },
  { group: 'b2b', from: 10, price: 900 },
  { group: 'b2c', from: 10, price: 1100 },
]

interface Line {
  offerId: string
  quantity: number
  state: string
  total: { amount: number }
  unitPrice: { main: { asFloat: number } }
  nextBreak: { missing: number; saving: { amount: number } } | null
}
const lineFields = 'offerId quantity state totalWithVat { amount } unitPrice { main { asFloat } } nextBreak { missing saving { amount } }'
const ask = async (query: string, variables: object, at: { host?: string; cookie?: string } = {}) => {
  const { body, cookie } = await gateway.post(query, variables, at)
  const { data, errors } = body as { data: Record<string, never>; errors?: object }
  assert.equal(errors, undefined, JSON.stringify(errors))
  return { data, cookie: cookie || at.cookie || '' }
}
async function put(host: string, id: string, quantity: number) {
  const { cookie } = await ask(
    'mutation ($id: ID!, $n: Int!) { addToCart(offerId: $id, quantity: $n) { refusal { reason } } }',
    { id, n: quantity },
    { host },
  )
  return { host, cookie }
}
const set = (at: object, id: string, quantity: number) =>
  ask('mutation ($id: ID!, $n: Int!) { setCartQuantity(offerId: $id, quantity: $n) { refusal { reason } } }', { id, n: quantity }, at)
async function lineOf(at: object): Promise<Line> {
  const { data } = await ask(`{ cart { sellers { lines { ${lineFields} } } } }`, {}, at)
  const { sellers } = data['cart'] as unknown as { sellers: { lines: Line[] }[] }
  return sellers[0]?.lines[0] as Line
}
const shownBreaks = async (host: string, id: string) =>
  (
    (await ask('query ($id: ID!) { product(id: $id) { bestOffer { quantityBreaks { from price { amount } } } } }', { id }, { host })).data[
      'product'
    ] as unknown as { bestOffer: { quantityBreaks: { from: number; price: { amount: number } }[] } }
  ).bestOffer.quantityBreaks.map(({ from, price }) => [from, price.amount])

test('a seller sets quantity breaks of an own offer; each storefront shows those of its group', async () => {
  await addOffer(database, { id: '4001', price: 1200, proPrice: 1100 })
  assert.deepEqual((await seller('PUT', path('4001'), { breaks })).body, { changed: true })
  assert.deepEqual((await seller('PUT', path('4001'), { breaks })).body, { changed: false })
  assert.deepEqual(await shownBreaks('localhost', '4001'), [[10, 1100]])
  // Professionals in gb see prices with VAT, and never one of the consumers that is higher.
  assert.deepEqual(await shownBreaks('pro.gb.localhost', '4001'), [
    [5, 1000],
    [10, 900],
  ])
})

test('breaks have a history, readable by the seller alone', async () => {
  await addOffer(database, { id: '4002', price: 1200 })
  await seller('PUT', path('4002'), { breaks: breaks.slice(0, 1) })
  await seller('PUT', path('4002'), { breaks: [] })
  const { body } = await reader('GET', path('4002'))
  const { history, breaks: now } = body as { breaks: object[]; history: { breaks: object[] }[] }
  assert.deepEqual(now, [])
  assert.deepEqual(
    history.map((each) => each.breaks),
    [[breaks[0]], []],
  )
  // However often they were changed, the last hundred are read.
  await database.pool.query(
    `insert into catalogue.quantity_break_history (offer_id, valid_from, quantity_breaks)
      select 4002, now() + n * interval '1 second', '[]' from generate_series(1, 300) n`,
  )
  const long = (await reader('GET', path('4002'))).body as typeof body & { history: { validFrom: string }[] }
  assert.equal(long.history.length, 100)
  assert.ok(long.history.every(({ validFrom }, at) => at === 0 || validFrom > (long.history[at - 1]?.validFrom ?? '')))
  assert.equal((await another('GET', path('4002'))).status, 404)
  assert.equal((await another('PUT', path('4002'), { breaks })).status, 404)
  assert.equal((await reader('PUT', path('4002'), { breaks })).status, 403)
  assert.equal((await seller('PUT', path('4002', 'fr'), { breaks })).status, 404)
})

const invalid: [name: string, breaks: object[]][] = [
  ['dearer than one piece', [{ group: 'b2c', from: 5, price: 1200 }]],
  [
    'dearer than fewer pieces',
    [
      { group: 'b2b', from: 5, price: 900 },
      { group: 'b2b', from: 10, price: 950 },
    ],
  ],
  [
    'twice from the same quantity',
    [
      { group: 'b2b', from: 5, price: 900 },
      { group: 'b2b', from: 5, price: 800 },
    ],
  ],
  ['not above the professional price', [{ group: 'b2b', from: 5, price: 1100 }]],
  ['beyond what one order may hold', [{ group: 'b2c', from: 60, price: 900 }]],
  ['from a single piece on', [{ group: 'b2c', from: 1, price: 900 }]],
]
await addOffer(database, { id: '4003', price: 1200, proPrice: 1050, maxQuantity: 50 })
for (const [name, wrong] of invalid)
  test(`a break ${name} is refused`, async () => {
    const { status, body } = await seller('PUT', path('4003'), { breaks: wrong })
    assert.deepEqual([status, body['code']], [400, 'breaks-invalid'])
  })

test('the cart charges the break its quantity reaches and names the next one; one’s own change of quantity needs no confirmation', async () => {
  await addOffer(database, { id: '4004', price: 1200, proPrice: 1100 })
  await seller('PUT', path('4004'), { breaks })
  const at = await put('pro.gb.localhost', '4004', 4)
  const four = await lineOf(at)
  assert.deepEqual([four.unitPrice.main.asFloat, four.nextBreak], [11, { missing: 1, saving: { amount: 100 } }])
  for (const [quantity, price, missing] of [
    [5, 10, 5],
    [9, 10, 1],
    [10, 9, null],
    [2, 11, 3],
  ] as const) {
    await set(at, '4004', quantity)
    const line = await lineOf(at)
    assert.deepEqual([line.state, line.unitPrice.main.asFloat, line.nextBreak?.missing ?? null], ['OK', price, missing])
  }
  // Adding up reaches a step as well.
  const again = await ask('mutation { addToCart(offerId: "4004", quantity: 8) { refusal { reason } } }', {}, at)
  assert.equal((again.data['addToCart'] as unknown as { refusal: object | null }).refusal, null)
  assert.deepEqual([(await lineOf(at)).unitPrice.main.asFloat, (await lineOf(at)).state], [9, 'OK'])
  const consumer = await put('localhost', '4004', 10)
  assert.equal((await lineOf(consumer)).unitPrice.main.asFloat, 11)
})

test('a break that the seller removes is confirmed by the buyer before anything is sold, even after a change of quantity', async () => {
  await addOffer(database, { id: '4005', price: 1200 })
  await seller('PUT', path('4005'), { breaks })
  const at = await put('localhost', '4005', 10)
  await seller('PUT', path('4005'), { breaks: [] })
  assert.equal((await lineOf(at)).state, 'PRICE_CHANGED')
  await set(at, '4005', 11)
  assert.equal((await lineOf(at)).state, 'PRICE_CHANGED')
  await ask('mutation { confirmCartChanges { refusal { reason } } }', {}, at)
  const line = await lineOf(at)
  assert.deepEqual([line.state, line.unitPrice.main.asFloat], ['OK', 12])
})

test('quantity breaks do not enter the history of prices that reductions are measured by', async () => {
  await addOffer(database, { id: '4006', price: 1200 })
  const points = async () => (await database.pool.query('select price from catalogue.price_history where offer_id = 4006')).rows
  const before = await points()
  await seller('PUT', path('4006'), { breaks })
  assert.deepEqual(await points(), before)
  const { data } = await ask('{ product(id: "4006") { bestOffer { price { retail { asFloat } discount } } } }', {})
  assert.deepEqual(data['product'], { bestOffer: { price: { retail: null, discount: null } } })
})

test('V-11 changes of an offer take their quota before the work, and those that are refused or change nothing give it back', async () => {
  const units = limitsOf('offer-change')[0]?.limit.units ?? 0
  for (const [id, change, refused, same] of [
    [
      '4190',
      ['quantity-breaks', { breaks }],
      ['quantity-breaks', { breaks: [{ group: 'b2b', from: 5, price: 99_999 }] }],
      ['quantity-breaks', { breaks: [] }],
    ],
    ['4191', ['state', { state: 'paused' }], ['state', { state: 'draft' }], ['state', { state: 'active' }]],
  ] as const) {
    await addOffer(database, { id, price: 1200 })
    const send = async ([what, body]: readonly [string, object]) => (await seller('PUT', `/offers/gb/${id}/${what}`, body)).status
    await takeQuota('offer-change', { key: `1/gb/${id}` }, units - 1)
    for (let n = 0; n < 3; n++) assert.deepEqual([(await send(refused)) < 429, await send(same)], [true, 200], id)
    assert.equal(await send(change), 200)
    assert.deepEqual([await send(change), await send(refused)], [429, 429], id)
  }
})
