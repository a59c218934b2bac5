import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import pg from 'pg'
import { pageNames } from '@purlin/contract/generated/page-names.ts'
import { createPool, dbOn } from '#platform'
import { testDatabase } from '#platform/testing'
import { registerSchedules, runSchedules } from '../../edges/worker/schedules.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs, schedules } from './jobs.ts'
import { rollUp } from './roll-up.ts'

const database = await testDatabase({ upTo: 'insights' })
const { pool } = database

// A view in place of the table: each event of a market costs as much time, or fails, as the test says.
await pool.query(`create function public.cost(market text) returns boolean language plpgsql volatile as $$ begin return true; end $$;
  alter table insights.event rename to stored_event;
  create view insights.event as select * from insights.stored_event where public.cost(market)`)
const cost = (body: string) =>
  pool.query(
    `create or replace function public.cost(market text) returns boolean language plpgsql volatile as $$ begin ${body} return true; end $$`,
  )
after(() => cost(''))

beforeEach(() => pool.query('truncate insights.stored_event, insights.roll_up, platform.job'))

const happens = (market: string) =>
  pool.query(
    `insert into insights.stored_event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
     values ((now() at time zone 'UTC')::date, gen_random_uuid(), $1, 'b2c', gen_random_uuid(), 'page_view', 'homeB2C', 'home', 'mobile', '{statistics}', '{}', now())`,
    [market],
  )
/** As the worker does: the schedules, then the jobs. */
async function work(): Promise<void> {
  for (const { name, run } of schedules) if (name.startsWith('insights.roll-up')) await database.command({}, run)
  await runWork(database, [], jobs)
}
const counted = async () =>
  (
    await pool.query<{ market: string; span: string; events: number }>(
      'select market, span, sum(events)::int as events from insights.roll_up group by 1, 2 order by 1, 2',
    )
  ).rows.map((row) => Object.values(row))

test('a day that takes longer to count than a statement of the shop may take is counted all the same', async () => {
  await happens('gb')
  await cost(`perform pg_sleep(2.8);`)
  await database.command({}, schedules.find(({ name }) => name === 'insights.roll-up')!.run)
  await runWork(database, [], jobs)
  assert.deepEqual(await counted(), [
    ['gb', 'day', 1],
    ['gb', 'hour', 1],
  ])
})

test('a market whose events cannot be counted holds up no other, and is counted as soon as they can', async () => {
  for (const market of ['de', 'gb', 'it']) await happens(market)
  await cost(`if market = 'gb' then raise 'not now'; end if;`)
  await work()
  const both = (market: string) => ['day', 'hour'].map((span) => [market, span, 1])
  assert.deepEqual(await counted(), [...both('de'), ...both('it')])
  await cost('')
  await work()
  assert.deepEqual(await counted(), [...both('de'), ...both('gb'), ...both('it')])
})

test('a roll-up that takes longer than the time to the next one goes on undisturbed', async () => {
  const run = schedules.find(({ name }) => name === 'insights.roll-up')!.run
  const round = async () =>
    (await pool.query(`select round from platform.job where name = 'insights.roll-up-pieces' and finished_at is null`)).rows.map(
      (row) => row.round,
    )
  await database.command({}, run)
  const before = await round()
  await database.command({}, run)
  assert.deepEqual(await round(), before)
  await runWork(database, [], jobs)
  assert.deepEqual(await round(), [])
  await database.command({}, run)
  assert.equal((await round()).length, 1, 'a finished one begins again')
})

test('a piece that fails in the run for late events is retried by itself, and the job is not done before', async () => {
  await happens('gb')
  await cost(`raise 'not now';`)
  await database.command({}, schedules.find(({ name }) => name === 'insights.roll-up-late')!.run)
  await runWork(database, [], jobs)
  assert.deepEqual(await counted(), [])
  await cost('')
  const { rows } = await pool.query(
    `update platform.job set run_at = now() where finished_at is null and parked_at is null returning last_error`,
  )
  assert.match(rows[0]?.last_error, /^Not rolled up: hours .* gb/)
  await runWork(database, [], jobs)
  assert.deepEqual(await counted(), [
    ['gb', 'day', 1],
    ['gb', 'hour', 1],
  ])
  assert.equal((await pool.query('select 1 from platform.job where finished_at is null')).rowCount, 0)
})

test('a count that takes too long is a dead letter until the next hour: tried again at once it would keep the database busy in vain', async () => {
  await happens('gb')
  await cost(`raise exception using errcode = '57014', message = 'canceling statement due to statement timeout';`)
  const late = schedules.find(({ name }) => name === 'insights.roll-up-late')!
  const state = async () =>
    (await pool.query(`select parked_at is not null as parked, attempts from platform.job where key = 'late'`)).rows.map(Object.values)
  await database.command({}, late.run)
  await runWork(database, [], jobs)
  assert.deepEqual(
    (await state()).map(([parked]) => parked),
    [true],
  )
  await cost('')
  await database.command({}, late.run)
  await runWork(database, [], jobs)
  assert.deepEqual(await counted(), [
    ['gb', 'day', 1],
    ['gb', 'hour', 1],
  ])
})

