import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { newVisitorId } from '../../people/consent/issued-visitor.ts'
import { moveAllBursts } from '../../people/insights/burst-store.ts'
import { brokenGuardrails, isSplitBroken, tallyVisitor, type NetworkTally } from './guardrails.ts'
import { sampleRatio } from './sample-ratio.ts'
import { review as reviewNow } from './testing.ts'

/** Experiments stop by themselves when a variation does harm to many networks, and never because a few of them say so. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })

const experiment: Experiment = {
  campaignId: 1,
  name: 'home-order',
  type: 'ab',
  layer: 'pages',
  slots: [0, 1000],
  markets: ['gb'],
  modes: ['b2c'],
  segments: [],
  variations: [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ],
}
const variationOf = (unit: string) => assignmentsOf([experiment], { unit, market: 'gb', mode: 'b2c' })[0]?.variation.id
function issued(variation: number): string {
  for (;;) {
    const id = newVisitorId()
    if (variationOf(id) === variation) return id
  }
}

async function run(): Promise<void> {
  const { campaignId, ...definition } = experiment
  const answer = await fetch(`${gateway.url}/api/v1/operator/experiments/${campaignId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...definition, state: 'running' }),
  })
  assert.equal(answer.status, 204)
}

/** Starts the experiment anew, with visitors who are what they say: each variation's number, and how many of 100 meet an error. */
async function begin(control: { visitors: number; errors: number }, other: { visitors: number; errors: number }): Promise<void> {
  await database.pool.query('truncate experiments.exposure; truncate insights.event; truncate mail.mail cascade')
  await run()
  for (const [variation, { visitors, errors }] of [
    [1, control],
    [2, other],
  ] as const)
    await database.pool.query(
      `with visitor as (
          insert into experiments.exposure (campaign_id, visitor_id, variation_id, seen_at, network)
          select 1, gen_random_uuid(), $1, now() - interval '1 hour', 1000 * $1 + n % 700 from generate_series(1, $2) n returning visitor_id, network
        ), numbered as (select visitor_id, row_number() over () as n from visitor)
      insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
      select (now() at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', visitor_id, 'page_view', 'home', 'home', 'mobile', '{statistics}',
        case when n % 100 < $3 then '{"statusCode": 500}' else '{}' end::jsonb, now() from numbered where n % 100 < 60`,
      [variation, visitors, errors],
    )
}

const post = (path: string, body: unknown, id: string, from: string) =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': from,
      cookie: `mm_consent=v1:statistics; mm_visitor_id=${id}`,
    },
    body: JSON.stringify(body),
  })
