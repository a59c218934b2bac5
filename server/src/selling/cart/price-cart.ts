import type { TaxKey } from '@purlin/contract/money.ts'
import type { RefusalReason } from '@purlin/contract/refusals.ts'
import type { OfferForSale, OfferToPrice } from '#catalogue'
import { deliveryKindLabel, deliveryPromise, isParcel, localDay, splitGross, type PriceViewer } from '#pricing'
import type { Seller } from '#sellers'
import { allocate } from './allocate.ts'
import type { Cart } from './cart.ts'
import { couponEffect } from './coupon.ts'
import type { SellerDelivery } from './delivery.ts'
import { deliveryOf, deliveryTerms, priceLines, sumOf, type DeliveryTerms, type LineFacts, type PricedLine } from './price-lines.ts'

/** Amounts in minor units with VAT unless named otherwise. */
export interface PricedSeller<Sold extends OfferToPrice = OfferForSale> {
  seller: Seller
  lines: PricedLine<Sold>[]
  options: SellerDelivery[]
  /** The chosen kind, else the cheapest, or the one that was quoted. */
  kind: string
  chosen: boolean
  goods: number
  delivery: number
  deliveryDiscount: number
  /** Delivery after discount, by rate: [rateBp, gross]. Shares the rates of the goods. */
  deliveryByRate: [number, number][]
  freeDeliveryFrom: number | null
  taxKey: TaxKey
}

export interface VatTotal {
  rateBp: number
  net: number
  vat: number
}

/** As displayed: goods, delivery and discount in the tax mode, the rest as named. goods + delivery − discount equals one of the totals. */
export interface CartTotals {
  taxKey: TaxKey
  goods: number
  delivery: number
  discount: number
  net: number
  vat: number
  total: number
  vatLines: VatTotal[]
}

/** A cart at the prices of this moment, with as much about its offers as was read. */
export interface PricedCart<Sold extends OfferToPrice = OfferForSale> {
  cart: Cart
  sellers: PricedSeller<Sold>[]
  /** Lines whose offer or product no longer exists: only their id is known. */
  vanished: string[]
  couponReason: RefusalReason | null
  couponDiscount: number
  totals: CartTotals
}

export interface CartFacts<Sold extends OfferToPrice = OfferForSale> extends LineFacts<Sold> {
  /** Whether the viewer has bought before, as far as the cart's coupon needs to know. */
  hasBought?: boolean
  /** Whether the viewer belongs to the audience of the cart's coupon; null while that is unknown. */
  isInAudience?: boolean | null
}

/** A coupon that covers a whole order leaves this to pay: an order begins with a payment, and cards take no less. Minor units. */
export const leastPayable = 50

/** Computes all cart figures once: cart page, delivery step and order take theirs from here. */
export function priceCart<Sold extends OfferToPrice>(facts: CartFacts<Sold>): PricedCart<Sold> {
  const { cart, sellers, categoryPath, viewer, hasBought = false, isInAudience = false, now } = facts
  const { market } = viewer
  const { lines, vanished } = priceLines(facts)
  const effect = couponEffect(
    cart.coupon,
    lines.map(({ offer, total, quote }) => ({
      sellerId: offer.sellerId,
      categoryPath: categoryPath(offer.categoryId),
      total,
      isQuoted: quote !== null,
    })),
    { market, today: localDay(market, now), hasBought, isInAudience },
  )
  setDiscounts(lines, effect.lines)
  const groups: PricedSeller<Sold>[] = []
  for (const [sellerId, own] of Map.groupBy(lines, ({ offer }) => offer.sellerId)) {
    const seller = sellers.get(sellerId) as Seller
    groups.push(
      priceSeller(seller, own, { ...deliveryTerms(facts, sellerId), couponPaysDelivery: effect.freeDelivery(sellerId) }, viewer, now),
    )
  }
  groups.sort((a, b) => a.seller.id - b.seller.id)
  const missing = leastPayable - totalsOf(groups).total
  const goodsOff = sumOf(lines, 'discount')
  if (missing > 0 && goodsOff > 0) setDiscounts(lines, allocate(Math.max(0, goodsOff - missing), effect.lines))
  const couponDiscount = groups.reduce((all, group) => all + group.deliveryDiscount + sumOf(group.lines, 'discount'), 0)
  const couponReason = cart.couponCode !== null && !cart.coupon ? 'coupon-unknown' : effect.reason
  return { cart, sellers: groups, vanished, couponReason, couponDiscount, totals: totalsOf(groups) }
}

