import type { Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { cheapestDelivery, deliveryFor, workingDays, type DeliveryOffer } from './delivery-promise.ts'
import { isSecondHand } from './condition-marker.ts'
import { divideHalfUp } from './vat.ts'

/** An offer with the facts that the buy box weighs. Minor units with VAT. */
export interface Contender {
  id: string
  /** Price per piece on this storefront. */
  price: number
  condition: Condition
  /** The quantity available for purchase. */
  stock: number
  isSample: boolean
  isMmf: boolean
  delivery: readonly DeliveryOffer[]
  /** The seller's free-delivery threshold in this market. */
  freeDeliveryFrom: number | null
  sellerRating: number | null
  sellerRatingCount: number
}

export const buyBoxReasons = ['only-offer', 'in-stock', 'new', 'lowest-price', 'best-value', 'faster', 'better-seller', 'first'] as const
export type BuyBoxReason = (typeof buyBoxReasons)[number]

export interface Ranked<T extends Contender> {
  offer: T
  /** Item and cheapest delivery. */
  landedPrice: number
  /** Working days until the cheapest delivery is there. */
  days: number
  /** Landed price plus penalties for slow delivery, an unproven seller and scarce stock; lower is better. */
  score: number
}

/** Penalty in basis points of the price for … */
const weights = {
  /** each working day until the cheapest delivery arrives, up to ten */
  day: 50,
  daysMax: 10,
  /** each tenth of a star below five */
  tenthOfStar: 10,
  /** fewer than three left: it may sell out before the order */
  scarce: 100,
  scarceBelow: 3,
}
/** Rating assumed for a seller without enough ratings. */
const unprovenRating = 4
const provenFrom = 5

/**
 * Ranks the offers of one product: the product before its sample, available before unavailable, new before
 * second-hand, then by score. The order depends on the offers alone, so that listings,
 * product page, cart and feeds name the same winner.
 */
export function rankOffers<T extends Contender>(offers: readonly T[]): Ranked<T>[] {
  return offers.map(weigh).toSorted(compare)
}

/** The reason why the first offer beats the second. Null without offers. */
export function buyBoxReason(ranking: readonly Ranked<Contender>[]): BuyBoxReason | null {
  const [first, second] = ranking
  if (!first) return null
  if (!second) return 'only-offer'
  if (first.offer.stock > 0 && second.offer.stock === 0) return 'in-stock'
  if (first.offer.condition === 'new' && second.offer.condition !== 'new') return 'new'
  if (ranking.every(({ landedPrice }) => landedPrice >= first.landedPrice) && first.landedPrice < second.landedPrice) return 'lowest-price'
  if (first.days < second.days) return 'faster'
  if (rating(first.offer) > rating(second.offer)) return 'better-seller'
  return first.score < second.score ? 'best-value' : 'first'
}

export function buyBoxReasonLabel(market: Market, reason: BuyBoxReason): string {
  return wordsFor(market)(`buy-box.${reason}`)
}

function weigh<T extends Contender>(offer: T): Ranked<T> {
  const cheapest = cheapestDelivery(deliveryFor(offer.delivery, offer.price, offer.freeDeliveryFrom))
  const landedPrice = offer.price + (cheapest?.fee ?? 0)
  const days = cheapest ? workingDays(cheapest, offer.isMmf) : weights.daysMax
  const points =
    Math.min(days, weights.daysMax) * weights.day +
    (50 - Math.round(rating(offer) * 10)) * weights.tenthOfStar +
    (offer.stock < weights.scarceBelow ? weights.scarce : 0)
  return { offer, landedPrice, days, score: landedPrice + divideHalfUp(offer.price * points, 10_000) }
}

function compare(a: Ranked<Contender>, b: Ranked<Contender>): number {
  return (
    Number(a.offer.isSample) - Number(b.offer.isSample) ||
    Number(b.offer.stock > 0) - Number(a.offer.stock > 0) ||
    Number(isSecondHand(a.offer.condition)) - Number(isSecondHand(b.offer.condition)) ||
    a.score - b.score ||
    a.landedPrice - b.landedPrice ||
    // Ids are decimal numbers as text: the older offer first.
    a.offer.id.length - b.offer.id.length ||
    (a.offer.id < b.offer.id ? -1 : 1)
  )
}

function rating({ sellerRating, sellerRatingCount }: Contender): number {
  return sellerRating === null || sellerRatingCount < provenFrom ? unprovenRating : sellerRating
}
