import { randomBytes } from 'node:crypto'
import { createPool } from '@purlin/server/foundation/platform/index.ts'

const keep = {
  name: 'start.client-secret',
  text: `insert into platform.note (key, value) values ('identity-client-secret', to_jsonb($1::text))
    on conflict (key) do update set key = excluded.key returning value #>> '{}' as value`,
}

/** The shop's client secret at the embedded identity provider: created at the first start, and shared by every machine on this database. */
export async function keptClientSecret(connectionString: string): Promise<string> {
  const pool = createPool({ connectionString, name: 'purlin start', sizes: { commands: 1, single: 1, reports: 1 } })
  try {
    const row = await pool.db.row<{ value: string }>(keep, [randomBytes(32).toString('base64url')])
    return row?.value ?? ''
  } finally {
    await pool.end()
  }
}