function setDiscounts(lines: readonly PricedLine<OfferToPrice>[], discounts: readonly number[]): void {
  lines.forEach((line, index) => {
    line.discount = discounts[index] ?? 0
    const { net, vat } = splitGross(line.total - line.discount, line.vat.rateBp)
    line.net = net
    line.vatAmount = vat
  })
}

function priceSeller<Sold extends OfferToPrice>(
  seller: Seller,
  lines: PricedLine<Sold>[],
  { couponPaysDelivery, ...terms }: DeliveryTerms & { couponPaysDelivery: boolean },
  { market }: PriceViewer,
  now: Date,
): PricedSeller<Sold> {
  const { fees, picked, option } = deliveryOf(lines, terms)
  const isMmf = lines.every(({ offer }) => offer.isMmf)
  const options = fees.map((each) => ({
    ...each,
    label: deliveryKindLabel(market, each.kind),
    promise: deliveryPromise(market, each, now, isMmf),
  }))
  const delivery = option?.fee ?? 0
  const deliveryDiscount = couponPaysDelivery && option && isParcel(option.kind) ? delivery : 0
  const paying = lines.filter(({ counted }) => counted > 0)
  const rates = [...new Set(paying.map(({ vat }) => vat.rateBp))].sort((a, b) => a - b)
  // Delivery is ancillary to the goods: it takes their VAT rates, in proportion to their value.
  const shares =
    rates.length === 0
      ? []
      : allocate(
          delivery - deliveryDiscount,
          rates.map((rate) =>
            sumOf(
              paying.filter(({ vat }) => vat.rateBp === rate),
              'total',
            ),
          ),
        )
  return {
    seller,
    lines,
    options,
    kind: option?.kind ?? '',
    chosen: picked !== undefined,
    goods: sumOf(lines, 'total'),
    delivery,
    deliveryDiscount,
    deliveryByRate: rates.map((rate, index) => [rate, shares[index] ?? 0]),
    // Freight is never free, so no remaining amount is shown for it.
    freeDeliveryFrom: options.some(({ kind }) => isParcel(kind)) ? terms.freeFrom : null,
    taxKey: lines.every(({ taxKey }) => taxKey === 'without_vat') ? 'without_vat' : 'with_vat',
  }
}

function totalsOf(groups: readonly PricedSeller<OfferToPrice>[]): CartTotals {
  const byRate = new Map<number, VatTotal>()
  const add = (rateBp: number, net: number, vat: number): void => {
    const row = byRate.get(rateBp) ?? { rateBp, net: 0, vat: 0 }
    byRate.set(rateBp, { rateBp, net: row.net + net, vat: row.vat + vat })
  }
  let goods = 0
  let goodsNet = 0
  let delivery = 0
  let deliveryNet = 0
  let discount = 0
  for (const group of groups) {
    for (const line of group.lines) {
      if (line.counted === 0) continue
      add(line.vat.rateBp, line.net, line.vatAmount)
      goods += line.total
      goodsNet += splitGross(line.total, line.vat.rateBp).net
      discount += line.discount
    }
    for (const [rateBp, gross] of group.deliveryByRate) {
      const { net, vat } = splitGross(gross, rateBp)
      add(rateBp, net, vat)
    }
    delivery += group.delivery
    discount += group.deliveryDiscount
    deliveryNet += deliveryNetOf(group)
  }
  const vatLines = [...byRate.values()].sort((a, b) => b.rateBp - a.rateBp)
  const net = vatLines.reduce((all, line) => all + line.net, 0)
  const vat = vatLines.reduce((all, line) => all + line.vat, 0)
  const withoutVat = groups.length > 0 && groups.every((group) => group.taxKey === 'without_vat')
  return withoutVat
    ? // Without VAT the discount is the remainder, so that the column adds up to the cent.
      {
        taxKey: 'without_vat',
        goods: goodsNet,
        delivery: deliveryNet,
        discount: goodsNet + deliveryNet - net,
        net,
        vat,
        total: net + vat,
        vatLines,
      }
    : { taxKey: 'with_vat', goods, delivery, discount, net, vat, total: net + vat, vatLines }
}

/** Delivery of a seller before discount, without VAT, as the column without VAT shows it. */
export function deliveryNetOf({ delivery, deliveryDiscount, deliveryByRate, lines }: PricedSeller<OfferToPrice>): number {
  if (deliveryDiscount === 0) return deliveryByRate.reduce((all, [rateBp, gross]) => all + splitGross(gross, rateBp).net, 0)
  const rate = lines.find(({ counted }) => counted > 0)?.vat.rateBp ?? 0
  return splitGross(delivery, rate).net
}
