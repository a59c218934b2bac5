import type { Market } from './markets.ts'
import type { Badge, PriceBlock } from './price.ts'

/** Condition of an offer; the bracketed marker is rendered from it (decision 14). */
export const conditions = ['new', 'never_used', 'refurbished_good', 'refurbished_very_good', 'used_good', 'used_very_good'] as const
export type Condition = (typeof conditions)[number]

export interface CategoryLevel {
  id: number
  name: string
}

/** A search hit with everything a card needs: all fields of spec §3 "Search hit". */
export interface ProductCard {
  productId: string
  articleId: string
  title: string
  defaultTitle: string
  alternateTitle: string | null
  brandId: number | null
  brandName: string | null
  brandImageFullpath: string | null
  banner: string | null
  bannerAlternate: string | null
  bestOffer: boolean
  /** Sold in multiples of this quantity; null when sold singly. */
  bulk: number | null
  categories: {
    L0: CategoryLevel | null
    L1: CategoryLevel | null
    L2: CategoryLevel | null
    L3: CategoryLevel | null
    last: CategoryLevel
  }
  commercialOperationIds: number[]
  coupon: { code: string; label: string } | null
  /** Fees in minor units, times in working days. */
  deliveryOffers: { minFee: number; minFeeTime: number; minTime: number; minTimeFee: number }
  has1dayDelivery: boolean
  has3xPayment: boolean
  hasFreeDelivery: boolean
  hasProConditions: boolean
  hasRelayDelivery: boolean
  hasSample: boolean
  imagePath: string
  imageFullpath: string
  indexable: boolean
  isB2b: boolean
  isCompetitive: boolean
  isEcoResponsible: boolean
  isLocal: boolean
  isMmf: boolean
  isSellerB2b: boolean
  isSecondHand: boolean
  market: Market
  modelId: string | null
  modelMarkets: Market[]
  modelsCount: number
  offerId: string
  pimMasterProductId: string
  pimOfferId: string
  proAdvantagePercentage: number | null
  prices: PriceBlock
  rating: number | null
  ratingCount: number
  sellerCountryId: string
  sellerId: number
  sellerName: string
  thumbnails: string[]
  url: string
  technicalInfoValues: { key: string; label: string; value: string }[]
  commercialAnimation: { tags: string[]; promotionEndDate: string | null; retailPriceTimeLeftLabel: string | null }
  /** At most three, ordered. */
  badges: Badge[]
  condition: Condition
  /** "Arrives Tue 24 – Thu 26 Nov", in the market's language. */
  deliveryPromise: string
}
