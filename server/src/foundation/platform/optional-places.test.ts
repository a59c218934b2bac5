import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPool } from '#platform'
import { testDatabase, webPool } from '#platform/testing'
import { UnavailableError } from './errors.ts'

/** Statements of the modules that the shop can do without, in a process that serves visitors (decision 104). */

const database = await testDatabase({ upTo: 'markets' })
const pool = webPool(database)
after(() => pool.end())

/** Takes its time, and waits for nothing. */
const slow = { name: 'insights.test-slow', text: 'select pg_sleep(0.8)' }
const read = { name: 'flags.test-read', text: 'select 1 as one' }

// The connections exist: opening them is not what these tests measure.
await Promise.all([1, 2].flatMap(() => [pool.db.run(read), pool.db.reads.run(read)]))

test('measurements that take their time, however many arrive, refuse no read', async () => {
  const measured = Promise.allSettled(Array.from({ length: 50 }, () => pool.db.run(slow)))
  for (let n = 0; n < 20; n++) assert.deepEqual(await pool.db.reads.row(read), { one: 1 })
  const refused = (await measured).flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  assert.equal(refused.length, 48)
  assert.ok(refused.every((error) => error instanceof UnavailableError))
})

test('nor do reads that take their time refuse a measurement', async () => {
  const reads = Promise.allSettled(Array.from({ length: 10 }, () => pool.db.reads.run(slow)))
  assert.equal(await pool.db.run(read), 1)
  await reads
})

test('where there are no such places, as in the worker, their reads hold up none on the lines that reads share', async () => {
  const worker = createPool({ connectionString: database.connectionString, sizes: { reads: 1, optional: 0 } })
  try {
    const hanging = worker.db.reads.run(slow)
    const startedAt = performance.now()
    await worker.db.reads.run({ name: 'cart.test-read', text: 'select 1' })
    assert.ok(performance.now() - startedAt < 600)
    await hanging
  } finally {
    await worker.end()
  }
})
