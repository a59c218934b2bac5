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
const copy = {
  name: 'history.copy-views',
  text: `insert into history.view (customer_id, product_id, visitor_id, viewed_at)
    select customer_id, product_id, visitor_id, viewed_at from history.entry
    where customer_id = $1 and product_id = any($2::bigint[]) and visitor_id is not null order by product_id on conflict do nothing`,
}
// A browser also merges what it was given of the account's list: the same time, of another visitor, is no view of its own.
const view = {
  name: 'history.view',
  text: `insert into history.view (customer_id, product_id, viewed_at, visitor_id)
    select $1, n.id, n.at, $4 from unnest($2::bigint[], $3::timestamptz[]) as n (id, at)
    where not exists (select from history.view v where (v.customer_id, v.product_id, v.viewed_at) = ($1, n.id, n.at) and v.visitor_id <> $4)
    order by n.id
    on conflict (customer_id, product_id, visitor_id) do update set viewed_at = excluded.viewed_at where view.viewed_at < excluded.viewed_at`,
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
const trimViews = {
  name: 'history.trim-views',
  text: `delete from history.view v where customer_id = $1 and not exists (
    select from history.entry e where (e.customer_id, e.product_id) = (v.customer_id, v.product_id))`,
}
const lock = { name: 'history.lock', text: "select pg_advisory_xact_lock(hashtextextended('history:' || $1, 0))" }
// What another visitor has seen as well is theirs from now on, with the time of their view.
const removeOfVisitor = {
  name: 'history.remove-of-visitor',
  text: `with until as (select coalesce($2::timestamptz, 'infinity') as at),
      gone as (delete from history.view using until where visitor_id = $1 and viewed_at <= until.at),
      others as (
        select distinct on (e.customer_id, e.product_id) e.customer_id, e.product_id, v.visitor_id, v.viewed_at
        from history.entry e join history.view v on (v.customer_id, v.product_id) = (e.customer_id, e.product_id) and v.visitor_id <> $1
        where e.visitor_id = $1 and e.viewed_at <= (select at from until) order by e.customer_id, e.product_id, v.viewed_at desc),
      kept as (
        update history.entry e set visitor_id = o.visitor_id, viewed_at = o.viewed_at from others o
        where (e.customer_id, e.product_id) = (o.customer_id, o.product_id))
    delete from history.entry e where visitor_id = $1 and viewed_at <= (select at from until)
      and not exists (select from others o where (o.customer_id, o.product_id) = (e.customer_id, e.product_id))`,
}
const remove = {
  name: 'history.remove',
  text: `with views as (delete from history.view where customer_id = $1 and viewed_at <= coalesce($2::timestamptz, 'infinity'))
    delete from history.entry where customer_id = $1 and viewed_at <= coalesce($2::timestamptz, 'infinity')`,
}
const tidy = {
  name: 'history.tidy',
  text: `with views as (delete from history.view where viewed_at <= now() - interval '3 months')
    delete from history.entry where viewed_at <= now() - interval '3 months'`,
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
  const [products, times] = [entries.map(({ productId }) => productId), entries.map(({ viewedAt }) => viewedAt)]
  await db.run(lock, [customerId])
  await db.run(copy, [customerId, products])
  await db.run(view, [customerId, products, times, visitorId])
  await db.run(merge, [customerId, products, times, visitorId])
  await db.run(trim, [customerId, now, maxEntries])
  await db.run(trimViews, [customerId])
}

/** Of whichever customers it was signed in for; what their other browsers have seen stays. */
export const removeHistoryOfVisitor = (db: Db, visitorId: string, until?: string): Promise<number> =>
  db.run(removeOfVisitor, [visitorId, until ?? null])
export const removeHistoryOf = (db: Db, customerId: string, until?: string): Promise<number> => db.run(remove, [customerId, until ?? null])
export const deleteOldEntries = (db: Db): Promise<number> => db.run(tidy)