/** An issued id that has seen its variation reports pages: failed ones if it shows the other variation, whole ones if not. */
async function lie(id: string, from: string): Promise<void> {
  assert.equal((await post('/api/v1/experiment-exposures', [experiment.name], id, from)).status, 204)
  const time = (Date.now() + 5_000).toString(16).padStart(12, '0')
  const event = {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`,
    name: 'page_view',
    page: { name: 'home', type: 'home' },
    data: variationOf(id) === 2 ? { statusCode: 500 } : {},
  }
  assert.equal((await post('/api/v1/events', { events: [event] }, id, from)).status, 202)
}
async function review(): Promise<{ state: string; because: string | null; harm: string | null; errors: number }> {
  await moveAllBursts(database.db)
  await reviewNow(database)
  const { rows } = await database.pool.query(
    `select e.state, e.stopped_because as because, o.harm, o.met_error as errors from experiments.experiment e join experiments.outcome o using (campaign_id)
      where o.variation_id = 2 and campaign_id = 1`,
  )
  return rows[0]
}
const mails = async () => (await database.pool.query('select recipient, subject from mail.mail order by subject')).rows

test('200 issued ids of one network that report failed pages stop no experiment', async () => {
  await begin({ visitors: 600, errors: 1 }, { visitors: 600, errors: 1 })
  const before = (await review()).errors
  // One customer's network, from two of its parts: each may send as many requests as one address.
  for (let at = 0; at < 200; at++) await lie(issued(2), `2001:db8:7:${at % 4}::1`)
  const { state, harm, errors } = await review()
  assert.equal(errors, before + 200, 'their reports are stored, and shown')
  assert.deepEqual([state, harm, await mails()], ['running', null, []])
})

test('ten networks of 100 issued ids each, half of them good visitors of the control, stop no experiment', async () => {
  await begin({ visitors: 600, errors: 1 }, { visitors: 600, errors: 1 })
  // As many at a time as a shop that others use answers.
  for (let at = 0; at < 100; at++)
    await Promise.all(Array.from({ length: 10 }, (_, network) => lie(issued(1 + (at % 2)), `2001:db8:${10 + network}:${at % 4}::1`)))
  const { state, harm, errors } = await review()
  assert.ok(errors > 500, `${errors}`)
  assert.deepEqual([state, harm, await mails()], ['running', null, []])
})

test('a variation whose pages fail for visitors of many networks is stopped, and the operator gets one mail', async () => {
  await begin({ visitors: 600, errors: 1 }, { visitors: 600, errors: 20 })
  for (let again = 0; again < 3; again++) {
    const { state, because, harm } = await review()
    assert.deepEqual([state, because, harm], ['stopped', 'other: more visitors met an error', 'more visitors met an error'])
  }
  assert.deepEqual(await mails(), [{ recipient: 'help@purlin.example', subject: 'The experiment home-order was stopped' }])
})

test('while the split is broken no guardrail stops an experiment, and the operator gets one mail', async () => {
  await begin({ visitors: 600, errors: 1 }, { visitors: 900, errors: 20 })
  for (let again = 0; again < 3; again++) {
    const { state, harm } = await review()
    assert.deepEqual([state, harm], ['running', null])
  }
  assert.deepEqual(await mails(), [{ recipient: 'help@purlin.example', subject: 'The split of the experiment home-order is broken' }])
})

test('an experiment that does no harm is stopped in one of twenty cases at most, though it is looked at every hundred visitors', () => {
  const random = seeded(5)
  const { variations } = experiment
  for (const [leaves, errors] of [
    [0.45, 0.02],
    [0.8, 0.2],
  ] as const) {
    let stopped = 0
    for (let experiments = 0; experiments < 60; experiments++) {
      const networks: NetworkTally = new Map()
      let isStopped = false
      for (let visitor = 1; visitor <= 3_000; visitor++) {
        const at = { network: Math.floor(random() * 2_000), variationId: random() < 0.5 ? 1 : 2 }
        tallyVisitor(networks, at, { leftAtOnce: random() < leaves, metError: random() < errors })
        if (visitor % 100 === 0) isStopped ||= brokenGuardrails(networks, variations).size > 0
      }
      if (isStopped) stopped++
    }
    assert.ok(stopped <= 3, `${stopped} of 60`)
  }
})

test('the largest harm that twenty networks can pretend is ignored, and a real one of ten points is found', () => {
  const random = seeded(9)
  const tally = (harm: number) => {
    const networks: NetworkTally = new Map()
    for (let visitor = 0; visitor < 12_000; visitor++) {
      const variationId = random() < 0.5 ? 1 : 2
      const leftAtOnce = random() < 0.4 + (variationId === 2 ? harm : 0)
      tallyVisitor(networks, { network: 100 + Math.floor(random() * 9_000), variationId }, { leftAtOnce, metError: false })
    }
    return networks
  }
  const pretended = tally(0)
  for (let network = 0; network < 20; network++)
    for (let visitor = 0; visitor < 500; visitor++) {
      const variationId = 1 + (visitor % 2)
      tallyVisitor(pretended, { network, variationId }, { leftAtOnce: variationId === 2, metError: variationId === 2 })
    }
  const { variations } = experiment
  assert.deepEqual([isSplitBroken(pretended, variations), [...brokenGuardrails(pretended, variations)]], [false, []])
  assert.deepEqual([...brokenGuardrails(tally(0.1), variations)], [[2, 'more visitors left at once']])
})

test('the check of the split may be looked at all the time: it is wrong about few experiments, and finds 55 to 45 within 5,000 visitors', () => {
  const random = seeded(2)
  const isFound = (share: number) => {
    const counts = [0, 0]
    for (let visitor = 1; visitor <= 5_000; visitor++) {
      const at = random() < share ? 0 : 1
      counts[at] = (counts[at] ?? 0) + 1
      if (visitor % 20 === 0 && sampleRatio(counts.map((visitors) => ({ visitors, weight: 1 }))).isBroken) return true
    }
    return false
  }
  const wrong = Array.from({ length: 300 }, () => isFound(0.5)).filter(Boolean).length
  assert.ok(wrong <= 6, `${wrong} of 300`)
  assert.equal(Array.from({ length: 20 }, () => isFound(0.55)).filter(Boolean).length, 20)
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
