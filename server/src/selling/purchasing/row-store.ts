import type { OrderRow } from '@purlin/contract/order-rows.ts'
import type { Db } from '#platform'

const put = {
  name: 'purchasing.put-kept-rows',
  text: `insert into purchasing.kept_rows (owner, rows) values ($1, $2)
    on conflict (owner) do update set rows = excluded.rows, kept_at = now()`,
}
export async function putKeptRows(db: Db, owner: string, rows: readonly OrderRow[]): Promise<void> {
  await db.run(put, [owner, JSON.stringify(rows)])
}

const read = { name: 'purchasing.kept-rows', text: 'select rows from purchasing.kept_rows where owner = $1' }
export async function readKeptRows(db: Db, owner: string): Promise<OrderRow[]> {
  return (await db.row<{ rows: OrderRow[] }>(read, [owner]))?.rows ?? []
}

const drop = {
  name: 'purchasing.drop-kept-rows',
  text: `delete from purchasing.kept_rows where owner in
    (select owner from purchasing.kept_rows where kept_at < $1 order by kept_at limit 1000)`,
}
export async function dropKeptRows(db: Db, before: Date): Promise<void> {
  await db.run(drop, [before])
}
