import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { newVisitorId } from '../../people/consent/issued-visitor.ts'
import { variationsFor } from './assign.ts'
import { countOutcomes } from './count-outcomes.ts'
import { effectOf } from './effect.ts'
import { handlers, jobs } from './jobs.ts'
import { loadExperiments } from './running.ts'
import { sampleRatio } from './sample-ratio.ts'
import { readExperiments } from './store.ts'
import { review } from './testing.ts'

/** The experimentation service, driven by a client written from the specification. */

useSettings({ OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
const database = await testDatabase()
const gateway = await testGateway(database.pool)

const definition: Omit<Experiment, 'campaignId' | 'segments'> & { state: string } = {
  name: 'home-order',
  state: 'running',
  type: 'ab',
  layer: 'pages',
  slots: [0, 1000],
  markets: ['gb'],
  modes: ['b2c'],
  variations: [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ],
}
async function operator(method: string, path: string, body?: unknown, key = 'an-operator-key-of-thirty-two-bytes') {
  const answer = await fetch(`${gateway.url}/api/v1/operator/experiments${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : null }
}
const call = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: text ? (JSON.parse(text) as Record<string, unknown>) : null,
  }
}
const context = { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }
const flagsOf = (body: object, headers?: Record<string, string>) => call('/ab-test/api/v1/user/flags', { context, ...body }, headers)
interface Content {
  campaign_variations: { campaign_id: number; variation_id: number; type: string }[]
  flags: Record<string, unknown>
}
const contentOf = async (body: object, headers?: Record<string, string>) => (await flagsOf(body, headers)).body?.['content'] as Content

assert.equal((await operator('PUT', '/1', definition)).status, 204)

test('R-562 R-563 R-564 R-405 the service answers with variations and flags, the same for the same visitor', async () => {
  const visitor_id = randomUUID()
  const first = await contentOf({ visitor_id })
  assert.deepEqual(first, await contentOf({ visitor_id, user_id: null }))
  const [{ campaign_id, variation_id, type } = { campaign_id: 0, variation_id: 0, type: '' }] = first.campaign_variations
  assert.deepEqual([campaign_id, type, [1, 2].includes(variation_id)], [1, 'ab', true])
  assert.deepEqual(first.flags, {
    batchEnabled: false,
    csideEnabled: false,
    enableCustomDataNewFormat: false,
    eventsWithPurposesEnabled: false,
  })
  assert.deepEqual((await contentOf({ visitor_id, context: { ...context, MARKET: 'fr' } })).campaign_variations, [])
  assert.deepEqual((await contentOf({ visitor_id, context: { ...context, PLATFORM: 'b2b' } })).campaign_variations, [])
})

test('R-617 without a visitor id the answer is "No visitor_id found"; unknown and hostile input is refused', async () => {
  for (const body of [{}, { visitor_id: '' }, { visitor_id: null }]) {
    const { status, type, body: problem } = await flagsOf(body)
    assert.deepEqual([status, problem?.['title']], [400, 'No visitor_id found'])
    assert.match(type, /application\/problem\+json/)
  }
  const visitor_id = randomUUID()
  for (const body of [
    { visitor_id: 'x' },
    { visitor_id: [visitor_id] },
    { visitor_id, user_id: '1; drop table' },
    { visitor_id, context: { ...context, MARKET: 'us' } },
    { visitor_id, context: { ...context, MORE: 1 } },
    { visitor_id, context: null },
  ])
    assert.equal((await flagsOf(body)).status, 400, JSON.stringify(body))
  assert.equal((await call('/ab-test/api/v1/user/flags', '{')).status, 400)
  assert.equal((await flagsOf({ visitor_id, more: 'x'.repeat(5000) })).status, 413)
})

test('a customer keeps the variation over all devices; nobody else’s id decides or learns anything', async () => {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const cookie = { cookie: `__Host-purlin=${token}; mm_consent=v1:statistics` }
  const without = { cookie: `__Host-purlin=${token}; mm_consent=v1:userPreferences` }
  const stored = async () => (await database.pool.query('select customer_id from experiments.customer')).rows
  assert.deepEqual((await contentOf({ visitor_id: randomUUID(), user_id: id }, without)).campaign_variations, [])
  assert.deepEqual(await stored(), [], 'nothing is assigned and nothing stored without consent')
  const first = await contentOf({ visitor_id: randomUUID(), user_id: id }, cookie)
  for (let device = 0; device < 20; device++) assert.deepEqual(await contentOf({ visitor_id: randomUUID(), user_id: id }, cookie), first)
  const foreign = await addCustomer(database.db)
  await contentOf({ visitor_id: randomUUID(), user_id: foreign.id }, cookie)
  await contentOf({ visitor_id: randomUUID(), user_id: foreign.id })
  assert.deepEqual(await stored(), [{ customer_id: id }])
  await database.command({}, async ({ emit }) =>
    emit('consent.withdrawn', { visitorId: randomUUID(), customerId: id, withdrawn: ['statistics'] }),
  )
  await runWork(database, handlers, jobs)
  assert.deepEqual(await stored(), [])
})

test('experiments of one layer are exclusive, and operators cannot make them overlap', async () => {
  const { state, name, ...shape } = definition
  const experiment = (campaignId: number, slots: [number, number]): Experiment => ({
    ...shape,
    campaignId,
    name: `${name}-${state}-${campaignId}`,
    slots,
    segments: [],
  })
  const both = [experiment(1, [0, 500]), experiment(2, [500, 1000])]
  for (let visitor = 0; visitor < 2000; visitor++)
    assert.equal(assignmentsOf(both, { unit: `visitor-${visitor}`, market: 'gb', mode: 'b2c' }).length, 1)
  assert.equal((await operator('PUT', '/7', { ...definition, name: 'rival', slots: [900, 1000] })).status, 409)
  assert.equal((await operator('PUT', '/7', { ...definition })).status, 409)
  assert.equal((await operator('PUT', '/7', { ...definition, name: 'rival', layer: 'else', state: 'draft' })).status, 204)
  assert.equal((await operator('PUT', '/8', { ...definition, name: 'bad', slots: [10, 10] })).status, 400)
  assert.equal((await operator('PUT', '/x', definition)).status, 404)
  assert.equal((await operator('GET', '', undefined, 'none')).status, 401)
})

test('targeting by segment reaches those who hold one of them', () => {
  const { state: _state, ...shape } = definition
  const experiment: Experiment = { ...shape, campaignId: 3, segments: ['loyal'] }
  const assigned = (segments?: string[]) =>
    assignmentsOf([experiment], { unit: 'a', market: 'gb', mode: 'b2c', ...(segments && { segments }) }).length
  assert.deepEqual([assigned(), assigned(['prospects']), assigned(['x', 'loyal'])], [0, 0, 1])
})

test('R-563 an experiment for the app reaches it alone: neither the same visitor’s browser nor any page; without channels it is for both', async () => {
  const inApp = { ...definition, name: 'in-app', layer: 'app', channels: ['app'] }
  assert.equal((await operator('PUT', '/40', inApp)).status, 204)
  const visitor_id = newVisitorId()
  const campaigns = async (CHANNEL: string) =>
    (await contentOf({ visitor_id, context: { ...context, CHANNEL } })).campaign_variations.map(({ campaign_id }) => campaign_id)
  assert.deepEqual([await campaigns('web'), await campaigns('app')], [[1], [1, 40]])
  const headers = { cookie: `mm_visitor_id=${visitor_id}; mm_consent=v1:statistics` }
  assert.deepEqual(Object.keys(variationsFor({ market: 'gb', mode: 'b2c' }, { headers })), ['home-order'])
  assert.equal((await call('/api/v1/experiment-exposures', ['in-app'], headers)).status, 204)
  assert.deepEqual((await database.pool.query('select from experiments.exposure where campaign_id = 40')).rows, [])
  assert.equal((await operator('PUT', '/40', { ...inApp, channels: ['web'] })).status, 204)
  assert.deepEqual([await campaigns('web'), await campaigns('app')], [[1, 40], [1]])
  const { channels: _, ...anywhere } = inApp
  assert.equal((await operator('PUT', '/40', anywhere)).status, 204)
  // One that an earlier release stored names no channels at all.
  await database.pool.query(`update experiments.experiment set definition = definition - 'channels' where campaign_id = 1`)
  await loadExperiments(database.db)
  assert.deepEqual(
    [await campaigns('web'), await campaigns('app')],
    [
      [1, 40],
      [1, 40],
    ],
  )
  for (const channels of [[], ['tv'], 'web']) assert.equal((await operator('PUT', '/40', { ...inApp, channels })).status, 400)
  assert.equal((await operator('PUT', '/40', { ...inApp, state: 'stopped' })).status, 204)
})

test('R-562 a customer in a targeted segment takes part once they are signed in, and nobody else does', async () => {
  const targeted = { ...definition, name: 'for-loyal', layer: 'loyal', segments: ['customer-value-high'] }
  assert.equal((await operator('PUT', '/30', targeted)).status, 204)
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const cookie = { cookie: `__Host-purlin=${token}; mm_consent=v1:statistics` }
  const takesPart = async (user_id: string | null, headers: Record<string, string> = {}) =>
    (await contentOf({ visitor_id: randomUUID(), user_id }, headers)).campaign_variations.some(({ campaign_id }) => campaign_id === 30)
  assert.equal(await takesPart(id, cookie), false)
  await database.pool.query(`insert into segments.customer (customer_id, computed) values ($1, '{"customer_value": "high"}')`, [id])
  assert.deepEqual([await takesPart(id, cookie), await takesPart(id), await takesPart(null)], [true, false, false])
  assert.equal(await takesPart(id, { cookie: `__Host-purlin=${token}; mm_consent=v1:` }), false, 'segments are used with consent alone')
  assert.equal((await operator('PUT', '/30', { ...targeted, state: 'stopped' })).status, 204)
})

test('/dev/insights shows of each variation how many added to the cart and ordered after they saw it, with intervals, and what it made worse', async () => {
  assert.equal((await operator('PUT', '/31', { ...definition, name: 'measured', layer: 'measured' })).status, 204)
  // 200 visitors each; every tenth of the control adds to the cart, every second of the other one, and a few order.
  await database.pool.query(
    `with visitor as (select gen_random_uuid() as id, 1 + n % 2 as variation, n / 2 as nth from generate_series(0, 399) n),
      exposed as (insert into experiments.exposure (campaign_id, visitor_id, variation_id, seen_at, network)
        select 31, id, variation, now() - interval '1 hour', nth from visitor),
      events as (select id, 'add_to_cart' as name, 'product' as page, now() as at, '{}'::jsonb as data from visitor where nth % (case variation when 1 then 10 else 2 end) = 0
        union all select id, 'page_view', 'orderRecap', now(), '{}' from visitor where nth < 20
        union all select id, 'page_view', 'home', now(), '{}' from visitor where variation = 1 or nth % 2 = 0
        union all select id, 'page_view', 'home', now(), '{"statusCode": 500}' from visitor where variation = 2 and nth % 50 = 0
        union all select id, 'add_to_cart', 'product', now() - interval '2 hours', '{}' from visitor)
    insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
    select (at at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', id, name, page, page, 'mobile', '{statistics}', data, at from events`,
  )
  const before = (await readExperiments(database.db)).find(({ campaignId }) => campaignId === 31)!
  assert.deepEqual(
    await countOutcomes(database.db, before, { size: 7 }),
    await countOutcomes(database.db, before),
    'however many are read at a time',
  )
  assert.equal(
    (await contentOf({ visitor_id: randomUUID() })).campaign_variations.filter(({ campaign_id }) => campaign_id === 31).length,
    1,
  )
  await review(database)
  const html = await (await fetch(`${gateway.url}/dev/insights`)).text()
  const rows = [...html.matchAll(/<tr><td>measured<\/td>(.*?)<\/tr>/g)].map(([, cells = '']) =>
    [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text]) => text),
  )
  assert.deepEqual(rows[0], ['control', '200', '10.0 %', 'control', '', '10.0 %', 'control', '', 'as planned'])
  assert.deepEqual(rows[1]?.slice(0, 3), ['other', '200', '50.0 %'])
  assert.match(rows[1]?.[3] ?? '', /^\+40\.0 \(\+\d\d\.\d to \+\d\d\.\d\)$/)
  assert.match(rows[1]?.[6] ?? '', /^\+0\.0 \(−\d+\.\d to \+\d+\.\d\)$/)
  for (const at of [4, 7]) assert.match(rows[1]?.[at] ?? '', /^\d\d\.\d\d \(\d{3} %\)$/, 'so few visitors show huge effects alone')
  // Of the other variation's visitors ninety looked at no other page, and four met an error.
  assert.deepEqual([rows[2]?.[0], rows[2]?.[1], rows[2]?.[3], rows[2]?.[5]], ['other', '45.0 %', '2.0 %', 'broken: stopped'])
  assert.match(rows[2]?.[2] ?? '', /^\+45\.0 \(\+/)
  assert.match(rows[2]?.[4] ?? '', /^\+2\.0 \(−/)
  // The harm was noticed without anybody: everybody sees the control again, and the operator reads why.
  const listed = async () =>
    (
      (await operator('GET', '')).body as { experiments: { campaignId: number; state: string; stoppedBecause: string | null }[] }
    ).experiments.find(({ campaignId }) => campaignId === 31)
  assert.deepEqual([(await listed())?.state, (await listed())?.stoppedBecause], ['stopped', 'other: more visitors left at once'])
  await loadExperiments(database.db)
  assert.equal(
    (await contentOf({ visitor_id: randomUUID() })).campaign_variations.filter(({ campaign_id }) => campaign_id === 31).length,
    0,
  )
  await database.pool.query('delete from experiments.exposure where campaign_id = 31')
  assert.equal((await operator('PUT', '/31', { ...definition, name: 'measured', layer: 'measured' })).status, 204)
  await review(database)
  assert.deepEqual([(await listed())?.state, (await listed())?.stoppedBecause], ['running', null])
  assert.equal((await operator('PUT', '/31', { ...definition, name: 'measured', layer: 'measured', state: 'stopped' })).status, 204)
})

test(
  'A/A: 200,000 visitors are split evenly, independently of other experiments, and the page finds an effect in no more cases than it states, however rare the outcome and however often it is looked at',
  { timeout: 120_000 },
  () => {
    const { state: _state, ...shape } = definition
    const aa = (campaignId: number): Experiment => ({
      ...shape,
      campaignId,
      layer: `layer-${campaignId}`,
      type: 'aa',
      segments: [],
    })
    const campaigns = [aa(1), aa(2)]
    const given = new Uint8Array(200_000)
    const split: [number, number] = [0, 0]
    const crossed = [0, 0, 0, 0]
    const random = seeded(7)
    for (let at = 0; at < given.length; at++) {
      const unit = uuidOf(random)
      const [first, second] = assignmentsOf(campaigns, { unit, market: 'gb', mode: 'b2c' }).map(({ variation }) => variation.id - 1)
      assert.ok(first !== undefined && second !== undefined)
      given[at] = first
      split[first === 0 ? 0 : 1]++
      crossed[first * 2 + second] = (crossed[first * 2 + second] ?? 0) + 1
    }
    const even = sampleRatio(split.map((visitors) => ({ visitors, weight: 1 })))
    assert.ok(!even.isBroken && even.chiSquare < 10.8, `χ² ${even.chiSquare}`)
    const independent = sampleRatio(crossed.map((visitors) => ({ visitors, weight: 1 })))
    assert.ok(!independent.isBroken, `χ² over both ${independent.chiSquare}`)

    const runs = 400
    for (const share of [0.01, 0.03, 0.2]) {
      let found = 0
      for (let run = 0; run < runs; run++) if (findsEffect(given, () => random() < share)) found++
      // 5 % are stated. A method that is wrong in 10 % would exceed this in all but one of a thousand cases.
      assert.ok(found / runs <= 0.05, `${found} of ${runs} with a share of ${share}`)
    }
  },
)

/** Whether somebody who looks at the page after every thousandth visitor sees an effect at any time. */
function findsEffect(given: Uint8Array, reaches: () => boolean): boolean {
  const control = { visitors: 0, reached: 0 }
  const other = { visitors: 0, reached: 0 }
  for (const [at, variation] of given.entries()) {
    const counted = variation === 0 ? control : other
    counted.visitors++
    if (reaches()) counted.reached++
    if ((at + 1) % 1000 > 0) continue
    const seen = effectOf(control, other)
    if (seen && (seen.low > 0 || seen.high < 0)) return true
  }
  return false
}

test('a broken split is noticed', () => {
  assert.equal(
    sampleRatio([
      { visitors: 5000, weight: 1 },
      { visitors: 5400, weight: 1 },
    ]).isBroken,
    true,
  )
  assert.equal(
    sampleRatio([
      { visitors: 5000, weight: 1 },
      { visitors: 5060, weight: 1 },
    ]).isBroken,
    false,
  )
  assert.equal(
    sampleRatio([
      { visitors: 9000, weight: 9 },
      { visitors: 1010, weight: 1 },
    ]).isBroken,
    false,
  )
})

test('exposures are counted once per visitor, with consent, for what they can have seen; a withdrawal deletes them', async () => {
  const visitorId = newVisitorId()
  const own = ['home-order']
  const consented = { cookie: `mm_visitor_id=${visitorId}; mm_consent=v1:statistics` }
  const expose = (body: unknown, headers: Record<string, string>) => call('/api/v1/experiment-exposures', body, headers)
  const seen = async () => (await database.pool.query('select visitor_id from experiments.exposure')).rows.length
  for (const cookie of ['', `mm_visitor_id=${visitorId}`, `mm_visitor_id=${visitorId}; mm_consent=v1:userPreferences`])
    assert.equal((await expose(own, { cookie })).status, 204)
  assert.equal((await expose(['rival', 'unknown'], consented)).status, 204)
  assert.equal(await seen(), 0)
  // What the page showed before it knew the visitor counts for nobody.
  const given = variationsFor({ market: 'gb', mode: 'b2c' }, { headers: consented })['home-order']
  assert.equal((await expose([`home-order=${given === 'other' ? 'control' : 'other'}`], consented)).status, 204)
  assert.equal(await seen(), 0)
  assert.equal((await expose([`home-order=${given}`], consented)).status, 204)
  assert.equal((await expose(own, consented)).status, 204)
  assert.equal(await seen(), 1)
  assert.equal((await expose(own, { ...consented, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status, 403)
  assert.equal((await expose([{ name: 'home-order' }], consented)).status, 400)
  const listed = (await operator('GET', '')).body?.['experiments'] as { variations: { visitors: number }[] }[]
  assert.equal(
    listed[0]?.variations.reduce((sum, { visitors }) => sum + visitors, 0),
    1,
  )
  await database.command({}, async (scope) => scope.emit('consent.withdrawn', { visitorId, withdrawn: ['statistics'] }))
  await runWork(database, handlers, jobs)
  assert.equal(await seen(), 0)
})

test('pages get a variation by name; without consent everybody sees the control', async () => {
  await loadExperiments(database.db)
  const site = { market: 'gb', mode: 'b2c' } as const
  const random = seeded(3)
  const seen = new Set<string | undefined>()
  for (let at = 0; at < 40; at++) {
    const id = uuidOf(random)
    assert.deepEqual(variationsFor(site, { headers: { cookie: `mm_visitor_id=${id}` } }), { 'home-order': 'control' })
    seen.add(variationsFor(site, { headers: { cookie: `mm_consent=v1:statistics; mm_visitor_id=${id}` } })['home-order'])
  }
  assert.deepEqual(seen, new Set(['control', 'other']))
  assert.deepEqual(variationsFor({ market: 'fr', mode: 'b2c' }, { headers: {} }), {})
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
function uuidOf(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
