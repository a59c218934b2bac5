import { openBackfills, type BackfillProgress } from './backfill.ts'
import { StartError } from './errors.ts'
import { applied, withClient } from './migrate.ts'
import { type Migration, listMigrations, phaseOf } from './timeline.ts'

export interface SchemaStatus {
  applied: string[]
  waiting: Migration[]
  /** Applied here, and unknown to this release: from a newer one. */
  foreign: string[]
  backfills: BackfillProgress[]
}

export async function schemaStatus(connectionString: string, migrations: readonly Migration[] = listMigrations()): Promise<SchemaStatus> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ isThere: boolean; counts: boolean }>(
      `select to_regclass('platform.migration') is not null as "isThere", to_regclass('platform.backfill') is not null as counts`,
    )
    if (!rows[0]?.isThere) return { applied: [], waiting: [...migrations], foreign: [], backfills: [] }
    const known = await applied(client)
    const own = new Set(migrations.map(({ id }) => id))
    return {
      applied: migrations.filter(({ id }) => known.has(id)).map(({ id }) => id),
      waiting: migrations.filter(({ id }) => !known.has(id)),
      foreign: [...known.keys()].filter((id) => !own.has(id)),
      backfills: rows[0].counts ? await openBackfills(async (text, values) => (await client.query(text, values)).rows) : [],
    }
  })
}

/** A release runs while contractions and backfills are pending, but not without its expansions. */
export function isNeeded({ phase }: Migration): boolean {
  return phase === 'expand' || phase === 'concurrent'
}

/** Checks whether this release can run on this database. @throws StartError with one sentence when it cannot */
export async function checkSchema(connectionString: string, migrations: readonly Migration[] = listMigrations()): Promise<void> {
  const { applied: there, waiting, foreign } = await schemaStatus(connectionString, migrations)
  const missing = waiting.filter(isNeeded)
  if (there.length === 0) throw new StartError('The database has no tables yet: run npm run migrate -- up first.')
  if (missing[0])
    throw new StartError(
      `The database lacks ${missing.length} of this release's migrations, first ${missing[0].id}: run npm run migrate -- up.`,
    )
  const contracted = foreign.find((id) => phaseOf(id) === 'contract')
  if (contracted) throw new StartError(`The database belongs to a newer release (${contracted}): start that one.`)
}
