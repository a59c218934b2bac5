import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { effectOf, smallestFound, type Counted } from './effect.ts'
import { loadExperiments } from './running.ts'
import { writeExperiment } from './store.ts'
import { review } from './testing.ts'

/** An effect that was planted among simulated visitors is found from their assignment to the page that shows it. */

const database = await testDatabase()
const gateway = await testGateway(database.pool)

const experiment = (campaignId: number): Experiment => ({
  campaignId,
  name: `planted-${campaignId}`,
  type: 'ab',
  layer: `layer-${campaignId}`,
  slots: [0, 1000],
  markets: ['gb'],
  modes: ['b2c'],
  segments: [],
  variations: [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ],
})
const variationOf = (each: Experiment, unit: string): number =>
  assignmentsOf([each], { unit, market: 'gb', mode: 'b2c' })[0]?.variation.id ?? 0

/** Shares of the demo: one of five visitors adds something to the cart, three of a hundred order. */
const base = { added: 0.2, ordered: 0.03 }
const lift = { added: 1.05, ordered: 1.15 }

test(
  'of 200,000 visitors, assigned by their ids, 5 % more who add to the cart and 15 % more who order are found from what was counted; the page says from where on',
  { timeout: 300_000 },
  async () => {
    const { campaignId, name, ...definition } = experiment(1)
    await writeExperiment(database.db, { campaignId, name, state: 'running', definition })
    await loadExperiments(database.db)
    const random = seeded(3)
    for (let chunk = 0; chunk < 10; chunk++) {
      const visitors = Array.from({ length: 20_000 }, () => {
        const id = uuidOf(random)
        const variation = variationOf(experiment(1), id)
        const does = (what: 'added' | 'ordered') => random() < base[what] * (variation === 2 ? lift[what] : 1)
        return { id, variation, added: does('added'), ordered: does('ordered') }
      })
      await database.pool.query(
        `with visitor as (select * from jsonb_to_recordset($1::jsonb) as v (id uuid, variation int, added boolean, ordered boolean)),
          exposed as (insert into experiments.exposure (campaign_id, visitor_id, variation_id, seen_at, network)
            select 1, id, variation, now() - interval '1 hour', 1 from visitor),
          events as (select id, 'add_to_cart' as name, 'product' as page from visitor where added
            union all select id, 'page_view', 'orderRecap' from visitor where ordered)
        insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
        select (now() at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', id, name, page, page, 'mobile', '{statistics}', '{}', now() from events`,
        [JSON.stringify(visitors)],
      )
    }
    await review(database)
    const html = await (await fetch(`${gateway.url}/dev/insights`)).text()
    const [control, other] = [...html.matchAll(/<tr><td>planted-1<\/td>(.*?)<\/tr>/g)].map(([, cells = '']) =>
      [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text = '']) => text),
    )
    assert.ok(control && other, html.slice(0, 400))
    assert.equal(Number(control[1]) + Number(other[1]), 200_000)
    assert.deepEqual([control[2], control[5], other[8]], ['20.0 %', '3.0 %', 'as planned'])
    const found = /^\+\d\.\d \(\+\d\.\d to \+\d\.\d\)$/
    assert.match(other[3] ?? '', found, 'added to the cart')
    assert.match(other[6] ?? '', found, 'ordered')
    // What an operator can expect to see at this number of visitors: 4 % more who add to the cart, 11 % more who order.
    assert.deepEqual([other[4], other[7]], ['0.74 (4 %)', '0.32 (11 %)'])
  },
)

interface Simulated {
  campaignId: number
  visitors: number
  share: number
  lift?: number
}
/** What is known after each thousandth visitor. */
function* simulate({ campaignId, visitors, share, lift: more = 1 }: Simulated): Generator<[Counted, Counted]> {
  const random = seeded(campaignId)
  const each = experiment(campaignId)
  const counted: [Counted, Counted] = [
    { visitors: 0, reached: 0 },
    { visitors: 0, reached: 0 },
  ]
  for (let at = 1; at <= visitors; at++) {
    const isControl = variationOf(each, `visitor-${campaignId}-${at}`) === 1
    const one = counted[isControl ? 0 : 1]
    one.visitors++
    if (random() < share * (isControl ? 1 : more)) one.reached++
    if (at % 1000 === 0) yield counted
  }
}
const isFound = (simulated: Simulated): boolean =>
  simulate(simulated).some((counted) => {
    const effect = effectOf(...counted)
    return effect !== null && (effect.low > 0 || effect.high < 0)
  })

test('the smallest effect found follows from the share and the number of visitors, and is found in about four of five experiments', () => {
  const at = (share: number, visitors: number) => {
    const each = { visitors: visitors / 2, reached: (share * visitors) / 2 }
    return Math.round(((smallestFound(each, each) ?? 0) / share) * 1000) / 10
  }
  // In % of the share; the table of decision 094.
  assert.deepEqual(
    [0.01, 0.03, 0.1, 0.2].map((share) => [20_000, 200_000, 1_000_000].map((visitors) => at(share, visitors))),
    [
      [54.8, 18.2, 8.6],
      [31.2, 10.4, 4.9],
      [16.5, 5.5, 2.6],
      [11, 3.7, 1.7],
    ],
  )
  const share = 0.2
  const few = { visitors: 10_000, reached: 10_000 * share }
  const lift = 1 + (smallestFound(few, few) ?? 0) / share
  const runs = Array.from({ length: 60 }, (_, run) => isFound({ campaignId: 100 + run, visitors: 20_000, share, lift }))
  const rate = runs.filter(Boolean).length / runs.length
  assert.ok(rate >= 0.7 && rate <= 0.95, `${rate}`)
  assert.equal(smallestFound({ visitors: 0, reached: 0 }, few), null)
  const small = { visitors: 200_000, share: base.ordered, lift: 1.05 }
  const seldom = Array.from({ length: 8 }, (_, run) => isFound({ campaignId: 300 + run, ...small })).filter(Boolean).length
  assert.ok(seldom <= 4, `5 % more orders are too few to be relied on: ${seldom} of 8`)
})

test('where hardly anybody or nobody did what is counted, no effect is claimed', () => {
  assert.equal(effectOf({ visitors: 0, reached: 0 }, { visitors: 5, reached: 1 }), null)
  const nobody = { visitors: 15, reached: 0 }
  assert.deepEqual(effectOf(nobody, nobody), { difference: 0, low: -1, high: 1 }, 'few visitors say nothing')
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
