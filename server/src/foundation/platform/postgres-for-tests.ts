/**
 * The tests' database server: one for all test files of this checkout, started by the first that needs it and kept
 * while it is in use. It runs as a process of its own, because test files come and go.
 */
import { rmSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { launchPostgres } from './pg-server.ts'

const [folder, note] = process.argv.slice(2)
if (!folder || !note) throw new Error('Usage: postgres-for-tests.ts <folder> <note>')

const idleMs = 120_000
const server = await launchPostgres({ dataDir: folder, durable: false, maxConnections: 200 })
writeFileSync(note, JSON.stringify({ pid: process.pid, connectionString: server.connectionString }))

const stop = async () => {
  rmSync(note, { force: true })
  await server.stop()
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
void server.ended.then(stop)

let lastUse = Date.now()
setInterval(async () => {
  const client = new pg.Client({ connectionString: server.connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ used: number }>(
      `select count(*)::int as used from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (rows[0]?.used) lastUse = Date.now()
    // Left behind by a killed test file.
    const left = await client.query<{ datname: string }>(
      `select datname from pg_database d where datname like 'test\\_%' and not exists (select 1 from pg_stat_activity a where a.datname = d.datname)
       and (pg_stat_file('base/' || oid)).modification < now() - interval '5 minutes'`,
    )
    for (const { datname } of left.rows) await client.query(`drop database if exists "${datname}"`).catch(() => undefined)
    await client.end()
  } catch {
    // Busy or ending: the next poll decides.
  }
  if (Date.now() - lastUse > idleMs) await stop()
}, 10_000)
