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
  const { cart, offers, sellers, viewer } = facts
  const vanished: string[] = []
  const lines: PricedLine<Sold>[] = []
  for (const line of cart.lines) {
    const offer = offers.get(line.offerId)
    const seller = offer && sellers.get(offer.sellerId)
    if (offer && seller && offer.market === viewer.market) lines.push(priceLine(facts, line, offer, seller))
    else vanished.push(line.offerId)
  }
  if (lines.every(({ quotes }) => quotes.length === 0)) return { lines, vanished }
  const quoted = new Map<string, PricedLine<Sold>>()
  for (const [sellerId, own] of Map.groupBy(lines, ({ offer }) => offer.sellerId)) {
    const terms = deliveryTerms(facts, sellerId)
    for (const line of withQuotes(own, asQuoted, (part) => costOf(part, terms))) quoted.set(line.offer.id, line)
  }
  return { lines: lines.map((line) => quoted.get(line.offer.id) ?? line), vanished }
}

/** What a seller's lines cost before the coupon, delivery included; null if none of its kinds can take them. */
export function costOfSeller(lines: readonly PricedLine<OfferToPrice>[], terms: DeliveryTerms): number | null {
  const applied = withQuotes(lines, asQuoted, (part) => costOf(part, terms))
  const { option } = deliveryOf(applied, terms)
  return option || applied.every(({ counted }) => counted === 0) ? sumOf(applied, 'total') + (option?.fee ?? 0) : null
}

function costOf(lines: readonly PricedLine<OfferToPrice>[], terms: DeliveryTerms): number {
  return sumOf(lines, 'total') + (deliveryOf(lines, terms).option?.fee ?? 0)
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
export function deliveryOf(lines: readonly PricedLine<OfferToPrice>[], { choice, freeFrom, hasFreeDelivery }: DeliveryTerms) {
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

/** Weight of a seller's goods, in one parcel. */
export function gramsOf(lines: readonly PricedLine<OfferToPrice>[]): number {
  return lines.reduce((sum, { offer, counted }) => sum + offer.weightG * counted, 0)
}

export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((all, row) => all + row[key], 0)
}
