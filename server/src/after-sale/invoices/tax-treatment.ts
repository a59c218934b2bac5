import type { ServiceVat } from '#pricing'
import { isInUnion, memberStateOf } from '#tax'

/**
 * How VAT is stated on an invoice.
 * `domestic`: seller and delivery in the same country, or imported by the seller · `oss`: sold from another member state to a consumer, at the rate of
 * the destination · `reverse-charge`: sold to a business of another member state with a valid VAT number · `gb`: the same
 * as domestic, in the United Kingdom · `deemed-supplier`: imported, the marketplace is the supplier and accounts for the VAT of the destination ·
 * `outside-scope`: a service to a business in another territory of VAT, as to one in the United Kingdom from the Union.
 */
export const taxTreatments = ['domestic', 'oss', 'reverse-charge', 'gb', 'deemed-supplier', 'outside-scope'] as const
export type TaxTreatment = (typeof taxTreatments)[number]

/** Codes of UNTDID 5305: standard rate, zero rate, intra-Community supply, reverse charge of services, outside the scope. */
export type VatCategory = 'S' | 'Z' | 'K' | 'AE' | 'O'

interface Sale {
  sellerCountry: string
  /** Where the goods go. */
  destination: string
  /** The buyer's VAT number, if a register has confirmed it. */
  confirmedVatNumber: string | null
  /** As of the order (checkout/deemed-supply.ts). */
  isDeemedSupply: boolean
}

export function treatmentOf({ sellerCountry, destination, confirmedVatNumber, isDeemedSupply }: Sale): TaxTreatment {
  if (isDeemedSupply) return 'deemed-supplier'
  const isImport = !isInUnion(sellerCountry) || !isInUnion(destination)
  if (sellerCountry === destination || isImport) return destination === 'GB' ? 'gb' : 'domestic'
  return confirmedVatNumber !== null && isFromElsewhere(confirmedVatNumber, sellerCountry) ? 'reverse-charge' : 'oss'
}

/** Whether a VAT number was given by another member state than the seller's. */
function isFromElsewhere(vatNumber: string, sellerCountry: string): boolean {
  const state = memberStateOf(vatNumber)
  return state !== null && state !== sellerCountry
}

/** The category of a line: with reverse charge no VAT is charged, whatever the rate of the goods. */
export function categoryOf(treatment: TaxTreatment, rateBp: number): VatCategory {
  if (treatment === 'reverse-charge') return 'K'
  return rateBp === 0 ? 'Z' : 'S'
}

const ofServices = { domestic: 'S', gb: 'S', 'reverse-charge': 'AE', 'outside-scope': 'O' } as const

/** The category of a service of the marketplace. */
export function serviceCategoryOf(treatment: ServiceVat['treatment']): VatCategory {
  return ofServices[treatment]
}
