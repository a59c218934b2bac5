import type { TaxKey } from '@purlin/contract/money.ts'
import type { RefusalReason } from '@purlin/contract/refusals.ts'
import { maxQuantity, quantityRefusal, stepOf, type OfferForSale, type OfferToPrice } from '#catalogue'
import {
  cheapestDelivery,
  deliveryFor,
  isParcel,
  offeredDelivery,
  deliveryKindLabel,
  deliveryPromise,
  priceDisplay,
  priceSteps,
  splitGross,
  stepAt,
  taxKey,
  vatOf,
  type AgreedPrice,
  type PriceStep,
  type QuotedPrice,
  type PriceViewer,
  type Vat,
  type VatRule,
} from '#pricing'
import { localDay } from '#pricing'
import { isHeldAnywhere } from '#pickup'
import { sellsTo, type Seller } from '#sellers'
import { allocate } from './allocate.ts'
import type { Cart } from './cart.ts'
import { couponEffect } from './coupon.ts'
import { deliveryOptions, type SellerDelivery } from './delivery.ts'
import { quotedDelivery, usualDelivery, wholeQuoteOf, withQuotes } from './quoted-lines.ts'

export type LineState = 'ok' | 'price-changed' | 'out-of-stock' | 'less-stock' | 'offer-gone'

/** Amounts in minor units with VAT unless named otherwise. */
export interface PricedLine<Sold extends OfferToPrice = OfferForSale> {
  offer: Sold
  state: LineState
  /** As requested; `counted` is the available quantity, which enters the totals. */
  quantity: number
  counted: number
  step: number
  maxQuantity: number
  seenPrice: number
  unitPrice: number
  /** Accepted quotes that name the offer. */
  quotes: readonly QuotedPrice[]
  /** The quote that its price is of. */
  quote: QuotedPrice | null
  /** Whether what was agreed makes it cheaper. */
  isYourPrice: boolean
  /** The next step of the price within the available quantity. */
  nextStep: PriceStep | null
  total: number
  discount: number
  vat: Vat
  /** Of total − discount. */
  net: number
  vatAmount: number
  taxKey: TaxKey
}

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

export interface CartFacts<Sold extends OfferToPrice = OfferForSale> {
  cart: Cart
  offers: ReadonlyMap<string, Sold>
  sellers: ReadonlyMap<number, Seller>
  categoryPath: (categoryId: number) => readonly number[]
  vatRules: readonly VatRule[]
  viewer: PriceViewer
  /** The company's own prices, by offer. */
  agreed?: ReadonlyMap<string, AgreedPrice>
  /** Subscribers' parcels are free, whatever they are worth. */
  hasFreeDelivery?: boolean
  /** Whether the viewer has bought before, as far as the cart's coupon needs to know. */
  hasBought?: boolean
  /** Whether the viewer belongs to the audience of the cart's coupon. */
  isInAudience?: boolean
  now: Date
}

/** A coupon that covers a whole order leaves this to pay: an order begins with a payment, and cards take no less. Minor units. */
export const leastPayable = 50

