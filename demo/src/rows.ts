import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { facets, vocabulary } from './grammar.ts'
import { byLanguage, languages } from './languages.ts'
import { offersOf, type DemoOffer, type OfferSetting } from './offers.ts'
import { couponsOf, operationsOf } from './operations.ts'
import { product, type DemoProduct } from './product.ts'
import type { Row } from './row.ts'
import { questionRows, reviewRows, sellerReviewRows } from './reviews.ts'
import { sellers } from './sellers.ts'
import { vatRules } from './vat-rules.ts'

export type { Row, Value } from './row.ts'

const json = (value: unknown) => ({ json: value })

/** Rows that do not grow with the number of products, by table, in insertion order. */
export function referenceRows(now: Date): [table: string, rows: Row[]][] {
  const since = new Date(Date.UTC(2024, 0, 8))
  return [
    [
      'sellers.seller',
      sellers.map((seller) => ({
        id: seller.id,
        slug: seller.slug,
        name: seller.name,
        legal_name: seller.legalName,
        country: seller.country,
        vat_number: seller.vatNumber,
        registration: seller.registration,
        address: json(seller.address),
        email: seller.email,
        phone: seller.phone,
        is_b2b: seller.b2b === true,
        rating: seller.rating,
        rating_count: seller.ratingCount,
        response_hours: seller.responseHours,
        commission_bp: seller.commissionBp,
        free_delivery_from: json(seller.freeDeliveryFrom),
        about: json(seller.about),
        return_terms: json(seller.returnTerms),
        created_at: since,
        updated_at: since,
      })),
    ],
    [
      'catalogue.category',
      categories.map((category) => ({
        id: category.id,
        parent_id: category.parent,
        level: category.level,
        position: category.position,
        path: category.path,
        department: category.department,
        names: json(category.names),
        slugs: json(category.slugs),
        texts: json(category.texts),
      })),
    ],
    ['catalogue.brand', brands.map(({ id, slug, name, tier, country, texts }) => ({ id, slug, name, tier, country, texts: json(texts) }))],
    [
      'catalogue.attribute',
      // The brand is a column of the product.
      [...facets]
        .filter(([key]) => key !== 'brand')
        .map(([key, facet]) => {
          const { unit } = facet
          return {
            key,
            kind: unit === null && !wholeNumbers.has(key) ? 'text' : 'number',
            names: json(byLanguage(facet.n)),
            units: unit === null ? null : json(byLanguage(typeof unit === 'string' ? languages.map(() => unit) : unit)),
            decimals: facet.dec,
            facet: true,
          }
        }),
    ],
    [
      'catalogue.attribute_word',
      [...vocabulary].map(([value, word]) => ({ value, names: json(byLanguage(word.n)), hex: word.hex ?? null })),
    ],
    [
      'catalogue.commercial_operation',
      operationsOf(now).map(({ id, type, market, slug, name, startsAt, endsAt }) => ({
        id,
        type,
        market,
        slug,
        name,
        starts_at: startsAt,
        ends_at: endsAt,
      })),
    ],
    ['reviews.review', sellers.flatMap((seller) => sellerReviewRows(seller, now.getTime()))],
    [
      'pricing.vat_rule',
      vatRules.map((rule) => ({
        id: rule.id,
        market: rule.market,
        category_id: rule.categoryId,
        rate_bp: rule.rateBp,
        flag: rule.flag,
        valid_from: rule.validFrom,
        valid_to: rule.validTo,
      })),
    ],
    [
      'cart.coupon',
      couponsOf(now).map((coupon) => ({
        code: coupon.code,
        market: coupon.market,
        kind: coupon.kind,
        value: coupon.value,
        min_amount: coupon.minAmount,
        seller_id: coupon.sellerId,
        category_id: coupon.categoryId,
        starts_on: coupon.startsOn,
        ends_on: coupon.endsOn,
        total_limit: coupon.totalLimit,
        per_customer_limit: coupon.perCustomerLimit,
        audience: coupon.audience,
        is_listed: coupon.isListed,
      })),
    ],
  ]
}

