import type { TaxKey } from '@purlin/contract/money.ts'
import type { PriceBlock } from '@purlin/contract/price.ts'
import { priceAmount } from './money-format.ts'
import { priceSteps, singlePrice, stepAt, type AskedPrices } from './price-steps.ts'
import { showsOtherTaxMode, taxKey, type PriceDisplay } from './tax-mode.ts'
import { unitPrice, type UnitContent } from './unit-price.ts'
import { splitGross, type Vat } from './vat.ts'

/** Everything an offer's price depends on, besides the viewer. Minor units, all with VAT. */
export interface PriceCase extends AskedPrices {
  /** Default: one piece. */
  quantity?: number
  /** Result of `retailPrice`. */
  retailPrice: number | null
  sellerCountry: string
  vat: Vat
  unit: UnitContent | null
  /** Sold in multiples of this. */
  bulk?: number | null
  /** Lowest and highest price of the model's products. */
  range: { min: number; max: number } | null
}

/** The price with VAT per piece for this viewer; cart and checkout charge exactly this. */
export function askedPrice(display: Pick<PriceDisplay, 'business'>, offer: AskedPrices, quantity = 1): number {
  return quantity === 1 ? singlePrice(display, offer) : stepAt(priceSteps(display, offer), quantity).price
}

/** A price with VAT, converted to the viewer's tax mode. */
export function inTaxMode(key: TaxKey, gross: number, vat: Vat): number {
  return key === 'with_vat' ? gross : splitGross(gross, vat.rateBp).net
}

/** The price block of spec §3, ready to display. Source: R-373…R-387. */
export function priceBlock(display: PriceDisplay, offer: PriceCase): PriceBlock {
  const { market } = display
  const key = taxKey(display, offer.sellerCountry)
  const gross = askedPrice(display, offer, offer.quantity)
  const shown = (amount: number): number => inTaxMode(key, amount, offer.vat)
  const main = shown(gross)
  const bulk = offer.bulk ?? 1
  const retail = offer.retailPrice !== null && offer.retailPrice > gross ? shown(offer.retailPrice) : null
  const other = inTaxMode(key === 'with_vat' ? 'without_vat' : 'with_vat', gross, offer.vat)
  return {
    main: priceAmount(market, main, offer.range && { min: shown(offer.range.min), max: shown(offer.range.max) }),
    taxKey: key,
    retail: retail === null ? null : priceAmount(market, retail),
    secondary: showsOtherTaxMode(display, offer.sellerCountry) && other !== main ? priceAmount(market, other) : null,
    discount: retail === null ? null : percentOff(retail, main),
    unit: unitPrice(market, main, offer.unit),
    hasNoVATForDE: offer.vat.hasNoVATForDE,
    isZeroRated: offer.vat.rateBp === 0,
    pack: bulk > 1 ? { quantity: bulk, amount: priceAmount(market, main * bulk) } : null,
  }
}

/** The price with VAT of a block, minor units, in whichever tax mode it is shown. */
export function priceWithVat({ taxKey: key, main, secondary }: Pick<PriceBlock, 'taxKey' | 'main' | 'secondary'>): number {
  // A price without VAT has the other one beside it, unless they are equal.
  return Math.round((key === 'with_vat' ? main : (secondary ?? main)).asFloat * 100)
}

/** Whole percent from one price down to a lower one, rounded down so that it is never overstated. Null under 1 %. */
export function percentOff(from: number, to: number): number | null {
  const percent = Math.floor(((from - to) * 100) / from)
  return percent > 0 ? percent : null
}

/** Percent by which a professional pays less than a consumer. Source. */
export function proAdvantagePercentage(offer: { price: number; proPrice: number | null }): number | null {
  return offer.proPrice === null ? null : percentOff(offer.price, offer.proPrice)
}
