import type { Language } from '@purlin/contract/markets.ts'
import type { UnitOfMeasure } from '@purlin/contract/price.ts'
import type { Db } from '#platform'
import type { AttributeValue, Offer } from './product.ts'
import type { Picture } from './addresses.ts'

/** The data that cart and checkout need about an offer. Amounts in minor units with VAT. */
export interface OfferForSale extends Pick<
  Offer,
  | 'id'
  | 'productId'
  | 'sellerId'
  | 'market'
  | 'condition'
  | 'price'
  | 'proPrice'
  | 'quantityBreaks'
  | 'stock'
  | 'bulk'
  | 'maxQuantity'
  | 'isSample'
  | 'isMmf'
  | 'delivery'
> {
  /** Offer and product are both on sale. */
  onSale: boolean
  /** The product's, by language. */
  titles: Partial<Record<Language, string>>
  slugs: Partial<Record<Language, string>>
  pictures: Picture[]
  attributes: Record<string, AttributeValue>
  unitMeasure: UnitOfMeasure | null
  unitQuantityMilli: number | null
  categoryId: number
  weightG: number
  /** The product's: the version of its pictures. */
  updatedAt: Date
}

const selectOf = (
  ids: string,
) => `select o.id::text, o.product_id::text as "productId", o.seller_id as "sellerId", o.market, o.condition, o.price,
      o.pro_price as "proPrice", o.quantity_breaks as "quantityBreaks", o.stock, o.bulk, o.max_quantity as "maxQuantity", o.is_sample as "isSample", o.is_mmf as "isMmf",
      o.delivery, o.status = 'active' and p.status = 'active' as "onSale", p.titles, p.slugs, p.pictures, p.attributes,
      p.unit_measure as "unitMeasure", p.unit_quantity_milli as "unitQuantityMilli", p.category_id as "categoryId", p.weight_g as "weightG",
      p.updated_at as "updatedAt"
    from catalogue.offer o
    join catalogue.product p on p.id = o.product_id
    where o.id = any(${ids})`
const select = { name: 'catalogue.offers-for-sale', text: selectOf('$1::bigint[]') }

/** SQL: some offers as JSON, to embed in another statement; `offersFromJson` parses it. */
export const offersJsonOf = (ids: string): string => `(select coalesce(json_agg(row_to_json(sale)), '[]') from (${selectOf(ids)}) sale)`

export function offersFromJson(rows: readonly OfferForSale[]): OfferForSale[] {
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }))
}

/** The requested offers, by id; unknown ones are missing. */
export async function offersForSale(db: Db, ids: readonly string[]): Promise<Map<string, OfferForSale>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<OfferForSale>(select, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}
