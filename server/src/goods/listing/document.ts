import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import type { UnitOfMeasure } from '@purlin/contract/price.ts'
import type { DeliveryOffer, DeliverySummary } from '#pricing'

/**
 * One product in one market in the search index: everything a card needs, in both tax modes, so that a listing needs no
 * database. Amounts are minor units with VAT; time-dependent parts
 * (promise, countdown, badges of operations) are added when the card is made.
 */
export interface ProductDocument extends OfferFields {
  /** The product's id. */
  objectID: string
  articleId: string
  defaultTitle: string
  alternateTitle: string
  brandId: number
  brandName: string
  brandImageFullpath: string
  /** Ids from the department to the leaf. */
  categoryIds: number[]
  /** "Tools", "Tools > Drills" …: for hierarchical menus of search clients. */
  categories: { lvl0?: string; lvl1?: string; lvl2?: string; lvl3?: string }
  family: string
  hasSample: boolean
  imagePath: string
  imageFullpath: string
  thumbnails: string[]
  indexable: boolean
  /** Sold only by sellers who serve professionals. */
  isB2b: boolean
  isEcoResponsible: boolean
  isLocal: boolean
  isTopSale: boolean
  market: Market
  modelId: string | null
  modelMarkets: Market[]
  modelsCount: number
  /** One card per group: the model, or the product itself. */
  groupId: string
  pimMasterProductId: string
  rating: number | null
  ratingCount: number
  /** Rating rounded down to whole stars, for the facet. */
  stars: number
  /** The star thresholds 2, 3 and 4 that the rating reaches: counted per model, they match the filter's results. (V-26) */
  starsUp: number[]
  url: string
  technicalInfoValues: { key: string; label: string; value: string }[]
  rateBp: number
  hasNoVATForDE: boolean
  unit: { measure: UnitOfMeasure; quantityMilli: number } | null
  /** The winner for professionals, if it differs. */
  pro: OfferFields | null

  /** Storefronts on which it is sold. */
  storefronts: Mode[]
  /** All sellers with an active offer. */
  sellerIds: number[]
  /** Active offers except samples: the documents of the offers index. */
  offerIds: string[]
  /** Major units in each viewer's tax mode: for filters and sorting only. */
  price_b2c: number
  price_b2b: number
  price_b2b_vat: number
  discount: number
  /** Storefronts on which its winner is reduced, a top deal, or sponsored. */
  dealOn: Mode[]
  podiumOn: Mode[]
  sponsoredOn: Mode[]
  createdAtS: number
  popularity: number
  attr: Record<string, string | number>
  attrKeys: string[]
  deliveryTags: string[]
  conditionGroup: 'new' | 'refurbished' | 'used'
  categoryNames: string
  /** The nouns that say what the goods are, from the name of their category. */
  thing: string
  attributesText: string
  mpn: string
  ean: string
  description: string
  /** Changes when anything above does: card caches use it as their key. */
  v: string
}

/** One offer in the index of offers: the product's document as if that offer were its only one. */
export interface OfferDocument extends ProductDocument {
  /** Place among the seller's own offers of the product in the buy box. */
  place: number
}

/** Facts about the winner of the buy box on one storefront. */
export interface OfferFields {
  title: string
  offerId: string
  pimOfferId: string
  sellerId: number
  sellerName: string
  /** ISO 3166-1 alpha-2. */
  sellerCountryId: string
  isSellerB2b: boolean
  condition: Condition
  isSecondHand: boolean
  inStock: boolean
  bulk: number | null
  isMmf: boolean
  sponsored: boolean
  bestOffer: boolean
  /** The cheapest including delivery among two or more. */
  isCompetitive: boolean
  price: number
  proPrice: number | null
  retailPrice: number | null
  range: { min: number; max: number } | null
  proAdvantagePercentage: number | null
  coupon: string | null
  commercialOperationIds: number[]
  /** Milliseconds since 1970. */
  promotionEndsAt: number | null
  deliveryOffers: DeliverySummary
  promise: Pick<DeliveryOffer, 'daysMin' | 'daysMax'>
  has1dayDelivery: boolean
  has3xPayment: boolean
  hasFreeDelivery: boolean
  hasProConditions: boolean
  hasRelayDelivery: boolean
}

export function productsIndex(market: Market): string {
  return `products_${market}`
}

/** A market's offers, for the pages of sellers. */
export function offersIndex(market: Market): string {
  return `offers_${market}`
}

/** Suggested queries of the search box. */
export function queriesIndex(market: Market): string {
  return `queries_${market}`
}
