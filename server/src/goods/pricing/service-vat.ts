import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import { operatorCountry, serviceTreatment, type ServiceCustomer, type ServiceTreatment } from '#tax'
import { vatOf, type VatRule } from './vat.ts'

export interface ServiceVat {
  treatment: ServiceTreatment
  /** Zero where no VAT is charged. */
  rateBp: number
}

/** The VAT of a service that the marketplace sells in a market: it follows the companies' countries, whatever the market (decision 106). */
export function serviceVat(rules: readonly VatRule[], market: Market, customer: ServiceCustomer, at: Date): ServiceVat {
  const treatment = serviceTreatment(operatorCountry(market), customer)
  const isCharged = treatment === 'domestic' || treatment === 'gb'
  return { treatment, rateBp: isCharged ? operatorRateBp(rules, market, at) : 0 }
}

/** The standard rate of the country of the company that runs the shop, which sells there (platform/production-profile.ts). */
export function operatorRateBp(rules: readonly VatRule[], market: Market, at: Date): number {
  const country = operatorCountry(market)
  const home = marketCodes.find((code) => markets[code].country === country) ?? market
  return vatOf(rules, home, [], at).rateBp
}
