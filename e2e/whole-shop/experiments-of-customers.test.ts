import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { fakeProvider, somebody } from '@purlin/server/people/auth/test-provider.ts'
import { gb, pro, testBrowser, type TestBrowser } from '@purlin/server/people/auth/testing.ts'
import { useSettings } from '@purlin/server/foundation/platform/settings.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { handlers, jobs } from '@purlin/server/selling/experiments/jobs.ts'
import { variationsFor } from '@purlin/server/selling/experiments/index.ts'
import { serveShop } from './serve-shop.ts'

/** Signed-in customers see the same variations on every device, from pages that are cached per variation. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
const provider = await fakeProvider()
useSettings({ ...provider.settings, OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { pool } = database
await testReference(database.db)
await testProduct(database.db, { id: 1, title: 'Drill', categoryId: 11 })
await testOffer(database.db, { id: 10, productId: 1, price: 10_000 })
const shop = await serveShop(database, { variations: variationsFor })
after(() => shop.close())

const variations = [
  { id: 1, name: 'control', weight: 1 },
  { id: 2, name: 'goods-first', weight: 1 },
]
const shape = { type: 'ab', layer: 'pages', slots: [0, 1000], markets: ['gb'], modes: ['b2c', 'b2b'], variations } as const
async function run(campaignId: number, experiment: Partial<Omit<Experiment, 'campaignId'>> & { state: string }): Promise<void> {
  const answer = await fetch(`${shop.gateway.url}/api/v1/operator/experiments/${campaignId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...shape, ...experiment }),
  })
  assert.equal(answer.status, 204)
  shop.storefront.purge(null)
}

const json = { 'content-type': 'application/json' }
type Host = typeof gb | typeof pro
const agree = (device: TestBrowser, host: Host, purposes = ['statistics']) =>
  device.ask('/api/v1/consent', { host, method: 'POST', headers: json, body: JSON.stringify({ choice: 'some', purposes }) })
const visitorOf = (device: TestBrowser, host: Host) => device.cookies.get(host)?.get('mm_visitor_id') ?? ''
/** The variation of the product page, three times: rendered, rendered for the cache, from the cache. */
async function seen(device: TestBrowser, host: Host): Promise<string | undefined> {
  const shown = new Set<string | undefined>()
  for (let visit = 0; visit < 3; visit++) {
    const { status, body } = await device.ask('/p/drill-1', { host })
    assert.equal(status, 200)
    shown.add(/data-experiment="goods-first" data-variation="([a-z-]+)"/.exec(body)?.[1])
  }
  assert.equal(shown.size, 1)
  return [...shown][0]
}
/** The variation that a device gets as a visitor. */
const drawn = (device: TestBrowser, host: Host) => {
  const experiment: Experiment = { ...shape, campaignId: 1, name: 'goods-first', segments: [] }
  const [given] = assignmentsOf([experiment], { unit: visitorOf(device, host), market: 'gb', mode: host === pro ? 'b2b' : 'b2c' })
  return given?.variation.name
}
/** Another device that has agreed, and that gets the other variation as a visitor. */
async function otherDevice(than: TestBrowser, host: Host): Promise<TestBrowser> {
  for (;;) {
    const device = testBrowser(shop.gateway)
    await agree(device, host)
    if (drawn(device, host) !== drawn(than, host)) return device
  }
}
const exposures = async () =>
  (
    await pool.query<{ visitor: string; unit: string | null; variation: number }>(
      'select visitor_id as visitor, unit, variation_id as variation from experiments.exposure order by seen_at',
    )
  ).rows
const sees = (device: TestBrowser, host: Host, name: string) =>
  device.ask('/api/v1/experiment-exposures', { host, method: 'POST', headers: json, body: JSON.stringify([name]) })
const countedVisitors = async (campaignId: number) => {
  const answer = await fetch(`${shop.gateway.url}/api/v1/operator/experiments`, { headers: { authorization: `Bearer ${operatorKey}` } })
  const { experiments } = (await answer.json()) as { experiments: { campaignId: number; variations: { visitors: number }[] }[] }
  return experiments.find((each) => each.campaignId === campaignId)?.variations.map(({ visitors }) => visitors)
}

await run(1, { name: 'goods-first', state: 'running' })

