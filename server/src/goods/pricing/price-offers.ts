import type { Market } from '@purlin/contract/markets.ts'
import type { Badge, PriceBlock } from '@purlin/contract/price.ts'
import type { SiteScope } from '#platform'
import { readPriceHistory, reference, stockToSell, type Offer, type PricePoint, type Product, type Reference } from '#catalogue'
import { knownSellers, sellsTo, type Seller } from '#sellers'
import { badgesOf, isPromoted, type CommercialOperation } from './badges.ts'
import { buyBoxReason, rankOffers, type BuyBoxReason, type Contender, type Ranked } from './buy-box.ts'
import { countdownLabel } from './countdown.ts'
import { cheapestDelivery, deliveryFor, deliveryPromise, offeredDelivery, type DeliveryOffer } from './delivery-promise.ts'
import { detailPrices, type DetailPrices } from './detail-price.ts'
import { vatRules } from './load-vat-rules.ts'
import { askedPrice, priceBlock, proAdvantagePercentage } from './price-block.ts'
import { priceSteps, type AgreedPrice, type AskedPrices, type PriceStep } from './price-steps.ts'
import { provenRetailPrice } from './retail-price.ts'
import { priceDisplay, type PriceDisplay, type PriceViewer } from './tax-mode.ts'
import type { UnitContent } from './unit-price.ts'
import { vatOf, type Vat, type VatRule } from './vat.ts'

/** An offer as priced for this viewer. */
export interface PricedOffer {
  offer: Offer
  seller: Seller
  vat: Vat
  /** The viewer's price with VAT per piece, minor units. */
  asked: number
  /** Whether it is lower than everybody's, because the seller has agreed it with the viewer's company. */
  isYourPrice: boolean
  /** That price plus the cheapest delivery, with VAT. */
  landedPrice: number
  block: PriceBlock
  detail: DetailPrices
  /** Delivery kinds for one piece, with the seller's free-delivery threshold applied. */
  delivery: DeliveryOffer[]
  promise: string
  /** Prices for several pieces, with VAT per piece; the first step, of a single piece, is `asked`. */
  steps: PriceStep[]
  proAdvantagePercentage: number | null
  retailPriceTimeLeftLabel: string | null
  /** All of them; a card shows the first three. */
  badges: Badge[]
}

export interface PricedProduct {
  /** Best first, samples last. */
  offers: PricedOffer[]
  /** Winner of the buy box; null when nobody sells the product on this storefront. */
  best: PricedOffer | null
  reason: BuyBoxReason | null
}

type PricingScope = Pick<SiteScope, 'db' | 'now'> & PriceViewer

const noneAgreed: ReadonlyMap<string, AgreedPrice> = new Map()

/**
 * Offers of one product, ranked and priced for the viewer; sellers who do not sell on this storefront are left out.
 * @param agreed the prices of the viewer's company, by offer, on a page for the viewer alone; the ranking is everybody's
 */
export async function priceProduct(
  scope: PricingScope,
  product: Product,
  offers: readonly Offer[],
  agreed = noneAgreed,
): Promise<PricedProduct> {
  const [known, history] = await Promise.all([
    facts(scope, offers),
    readPriceHistory(
      scope.db,
      offers.map(({ id }) => id),
      scope.now,
    ),
  ])
  const ranking = rankForSale(scope, known, offers)
  const priced = ranking.map(({ offer }) =>
    priceOne(scope, known, { offer: offer.of, agreed: agreed.get(offer.id), product, history: history.get(offer.id) ?? [] }),
  )
  const best = priced[0] && !priced[0].offer.isSample ? priced[0] : null
  return { offers: priced, best, reason: best ? buyBoxReason(ranking.filter(({ offer }) => !offer.isSample)) : null }
}

/** Loaded once for many offers. */
export interface PricingFacts {
  display: PriceDisplay
  sellers: ReadonlyMap<number, Seller>
  rules: readonly VatRule[]
  catalogue: Reference
}

async function facts(scope: PricingScope, offers: readonly Offer[]): Promise<PricingFacts> {
  const [sellers, rules, catalogue] = await Promise.all([
    knownSellers(scope, new Set(offers.map(({ sellerId }) => sellerId))),
    vatRules(scope),
    reference(scope),
  ])
  return { display: priceDisplay(scope), sellers, rules, catalogue }
}

/** The facts about an offer that its place in the ranking depends on. */
type RankedFacts = Pick<Offer, 'id' | 'sellerId' | 'condition' | 'stock' | 'bulk' | 'isSample' | 'isMmf' | 'delivery'> & AskedPrices

