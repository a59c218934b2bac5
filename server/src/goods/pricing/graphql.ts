import type { SiteScope } from '#platform'
import { stockToSell, type ProductSheet } from '#catalogue'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { couponOn } from './badges.ts'
import { buyBoxReasonLabel } from './buy-box.ts'
import { conditionMarker } from './condition-marker.ts'
import { deliveryKindLabel, deliveryPromise } from './delivery-promise.ts'
import { showMoney } from './money-format.ts'
import { inTaxMode } from './price-block.ts'
import { priceDisplay } from './tax-mode.ts'
import { priceProduct, type PricedOffer, type PricedProduct } from './price-offers.ts'

// Offers, best offer and badges of one product are requested in one query and priced once; for a popular
// product once per kind of viewer and minute (countdown and promise change with the clock).
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
    offers: async (sheet, _args, scope: SiteScope) => (await pricedProduct(scope, sheet)).offers,
    bestOffer: async (sheet, _args, scope: SiteScope) => (await pricedProduct(scope, sheet)).best,
    bestOfferReason: async (sheet, _args, scope: SiteScope) => {
      const { reason } = await pricedProduct(scope, sheet)
      return reason && buyBoxReasonLabel(scope.market, reason)
    },
    badges: async (sheet, _args, scope: SiteScope) => (await pricedProduct(scope, sheet)).best?.badges ?? [],
  },
  Offer: {
    id: ({ offer }) => offer.id,
    productId: ({ offer }) => offer.productId,
    condition: ({ offer }) => offer.condition,
    conditionLabel: ({ offer }) => conditionMarker(offer.market, offer.condition),
    price: ({ block }) => block,
    prices: ({ detail }) => detail,
    quantityBreaks: (of) => of.steps.slice(1).map(({ from, price }) => ({ from, price: showMoney(of.offer.market, inMode(of, price)) })),
    landedPrice: (of) => showMoney(of.offer.market, inMode(of, of.landedPrice)),
    stock: ({ offer }) => stockToSell(offer),
    bulk: ({ offer }) => offer.bulk,
    maxQuantity: ({ offer }) => offer.maxQuantity,
    isSample: ({ offer }) => offer.isSample,
    isMmf: ({ offer }) => offer.isMmf,
    sponsored: ({ offer }) => offer.sponsored,
    delivery: (of, _args, { market, now }: SiteScope) =>
      of.delivery.map((option) => ({
        kind: option.kind,
        label: deliveryKindLabel(market, option.kind),
        fee: showMoney(market, inMode(of, option.fee)),
        daysMin: option.daysMin,
        daysMax: option.daysMax,
        promise: deliveryPromise(market, option, now, of.offer.isMmf),
      })),
    deliveryPromise: ({ promise }) => promise,
    coupon: ({ offer }) => couponOn(offer.market, offer.couponCode),
    promotionEndDate: ({ offer: { promotionEndsAt } }, _args, { now }: SiteScope) =>
      promotionEndsAt && promotionEndsAt > now ? promotionEndsAt.toISOString() : null,
  },
  Seller: {
    freeDeliveryFrom: ({ freeDeliveryFrom }, _args, { market }: SiteScope) => {
      const from = freeDeliveryFrom[market]
      return from === undefined ? null : showMoney(market, from)
    },
  },
} satisfies Resolvers
