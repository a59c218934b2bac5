import type { Language, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Offer, Product, ProductSheet, Sibling } from './product.ts'
import { offerJson, productColumns, toOffer, type OfferJson, type ProductRow } from './product-rows.ts'
import type { CategoryRow } from './category-tree.ts'
import type { ReferenceRows } from './reference-rows.ts'

const selectReference = {
  name: 'catalogue.reference',
  text: `select
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'parentId', parent_id, 'level', level, 'position', position, 'path', path,
      'department', department, 'names', names, 'slugs', slugs, 'texts', texts)), '[]') from catalogue.category) as categories,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'slug', slug, 'name', name, 'tier', tier, 'country', country,
      'texts', texts)), '[]') from catalogue.brand) as brands,
    (select coalesce(jsonb_agg(jsonb_build_object('key', key, 'kind', kind, 'names', names, 'units', units, 'decimals', decimals,
      'facet', facet)), '[]') from catalogue.attribute) as attributes,
    (select coalesce(jsonb_agg(jsonb_build_object('value', value, 'names', names, 'hex', hex)), '[]')
      from catalogue.attribute_word) as words,
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'type', type, 'market', market, 'slug', slug, 'name', name,
      'startsAt', starts_at, 'endsAt', ends_at)), '[]') from catalogue.commercial_operation) as operations`,
}

export async function readReference(db: Db): Promise<ReferenceRows> {
  const row = await db.row<ReferenceRows>(selectReference)
  if (!row) throw new Error('The reference data of the catalogue cannot be read')
  return row
}

// One statement for the whole page: product, its offers in the market, its model and its successor.
const selectSheet = {
  name: 'catalogue.product-sheet',
  text: `select ${productColumns},
    (select coalesce(jsonb_agg(${offerJson}), '[]') from catalogue.offer o
      where o.product_id = p.id and o.market = $2 and o.status = 'active') as offers,
    coalesce(m.axes, '{}') as axes,
    (select coalesce(jsonb_agg(jsonb_build_object('id', s.id::text, 'slug', coalesce(s.slugs ->> $3, s.slugs ->> 'en'),
        'attributes', s.attributes, 'available', exists (
          select 1 from catalogue.offer o where o.product_id = s.id and o.market = $2 and o.status = 'active' and o.stock >= coalesce(o.bulk, 1)
        ), 'offered', exists (
          select 1 from catalogue.offer o where o.product_id = s.id and o.market = $2 and o.status = 'active'
        )) order by s.id), '[]')
      from catalogue.product s where s.model_id = p.model_id and s.status = 'active') as siblings,
    (select jsonb_build_object('id', n.id::text, 'slug', coalesce(n.slugs ->> $3, n.slugs ->> 'en'))
      from catalogue.product n where n.id = p.successor_id and n.status = 'active') as successor
    from catalogue.product p left join catalogue.model m on m.id = p.model_id
    where p.id = $1`,
}

export async function readProductSheet(db: Db, id: string, market: Market, language: Language): Promise<ProductSheet | null> {
  const row = await db.row<
    ProductRow & { offers: OfferJson[]; axes: string[]; siblings: Sibling[]; successor: { id: string; slug: string } | null }
  >(selectSheet, [id, market, language])
  if (!row) return null
  const { offers, axes, siblings, successor, ...product } = row
  return { product, offers: offers.map(toOffer), axes, siblings, successor }
}

const selectProductPage = {
  name: 'catalogue.product-page',
  text: `select ${productColumns} from catalogue.product p where p.id > $1 and p.status = 'active' order by p.id limit $2`,
}
const selectProducts = {
  name: 'catalogue.products',
  text: `select ${productColumns} from catalogue.product p where p.id = any($1::bigint[]) and p.status = 'active'`,
}

/** Active products in key order, for the index: `after` is the last id of the previous page. */
export function readProductPage(db: Db, after: string, limit: number): Promise<Product[]> {
  return db.rows<Product>(selectProductPage, [after, limit])
}

export function readProducts(db: Db, ids: readonly string[]): Promise<Product[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.rows<Product>(selectProducts, [ids])
}

const selectMarketOffers = {
  name: 'catalogue.market-offers',
  text: `select ${offerJson} as offer from catalogue.offer o
    where o.product_id = any($1::bigint[]) and o.market = $2 and o.status = 'active'`,
}

/** Active offers of one market, by product. */
export async function readMarketOffers(db: Db, productIds: readonly string[], market: Market): Promise<Map<string, Offer[]>> {
  const byProduct = new Map<string, Offer[]>()
  if (productIds.length === 0) return byProduct
  for (const { offer } of await db.rows<{ offer: OfferJson }>(selectMarketOffers, [productIds, market])) {
    const list = byProduct.get(offer.productId)
    if (list) list.push(toOffer(offer))
    else byProduct.set(offer.productId, [toOffer(offer)])
  }
  return byProduct
}

const selectModelIds = {
  name: 'catalogue.model-ids',
  text: `select distinct p.model_id::text as id from catalogue.product p where p.id = any($1::bigint[]) and p.model_id is not null`,
}