/** Numbers without a unit. */
const wholeNumbers = new Set(['shoe_size', 'thread'])

/** Tables that grow with the number of products, in insertion order. */
export const productTables = [
  'catalogue.model',
  'catalogue.product',
  'catalogue.offer',
  'catalogue.price_history',
  'catalogue.stock_movement',
  'reviews.review',
  'reviews.question',
  'reviews.answer',
] as const
export type ProductRows = Record<(typeof productTables)[number], Row[]>

/** A product with its model, offers, price history and opening stock. */
export function rowsOfProduct(setting: OfferSetting, index: number): ProductRows {
  const made = product(setting.seed, index)
  const offers = offersOf(made, setting)
  const seededAt = new Date(setting.day)
  const [questions, answers] = questionRows(made, offers, setting)
  return {
    'catalogue.model': made.model?.isFirst ? [{ id: made.model.id, axes: made.model.axes }] : [],
    'catalogue.product': [productRow(made, setting.day)],
    'catalogue.offer': offers.map((offer) => offerRow(offer, seededAt)),
    'catalogue.price_history': offers.flatMap(({ id, history }) =>
      history.map(({ price, validFrom }) => ({ offer_id: id, price, valid_from: validFrom })),
    ),
    'catalogue.stock_movement': offers.map(({ id, stock }) => ({
      id: movementId(seededAt, id),
      offer_id: id,
      delta: stock,
      reason: 'initial',
      at: seededAt,
    })),
    'reviews.review': reviewRows(made, offers, setting),
    'reviews.question': questions,
    'reviews.answer': answers,
  }
}

function productRow(of: DemoProduct, day: number): Row {
  // The shop grew over a year; a few products are new this week.
  const createdAt = new Date(day - ((of.index * 7919) % 400) * 86_400_000)
  return {
    id: of.id,
    article_id: of.articleId,
    model_id: of.model?.id ?? null,
    brand_id: of.brand.id,
    category_id: of.leaf.id,
    family: of.family.key,
    ean: of.ean,
    mpn: of.mpn,
    titles: json(of.titles),
    descriptions: json(of.descriptions),
    slugs: json(of.slugs),
    attributes: json(of.attributes),
    weight_g: of.weightG,
    unit_measure: of.unit?.measure ?? null,
    unit_quantity_milli: of.unit?.quantityMilli ?? null,
    flags: of.flags,
    pictures: json(of.pictures),
    documents: json(of.documents),
    safety: json(of.safety),
    rating: of.rating,
    rating_count: of.ratingCount,
    popularity: of.popularity,
    status: of.status,
    successor_id: of.successorId,
    created_at: createdAt,
    updated_at: createdAt,
  }
}

function offerRow(of: DemoOffer, seededAt: Date): Row {
  return {
    id: of.id,
    product_id: of.productId,
    seller_id: of.sellerId,
    market: of.market,
    pim_offer_id: of.pimOfferId,
    condition: of.condition,
    currency: of.currency,
    price: of.price,
    pro_price: of.proPrice,
    quantity_breaks: json(of.quantityBreaks),
    stock: of.stock,
    bulk: of.bulk,
    max_quantity: of.maxQuantity,
    is_sample: of.isSample,
    is_mmf: of.isMmf,
    delivery: json(of.delivery),
    commercial_operation_ids: of.operationIds,
    promotion_ends_at: of.promotionEndsAt,
    coupon_code: of.couponCode,
    sponsored: of.sponsored,
    status: of.status,
    created_at: of.history[0]?.validFrom ?? seededAt,
    updated_at: seededAt,
  }
}

/** A version 7 uuid from the instant and the offer. */
function movementId(at: Date, offerId: number): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${offerId.toString(16).padStart(12, '0')}`
}
