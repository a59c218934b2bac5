import { countryOfVatNumber, isInUnion } from './vat-number.ts'

/**
 * The VAT of a service of the marketplace to a business. `domestic`: that of the issuer's member state · `gb`: that of the United
 * Kingdom · `reverse-charge`: none, the business accounts for it in another member state · `outside-scope`: none, the business is in
 * another territory of VAT than the issuer.
 */
export type ServiceTreatment = 'domestic' | 'gb' | 'reverse-charge' | 'outside-scope'

export interface ServiceCustomer {
  /** Where the business is established. */
  country: string
  /** Null without a number that can be relied on. */
  vatNumber: string | null
  /** Shown to be a business by other means than a VAT number. */
  isKnownBusiness: boolean
}

/**
 * A service to a business is taxed where the business is established. Without a number only a business outside the issuer's territory
 * can do without VAT, and only if it is known to be one. Source: 2006/112/EC art. 44 and 196, VATA 1994 s. 7A, decision 106.
 */
export function serviceTreatment(issuer: string, { country, vatNumber, isKnownBusiness }: ServiceCustomer): ServiceTreatment {
  const charged = issuer === 'GB' ? 'gb' : 'domestic'
  const established = vatNumber === null ? country : countryOfVatNumber(vatNumber)
  if (country === issuer || established === issuer) return charged
  if (vatNumber === null && !isKnownBusiness) return charged
  if (!isInUnion(issuer) || !isInUnion(established)) return 'outside-scope'
  return vatNumber === null ? charged : 'reverse-charge'
}
