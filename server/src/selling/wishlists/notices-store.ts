import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Known, NoticeKind } from './notice.ts'
import type { Whose } from './store.ts'

const start = {
  name: 'wishlists.start-notices',
  text: `insert into wishlists.notice (list_id, token, mode) select l.id, $4, $5 from wishlists.list l
    where l.owner = any($1) and l.market = $2 and l.id::text = $3 on conflict (list_id) do update set mode = excluded.mode`,
}
const stop = {
  name: 'wishlists.stop-notices',
  text: `delete from wishlists.notice n using wishlists.list l where l.id = n.list_id and l.owner = any($1) and l.market = $2 and l.id::text = $3`,
}
const stopByToken = { name: 'wishlists.stop-notices-by-token', text: 'delete from wishlists.notice where token = $1' }
const isWatched = {
  name: 'wishlists.is-watched',
  text: `select 1 from wishlists.item i join wishlists.notice n on n.list_id = i.list_id join wishlists.list l on l.id = i.list_id
    where i.product_id = $1 and l.market = $2 limit 1`,
}
const watchers = {
  name: 'wishlists.watchers',
  text: `select l.id as "listId", l.owner, n.token, n.mode,
      coalesce(t.price, case when coalesce(i.known_mode, 'b2c') = n.mode then i.known_price end) as price,
      coalesce(t.is_available, i.known_price is not null) as "isAvailable", t.at as "mailedAt", coalesce(t.mails, 0) as mails
    from wishlists.item i join wishlists.notice n on n.list_id = i.list_id join wishlists.list l on l.id = i.list_id
    left join wishlists.told t on t.list_id = i.list_id and t.product_id = i.product_id
    where i.product_id = $1 and l.market = $2 and ($3::uuid is null or i.list_id > $3) order by i.list_id limit $4`,
}
const tell = {
  name: 'wishlists.tell',
  text: `insert into wishlists.told as t (list_id, product_id, price, is_available, kind, mails, at)
    select i.list_id, i.product_id, $3, $4, $5::text, case when $5::text is null then 0 else 1 end, case when $5::text is null then null else now() end
    from wishlists.item i where i.list_id = $1 and i.product_id = $2
    on conflict (list_id, product_id) do update set price = excluded.price, is_available = excluded.is_available,
      kind = coalesce(excluded.kind, t.kind), mails = t.mails + excluded.mails, at = coalesce(excluded.at, t.at)`,
}

/** False when the list is not theirs. */
export async function startNotices(db: Db, { owners, market }: Whose, id: string, token: string, mode: Mode): Promise<boolean> {
  return (await db.run(start, [owners, market, id, token, mode])) === 1
}

export async function stopNotices(db: Db, { owners, market }: Whose, id: string): Promise<void> {
  await db.run(stop, [owners, market, id])
}

/** By the link of a mail. */
export async function stopNoticesBy(db: Db, token: string): Promise<void> {
  await db.run(stopByToken, [token])
}

export async function isProductWatched(db: Db, market: Market, productId: string): Promise<boolean> {
  return (await db.row(isWatched, [productId, market])) !== undefined
}

export interface Watcher extends Known {
  listId: string
  owner: string
  token: string
  mode: Mode
  /** Mails about this product so far. */
  mails: number
}

/** Lists with a product whose owners want to know, a page at a time. */
export function readWatchers(db: Db, market: Market, productId: string, after: string | null, limit: number): Promise<Watcher[]> {
  return db.rows<Watcher>(watchers, [productId, market, after, limit])
}

export async function writeTold(
  db: Db,
  { listId, productId }: { listId: string; productId: string },
  { price, isAvailable }: Pick<Known, 'price' | 'isAvailable'>,
  kind: NoticeKind | null,
): Promise<void> {
  await db.run(tell, [listId, productId, price, isAvailable, kind])
}
