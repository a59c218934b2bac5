import { channel } from 'node:diagnostics_channel'
import type { AnyJob, Handler, Pool, Work } from '#platform'
import { testScope, type TestDatabase } from '#platform/testing'
import { isShort } from './long-jobs.ts'
import { workOnce } from './worker.ts'

/** For tests: runs all pending work and whatever follows from it. Returns the number of pieces handled. */
export async function runWork(database: { pool: Pool }, handlers: readonly Handler[], jobs: readonly AnyJob[] = []): Promise<number> {
  // Tells the test runner that this test drives the product through its jobs.
  channel('purlin:job').publish({})
  const table = { handlers: [...handlers], jobs: [...jobs] }
  let total = 0
  for (let round = 0; round < 200; round++) {
    const taken = await workOnce(database.pool, table, 'test', new AbortController().signal)
    if (!taken) return total
    total += taken
  }
  throw new Error('The work does not end: an event keeps causing itself')
}

/** For tests with a clock of their own: runs the jobs of this table that wait, each once, as at that instant. Returns their names. */
export async function runJobsAt({ pool, db, command }: TestDatabase, jobs: readonly AnyJob[], now: Date): Promise<string[]> {
  channel('purlin:job').publish({})
  const short = new Map(jobs.filter(isShort).map(({ name, work }) => [name, work as unknown as Work<object, unknown>]))
  const { rows } = await pool.query<{ name: string; payload: object }>(
    'delete from platform.job where name = any($1) returning name, payload',
    [[...short.keys()]],
  )
  for (const { name, payload } of rows) {
    const work = short.get(name)
    const context = { key: name, attempt: 1, signal: new AbortController().signal, db, now, log: testScope().log }
    const answer = await work?.call?.(context, payload)
    await command({ now }, async (scope) => work?.commit(scope, payload, answer))
  }
  return rows.map(({ name }) => name)
}