/** Models of products, ended ones included: their siblings need to know. */
export async function readModelIds(db: Db, productIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(selectModelIds, [productIds])).map(({ id }) => id)
}

const selectModelMembers = {
  name: 'catalogue.model-members',
  text: `select p.id::text as id, p.model_id::text as "modelId",
      coalesce((select array_agg(distinct o.market) from catalogue.offer o where o.product_id = p.id and o.status = 'active'), '{}') as markets
    from catalogue.product p where p.model_id = any($1::bigint[]) and p.status = 'active'`,
}

/** The products of models, with the markets in which somebody sells them. */
export async function readModelMembers(db: Db, modelIds: readonly string[]): Promise<{ id: string; modelId: string; markets: Market[] }[]> {
  return modelIds.length === 0 ? [] : db.rows(selectModelMembers, [modelIds])
}

const selectSellerProducts = {
  name: 'catalogue.seller-products',
  text: `select id::text as id from (
      select distinct o.product_id as id from catalogue.offer o where o.seller_id = $1 and o.product_id > $2 order by 1 limit $3
    ) found order by found.id`,
}
const selectNaming = {
  name: 'catalogue.products-with-code',
  text: `select distinct o.product_id as key, o.product_id::text as id from catalogue.offer o
    where o.market = $1 and o.coupon_code = $2 and o.product_id > $3 order by 1 limit $4`,
}

/** Products whose offers name this coupon code, by id. */
export async function readProductsWithCode(
  db: Db,
  { market, code }: { market: Market; code: string },
  after: string,
  limit: number,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(selectNaming, [market, code, after, limit])).map(({ id }) => id)
}

const selectProductIds = {
  name: 'catalogue.product-ids',
  text: `select p.id::text as id from catalogue.product p where p.id > $1 and p.status = 'active' order by p.id limit $2`,
}

export async function readSellerProductIds(db: Db, sellerId: number, after: string, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(selectSellerProducts, [sellerId, after, limit])).map(({ id }) => id)
}

export async function readProductIds(db: Db, after: string, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(selectProductIds, [after, limit])).map(({ id }) => id)
}

const selectOfferState = {
  name: 'catalogue.offer-state',
  text: `select o.market, o.status from catalogue.offer o where o.id = $1`,
}

export function readOfferState(db: Db, id: string): Promise<{ market: Market; status: string } | undefined> {
  return db.row(selectOfferState, [id])
}

const selectPapers = {
  name: 'catalogue.product-papers',
  text: `select ${productColumns} from catalogue.product p where p.id = $1`,
}

/** Data for the documents of a product, an ended one included: its owners still need the manual. */
export function readProductPapers(db: Db, id: string): Promise<Product | undefined> {
  return db.row<Product>(selectPapers, [id])
}

const selectLook = {
  name: 'catalogue.product-look',
  text: `select p.family, p.attributes, p.brand_id as "brandId", p.pictures, p.updated_at as "updatedAt" from catalogue.product p where p.id = $1`,
}

/** Data for the picture of a product. */
export function readProductLook(
  db: Db,
  id: string,
): Promise<Pick<Product, 'family' | 'attributes' | 'brandId' | 'pictures' | 'updatedAt'> | undefined> {
  return db.row(selectLook, [id])
}

type NewCategory = Pick<CategoryRow, 'id' | 'parentId' | 'position' | 'department' | 'names' | 'slugs'>

const change = {
  name: 'catalogue.update-category',
  text: `update catalogue.category set position = $2, department = $3, names = $4, slugs = $5
    where id = $1 and parent_id is not distinct from $6`,
}
/** False when there is none with this id below this parent. */
export async function updateCategory(db: Db, { id, position, department, names, slugs, parentId }: NewCategory): Promise<boolean> {
  return (await db.run(change, [id, position, department, JSON.stringify(names), JSON.stringify(slugs), parentId])) === 1
}

const add = {
  name: 'catalogue.insert-category',
  text: `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
    select $1, $2, coalesce(parent.level + 1, 0), $3, coalesce(parent.path, '{}') || $1::int, $4, $5, $6
    from (select 1) one left join catalogue.category parent on parent.id = $2
    where ($2::int is null or parent.level < 3) on conflict (id) do nothing`,
}
/** False when its parent is missing or already at the last level. */
export async function insertCategory(db: Db, { id, parentId, position, department, names, slugs }: NewCategory): Promise<boolean> {
  return (await db.run(add, [id, parentId, position, department, JSON.stringify(names), JSON.stringify(slugs)])) === 1
}

export interface TitleSample {
  categoryId: number
  titles: Partial<Record<Language, string>>
}

const titlesPerCategory = 8
const titleSamples = {
  name: 'catalogue.title-samples',
  text: `select c.id as "categoryId", p.titles from catalogue.category c
    cross join lateral (
      select titles from catalogue.product where category_id = c.id and status = 'active' order by id limit $1
    ) p`,
}

/** Titles of a few products of each category, in all languages. */
export function readTitleSamples(db: Db): Promise<TitleSample[]> {
  return db.rows<TitleSample>(titleSamples, [titlesPerCategory])
}
