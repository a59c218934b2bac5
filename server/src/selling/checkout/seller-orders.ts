import { markets, type Market } from '@purlin/contract/markets.ts'
import { sumOf, type PricedCart, type PricedLine, type PricedSeller } from '#cart'
import { inLanguage, pictureUrl, pictureVersion, productUrl } from '#catalogue'
import { conditionLabel, divideHalfUp, serviceVat, splitGross, vatRules, type ServiceVat, type VatRule } from '#pricing'
import { sellerOrderId, type CustomerOrder, type OrderLine, type SellerOrder } from '#orders'
import type { PickUpPoint } from '#pickup'
import type { Scope } from '#platform'
import { wellFormedVatNumber } from '#tax'
import { noPoints, type ChosenPoints } from './chosen-points.ts'
import type { ChosenSlots } from './chosen-slots.ts'
import { withheldVatOf } from './deemed-supply.ts'

/** A priced cart in the form it is stored: one order per seller, all data as of the sale. */
export async function sellerOrdersOf(
  scope: Scope,
  order: Pick<CustomerOrder, 'id' | 'address' | 'companyId'>,
  { sellers, cart }: PricedCart,
  points: ChosenPoints = noPoints,
  slots: ChosenSlots = new Map(),
): Promise<SellerOrder[]> {
  const rules = await vatRules(scope)
  // A seller's own coupon is borne by the seller; all others by the marketplace.
  const bornBySeller = cart.coupon?.sellerId ?? null
  return sellers.map((group) => {
    const discount = sumOf(group.lines, 'discount') + group.deliveryDiscount
    const sellerDiscount = bornBySeller === group.seller.id ? discount : 0
    const commission = commissionOf(group, sellerDiscount)
    const commissionTax = commissionVatOf(rules, scope.market, group.seller, scope.now)
    return {
      id: sellerOrderId(order.id, group.seller.id),
      sellerId: group.seller.id,
      state: 'awaiting-payment',
      seller: soldBy(group),
      deliveryKind: group.kind,
      deliveryOptions: group.options.map(({ kind, label, promise, fee, daysMin, daysMax }) => ({
        kind,
        label,
        promise,
        fee,
        daysMin,
        daysMax,
      })),
      pickUpPoint: group.kind === 'relay' ? asOfSale(points.get(group.seller.id)) : null,
      appointment: group.kind === 'appointment' ? (slots.get(group.seller.id) ?? null) : null,
      goods: group.goods,
      delivery: group.delivery,
      discount,
      total: group.goods + group.delivery - discount,
      sellerDiscount,
      commission,
      commissionVat: divideHalfUp(commission * commissionTax.rateBp, 10_000),
      commissionTreatment: commissionTax.treatment,
      commissionVatBp: commissionTax.rateBp,
      withheldVat: withheldVatOf(group, order),
      lines: group.lines.map((line) => orderLineOf(line, scope.market)),
    }
  })
}

/** The point without what changes from day to day. */
export function asOfSale(point: (PickUpPoint & { distance: number; isFull: boolean }) | null | undefined): PickUpPoint | null {
  if (!point) return null
  const { distance: _distance, isFull: _isFull, ...lasting } = point
  return lasting
}

/** Commission on the seller's turnover without VAT: goods and delivery, less the seller's own discounts. */
export function commissionOf({ seller, lines, delivery, deliveryByRate }: PricedSeller, sellerDiscount: number): number {
  const rateOfDelivery = deliveryByRate[0]?.[0] ?? 0
  const goodsNet = lines.reduce(
    (all, { total, discount, vat }) => all + splitGross(total - (sellerDiscount > 0 ? discount : 0), vat.rateBp).net,
    0,
  )
  const deliveryNet = splitGross(delivery, rateOfDelivery).net
  return divideHalfUp((goodsNet + deliveryNet) * seller.commissionBp, 10_000)
}

/** The VAT of a seller's commission. Who may sell has been checked by the operator, and is a business without a VAT number, too. */
export function commissionVatOf(
  rules: readonly VatRule[],
  market: Market,
  { country, vatNumber }: Pick<PricedSeller['seller'], 'country' | 'vatNumber'>,
  at: Date,
): ServiceVat {
  return serviceVat(rules, market, { country, vatNumber: wellFormedVatNumber(vatNumber, country), isKnownBusiness: true }, at)
}

function soldBy({ seller: { id, slug, name, legalName, country, vatNumber } }: PricedSeller): SellerOrder['seller'] {
  return { id, slug, name, legalName, country, vatNumber }
}

function orderLineOf({ offer, counted, unitPrice, total, discount, net, vatAmount, vat, taxKey }: PricedLine, market: Market): OrderLine {
  return {
    offerId: offer.id,
    productId: offer.productId,
    quantity: counted,
    unitPrice,
    total,
    discount,
    net,
    vat: vatAmount,
    vatRateBp: vat.rateBp,
    taxKey,
    snapshot: lineTexts(offer, market),
  }
}

/** Title, path and picture of a line in the market's language. */
export function lineTexts(offer: PricedLine['offer'], market: Market): OrderLine['snapshot'] {
  const { language } = markets[market]
  return {
    title: inLanguage(offer.titles, language),
    url: productUrl(inLanguage(offer.slugs, language), offer.productId),
    imageUrl: pictureUrl(offer.productId, offer.pictures[0], pictureVersion(offer)),
    conditionLabel: offer.condition === 'new' ? null : conditionLabel(market, offer.condition),
  }
}
