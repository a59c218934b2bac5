import type { Language, Market } from '@purlin/contract/markets.ts'
import type { UnitOfMeasure } from '@purlin/contract/price.ts'
import type { Db } from '#platform'
import type { AttributeValue, Offer } from './product.ts'
import type { Picture } from './addresses.ts'

/** The facts about an offer that decide on the price shown for it. Amounts in minor units with VAT. */
export interface PricedOffer extends Pick<
  Offer,
  'id' | 'productId' | 'sellerId' | 'market' | 'price' | 'proPrice' | 'quantityBreaks' | 'bulk' | 'isSample' | 'delivery'
> {
  unitMeasure: UnitOfMeasure | null
  unitQuantityMilli: number | null
  categoryId: number
}

/** The same with the facts that decide on quantity and delivery. */
export interface OfferToPrice extends PricedOffer, Pick<Offer, 'condition' | 'stock' | 'maxQuantity' | 'isMmf'> {
  /** Offer and product are both on sale. */
  onSale: boolean
  weightG: number
}

/** The same with everything that cart and checkout show of an offer, which is most of the data. */
export interface OfferForSale extends OfferToPrice {
  /** The product's, by language. */
  titles: Partial<Record<Language, string>>
  slugs: Partial<Record<Language, string>>
  pictures: Picture[]
  attributes: Record<string, AttributeValue>
  /** The product's: the version of its pictures. */
  updatedAt: Date
}

const priced = `o.id::text, o.product_id::text as "productId", o.seller_id as "sellerId", o.market, o.price, o.pro_price as "proPrice",
      o.quantity_breaks as "quantityBreaks", o.bulk, o.is_sample as "isSample", o.delivery, p.unit_measure as "unitMeasure",
      p.unit_quantity_milli as "unitQuantityMilli", p.category_id as "categoryId"`
const facts = `${priced}, o.condition, o.stock, o.max_quantity as "maxQuantity", o.is_mmf as "isMmf",
      o.status = 'active' and p.status = 'active' as "onSale", p.weight_g as "weightG"`
const shown = `p.titles, p.slugs, p.pictures, p.attributes, p.updated_at as "updatedAt"`
const selectOf = (columns: string, ids: string) => `select ${columns}
    from catalogue.offer o
    join catalogue.product p on p.id = o.product_id
    where o.id = any(${ids})`
const asJson = (select: string) => `(select coalesce(json_agg(row_to_json(sale)), '[]') from (${select}) sale)`
const select = { name: 'catalogue.offers-for-sale', text: selectOf(`${facts}, ${shown}`, '$1::bigint[]') }
const selectFacts = { name: 'catalogue.offers-to-price', text: selectOf(facts, '$1::bigint[]') }

const selectOfMarket = {
  name: 'catalogue.market-offers-to-price',
  text: `select ${facts}
    from catalogue.offer o
    join catalogue.product p on p.id = o.product_id
    where o.product_id = any($1::bigint[]) and o.market = $2 and o.status = 'active' and p.status = 'active'`,
}

/** SQL: some offers as JSON, to embed in another statement; `offersFromJson` parses it. */
export const offersJsonOf = (ids: string): string => asJson(selectOf(`${facts}, ${shown}`, ids))

/** SQL: the same with only the facts of `OfferToPrice`, ready to use as parsed. */
export const offersToPriceJsonOf = (ids: string): string => asJson(selectOf(facts, ids))

/** SQL: rows of `PricedOffer`, whose delivery is null where the condition does not hold. */
export function pricedOffersOf(ids: string, withDelivery: string): string {
  return selectOf(priced.replace('o.delivery', `case when ${withDelivery} then o.delivery end as delivery`), ids)
}

/** SQL: the categories of these ids and those above them. */
export function categoryPathsOf(ids: string): string {
  return `select unnest(path) from catalogue.category where id in (${ids})`
}

export function offersFromJson(rows: readonly OfferForSale[]): OfferForSale[] {
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }))
}

/** The requested offers, by id; unknown ones are missing. */
export function offersForSale(db: Db, ids: readonly string[]): Promise<Map<string, OfferForSale>> {
  return byId<OfferForSale>(db, select, ids)
}

/** The same with only the facts that decide on price, quantity and delivery. */
export function offersToPrice(db: Db, ids: readonly string[]): Promise<Map<string, OfferToPrice>> {
  return byId<OfferToPrice>(db, selectFacts, ids)
}

/** All offers on sale of these products in a market. */
export function marketOffersToPrice(db: Db, productIds: readonly string[], market: Market): Promise<OfferToPrice[]> {
  return db.rows<OfferToPrice>(selectOfMarket, [productIds, market])
}

async function byId<Row extends OfferToPrice>(db: Db, statement: typeof select, ids: readonly string[]): Promise<Map<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Row>(statement, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}
