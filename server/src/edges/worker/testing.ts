import { channel } from 'node:diagnostics_channel'
import type { AnyJob, Handler, Pool } from '#platform'
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
