import type { SiteScope } from '#platform'
import { stockToSell, type ProductSheet } from '#catalogue'
import type { Seller } from '#sellers'
import { couponLabel } from './badges.ts'
import { buyBoxReasonLabel } from './buy-box.ts'
import { conditionMarker } from './condition-marker.ts'
import { deliveryKindLabel, deliveryPromise } from './delivery-promise.ts'
import { showMoney } from './money-format.ts'
import { inTaxMode } from './price-block.ts'
import { priceDisplay } from './tax-mode.ts'
import { priceProduct, type PricedOffer, type PricedProduct } from './price-offers.ts'

// Offers, best offer and badges of one product are asked for in one query and priced once; and a product
// that many look at, once for each kind of viewer and minute (countdown and promise move with the clock).
const priced = new WeakMap<ProductSheet, Map<string, Promise<PricedProduct>>>()

export function pricedProduct(scope: SiteScope, sheet: ProductSheet): Promise<PricedProduct> {
  let byViewer = priced.get(sheet)
  if (!byViewer) priced.set(sheet, (byViewer = new Map()))
  const key = `${scope.mode}:${priceDisplay(scope).key}:${Math.floor(scope.now.getTime() / 60_000)}`
  let asked = byViewer.get(key)
  if (!asked) {
    asked = priceProduct(scope, sheet.product, sheet.product.status === 'ended' ? [] : sheet.offers)
    byViewer.set(key, asked)
    asked.catch(() => byViewer.delete(key))
  }
  return asked
}

const inMode = (of: PricedOffer, amount: number): number => inTaxMode(of.block.taxKey, amount, of.vat)

export const resolvers = {
  Product: {
    offers: async (sheet: ProductSheet, _args: unknown, scope: SiteScope) => (await pricedProduct(scope, sheet)).offers,
    bestOffer: async (sheet: ProductSheet, _args: unknown, scope: SiteScope) => (await pricedProduct(scope, sheet)).best,
    bestOfferReason: async (sheet: ProductSheet, _args: unknown, scope: SiteScope) => {
      const { reason } = await pricedProduct(scope, sheet)
      return reason && buyBoxReasonLabel(scope.market, reason)
    },
    badges: async (sheet: ProductSheet, _args: unknown, scope: SiteScope) => (await pricedProduct(scope, sheet)).best?.badges ?? [],
  },
  Offer: {
    id: ({ offer }: PricedOffer) => offer.id,
    productId: ({ offer }: PricedOffer) => offer.productId,
    condition: ({ offer }: PricedOffer) => offer.condition,
    conditionLabel: ({ offer }: PricedOffer) => conditionMarker(offer.market, offer.condition),
    price: ({ block }: PricedOffer) => block,
    prices: ({ detail }: PricedOffer) => detail,
    landedPrice: (of: PricedOffer) => showMoney(of.offer.market, inMode(of, of.landedPrice)),
    stock: ({ offer }: PricedOffer) => stockToSell(offer),
    bulk: ({ offer }: PricedOffer) => offer.bulk,
    maxQuantity: ({ offer }: PricedOffer) => offer.maxQuantity,
    isSample: ({ offer }: PricedOffer) => offer.isSample,
    isMmf: ({ offer }: PricedOffer) => offer.isMmf,
    sponsored: ({ offer }: PricedOffer) => offer.sponsored,
    delivery: (of: PricedOffer, _args: unknown, { market, now }: SiteScope) =>
      of.delivery.map((option) => ({
        kind: option.kind,
        label: deliveryKindLabel(market, option.kind),
        fee: showMoney(market, inMode(of, option.fee)),
        daysMin: option.daysMin,
        daysMax: option.daysMax,
        promise: deliveryPromise(market, option, now, of.offer.isMmf),
      })),
    deliveryPromise: ({ promise }: PricedOffer) => promise,
    coupon: ({ offer }: PricedOffer) =>
      offer.couponCode === null ? null : { code: offer.couponCode, label: couponLabel(offer.market, offer.couponCode) },
    promotionEndDate: ({ offer: { promotionEndsAt } }: PricedOffer, _args: unknown, { now }: SiteScope) =>
      promotionEndsAt && promotionEndsAt > now ? promotionEndsAt.toISOString() : null,
  },
  Seller: {
    freeDeliveryFrom: ({ freeDeliveryFrom }: Seller, _args: unknown, { market }: SiteScope) => {
      const from = freeDeliveryFrom[market]
      return from === undefined ? null : showMoney(market, from)
    },
  },
}
