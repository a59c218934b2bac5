import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '@purlin/server/foundation/platform/index.ts'

const folder = join(import.meta.dirname, 'migrations')

/**
 * Brings the provider's schema up to date: runs the pending numbered files in one transaction. Processes that start
 * at the same time wait for each other.
 */
export async function migrateIdentity(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtext('identity.migration'))")
    await client.query('create schema if not exists identity')
    await client.query('create table if not exists identity.migration (name text primary key, at timestamptz not null default now())')
    const { rows } = await client.query<{ name: string }>('select name from identity.migration')
    const done = new Set(rows.map(({ name }) => name))
    for (const name of readdirSync(folder).sort()) {
      if (done.has(name)) continue
      await client.query(readFileSync(join(folder, name), 'utf8'))
      await client.query('insert into identity.migration (name) values ($1)', [name])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
