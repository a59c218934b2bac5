import { markets, type Mode } from '@purlin/contract/markets.ts'
import type { CategoryLevel, ProductCard } from '@purlin/contract/product-card.ts'
import {
  badgesOf,
  badgesOnCard,
  countdownLabel,
  couponOn,
  deliveryPromise,
  operationsOf,
  priceBlock,
  runningOperations,
  type PriceDisplay,
} from '#pricing'
import { inLanguage, type Reference } from '#catalogue'
import { boundedCache } from '#platform'
import type { OfferFields, ProductDocument } from './document.ts'

/** The viewer, the time and the shop's name in their language. */
export interface CardViewer {
  display: PriceDisplay
  mode: Mode
  now: Date
  catalogue: Reference
}

/** The card of a document for a viewer. Pure; no amount is formatted twice. Source: R-334…R-370. */
export function makeCard(document: ProductDocument, { display, mode, now, catalogue }: CardViewer): ProductCard {
  const of: OfferFields = mode === 'b2b' ? (document.pro ?? document) : document
  const { market } = document
  const prices = priceBlock(display, {
    price: of.price,
    proPrice: of.proPrice,
    retailPrice: of.retailPrice,
    sellerCountry: of.sellerCountryId,
    vat: { rateBp: document.rateBp, hasNoVATForDE: document.hasNoVATForDE },
    unit: document.unit,
    bulk: of.bulk,
    range: of.range,
  })
  const operations = operationsOf(catalogue, market, of)
  const running = runningOperations(market, operations, now)
  const promotionEndsAt = of.promotionEndsAt === null ? null : new Date(of.promotionEndsAt)
  const timeLeft = prices.retail ? countdownLabel(market, promotionEndsAt, now) : null
  return {
    productId: document.pimMasterProductId,
    articleId: document.articleId,
    title: of.title,
    defaultTitle: document.defaultTitle,
    alternateTitle: document.alternateTitle || null,
    brandId: document.brandId,
    brandName: document.brandName,
    brandImageFullpath: document.brandImageFullpath,
    banner: running[0]?.name ?? null,
    bannerAlternate: running[0] ? `${running[0].name}${countdownLabel(market, running[0].endsAt, now) ?? ''}` : null,
    bestOffer: of.bestOffer,
    bulk: of.bulk,
    categories: categoryLevels(document.categoryIds, catalogue, market),
    commercialOperationIds: numericOnly(of.commercialOperationIds),
    coupon: couponOn(market, of.coupon),
    deliveryOffers: of.deliveryOffers,
    has1dayDelivery: of.has1dayDelivery,
    has3xPayment: of.has3xPayment,
    hasFreeDelivery: of.hasFreeDelivery,
    hasProConditions: of.hasProConditions,
    hasRelayDelivery: of.hasRelayDelivery,
    hasSample: document.hasSample,
    imagePath: document.imagePath,
    imageFullpath: document.imageFullpath,
    indexable: document.indexable,
    isB2b: document.isB2b,
    isCompetitive: of.isCompetitive,
    isEcoResponsible: document.isEcoResponsible,
    isLocal: document.isLocal && market === 'fr',
    isMmf: of.isMmf,
    isSellerB2b: of.isSellerB2b,
    isSecondHand: of.isSecondHand,
    market,
    modelId: document.modelId,
    modelMarkets: document.modelMarkets,
    modelsCount: document.modelsCount,
    offerId: of.offerId,
    pimMasterProductId: document.pimMasterProductId,
    pimOfferId: of.pimOfferId,
    proAdvantagePercentage: of.proAdvantagePercentage,
    prices,
    rating: document.rating,
    ratingCount: document.ratingCount,
    sellerCountryId: of.sellerCountryId,
    sellerId: of.sellerId,
    sellerName: of.sellerName,
    thumbnails: document.thumbnails,
    url: document.url,
    technicalInfoValues: document.technicalInfoValues,
    commercialAnimation: {
      tags: running.map(({ type }) => type),
      promotionEndDate: promotionEndsAt && promotionEndsAt > now ? promotionEndsAt.toISOString() : null,
      retailPriceTimeLeftLabel: timeLeft,
    },
    badges: badgesOf(
      market,
      {
        sponsored: of.sponsored,
        discount: prices.discount,
        operations,
        promotionEndsAt,
        couponCode: of.coupon,
        proAdvantagePercentage: of.proAdvantagePercentage,
        isTopSale: document.isTopSale,
        isLocal: document.isLocal,
        isEcoResponsible: document.isEcoResponsible,
      },
      display,
      now,
    ).slice(0, badgesOnCard),
    condition: of.condition,
    deliveryPromise: deliveryPromise(market, of.promise, now, of.isMmf),
  }
}

/** Other engines and older documents may contain text among the ids. Source: R-342. */
export function numericOnly(ids: readonly unknown[]): number[] {
  return ids.flatMap((id) => {
    const number = typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
    return Number.isSafeInteger(number) ? [number as number] : []
  })
}

function categoryLevels(path: readonly number[], catalogue: Reference, market: ProductCard['market']): ProductCard['categories'] {
  const { language } = markets[market]
  const levels = path.map((id): CategoryLevel => ({ id, name: inLanguage(catalogue.categories.byId.get(id)?.names, language) }))
  const [L0 = null, L1 = null, L2 = null, L3 = null] = levels
  return { L0, L1, L2, L3, last: levels.at(-1) ?? { id: 0, name: '' } }
}

// The newest card of a document for a kind of viewer, valid within its minute. A card takes almost two kilobytes.
const remembered = boundedCache<{ minute: number; card: ProductCard }>(2_500)

/** The card in a place that nobody has paid for, such as one found by its price or chosen by the visitor. */
export function unpaidCardOf(document: ProductDocument, viewer: CardViewer): ProductCard {
  return unpaidBadges(cardOf(document, viewer))
}

export function unpaidBadges(card: ProductCard): ProductCard {
  return { ...card, badges: card.badges.filter(({ type }) => type !== 'sponsored') }
}

/** Like `makeCard`, but cached if the same card was made within the minute. */
export function cardOf(document: ProductDocument, viewer: CardViewer): ProductCard {
  const minute = Math.floor(viewer.now.getTime() / 60_000)
  const key = `${document.objectID}:${document.v}:${viewer.mode}:${viewer.display.key}`
  const hit = remembered.get(key)
  if (hit?.minute === minute) return hit.card
  const card = makeCard(document, viewer)
  remembered.set(key, { minute, card })
  return card
}
