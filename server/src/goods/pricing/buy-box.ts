import type { Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { cheapestDelivery, deliveryFor, workingDays, type DeliveryOffer } from './delivery-promise.ts'
import { isSecondHand } from './condition-marker.ts'
import { divideHalfUp } from './vat.ts'

/** An offer as the buy box weighs it. Minor units with VAT. */
export interface Contender {
  id: string
  /** What one article costs on this storefront. */
  price: number
  condition: Condition
  /** What can be bought of it. */
  stock: number
  isSample: boolean
  isMmf: boolean
  delivery: readonly DeliveryOffer[]
  /** The seller's threshold of free delivery in this market. */
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
  /** Landed price and what slowness, an unproven seller and scarce stock add to it; lower is better. */
  score: number
}

/** Price worth, in basis points of the article, of … */
const weights = {
  /** each working day until the cheapest delivery is there, up to ten */
  day: 50,
  daysMax: 10,
  /** each tenth of a star below five */
  tenthOfStar: 10,
  /** fewer than three left: it may be gone before the order */
  scarce: 100,
  scarceBelow: 3,
}
/** A seller without enough ratings counts as this. */
const unprovenRating = 4
const provenFrom = 5

/**
 * Offers of one product, best first: the article before its sample, what can be bought before what cannot,
 * new before second-hand, then by score. The order depends on the offers alone, so that lists,
 * product page, cart and feeds name the same winner.
 */
export function rankOffers<T extends Contender>(offers: readonly T[]): Ranked<T>[] {
  return offers.map(weigh).toSorted(compare)
}

/** Why the first of the ranking stands before the second. Null without offers. */
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
    // Ids are decimal numbers as text: the offer made first.
    a.offer.id.length - b.offer.id.length ||
    (a.offer.id < b.offer.id ? -1 : 1)
  )
}

function rating({ sellerRating, sellerRatingCount }: Contender): number {
  return sellerRating === null || sellerRatingCount < provenFrom ? unprovenRating : sellerRating
}
