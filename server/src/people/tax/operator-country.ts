import { markets, type Market } from '@purlin/contract/markets.ts'
import { settings } from '#platform'
import { countryOfVatNumber, registerOf } from './vat-number.ts'

/** The VAT number of the company that runs the shop, without blanks, dots and hyphens. */
export function operatorVatNumber(): string {
  return settings()
    .operator.vatNumber.replace(/[\s.-]+/g, '')
    .toUpperCase()
}

/**
 * The country of the company that runs the shop and invoices its services: that of its VAT number. While the number is a placeholder,
 * each market has a company of its own.
 */
export function operatorCountry(market: Market): string {
  const number = operatorVatNumber()
  return registerOf(number) === null ? markets[market].country : countryOfVatNumber(number)
}