test('every hour the worker counts yesterday again, days and hours and channels: events may come a day late', async () => {
  await pool.query('truncate insights.channel_day, insights.order_channel, platform.schedule')
  const late = schedules.filter(({ name }) => name.startsWith('insights.roll-up'))
  const hour = async () => {
    await registerSchedules(pool, late)
    // An hour passes.
    await pool.query(`update platform.schedule set next_run_at = next_run_at - interval '1 hour'`)
    await runSchedules(pool, late)
    await runWork(database, [], jobs)
  }
  const comes = (visit: string) =>
    pool.query(
      `insert into insights.stored_event (day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at)
       select (at at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', gen_random_uuid(), $1::uuid, 'page_view', 'homeB2C', 'home', 'mobile', '{statistics}', '{}', at
       from (select date_trunc('day', now(), 'UTC') - interval '1 minute' as at union all select now() - interval '23 hours 50 minutes') late`,
      [visit],
    )
  const rolledUp = async () => {
    const { rows } = await pool.query(
      `with recount as (
          select 'hour' as span, date_trunc('hour', at, 'UTC') as start, count(*)::int as events from insights.stored_event group by 2
          union all
          select 'day', date_trunc('day', at, 'UTC'), count(*)::int from insights.stored_event group by 2),
        rolled as (select span, start, sum(events)::int as events from insights.roll_up group by 1, 2)
        select (select count(*)::int from recount full join rolled using (span, start, events) where recount.span is null or rolled.span is null) as wrong,
          (select sum(visits)::int from insights.channel_day where day = (now() at time zone 'UTC')::date - 1) as visits`,
    )
    return rows[0]
  }
  await comes(randomUUID())
  await hour()
  assert.deepEqual(await rolledUp(), { wrong: 0, visits: 1 })
  await comes(randomUUID())
  await hour()
  assert.deepEqual(await rolledUp(), { wrong: 0, visits: 2 })
})

test('thousands of rows of a day are counted again within the time of a statement, though the table has never been analysed', async () => {
  const pages = pageNames.slice(0, 25)
  await pool.query(
    `insert into insights.stored_event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
     select (at at time zone 'UTC')::date, gen_random_uuid(), 'gb', mode, gen_random_uuid(), 'page_view', page, 'home', device, '{statistics}', '{}', at
     from (select date_trunc('day', now(), 'UTC') - n * interval '1 hour' as at from generate_series(1, 24) n) hour,
       unnest($1::text[]) page, unnest('{mobile,desktop,tablet}'::text[]) device, unnest('{b2c,b2b}'::text[]) mode`,
    [pages],
  )
  await pool.query(`delete from pg_statistic where starelid = 'insights.roll_up'::regclass`)
  const shop = createPool({ connectionString: database.connectionString, planOnce: true, sizes: { single: 1 } })
  try {
    const yesterday = new Date(Date.now() - 24 * 3_600_000)
    for (let run = 0; run < 3; run++) await rollUp(shop.db, yesterday, yesterday)
  } finally {
    await shop.end()
  }
  const { rows } = await pool.query(`select count(*)::int as rows, sum(events)::int as events from insights.roll_up where span = 'day'`)
  assert.deepEqual(rows, [{ rows: pages.length * 6, events: pages.length * 6 * 24 }])
})

for (const zone of ['UTC', 'Europe/Paris', 'America/New_York'])
  test(`hours and channels of both days equal a recount in a session whose time zone is ${zone}`, async () => {
    await pool.query('truncate insights.channel_day, insights.order_channel')
    const hours = `(select n, date_trunc('day', now(), 'UTC') - n * interval '1 hour' as start from generate_series(0, 23) n) as hour`
    await pool.query(
      `insert into insights.stored_event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
       select (start at time zone 'UTC')::date, gen_random_uuid(), 'gb', 'b2c', gen_random_uuid(), 'page_view', 'homeB2C', 'home', 'mobile', '{statistics}', '{}', start
       from ${hours}`,
    )
    await pool.query(
      `insert into insights.order_channel (customer_order_id, visitor_id, market, mode, placed_at, paid_at, amount)
       select 'o' || n, gen_random_uuid(), 'gb', 'b2c', start, start, 100 from ${hours}`,
    )
    const client = new pg.Client({ connectionString: database.connectionString, options: `-c timezone=${zone}` })
    await client.connect()
    try {
      await rollUp(dbOn(client), new Date(Date.now() - 48 * 3_600_000))
    } finally {
      await client.end()
    }
    const { rows } = await pool.query<{ hours: number; orders: number[] }>(
      `select (select count(*)::int from insights.roll_up where span = 'hour') as hours,
        (select array_agg(orders order by day) from (select day, sum(orders)::int as orders from insights.channel_day group by day) each) as orders`,
    )
    assert.deepEqual(rows, [{ hours: 24, orders: [23, 1] }])
  })
