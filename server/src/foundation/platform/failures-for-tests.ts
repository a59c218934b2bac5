import pg from 'pg'
import type { TestDatabase } from './testing.ts'

type Database = Pick<TestDatabase, 'pool' | 'connectionString'>

/** While `work` runs, the tables of these schemas cannot be found. */
export async function whileTablesFail(
  { pool }: Pick<Database, 'pool'>,
  schemas: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  for (const schema of schemas) await pool.query(`alter schema ${schema} rename to hidden_${schema}`)
  try {
    await work()
  } finally {
    for (const schema of schemas) await pool.query(`alter schema hidden_${schema} rename to ${schema}`)
  }
}

/** While `work` runs, every statement on the tables of these schemas waits, until the database's own limit. */
export async function whileTablesHang(
  { connectionString }: Database,
  schemas: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const keeper = new pg.Client({ connectionString })
  await keeper.connect()
  try {
    const { rows } = await keeper.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
      [schemas],
    )
    if (rows.length === 0) throw new Error(`No tables in ${schemas.join(', ')}`)
    await keeper.query(`begin; lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`)
    await work()
  } finally {
    await keeper.end()
  }
}
