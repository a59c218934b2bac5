import { createHash } from 'node:crypto'
import { minorPerMajor } from '@purlin/contract/money.ts'
import { markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import {
  askedPrice,
  categoryPath,
  cheapestDelivery,
  deliveryFor,
  deliverySummary,
  inTaxMode,
  isPromoted,
  isSecondHand,
  operationsOf,
  percentOff,
  priceDisplay,
  proAdvantagePercentage,
  productBadges,
  rankForSale,
  reachesHome,
  provenRetailPrice,
  taxKey,
  unitContent,
  vatOf,
  withMarker,
  workingDays,
  type VatRule,
} from '#pricing'
import {
  attributeText,
  brandLogoUrl,
  inLanguage,
  pictureUrl,
  pictureVersion,
  productUrl,
  showAttributes,
  type Offer,
  type Product,
  type Reference,
  type PricePoint,
} from '#catalogue'
import type { Seller } from '#sellers'
import type { OfferFields, ProductDocument } from './document.ts'
import { headNouns } from './head-nouns.ts'

/** Everything that documents are built from; nothing else is read while building. */
export interface DocumentFacts {
  market: Market
  now: Date
  catalogue: Reference
  rules: readonly VatRule[]
  sellers: ReadonlyMap<number, Seller>
  /** Active offers in the market, of the requested products and their model siblings. */
  offers: ReadonlyMap<string, readonly Offer[]>
  history: ReadonlyMap<string, readonly PricePoint[]>
  models: ReadonlyMap<string, readonly { id: string; markets: Market[] }[]>
}

/** Payment in three instalments is offered between these prices, in major units. */
const threePayments = { from: 100, to: 2_000 }
/** Percentage off from which a running promotion counts as a top deal. */
const podiumFrom = 20
const attributesOnCard = 6
/** Steps of the rating facet: "3 stars and up". */
const ratingSteps = [2, 3, 4]

/** The document of a product, or null when nobody sells it in the market. */
export function buildDocument(product: Product, facts: DocumentFacts): ProductDocument | null {
  const { market, catalogue, now } = facts
  const offers = facts.offers.get(product.id) ?? []
  const consumer = offerFields(product, facts, 'b2c')
  const professional = offerFields(product, facts, 'b2b')
  const shown = consumer ?? professional
  if (!shown) return null

  const { language } = markets[market]
  const path = categoryPath(catalogue, product.categoryId)
  const names = path.map((id) => inLanguage(catalogue.categories.byId.get(id)?.names, language))
  const brand = catalogue.brands.get(product.brandId)
  const vat = vatOf(facts.rules, market, path, now)
  const attributes = showAttributes(catalogue, market, product.attributes).map((shownAttribute) => ({
    ...shownAttribute,
    facet: catalogue.attributes.get(shownAttribute.key)?.facet ?? false,
  }))
  const title = inLanguage(product.titles, language)
  const version = pictureVersion(product)
  const image = pictureUrl(product.id, product.pictures[0], version)
  const badges = productBadges(product)
  const members = product.modelId === null ? [] : (facts.models.get(product.modelId) ?? [])
  const inModel = members.filter((member) => member.markets.includes(market)).length

  // Each storefront has its own winner: a boost must be justified by the offer that the card shows.
  const on = (holds: (of: OfferFields) => boolean): Mode[] => [
    ...(consumer && holds(consumer) ? (['b2c'] as const) : []),
    ...(professional && holds(professional) ? (['b2b'] as const) : []),
  ]

  const document: ProductDocument = {
    ...shown,
    objectID: product.id,
    articleId: product.articleId,
    defaultTitle: title,
    alternateTitle: [brand?.name, product.mpn].filter(Boolean).join(' '),
    brandId: product.brandId,
    brandName: brand?.name ?? '',
    brandImageFullpath: brandLogoUrl(product.brandId),
    categoryIds: path,
    categories: Object.fromEntries(names.map((_, level) => [`lvl${level}`, names.slice(0, level + 1).join(' > ')])),
    family: product.family,
    hasSample: offers.some(({ isSample }) => isSample),
    imagePath: image.split('?', 1)[0] ?? image,
    imageFullpath: image,
    thumbnails: product.pictures.slice(0, 4).map((picture) => pictureUrl(product.id, picture, version)),
    indexable: shown.inStock,
    isB2b: consumer === null,
    isEcoResponsible: badges.isEcoResponsible,
    isLocal: badges.isLocal && market === 'fr',
    isTopSale: badges.isTopSale,
    market,
    modelId: product.modelId,
    modelMarkets: [...new Set(members.flatMap((member) => member.markets))].toSorted(),
    modelsCount: Math.max(1, inModel),
    groupId: product.modelId === null ? `p${product.id}` : `m${product.modelId}`,
    pimMasterProductId: product.id,
    rating: product.rating,
    ratingCount: product.ratingCount,
    stars: product.rating === null ? 0 : Math.floor(product.rating),
    starsUp: ratingSteps.filter((from) => (product.rating ?? 0) >= from),
    url: productUrl(inLanguage(product.slugs, language), product.id),
    technicalInfoValues: attributes.slice(0, attributesOnCard).map((attribute) => ({
      key: attribute.key,
      label: attribute.label,
      value: attributeText(attribute),
    })),
    rateBp: vat.rateBp,
    hasNoVATForDE: vat.hasNoVATForDE,
    unit: unitContent(product),
    pro: professional && consumer && !same(professional, consumer) ? professional : null,

    storefronts: [...(consumer ? (['b2c'] as const) : []), ...(professional ? (['b2b'] as const) : [])],
    sellerIds: [...new Set(offers.flatMap(({ sellerId, isSample }) => (isSample ? [] : sellerId)))],
    offerIds: offers.flatMap(({ id, isSample }) => (isSample ? [] : id)),
    price_b2c: shown.price / minorPerMajor,
    ...professionalPrices(professional ?? shown, market, vat.rateBp),
    discount: discountOf(shown),
    dealOn: on((of) => discountOf(of) > 0),
    podiumOn: on((of) => isPodium(of, facts)),
    sponsoredOn: on(({ sponsored }) => sponsored),
    createdAtS: Math.floor(product.createdAt.getTime() / 1000),
    popularity: product.popularity,
    attr: Object.fromEntries(attributes.filter(({ facet }) => facet).map(({ key, raw }) => [key, raw])),
    attrKeys: attributes.filter(({ facet }) => facet).map(({ key }) => key),
    deliveryTags: deliveryTags(shown),
    conditionGroup: conditionGroup(shown),
    categoryNames: names.join(' '),
    thing: headNouns(names.at(-1) ?? '', language).join(' '),
    attributesText: attributes.map((attribute) => `${attribute.label} ${attributeText(attribute)}`).join(' '),
    mpn: product.mpn,
    ean: product.ean,
    description: searchedDescription(inLanguage(product.descriptions, language)),
    v: '',
  }
  document.v = createHash('sha1').update(JSON.stringify(document)).digest('base64url').slice(0, 12)
  return document
}

/**
 * The paragraphs of a description that are searched: what the product is, and its facts. Advice in later paragraphs names
 * accessories and other goods, and would make the product a result for those.
 */
function searchedDescription(description: string): string {
  return description.split('\n\n', 2).join('\n\n')
}

type Ranking = ReturnType<typeof rankForSale<Offer>>
// Each product of a model needs the prices of all the others.
const rankings = new WeakMap<DocumentFacts, Map<string, Ranking>>()

/** The buy box of a product on a storefront, without samples; memoised per set of facts. */
export function rankingOf(productId: string, facts: DocumentFacts, mode: Mode): Ranking {
  let known = rankings.get(facts)
  if (!known) rankings.set(facts, (known = new Map()))
  const key = `${mode}:${productId}`
  let ranking = known.get(key)
  if (!ranking) {
    ranking = rankForSale({ market: facts.market, mode }, facts, facts.offers.get(productId) ?? []).filter(({ offer }) => !offer.isSample)
    known.set(key, ranking)
  }
  return ranking
}

/** The winner of the buy box, as shown on a card. */
function offerFields(product: Product, facts: DocumentFacts, mode: Mode): OfferFields | null {
  const { market, now } = facts
  const ranking = rankingOf(product.id, facts, mode)
  const best = ranking[0]
  if (!best) return null
  const { of, seller } = best.offer
  const delivery = deliveryFor(of.delivery, best.offer.price, best.offer.freeDeliveryFrom)
  const summary = deliverySummary(delivery)
  const cheapest = cheapestDelivery(delivery)
  if (!summary || !cheapest) return null
  const major = best.offer.price / minorPerMajor
  const promotion = { promotionEndsAt: of.promotionEndsAt, operations: operationsOf(facts.catalogue, market, of) }
  return {
    title: withMarker(market, inLanguage(product.titles, markets[market].language), of.condition),
    offerId: of.id,
    pimOfferId: of.pimOfferId,
    sellerId: of.sellerId,
    sellerName: seller.name,
    sellerCountryId: seller.country,
    isSellerB2b: seller.isB2b,
    condition: of.condition,
    isSecondHand: isSecondHand(of.condition),
    inStock: best.offer.stock > 0,
    bulk: of.bulk,
    isMmf: of.isMmf,
    sponsored: of.sponsored,
    bestOffer: best.offer.stock > 0,
    isCompetitive: ranking.length > 1 && ranking.every(({ landedPrice }) => landedPrice >= best.landedPrice),
    price: of.price,
    proPrice: of.proPrice,
    retailPrice: provenRetailPrice(market, of.price, facts.history.get(of.id) ?? [], now, isPromoted(market, promotion, now)),
    range: modelRange(product, facts, mode),
    proAdvantagePercentage: proAdvantagePercentage(of),
    coupon: of.couponCode,
    commercialOperationIds: of.commercialOperationIds.filter((id) => facts.catalogue.operations.get(id)?.market === market),
    promotionEndsAt: of.promotionEndsAt?.getTime() ?? null,
    deliveryOffers: summary,
    promise: { daysMin: cheapest.daysMin, daysMax: cheapest.daysMax },
    has1dayDelivery: delivery.some((option) => reachesHome(option.kind) && workingDays(option, of.isMmf) <= 1),
    has3xPayment: major >= threePayments.from && major <= threePayments.to,
    hasFreeDelivery: delivery.some(({ kind, fee }) => fee === 0 && reachesHome(kind)),
    hasProConditions: of.proPrice !== null,
    hasRelayDelivery: delivery.some(({ kind }) => kind === 'relay'),
  }
}

/** Lowest and highest price among the model's products; null when it has one price. */
function modelRange(product: Product, facts: DocumentFacts, mode: Mode): { min: number; max: number } | null {
  if (product.modelId === null) return null
  const prices = (facts.models.get(product.modelId) ?? []).flatMap(({ id }) => {
    const [best] = rankingOf(id, facts, mode)
    return best ? [best.offer.price] : []
  })
  const min = Math.min(...prices)
  const max = Math.max(...prices)
  return prices.length > 1 && min !== max ? { min, max } : null
}

function professionalPrices(of: OfferFields, market: Market, rateBp: number): { price_b2b: number; price_b2b_vat: number } {
  const display = priceDisplay({ market, mode: 'b2b', prefersVat: false })
  const gross = askedPrice(display, of)
  const shown = inTaxMode(taxKey(display, of.sellerCountryId), gross, { rateBp, hasNoVATForDE: false })
  return { price_b2b: shown / minorPerMajor, price_b2b_vat: gross / minorPerMajor }
}

function discountOf(of: OfferFields): number {
  return of.retailPrice === null ? 0 : (percentOff(of.retailPrice, of.price) ?? 0)
}

/** An available good deal, while its promotion runs. */
function isPodium(of: OfferFields, { market, catalogue, now }: DocumentFacts): boolean {
  const promotionEndsAt = of.promotionEndsAt === null ? null : new Date(of.promotionEndsAt)
  const isRunning = isPromoted(market, { promotionEndsAt, operations: operationsOf(catalogue, market, of) }, now)
  return of.inStock && isRunning && discountOf(of) >= podiumFrom
}

function deliveryTags(of: OfferFields): string[] {
  const tags: [string, boolean][] = [
    ['free', of.hasFreeDelivery],
    ['1day', of.has1dayDelivery],
    ['relay', of.hasRelayDelivery],
  ]
  return tags.flatMap(([tag, has]) => (has ? [tag] : []))
}

function conditionGroup({ condition }: OfferFields): ProductDocument['conditionGroup'] {
  if (condition === 'new') return 'new'
  return condition.startsWith('refurbished') ? 'refurbished' : 'used'
}

function same(a: OfferFields, b: OfferFields): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
