import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { WishedItem, Wishlist } from './wishlist.ts'

const columns = `l.id, l.name, l.is_default as "isDefault", l.share_token as "shareToken", l.site_id as "siteId",
  exists (select 1 from wishlists.notice n where n.list_id = l.id) as "hasNotices",
  (select count(*)::int from wishlists.item i where i.list_id = l.id) as count`
// Every statement names the owners: another person's list is not found.
const own = 'l.owner = any($1) and l.market = $2'

const all = {
  name: 'wishlists.all',
  text: `select ${columns} from wishlists.list l where ${own} order by l.is_default desc, l.created_at, l.id limit 300`,
}
const latest = {
  name: 'wishlists.latest',
  text: `select l.id as "listId", i.product_id::text as "productId" from wishlists.list l, lateral (
      select product_id, added_at from wishlists.item where list_id = l.id order by added_at desc, product_id limit $3) i
    where ${own} order by i.added_at desc, i.product_id`,
}
const one = { name: 'wishlists.one', text: `select ${columns} from wishlists.list l where ${own} and l.id::text = $3` }
const shared = { name: 'wishlists.shared', text: `select ${columns} from wishlists.list l where l.share_token = $1 and l.market = $2` }
const items = {
  name: 'wishlists.items',
  text: `select i.product_id::text as "productId", i.known_price as "knownPrice",
      coalesce(i.known_mode, 'b2c') as "knownMode", i.added_at as "addedAt", i.quantity,
      coalesce(t.kind = 'back-in-stock' and t.is_available, false) as "isBack"
    from wishlists.item i left join wishlists.told t on t.list_id = i.list_id and t.product_id = i.product_id
    where i.list_id = $1 order by i.added_at desc, i.product_id limit $2 offset $3`,
}
const wished = {
  name: 'wishlists.wished',
  text: `select distinct i.product_id::text as id from wishlists.item i join wishlists.list l on l.id = i.list_id where ${own} limit 500`,
}
const turn = { name: 'wishlists.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }
const insert = {
  name: 'wishlists.insert',
  text: 'insert into wishlists.list (id, owner, market, name, is_default, site_id) values ($3, $1, $2, $4, $5, $6)',
}
const rename = { name: 'wishlists.rename', text: `update wishlists.list l set name = $4 where ${own} and l.id::text = $3` }
const share = { name: 'wishlists.share', text: `update wishlists.list l set share_token = $4 where ${own} and l.id::text = $3` }
const remove = { name: 'wishlists.delete', text: `delete from wishlists.list l where ${own} and l.id::text = $3` }
const add = {
  name: 'wishlists.add-item',
  text: `insert into wishlists.item as i (list_id, product_id, known_price, known_mode, quantity) values ($1, $2, $3, $4, $5)
    on conflict (list_id, product_id) do update set quantity = excluded.quantity where excluded.quantity is not null`,
}
const setQuantity = {
  name: 'wishlists.set-quantity',
  text: `update wishlists.item i set quantity = $5 from wishlists.list l
    where l.id = i.list_id and ${own} and l.id::text = $3 and i.product_id = $4`,
}
const take = {
  name: 'wishlists.take-item',
  text: `delete from wishlists.item i using wishlists.list l where l.id = i.list_id and ${own} and ($3::text is null or l.id::text = $3)
    and i.product_id = $4 returning i.quantity`,
}

export interface Whose {
  /** The viewer, and their company if lists of its building sites count as well. */
  owners: readonly string[]
  market: Market
}

export function readLists(db: Db, { owners, market }: Whose): Promise<Wishlist[]> {
  return db.rows<Wishlist>(all, [owners, market])
}

/** The products added last to each list of an owner, at most so many of each, the latest first. */
export function readLatest(db: Db, { owners, market }: Whose, limit: number): Promise<{ listId: string; productId: string }[]> {
  return db.rows(latest, [owners, market, limit])
}

export function readList(db: Db, { owners, market }: Whose, id: string): Promise<Wishlist | undefined> {
  return db.row<Wishlist>(one, [owners, market, id])
}

/** The list behind a share link. */
export function readSharedList(db: Db, market: Market, token: string): Promise<Wishlist | undefined> {
  return db.row<Wishlist>(shared, [token, market])
}

export function readItems(db: Db, listId: string, { limit, offset }: { limit: number; offset: number }): Promise<WishedItem[]> {
  return db.rows<WishedItem>(items, [listId, limit, offset])
}

/** Products on any of an owner's lists. */
export async function readWished(db: Db, { owners, market }: Whose): Promise<string[]> {
  return (await db.rows<{ id: string }>(wished, [owners, market])).map(({ id }) => id)
}

/** Serialises changes to an owner's lists until the transaction ends. */
export async function takeTurn(db: Db, owner: string): Promise<void> {
  await db.run(turn, [`wishlists ${owner}`])
}

export type NewList = Pick<Wishlist, 'id' | 'name' | 'isDefault'> & { siteId?: string | null }

export async function insertList(
  db: Db,
  { owner, market }: { owner: string; market: Market },
  { id, name, isDefault, siteId = null }: NewList,
): Promise<void> {
  await db.run(insert, [owner, market, id, name, isDefault, siteId])
}

// Its link and its mails belonged to the owner before.
const place = {
  name: 'wishlists.place',
  text: `with silent as (delete from wishlists.notice where list_id = $1)
    update wishlists.list set owner = $2, site_id = $3, is_default = false, share_token = null where id = $1`,
}

/** Gives a list to a building site of the company that now owns it, or to a person. */
export async function placeList(db: Db, id: string, { owner, siteId }: { owner: string; siteId: string | null }): Promise<void> {
  await db.run(place, [id, owner, siteId])
}

const copy = {
  name: 'wishlists.copy',
  text: `insert into wishlists.item (list_id, product_id, known_price, known_mode, added_at, quantity)
    select $2, i.product_id, i.known_price, i.known_mode, now(), i.quantity from wishlists.item i where i.list_id = $1
      and not exists (select from wishlists.item o where o.list_id = $2 and o.product_id = i.product_id)
    order by i.added_at desc, i.product_id limit $3
    on conflict do nothing`,
}

/** Copies products to another list, the latest first, and at most so many. */
export async function copyItems(db: Db, from: string, into: string, limit: number): Promise<void> {
  await db.run(copy, [from, into, limit])
}

export async function renameList(db: Db, { owners, market }: Whose, id: string, name: string): Promise<boolean> {
  return (await db.run(rename, [owners, market, id, name])) === 1
}

export async function setShareToken(db: Db, { owners, market }: Whose, id: string, token: string | null): Promise<boolean> {
  return (await db.run(share, [owners, market, id, token])) === 1
}

export async function removeList(db: Db, { owners, market }: Whose, id: string): Promise<boolean> {
  return (await db.run(remove, [owners, market, id])) === 1
}

/** Adds a product with its price with VAT on a storefront, null while nobody sells it there; of one that is there, a quantity replaces the old one. */
export async function addItem(
  db: Db,
  listId: string,
  productId: string,
  { price, mode, quantity }: { price: number | null; mode: Mode; quantity: number | null },
): Promise<void> {
  await db.run(add, [listId, productId, price, mode, quantity])
}

/** False when the product is on no such list. */
export async function writeQuantity(
  db: Db,
  { owners, market }: Whose,
  listId: string,
  productId: string,
  quantity: number,
): Promise<boolean> {
  return (await db.run(setQuantity, [owners, market, listId, productId, quantity])) > 0
}

/** Removes a product from one list, or from all. Undefined when it was on none. */
export function takeItem(
  db: Db,
  { owners, market }: Whose,
  listId: string | null,
  productId: string,
): Promise<Pick<WishedItem, 'quantity'> | undefined> {
  return db.row(take, [owners, market, listId, productId])
}

const moveItems = {
  name: 'wishlists.move-items',
  text: `insert into wishlists.item (list_id, product_id, known_price, known_mode, added_at, quantity)
    select into_list.id, i.product_id, i.known_price, i.known_mode, i.added_at, i.quantity
    from wishlists.item i join wishlists.list from_list on from_list.id = i.list_id and from_list.owner = $1 and from_list.is_default
    join wishlists.list into_list on into_list.owner = $2 and into_list.market = from_list.market and into_list.is_default
    on conflict do nothing`,
}
const dropMoved = {
  name: 'wishlists.drop-moved',
  text: `delete from wishlists.list l where l.owner = $1 and l.is_default
    and exists (select 1 from wishlists.list other where other.owner = $2 and other.market = l.market and other.is_default)`,
}
const moveLists = { name: 'wishlists.move-lists', text: 'update wishlists.list set owner = $2 where owner = $1' }

/** Moves everything from one owner to another; of a product on both default lists one copy stays. */
export async function moveListsTo(db: Db, from: string, into: string): Promise<void> {
  await db.run(moveItems, [from, into])
  await db.run(dropMoved, [from, into])
  await db.run(moveLists, [from, into])
}

const wishes = {
  name: 'wishlists.wishes',
  text: `select l.market, l.name, i.product_id::text as "productId", i.added_at as "addedAt"
    from wishlists.list l left join wishlists.item i on i.list_id = l.id where l.owner = $1 order by l.created_at, i.added_at`,
}
const removeAll = { name: 'wishlists.delete-all', text: 'delete from wishlists.list where owner = $1' }

/** All wishlist items of an owner, in all markets. */
export function readWishesOf(
  db: Db,
  owner: string,
): Promise<{ market: Market; name: string | null; productId: string | null; addedAt: Date | null }[]> {
  return db.rows(wishes, [owner])
}

/** Deletes all lists of a customer whose account is deleted. */
export async function removeWishlistsOf(db: Db, owner: string): Promise<void> {
  await db.run(removeAll, [owner])
}
