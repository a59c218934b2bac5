import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
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

const reasons: Record<BuyBoxReason, Record<Language, string>> = {
  'only-offer': {
    en: 'The only offer for this product',
    fr: 'La seule offre pour ce produit',
    de: 'Das einzige Angebot für dieses Produkt',
    es: 'La única oferta de este producto',
    it: 'L’unica offerta per questo prodotto',
  },
  'in-stock': {
    en: 'In stock, unlike the others',
    fr: 'En stock, contrairement aux autres offres',
    de: 'Auf Lager, anders als die übrigen Angebote',
    es: 'En stock, a diferencia de las demás ofertas',
    it: 'Disponibile, a differenza delle altre offerte',
  },
  new: {
    en: 'The best offer for a new article',
    fr: 'La meilleure offre pour un article neuf',
    de: 'Das beste Angebot für Neuware',
    es: 'La mejor oferta de un artículo nuevo',
    it: 'La migliore offerta per un articolo nuovo',
  },
  'lowest-price': {
    en: 'Lowest price with delivery',
    fr: 'Prix le plus bas, livraison comprise',
    de: 'Günstigster Preis mit Lieferung',
    es: 'El precio más bajo con entrega incluida',
    it: 'Il prezzo più basso, consegna inclusa',
  },
  'best-value': {
    en: 'Best mix of price, delivery and seller rating',
    fr: 'Meilleur équilibre entre prix, livraison et note du vendeur',
    de: 'Beste Kombination aus Preis, Lieferung und Händlerbewertung',
    es: 'El mejor equilibrio entre precio, entrega y valoración del vendedor',
    it: 'Il miglior equilibrio tra prezzo, consegna e valutazione del venditore',
  },
  faster: {
    en: 'Delivered sooner for a similar price',
    fr: 'Livré plus tôt pour un prix proche',
    de: 'Schneller da bei ähnlichem Preis',
    es: 'Llega antes por un precio parecido',
    it: 'Arriva prima a un prezzo simile',
  },
  'better-seller': {
    en: 'A better rated seller for a similar price',
    fr: 'Un vendeur mieux noté pour un prix proche',
    de: 'Besser bewerteter Händler bei ähnlichem Preis',
    es: 'Un vendedor mejor valorado por un precio parecido',
    it: 'Un venditore meglio valutato a un prezzo simile',
  },
  first: {
    en: 'Equal to the others, offered first',
    fr: 'Équivalente aux autres, proposée en premier',
    de: 'Gleichwertig, zuerst angeboten',
    es: 'Igual que las demás, ofrecida antes',
    it: 'Pari alle altre, proposta per prima',
  },
}

export function buyBoxReasonLabel(market: Market, reason: BuyBoxReason): string {
  return reasons[reason][markets[market].language]
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
