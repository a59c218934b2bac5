import type { Market } from '@purlin/contract/markets.ts'
import type { Db, Statement } from '#platform'

/** What sitemaps are made from. */

const firstIds: Statement = {
  name: 'catalogue.sitemap-first-ids',
  text: `select id::text as id from (select id, row_number() over (order by id) as n from catalogue.product where status = 'active') p
    where (n - 1) % $1 = 0 order by p.id`,
}
const idsBetween: Statement = {
  name: 'catalogue.sitemap-ids',
  text: `select p.id::text as id from catalogue.product p
    where p.status = 'active' and p.id >= $1 and ($2::bigint is null or p.id < $2) order by p.id limit $3`,
}
const sellersHere: Statement = {
  name: 'catalogue.sitemap-sellers',
  text: `select distinct seller_id as id from catalogue.offer where market = $1 and status = 'active' and stock > 0 and not is_sample order by 1`,
}
const brandsHere: Statement = {
  name: 'catalogue.sitemap-brands',
  text: `select b.id, b.slug from catalogue.brand b where exists (select from catalogue.product p
    join catalogue.offer o on o.product_id = p.id and o.market = $1 and o.status = 'active' and o.stock > 0 and not o.is_sample
    where p.brand_id = b.id and p.status = 'active') order by b.id`,
}
const paintsHere: Statement = {
  name: 'catalogue.sitemap-paints',
  text: `select p.id::text as id from catalogue.product p where p.status = 'active' and p.unit_measure = 'l' and p.attributes ? 'coverage'
    and exists (select from catalogue.offer o
      where o.product_id = p.id and o.market = $1 and o.status = 'active' and o.stock > 0 and not o.is_sample)
    order by p.id limit $2`,
}

/** Tins of paint in stock in the market. */
export async function paintIds(db: Db, market: Market, max: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(paintsHere, [market, max])).map(({ id }) => id)
}

/** The first of every so many ids of active products. */
export async function everyNthProductId(db: Db, size: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(firstIds, [size])).map(({ id }) => id)
}

/** Ids of active products from one id up to another, without that one. */
export async function activeProductIds(
  db: Db,
  { from, before, max }: { from: string; before: string | null; max: number },
): Promise<string[]> {
  return (await db.rows<{ id: string }>(idsBetween, [from, before, max])).map(({ id }) => id)
}

/** Sellers with an offer in stock in the market. */
export async function sellersWithGoods(db: Db, market: Market): Promise<number[]> {
  return (await db.rows<{ id: number }>(sellersHere, [market])).map(({ id }) => id)
}

/** Brands with a product in stock in the market. */
export function brandsWithGoods(db: Db, market: Market): Promise<{ id: number; slug: string }[]> {
  return db.rows(brandsHere, [market])
}
