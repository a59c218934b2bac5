import type { QuantityBreak } from '#catalogue'
import type { PriceDisplay } from './tax-mode.ts'

/** What an offer costs, by quantity and group of customers. Minor units with VAT. */
export interface AskedPrices {
  price: number
  /** The seller's price for professionals, if lower. */
  proPrice: number | null
  quantityBreaks?: readonly QuantityBreak[]
}

/** A price per piece from a quantity on, until the next step. */
export interface PriceStep {
  from: number
  price: number
}

/** The price of one piece. */
export function singlePrice({ business }: Pick<PriceDisplay, 'business'>, { price, proPrice }: AskedPrices): number {
  return business && proPrice !== null && proPrice < price ? proPrice : price
}

/** The prices of an offer for this viewer by quantity: ascending, the first one from a single piece on. */
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

/** The step that a quantity reaches. */
export function stepAt(steps: readonly PriceStep[], quantity: number): PriceStep {
  return steps.findLast(({ from }) => from <= quantity) ?? (steps[0] as PriceStep)
}

/** A professional never pays more than a consumer. */
function breaksFor(business: boolean, breaks: readonly QuantityBreak[] = []): QuantityBreak[] {
  return breaks.filter(({ group }) => business || group === 'b2c').toSorted((a, b) => a.from - b.from || a.price - b.price)
}
