import type { Db } from '#platform'

export interface HistoryEntry {
  productId: string
  viewedAt: Date
}

/** Source: spec §9. */
export const maxEntries = 20
export const keptMonths = 3

const read = {
  name: 'history.read',
  text: `select product_id::text as "productId", viewed_at as "viewedAt" from history.entry
    where customer_id = $1 and viewed_at > $2::timestamptz - interval '3 months' order by viewed_at desc, product_id limit $3`,
}
// In the order of their keys: two merges of one customer never wait for each other in a circle.
const merge = {
  name: 'history.merge',
  text: `insert into history.entry (customer_id, product_id, viewed_at, visitor_id)
    select $1, n.id, n.at, $4 from unnest($2::bigint[], $3::timestamptz[]) as n (id, at) order by n.id
    on conflict (customer_id, product_id) do update set viewed_at = excluded.viewed_at, visitor_id = excluded.visitor_id
      where entry.viewed_at < excluded.viewed_at`,
}
const trim = {
  name: 'history.trim',
  text: `delete from history.entry where customer_id = $1 and (viewed_at <= $2::timestamptz - interval '3 months' or product_id in (
    select product_id from history.entry where customer_id = $1 order by viewed_at desc, product_id offset $3))`,
}
const lock = { name: 'history.lock', text: "select pg_advisory_xact_lock(hashtextextended('history:' || $1, 0))" }
const removeOfVisitor = { name: 'history.remove-of-visitor', text: 'delete from history.entry where visitor_id = $1' }
const remove = { name: 'history.remove', text: 'delete from history.entry where customer_id = $1' }
const tidy = {
  name: 'history.tidy',
  text: "delete from history.entry where viewed_at <= now() - interval '3 months'",
}

export const readHistory = (db: Db, customerId: string, now: Date): Promise<HistoryEntry[]> =>
  db.rows<HistoryEntry>(read, [customerId, now, maxEntries])

export interface Remembering {
  customerId: string
  /** The visitor who agreed to it. */
  visitorId: string
  now: Date
}

/** The newer time of each product counts, with the visitor who brought it; the newest 20 of three months stay. */
export async function mergeEntries(db: Db, { customerId, visitorId, now }: Remembering, entries: readonly HistoryEntry[]): Promise<void> {
  await db.run(lock, [customerId])
  await db.run(merge, [customerId, entries.map(({ productId }) => productId), entries.map(({ viewedAt }) => viewedAt), visitorId])
  await db.run(trim, [customerId, now, maxEntries])
}

/** Of whichever customers it was signed in for. */
export const removeHistoryOfVisitor = (db: Db, visitorId: string): Promise<number> => db.run(removeOfVisitor, [visitorId])
export const removeHistoryOf = (db: Db, customerId: string): Promise<number> => db.run(remove, [customerId])
export const deleteOldEntries = (db: Db): Promise<number> => db.run(tidy)
