import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A job that is due or runs; jobs of later, parked and finished ones are none. */
const dueSql = `
  select count(*)::integer as due from platform.job
  where parked_at is null and finished_at is null and (locked_until > now() or run_at <= now())`

const quietMs = 3000
const longestMs = 15 * 60_000

/**
 * Waits until the worker of a new shop has had nothing to do for three seconds: until then it archives the invoices of the demo's past,
 * which would be measured as well. Tells how long that took.
 *
 * @throws when jobs are still due after fifteen minutes
 */
export async function settled(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const startedAt = Date.now()
  try {
    for (let quietSince = Date.now(); Date.now() - quietSince < quietMs; await sleep(500)) {
      const due = (await client.query<{ due: number }>(dueSql)).rows[0]?.due ?? 0
      if (due === 0) continue
      if (Date.now() - startedAt > longestMs) throw new Error(`${due} jobs are still due after fifteen minutes`)
      quietSince = Date.now()
    }
  } finally {
    await client.end()
  }
  process.stderr.write(`The worker has nothing left to do after ${((Date.now() - startedAt) / 1000).toFixed(0)} s\n`)
}
