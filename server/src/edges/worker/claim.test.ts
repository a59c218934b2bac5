import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dbOn } from '#platform'
import { testDatabase } from '#platform/testing'
import { claimWork } from './claim.ts'
import { claimLong } from './long-jobs-store.ts'

const { pool } = await testDatabase({ upTo: 'markets' })
const client = await pool.connect()
after(() => client.release(true))
const db = dbOn(client)

const lots = 20_000
await pool.query(`insert into platform.job (name, key, payload, run_at)
  select 'mail.send', n::text, '{}'::jsonb, now() - interval '1 minute' from generate_series(1, ${lots}) n
  union all select 'reviews.invite', n::text, '{}', now() + interval '1 day' from generate_series(1, ${lots}) n
  union all select 'test.due', n::text, '{}', now() - interval '1 second' from generate_series(1, 3) n`)
await pool.query('vacuum analyze platform.job')

/** Pages that a claim reads, without those of writing what it has claimed. */
async function pagesRead(statement: string, values: string, claim: () => Promise<unknown[]>): Promise<number> {
  await client.query('begin')
  try {
    // Prepares the statement, and claims what there is.
    await claim()
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) execute "${statement}"(${values})`,
    )
    const { 'Shared Hit Blocks': hit = NaN, 'Shared Read Blocks': read = NaN } = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    return hit + read
  } finally {
    await client.query('rollback')
  }
}

test('a claim passes over the due jobs of other lanes, and over jobs that are not due yet, without reading them', async () => {
  const ofEvents = await pagesRead('worker.claim', `'x', 20, '{order.paid}', '{mail.send}'`, () =>
    claimWork(db, 'x', 20, ['order.paid'], ['mail.send']),
  )
  assert.ok(ofEvents < 60, `${ofEvents} pages`)
  const ofLane = await pagesRead('worker.claim-jobs', `'x', 20, '{mail.send,reviews.invite}'`, () =>
    claimWork(db, 'x', 20, [], ['mail.send', 'reviews.invite']),
  )
  assert.ok(ofLane < 60, `${ofLane} pages`)
  const long = { name: 'test.long', run: async () => undefined }
  const ofLong = await pagesRead('worker.claim-long', `'x', 2, '{test.long}'`, () => claimLong(db, 'x', 2, [long]))
  assert.ok(ofLong < 60, `${ofLong} pages`)
})

test('of all names in a lane the jobs with the highest priority come first, then those that were due first', async () => {
  await client.query('begin')
  await client.query(`update platform.job set priority = 1 where name = 'test.due' and key = '2'`)
  await client.query(`update platform.job set run_at = now() - interval '1 hour' where name = 'mail.send' and key = '7'`)
  await client.query(`update platform.job set priority = -1 where name = 'test.due' and key = '3'`)
  const claimed: string[] = []
  for (let n = 0; n < 3; n++) for (const { type, key } of await claimWork(db, 'x', 1, [])) claimed.push(`${type} ${key}`)
  await client.query('rollback')
  assert.deepEqual(claimed.slice(0, 2), ['test.due 2', 'mail.send 7'])
  assert.match(claimed[2] ?? '', /^mail\.send /)
})

test('a job that no module defines is claimed, so that it becomes a dead letter', async () => {
  await client.query('begin')
  const claimed = await claimWork(db, 'x', 20, [], ['mail.send', 'reviews.invite'])
  await client.query('rollback')
  assert.deepEqual(
    claimed.map(({ type }) => type),
    ['test.due', 'test.due', 'test.due'],
  )
})
