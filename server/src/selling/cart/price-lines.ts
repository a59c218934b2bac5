import type { TaxKey } from '@purlin/contract/money.ts'
import { maxQuantity, quantityRefusal, stepOf, type OfferForSale, type OfferToPrice } from '#catalogue'
import {
  cheapestDelivery,
  deliveryFor,
  offeredDelivery,
  priceDisplay,
  priceSteps,
  stepAt,
  taxKey,
  vatOf,
  type AgreedPrice,
  type DeliveryOffer,
  type PriceStep,
  type PriceViewer,
  type QuotedPrice,
  type Vat,
  type VatRule,
} from '#pricing'
import { isHeldAnywhere } from '#pickup'
import { sellsTo, type Seller } from '#sellers'
import type { Cart } from './cart.ts'
import { deliveryOptions } from './delivery.ts'
import { applyQuotes, quotedDelivery, usualDelivery, wholeQuoteOf } from './quoted-lines.ts'

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

/** Everything that decides on the prices of lines. */
export interface LineFacts<Sold extends OfferToPrice = OfferForSale> {
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
  now: Date
}

/** The lines in the order of the cart, before the coupon. */
export function priceLines<Sold extends OfferToPrice>(facts: LineFacts<Sold>): { lines: PricedLine<Sold>[]; vanished: string[] } {
  const lines = pricedLines(facts)
  const found = new Set(lines.map(({ offer }) => offer.id))
  const vanished = facts.cart.lines.flatMap(({ offerId }) => (found.has(offerId) ? [] : offerId))
  if (lines.every(({ quotes }) => quotes.length === 0)) return { lines, vanished }
  const quoteOf = new Map(
    [...Map.groupBy(lines, ({ offer }) => offer.sellerId)].flatMap(([sellerId, own]) => [
      ...priceSellerLines(own, deliveryTerms(facts, sellerId)).quoteOf,
    ]),
  )
  const quoted = lines.map((line) => {
    const quote = quoteOf.get(line)
    return quote ? asQuoted(line, quote) : line
  })
  return { lines: quoted, vanished }
}

/** The same without quotes, and without the lines of offers that do not exist here any more. */
export function pricedLines<Sold extends OfferToPrice>(facts: LineFacts<Sold>): PricedLine<Sold>[] {
  const { cart, offers, sellers, viewer } = facts
  return cart.lines.flatMap((line) => {
    const offer = offers.get(line.offerId)
    const seller = offer && sellers.get(offer.sellerId)
    return offer && seller && offer.market === viewer.market ? [priceLine(facts, line, offer, seller)] : []
  })
}

/** Amount payable to a seller before coupons: goods and delivery. */
export interface SellerCost {
  total: number
  /** The most that a change of other goods could save of it: delivery, and quotes that do not apply yet. */
  avoidable: number
}

/** What a seller's lines cost before the coupon, delivery included; null if none of its kinds can take them. */
export function costOfSeller(lines: readonly PricedLine<OfferToPrice>[], terms: DeliveryTerms): SellerCost | null {
  const { goods, unused, option } = priceSellerLines(lines, terms)
  if (!option && lines.some(({ counted }) => counted > 0)) return null
  const fee = option?.fee ?? 0
  return { total: goods + fee, avoidable: fee + unused }
}

/** The quotes that apply to a seller's lines, and the sum and delivery with them. */
export function priceSellerLines<Sold extends OfferToPrice>(lines: readonly PricedLine<Sold>[], terms: DeliveryTerms) {
  const parcel = parcelOf(lines)
  const part = applyQuotes(lines, (goods, whole) => goods + (feesOf(parcel, goods, whole, terms).option?.fee ?? 0))
  return { ...part, ...feesOf(parcel, part.goods, part.whole, terms) }
}

/** A line without quotes, which depend on the lines beside it. */
export function priceLine<Sold extends OfferToPrice>(
  { viewer, agreed, categoryPath, vatRules, now }: LineFacts<Sold>,
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

function lineState(offer: OfferToPrice, quantity: number, counted: number, seen: number, price: number): LineState {
  if (!offer.onSale) return 'offer-gone'
  if (counted === 0) return 'out-of-stock'
  if (counted < quantity || quantityRefusal(offer, quantity)) return 'less-stock'
  return seen === price ? 'ok' : 'price-changed'
}

export interface DeliveryTerms {
  choice: string | undefined
  freeFrom: number | null
  hasFreeDelivery: boolean
}

export function deliveryTerms(
  { cart, sellers, viewer, hasFreeDelivery = false }: LineFacts<OfferToPrice>,
  sellerId: number,
): DeliveryTerms {
  const freeFrom = hasFreeDelivery ? 0 : (sellers.get(sellerId)?.freeDeliveryFrom[viewer.market] ?? null)
  return { choice: cart.choices[sellerId], freeFrom, hasFreeDelivery }
}

/** The fees of the kinds that all of a seller's lines can go by, the buyer's choice among them, and the one that counts. */
export function deliveryOf(lines: readonly PricedLine<OfferToPrice>[], terms: DeliveryTerms) {
  return feesOf(parcelOf(lines), sumOf(lines, 'total'), wholeQuoteOf(lines), terms)
}

/** Delivery options and weight of a seller’s lines. */
interface Parcel {
  options: readonly DeliveryOffer[]
  grams: number
}

function parcelOf(lines: readonly PricedLine<OfferToPrice>[]): Parcel {
  const tariffs = new Set<readonly DeliveryOffer[]>()
  for (const { counted, offer } of lines) if (counted > 0) tariffs.add(offer.delivery)
  return { options: deliveryOptions([...tariffs].map((tariff) => offeredDelivery(tariff))), grams: gramsOf(lines) }
}

function feesOf({ options, grams }: Parcel, goods: number, quote: QuotedPrice | null, terms: DeliveryTerms) {
  const { choice, freeFrom, hasFreeDelivery } = terms
  // No point takes parcels that heavy: the kind is not offered.
  const possible = deliveryFor(options, goods, freeFrom).filter(({ kind }) => kind !== 'relay' || isHeldAnywhere(grams))
  const fees = quote ? quotedDelivery(possible, quote, hasFreeDelivery) : possible
  const picked = fees.find(({ kind }) => kind === choice)
  return { fees, picked, option: picked ?? (quote ? usualDelivery(fees) : cheapestDelivery(fees)) }
}

/** Weight of a seller's goods, in one parcel. */
export function gramsOf(lines: readonly PricedLine<OfferToPrice>[]): number {
  return lines.reduce((sum, { offer, counted }) => sum + offer.weightG * counted, 0)
}

export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((all, row) => all + row[key], 0)
}