/** The buy box of a storefront. Consumers and professionals may meet different winners; everybody on one storefront meets the same. */
export function rankForSale<Of extends RankedFacts>(
  { market, mode }: Pick<SiteScope, 'market' | 'mode'>,
  { sellers }: Pick<PricingFacts, 'sellers'>,
  offers: readonly Of[],
): Ranked<Contender & { of: Of; seller: Seller }>[] {
  const contenders = offers.flatMap((of) => {
    const seller = sellers.get(of.sellerId)
    // An offer without delivery cannot be bought.
    if (!seller || !sellsTo(seller, mode) || offeredDelivery(of.delivery).length === 0) return []
    return [
      {
        of,
        seller,
        id: of.id,
        price: askedPrice({ business: mode === 'b2b' }, of),
        condition: of.condition,
        stock: stockToSell(of),
        isSample: of.isSample,
        isMmf: of.isMmf,
        delivery: of.delivery,
        freeDeliveryFrom: seller.freeDeliveryFrom[market] ?? null,
        sellerRating: seller.rating,
        sellerRatingCount: seller.ratingCount,
      },
    ]
  })
  return rankOffers(contenders)
}

interface Priced {
  offer: Offer
  agreed: AgreedPrice | undefined
  product: Product
  history: readonly PricePoint[]
}

function priceOne(
  { market, now }: Pick<SiteScope, 'market' | 'now'>,
  { display, sellers, rules, catalogue }: PricingFacts,
  { offer, agreed, product, history }: Priced,
): PricedOffer {
  const seller = sellers.get(offer.sellerId) as Seller
  const vat = vatOf(rules, market, categoryPath(catalogue, product.categoryId), now)
  const own = { ...offer, agreed }
  const asked = askedPrice(display, own)
  const isYourPrice = asked < askedPrice(display, offer)
  const promotion = { promotionEndsAt: offer.promotionEndsAt, operations: operationsOf(catalogue, market, offer) }
  const block = priceBlock(display, {
    price: offer.price,
    proPrice: offer.proPrice,
    agreed,
    // A company's price is compared with no retail price.
    retailPrice: isYourPrice ? null : provenRetailPrice(market, offer.price, history, now, isPromoted(market, promotion, now)),
    sellerCountry: seller.country,
    vat,
    unit: offer.isSample ? null : unitContent(product),
    bulk: offer.bulk,
    range: null,
  })
  const delivery = deliveryFor(offer.delivery, asked, seller.freeDeliveryFrom[market] ?? null)
  const advantage = proAdvantagePercentage(offer)
  const cheapest = cheapestDelivery(delivery)
  return {
    offer,
    seller,
    vat,
    asked,
    isYourPrice,
    // On the consumer storefront a professional's price may be lower than the one used for ranking.
    landedPrice: asked + (cheapest?.fee ?? 0),
    block,
    detail: detailPrices(display, { ...own, sellerCountry: seller.country, vat }),
    delivery,
    steps: priceSteps(display, own),
    promise: cheapest ? deliveryPromise(market, cheapest, now, offer.isMmf) : '',
    proAdvantagePercentage: advantage,
    retailPriceTimeLeftLabel: block.retail ? countdownLabel(market, offer.promotionEndsAt, now) : null,
    badges: badgesOf(
      market,
      {
        sponsored: offer.sponsored,
        discount: block.discount,
        ...promotion,
        couponCode: offer.couponCode,
        proAdvantagePercentage: advantage,
        ...productBadges(product),
      },
      display,
      now,
    ),
  }
}

/** Facts about the product itself that badges show. */
export function productBadges({ flags }: Pick<Product, 'flags'>): { isTopSale: boolean; isLocal: boolean; isEcoResponsible: boolean } {
  return { isTopSale: flags.includes('top_sale'), isLocal: flags.includes('local_fr'), isEcoResponsible: flags.includes('eco') }
}

export function unitContent({ unitMeasure, unitQuantityMilli }: Pick<Product, 'unitMeasure' | 'unitQuantityMilli'>): UnitContent | null {
  return unitMeasure && unitQuantityMilli ? { measure: unitMeasure, quantityMilli: unitQuantityMilli } : null
}

export function operationsOf(catalogue: Reference, market: Market, offer: Pick<Offer, 'commercialOperationIds'>): CommercialOperation[] {
  return offer.commercialOperationIds.flatMap((id) => {
    const operation = catalogue.operations.get(id)
    return operation && operation.market === market ? [operation] : []
  })
}

/** Ids from the department down to the category itself. */
export function categoryPath(catalogue: Reference, categoryId: number): number[] {
  return catalogue.categories.byId.get(categoryId)?.path ?? [categoryId]
}