/** Computes all cart figures once: cart page, delivery step and order take theirs from here. */
export function priceCart<Sold extends OfferToPrice>(facts: CartFacts<Sold>): PricedCart<Sold> {
  const { cart, sellers, categoryPath, viewer, hasFreeDelivery = false, hasBought = false, isInAudience = false, now } = facts
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
    const terms = { choice: cart.choices[sellerId], freeFrom: freeFrom(seller, market, hasFreeDelivery), hasFreeDelivery }
    groups.push(priceSeller(seller, own, { ...terms, couponPaysDelivery: effect.freeDelivery(sellerId) }, viewer, now))
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

/** The lines in the order of the cart, before the coupon. */
function priceLines<Sold extends OfferToPrice>(facts: CartFacts<Sold>): { lines: PricedLine<Sold>[]; vanished: string[] } {
  const { cart, offers, sellers, viewer, hasFreeDelivery = false } = facts
  const { market } = viewer
  const vanished: string[] = []
  const lines: PricedLine<Sold>[] = []
  for (const line of cart.lines) {
    const offer = offers.get(line.offerId)
    const seller = offer && sellers.get(offer.sellerId)
    if (offer && seller && offer.market === market) lines.push(priceLine(facts, line, offer, seller))
    else vanished.push(line.offerId)
  }
  if (lines.every(({ quotes }) => quotes.length === 0)) return { lines, vanished }
  const quoted = new Map<string, PricedLine<Sold>>()
  for (const [sellerId, own] of Map.groupBy(lines, ({ offer }) => offer.sellerId)) {
    const seller = sellers.get(sellerId) as Seller
    const terms = { choice: cart.choices[sellerId], freeFrom: freeFrom(seller, market, hasFreeDelivery), hasFreeDelivery }
    const costOf = (part: readonly PricedLine<Sold>[]): number => sumOf(part, 'total') + (deliveryOf(part, terms).option?.fee ?? 0)
    for (const line of withQuotes(own, asQuoted, costOf)) quoted.set(line.offer.id, line)
  }
  return { lines: lines.map((line) => quoted.get(line.offer.id) ?? line), vanished }
}

/** A line without quotes, which depend on the lines beside it. */
function priceLine<Sold extends OfferToPrice>(
  { viewer, agreed, categoryPath, vatRules, now }: CartFacts<Sold>,
  { offerId, quantity, seenPrice }: Cart['lines'][number],
  offer: Sold,
  seller: Seller,
): PricedLine<Sold> {
  const display = priceDisplay(viewer)
  const here = { ...offer, onSale: offer.onSale && sellsTo(seller, viewer.mode) }
  const most = maxQuantity(here)
  const counted = Math.min(quantity - (quantity % stepOf(offer)), most)
  const { quotes = [], ...own } = agreed?.get(offerId) ?? { price: null, percentBp: null }
  const steps = priceSteps(display, { ...offer, agreed: own })
  const unitPrice = stepAt(steps, counted || quantity).price
  return {
    offer: here,
    state: lineState(here, quantity, counted, seenPrice, unitPrice),
    quantity,
    counted,
    step: stepOf(offer),
    maxQuantity: most,
    seenPrice,
    unitPrice,
    quotes: display.business ? quotes : [],
    quote: null,
    isYourPrice: agreed?.has(offerId) === true && unitPrice < stepAt(priceSteps(display, offer), counted || quantity).price,
    nextStep: steps.find(({ from, price }) => from > counted && from <= most && price < unitPrice) ?? null,
    total: unitPrice * counted,
    discount: 0,
    vat: vatOf(vatRules, viewer.market, categoryPath(offer.categoryId), now),
    net: 0,
    vatAmount: 0,
    taxKey: taxKey(display, seller.country),
  }
}

function asQuoted<Sold extends OfferToPrice>(line: PricedLine<Sold>, quote: QuotedPrice): PricedLine<Sold> {
  return {
    ...line,
    quote,
    unitPrice: quote.price,
    total: quote.price * line.counted,
    isYourPrice: line.isYourPrice || quote.price < line.unitPrice,
    nextStep: null,
    // The buyer agreed to this price when they accepted the quote.
    state: line.state === 'price-changed' ? 'ok' : line.state,
  }
}

function freeFrom({ freeDeliveryFrom }: Seller, market: PriceViewer['market'], hasFreeDelivery: boolean): number | null {
  return hasFreeDelivery ? 0 : (freeDeliveryFrom[market] ?? null)
}

function lineState(offer: OfferToPrice, quantity: number, counted: number, seen: number, price: number): LineState {
  if (!offer.onSale) return 'offer-gone'
  if (counted === 0) return 'out-of-stock'
  if (counted < quantity || quantityRefusal(offer, quantity)) return 'less-stock'
  return seen === price ? 'ok' : 'price-changed'
}

interface DeliveryTerms {
  choice: string | undefined
  freeFrom: number | null
  hasFreeDelivery: boolean
}

/** The fees of the kinds that all of a seller's lines can go by, the buyer's choice among them, and the one that counts. */
function deliveryOf(lines: readonly PricedLine<OfferToPrice>[], { choice, freeFrom, hasFreeDelivery }: DeliveryTerms) {
  const offered = deliveryFor(
    deliveryOptions(lines.filter(({ counted }) => counted > 0).map(({ offer }) => offeredDelivery(offer.delivery))),
    sumOf(lines, 'total'),
    freeFrom,
  )
  const grams = gramsOf(lines)
  // No point takes parcels that heavy: the kind is not offered.
  const possible = offered.filter(({ kind }) => kind !== 'relay' || isHeldAnywhere(grams))
  const quote = wholeQuoteOf(lines)
  const fees = quote ? quotedDelivery(possible, quote, hasFreeDelivery) : possible
  const picked = fees.find(({ kind }) => kind === choice)
  return { fees, picked, option: picked ?? (quote ? usualDelivery(fees) : cheapestDelivery(fees)) }
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

/** Weight of a seller's goods, in one parcel. */
export function gramsOf(lines: readonly PricedLine<OfferToPrice>[]): number {
  return lines.reduce((sum, { offer, counted }) => sum + offer.weightG * counted, 0)
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

export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((all, row) => all + row[key], 0)
}
