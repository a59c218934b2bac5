import type { Offer, Product } from './product.ts'

/** Columns of a product as one JSON object, with ids and numbers in the form the code uses. */
export const productColumns = `p.id::text as id, p.article_id::text as "articleId", p.model_id::text as "modelId",
  p.brand_id as "brandId", p.category_id as "categoryId", p.family, p.ean, p.mpn, p.titles, p.descriptions, p.slugs, p.attributes,
  p.weight_g as "weightG", p.unit_measure as "unitMeasure", p.unit_quantity_milli as "unitQuantityMilli", p.flags, p.pictures,
  p.documents, p.safety, p.rating::float8 as rating, p.rating_count as "ratingCount", p.popularity, p.status,
  p.successor_id::text as "successorId", p.created_at as "createdAt", p.updated_at as "updatedAt"`

const offerFields = `'id', o.id::text, 'productId', o.product_id::text, 'sellerId', o.seller_id, 'market', o.market,
  'pimOfferId', o.pim_offer_id::text, 'condition', o.condition, 'currency', o.currency, 'price', o.price, 'proPrice', o.pro_price,
  'quantityBreaks', o.quantity_breaks,
  'stock', o.stock, 'bulk', o.bulk, 'maxQuantity', o.max_quantity, 'isSample', o.is_sample, 'isMmf', o.is_mmf, 'delivery', o.delivery,
  'commercialOperationIds', o.commercial_operation_ids, 'promotionEndsAt', o.promotion_ends_at, 'couponCode', o.coupon_code,
  'sponsored', o.sponsored, 'status', o.status, 'createdAt', o.created_at`

/** An offer `o` as JSON. */
export const offerJson = `jsonb_build_object(${offerFields})`

/** Dates arrive as text inside JSON. */
export type OfferJson = Omit<Offer, 'promotionEndsAt' | 'createdAt'> & { promotionEndsAt: string | null; createdAt: string }

export function toOffer(row: OfferJson): Offer {
  return {
    ...row,
    promotionEndsAt: row.promotionEndsAt === null ? null : new Date(row.promotionEndsAt),
    createdAt: new Date(row.createdAt),
  }
}

export type ProductRow = Product
