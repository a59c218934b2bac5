import type { Db } from '#platform'
import type { ConfigRow } from './platform-config.ts'

export interface FlagRow {
  name: string
  market: string
  mode: string
  value: unknown
}

const values = { name: 'flags.values', text: 'select name, market, mode, value from flags.value' }
const put = {
  name: 'flags.put',
  text: `insert into flags.value (name, market, mode, value) values ($1, $2, $3, $4)
    on conflict (name, market, mode) do update set value = excluded.value, changed_at = now()`,
}
const remove = { name: 'flags.remove', text: 'delete from flags.value where name = $1 and market = $2 and mode = $3' }
const newest = {
  name: 'flags.newest-config',
  text: 'select distinct on (key, market, mode) key, market, mode, version, value from flags.config order by key, market, mode, version desc',
}
const versions = {
  name: 'flags.config-versions',
  text: `select version, value, changed_at as "changedAt" from flags.config where key = $1 and market = $2 and mode = $3
    order by version desc limit 50`,
}
/** Only on top of the version the operator has seen: two operators cannot overwrite each other unnoticed. */
const write = {
  name: 'flags.write-config',
  text: `insert into flags.config (key, market, mode, version, value)
    select $1, $2, $3, $4 + 1, $5
    where $4 = (select coalesce(max(version), 0) from flags.config where key = $1 and market = $2 and mode = $3)
    on conflict do nothing`,
}

export const readFlags = (db: Db): Promise<FlagRow[]> => db.rows<FlagRow>(values)
export const putFlagRow = (db: Db, { name, market, mode, value }: FlagRow): Promise<number> =>
  db.run(put, [name, market, mode, JSON.stringify(value)])
export const removeFlagRow = (db: Db, { name, market, mode }: Omit<FlagRow, 'value'>): Promise<number> =>
  db.run(remove, [name, market, mode])
export const readConfig = (db: Db): Promise<ConfigRow[]> => db.rows<ConfigRow>(newest)
export const readConfigVersions = (db: Db, { key, market, mode }: Pick<ConfigRow, 'key' | 'market' | 'mode'>) =>
  db.rows<{ version: number; value: unknown; changedAt: Date }>(versions, [key, market, mode])
export const writeConfigRow = (db: Db, { key, market, mode, version, value }: ConfigRow): Promise<number> =>
  db.run(write, [key, market, mode, version, value === null ? null : JSON.stringify(value)])