for (const [host, kind] of [
  [gb, 'consumer'],
  [pro, 'professional'],
] as const)
  test(`a ${kind} sees the first device's variation on the second one from the first page after signing in, and counts once`, async () => {
    provider.person = somebody()
    await pool.query('truncate experiments.exposure')
    const phone = testBrowser(shop.gateway)
    await agree(phone, host)
    await phone.signIn(host)
    const variation = await seen(phone, host)
    assert.equal(variation, drawn(phone, host), 'signing in changes nothing on the first device')

    const laptop = await otherDevice(phone, host)
    assert.notEqual(await seen(laptop, host), variation, 'a visitor of its own before')
    await laptop.signIn(host)
    assert.equal(await seen(laptop, host), variation)

    for (const device of [phone, laptop]) assert.equal((await sees(device, host, `goods-first=${variation}`)).status, 204)
    assert.deepEqual(
      (await exposures()).map(({ unit, visitor }) => [unit, visitor]),
      [phone, laptop].map((device) => [visitorOf(phone, host), visitorOf(device, host)]),
    )
    assert.deepEqual((await countedVisitors(1))?.toSorted(), [0, 1])

    // After signing out the device is a visitor of its own again.
    const csrfToken = await laptop.csrfToken(host)
    await laptop.post('/api/auth/signout', { csrfToken, callbackUrl: '/' }, { host })
    assert.equal((await laptop.session(host)).user, undefined)
    assert.equal(laptop.cookies.get(host)?.has('mm_experiments'), false)
    assert.notEqual(await seen(laptop, host), variation)
  })

test('an experiment for a segment is shown to its customers and counts them, on every device, and shows everybody else the control', async () => {
  await run(1, { name: 'goods-first-before', state: 'stopped' })
  const weighted = variations.map((each) => ({ ...each, weight: each.id - 1 }))
  await run(2, { name: 'goods-first', state: 'running', segments: ['customer-value-high'], variations: weighted })
  await pool.query('truncate experiments.exposure')
  for (const host of [gb, pro] as const) {
    provider.person = somebody()
    const phone = testBrowser(shop.gateway)
    await agree(phone, host)
    await phone.signIn(host)
    assert.equal(await seen(phone, host), 'control')
    const customerId = (await phone.session(host)).user?.id
    await pool.query(`insert into segments.customer (customer_id, computed) values ($1, '{"customer_value": "high"}')`, [customerId])
    // Each page of a signed-in customer asks for the session.
    await phone.session(host)
    assert.equal(await seen(phone, host), 'goods-first')
    const laptop = testBrowser(shop.gateway)
    await agree(laptop, host)
    assert.equal(await seen(laptop, host), 'control', 'everybody else')
    assert.equal((await sees(laptop, host, 'goods-first')).status, 204)
    await laptop.signIn(host)
    assert.equal(await seen(laptop, host), 'goods-first')
    for (const device of [phone, laptop]) assert.equal((await sees(device, host, 'goods-first=goods-first')).status, 204)
  }
  // Two customers with two devices each; the laptops were nobody's when they saw the control.
  assert.deepEqual([(await exposures()).length, await countedVisitors(2)], [4, [0, 2]])
  await run(2, { name: 'goods-first-later', state: 'stopped' })
  await run(1, { name: 'goods-first', state: 'running' })
})

test('without consent to statistics nothing is assigned and nothing stored, and a withdrawal deletes it on both sides', async () => {
  provider.person = somebody()
  await pool.query('truncate experiments.exposure, experiments.customer')
  const phone = testBrowser(shop.gateway)
  await agree(phone, gb, ['userPreferences'])
  await phone.signIn(gb)
  await phone.session(gb)
  assert.equal(await seen(phone, gb), 'control')
  assert.equal(phone.cookies.get(gb)?.has('mm_experiments'), false)
  assert.deepEqual((await pool.query('select 1 from experiments.customer')).rows, [])

  await agree(phone, gb)
  await phone.session(gb)
  assert.equal(phone.cookies.get(gb)?.has('mm_experiments'), true)
  assert.equal((await pool.query('select 1 from experiments.customer')).rows.length, 1)
  await agree(phone, gb, ['userPreferences'])
  await runWork(database, handlers, jobs)
  assert.equal(phone.cookies.get(gb)?.has('mm_experiments'), false)
  assert.deepEqual((await pool.query('select 1 from experiments.customer')).rows, [])
})

test('a cookie of another browser, or one that was changed, assigns nothing', async () => {
  provider.person = somebody()
  const phone = testBrowser(shop.gateway)
  await agree(phone, gb)
  await phone.signIn(gb)
  const laptop = await otherDevice(phone, gb)
  const own = drawn(laptop, gb)
  const cookie = phone.cookies.get(gb)?.get('mm_experiments') ?? ''
  assert.match(cookie, /^[\da-f-]{36}\.[\d-]*\.[\w-]{22}$/)
  const [unit = '', audiences = '', mac = ''] = cookie.split('.')
  for (const forged of [cookie, `${unit}.99.${mac}`, `${visitorOf(laptop, gb)}.${audiences}.${mac}`, `${unit}..`, 'x']) {
    laptop.cookies.get(gb)?.set('mm_experiments', forged)
    assert.equal(await seen(laptop, gb), own === undefined ? 'control' : own, forged)
  }
})
