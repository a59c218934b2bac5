import { markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { TaxKey } from '@purlin/contract/money.ts'
import type { Actor } from '@purlin/contract/principal.ts'

/** The inputs of price display: satisfied by a `SiteScope`, and by a `Scope`, which also has the principal. */
export interface PriceViewer {
  market: Market
  mode: Mode
  /** Absent where the result is the same for everybody: prices are then those of the site. */
  principal?: Actor
  /** Chosen by the viewer: prices with VAT on a professional storefront. */
  prefersVat: boolean
}

/**
 * How this visitor sees prices, computed once per request. `key` identifies the case for caches:
 * two viewers with the same key see the same prices everywhere.
 */
export interface PriceDisplay {
  market: Market
  /** A professional for display: on a professional storefront everybody is (decision 5). */
  business: boolean
  prefersVat: boolean
  /** ISO 3166-1 alpha-2: the market's until a company is known. */
  customerCountry: string
  key: string
}

export function priceDisplay({ market, mode, principal, prefersVat }: PriceViewer): PriceDisplay {
  const company = principal?.kind === 'member' ? principal.company : null
  const business = mode === 'b2b' || company !== null
  const customerCountry = company?.country ?? markets[market].country
  const key = business ? `${market}:b2b:${prefersVat ? 'vat' : 'net'}:${customerCountry}` : `${market}:b2c`
  return { market, business, prefersVat, customerCountry, key }
}

/** Which of an offer's two prices this viewer sees. Source: spec §1, §6; R-511…R-514. */
export function taxKey(display: PriceDisplay, sellerCountry: string): TaxKey {
  if (!display.business) return 'with_vat'
  if (markets[display.market].b2bPricesIncludeVat) return 'with_vat' // gb quotes professionals with VAT too
  if (display.prefersVat) return 'with_vat'
  return sellerCountry === display.customerCountry ? 'without_vat' : 'with_vat'
}

/**
 * Whether pages that are the same for everybody show this viewer prices in another tax mode than their own: a member of a company from
 * another country than the market's.
 */
export function differsFromPages(display: PriceDisplay): boolean {
  const { country } = markets[display.market]
  const ofEverybody = { ...display, customerCountry: country }
  return [country, display.customerCountry].some((seller) => taxKey(display, seller) !== taxKey(ofEverybody, seller))
}

/** Whether the other tax mode is worth showing in small print next to the main price. Source: R-384. */
export function showsOtherTaxMode(display: PriceDisplay, sellerCountry: string): boolean {
  return display.business && sellerCountry === display.customerCountry
}
