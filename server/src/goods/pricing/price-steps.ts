import type { QuantityBreak } from '#catalogue'
import type { PriceDisplay } from './tax-mode.ts'

/** Prices of an offer by quantity and customer group. Minor units with VAT. */
export interface AskedPrices {
  price: number
  /** The seller's price for professionals, if lower. */
  proPrice: number | null
  quantityBreaks?: readonly QuantityBreak[]
  /** Known only where prices are computed for one company. */
  agreed?: AgreedPrice | undefined
}

/** The price a seller has agreed with a company for an offer. */
export interface AgreedPrice {
  /** Minor units with VAT. */
  price: number | null
  /** Hundredths of a percent off the price of one piece. */
  percentBp: number | null
  /** Of accepted quotes that name the offer. */
  quotes?: readonly QuotedPrice[]
}

/** A price for exactly this quantity, ordered together with the other lines of its quote. */
export interface QuotedPrice {
  quoteId: string
  quantity: number
  /** Per piece, minor units with VAT. */
  price: number
  /** Of the whole quote, which has this many lines. */
  delivery: number
  lines: number
}

/** A price per piece from a quantity on, until the next step. */
export interface PriceStep {
  from: number
  price: number
  /** The price without the quote. */
  unquoted?: number
}

/** The price of one piece, without quotes. */
export function singlePrice({ business }: Pick<PriceDisplay, 'business'>, { price, proPrice, agreed }: AskedPrices): number {
  const single = business && proPrice !== null && proPrice < price ? proPrice : price
  return business && agreed ? Math.min(single, agreedPrice(agreed, single)) : single
}

/** The better of price and percentage. A percentage is rounded in the buyer's favour, to at least the smallest amount. */
function agreedPrice({ price, percentBp }: AgreedPrice, single: number): number {
  const reduced = percentBp === null ? single : Math.max(1, Math.floor((single * (10_000 - percentBp)) / 10_000))
  return Math.min(price ?? reduced, reduced)
}

/**
 * The prices of an offer for this viewer by quantity: ascending, the first one from a single piece on. Without quotes: whether one applies
 * depends on the cart.
 */
export function priceSteps(display: Pick<PriceDisplay, 'business'>, offer: AskedPrices): PriceStep[] {
  const { business } = display
  const steps = [{ from: 1, price: singlePrice(display, offer) }]
  for (const { from, price } of breaksFor(business, offer.quantityBreaks)) {
    const last = steps.at(-1) as PriceStep
    if (price >= last.price) continue
    if (from === last.from) last.price = price
    else steps.push({ from, price })
  }
  return steps
}

/** The quoted price counts for its quantity alone, if it is lower: one piece more or less costs what it would without a quote. */
export function withQuote(steps: readonly PriceStep[], { quantity, price }: QuotedPrice): readonly PriceStep[] {
  const { price: without, unquoted = without } = stepAt(steps, quantity)
  if (price >= without) return steps
  return [
    ...steps.filter(({ from }) => from < quantity),
    { from: quantity, price, unquoted },
    { from: quantity + 1, price: stepAt(steps, quantity + 1).price },
    ...steps.filter(({ from }) => from > quantity + 1),
  ]
}

/** The step that a quantity reaches. */
export function stepAt(steps: readonly PriceStep[], quantity: number): PriceStep {
  return steps.findLast(({ from }) => from <= quantity) ?? (steps[0] as PriceStep)
}

/** A professional never pays more than a consumer. */
function breaksFor(business: boolean, breaks: readonly QuantityBreak[] = []): QuantityBreak[] {
  return breaks.filter(({ group }) => business || group === 'b2c').toSorted((a, b) => a.from - b.from || a.price - b.price)
}
