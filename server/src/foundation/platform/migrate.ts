import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { moduleFolders, modules, type ModuleName } from '../../modules.ts'
import { StartError } from './errors.ts'

export interface Migration {
  /** "cart/001-cart.sql" */
  id: string
  text: string
  checksum: string
}

const source = join(import.meta.dirname, '../..')

/** All migrations in their order: the platform's, then each module's by number; up to and with module `upTo`. */
export function listMigrations(upTo?: ModuleName): Migration[] {
  const wanted = upTo ? moduleFolders.slice(0, modules.indexOf(upTo) + 1) : moduleFolders
  return ['foundation/platform', ...wanted].flatMap((path) => {
    const folder = join(source, path)
    const name = basename(path)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .filter((file) => /^\d{3}-.*\.sql$/.test(file))
      .sort()
      .map((file) => {
        const text = readFileSync(join(folder, file), 'utf8')
        return { id: `${name}/${file}`, text, checksum: createHash('sha256').update(text).digest('hex') }
      })
  })
}

/** Brings the database up to date; several processes may try at once. Returns the migrations it ran. */
export async function migrate(connectionString: string, migrations = listMigrations()): Promise<string[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, application_name: 'purlin migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Two first starts at once may both try to make the schema; one of them then finds it made.
    await client.query(setUp).catch(async () => client.query(setUp))
    const ran: string[] = []
    for (const migration of migrations) if (await runOne(client, migration)) ran.push(migration.id)
    return ran
  } finally {
    await client.end()
  }
}

const setUp = `
  create schema if not exists platform;
  create table if not exists platform.migration (id text primary key, checksum text not null, at timestamptz not null default now());
  create table if not exists platform.migration_lock (only_row integer primary key);
  insert into platform.migration_lock values (1) on conflict do nothing`

async function runOne(client: pg.Client, { id, text, checksum }: Migration): Promise<boolean> {
  await client.query('begin')
  try {
    // Whoever holds this row migrates; the others wait here, then find the work done.
    await client.query('select 1 from platform.migration_lock for update')
    const known = (await client.query<{ checksum: string }>('select checksum from platform.migration where id = $1', [id])).rows[0]
    if (known && known.checksum !== checksum) {
      throw new StartError(`The migration ${id} was changed after it ran here. Write a new one, or start with an empty DATA_DIR.`)
    }
    if (known) {
      await client.query('rollback')
      return false
    }
    await client.query(`set local lock_timeout = '3s'`)
    await client.query(text)
    await client.query('insert into platform.migration (id, checksum) values ($1, $2)', [id, checksum])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (error instanceof StartError) throw error
    throw new Error(`Migration ${id}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
