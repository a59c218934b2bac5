import type { Market } from '@purlin/contract/markets.ts'
import type { Db, Statement } from '#platform'

/** One market's events of one UTC day. */
export interface MarketDay {
  day: string
  market: Market
}

/** Counts in one statement for reports, which may take a minute, and returns how to store the result. */
export type Count = (reports: Db) => Promise<(db: Db) => Promise<void>>

/** Rows of one piece of a roll-up, with the columns of its table; `columns` have the types of the key, `counts` are of type bigint. */
interface Counts {
  name: string
  table: string
  /** The rows of the table that belong to the piece, with parameters from $2 on. */
  within: string
  columns: Record<string, string>
  counts: readonly string[]
}

/** A statement that makes the rows of a piece equal the counted ones ($1, as JSON); those that nothing is counted for any more go. */
export function replaceCounts({ name, table, within, columns, counts }: Counts): Statement {
  const keys = Object.keys(columns)
  const of = (row: string, names: readonly string[]) => names.map((each) => `${row}.${each}`).join(', ')
  const types = [...Object.entries(columns), ...counts.map((each) => [each, 'bigint'])].map((each) => each.join(' ')).join(', ')
  const all = [...keys, ...counts].join(', ')
  // With "not exists" a table that has never been analysed is joined in a nested loop; "not in" is a hash, whatever is known of it.
  return {
    name,
    text: `with counted as (select * from jsonb_to_recordset($1::jsonb) as c (${types})),
      gone as (delete from insights.${table} r where ${within} and (${of('r', keys)}) not in (select ${of('c', keys)} from counted c))
    insert into insights.${table} as r (${all}) select ${all} from counted
    on conflict (${keys.join(', ')}) do update set ${counts.map((each) => `${each} = excluded.${each}`).join(', ')}
    where (${of('r', counts)}) is distinct from (${of('excluded', counts)})`,
  }
}
