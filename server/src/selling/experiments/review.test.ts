import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPool, dbOn, every } from '#platform'
import { testDatabase } from '#platform/testing'
import { registerSchedules, runSchedules } from '../../edges/worker/schedules.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { readReached } from '../../people/insights/read-reached.ts'
import { jobs, schedules } from './jobs.ts'

const database = await testDatabase()
// As production has it: a transaction that lies idle for four seconds is ended.
const pool = createPool({ connectionString: database.connectionString, sizes: { commands: 2, single: 2 } })
after(() => pool.end())

const dayMs = 86_400_000
const visitorId = 'aaaaaaaa-0000-8000-8000-000000000001'

test('an experiment whose visitors take many seconds to count is reviewed, and the schedule that starts it holds up no other', async () => {
  await pool.query(`insert into experiments.experiment (campaign_id, name, state, definition) values (1, 'large', 'running', $1)`, [
    JSON.stringify({
      type: 'ab',
      markets: ['gb'],
      modes: ['b2c'],
      variations: [
        { id: 1, name: 'control', weight: 1 },
        { id: 2, name: 'other', weight: 1 },
      ],
    }),
  ])
  await pool.query(
    `insert into experiments.exposure (campaign_id, visitor_id, variation_id, seen_at, network) values (1, $1, 1, now() - interval '1 hour', 1)`,
    [visitorId],
  )
  await pool.query(
    `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
     values ((now() at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', $1, 'add_to_cart', 'product', 'product', 'mobile', '{statistics}', '{}', now())`,
    [visitorId],
  )
  await pool.query(`alter table insights.event rename to stored_event;
    create view insights.event as select * from insights.stored_event where pg_sleep(4.5) is not null`)

  let ran = 0
  const others = every(1_000, 'test.other', async () => void ran++)
  const both = [...schedules.filter(({ name }) => name === 'experiments.review'), others]
  await registerSchedules(pool, both)
  const startedAt = performance.now()
  assert.equal(await runSchedules(pool, both), 2)
  assert.ok(performance.now() - startedAt < 2_000)
  assert.equal(ran, 1)

  await runWork({ pool }, [], jobs)
  const { rows } = await pool.query('select visitors, added from experiments.outcome where campaign_id = 1 and variation_id = 1')
  assert.deepEqual(structuredClone(rows), [{ visitors: 1, added: 1 }])
  await pool.query('drop view insights.event; alter table insights.stored_event rename to event')
})

interface Plan {
  'Relation Name'?: string
  'Actual Loops': number
  Plans?: Plan[]
}
const readRelations = (plan: Plan | undefined): string[] =>
  plan ? [...(plan['Actual Loops'] > 0 ? [plan['Relation Name'] ?? ''] : []), ...(plan.Plans ?? []).flatMap(readRelations)] : []

test('what visitors did is read from the days since they saw the experiment alone', async () => {
  const from = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
  for (const daysAgo of [3, 2, 1])
    await pool.query(
      `create table insights.event_${daysAgo} partition of insights.event for values from ('${from(daysAgo)}') to ('${from(daysAgo - 1)}')`,
    )
  const read = new Set<string>()
  const explained = dbOn({
    query: async ({ text, values }) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values)
      for (const name of readRelations(rows[0]?.['QUERY PLAN'][0]?.Plan)) read.add(name)
      return { rows: [], rowCount: 0 } as never
    },
  })
  await readReached(explained, [
    { visitorId, seenAt: new Date(`${from(2)}T12:00Z`) },
    { visitorId: visitorId.replace('1', '2'), seenAt: new Date(`${from(1)}T12:00Z`) },
  ])
  assert.deepEqual(
    [1, 2, 3].map((daysAgo) => read.has(`event_${daysAgo}`)),
    [true, true, false],
  )
})
