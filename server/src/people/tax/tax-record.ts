import { isFiscalNumber } from '@purlin/contract/fiscal-numbers.ts'
import { isAddressCountry, postcodeOf } from '@purlin/contract/addresses.ts'
import type { Actor } from '@purlin/contract/principal.ts'
import type { VatState } from './vat-state.ts'
import { canonicalVatNumber, isCompanyFiscalNumber, isVatNumber } from './vat-number.ts'

/** How invoices name somebody. */
export interface TaxDetails {
  legalName: string | null
  line1: string | null
  line2: string | null
  postcode: string | null
  city: string | null
  country: string | null
  fiscalNumber: string | null
  sdiCode: string | null
  pec: string | null
  vatNumber: string | null
}

export interface TaxRecord extends TaxDetails {
  owner: string
  vatState: VatState | null
  vatDoubts: number
  vatTries: number
  vatCheckedAt: Date | null
  vatNextAt: Date | null
}

export interface TaxOwner {
  /** Of the record. */
  key: string
  customerId: string
  /** Null for customers on their own. */
  company: { id: string; country: string } | null
}

/** Whose tax information somebody sees: a member their company's, a customer their own; null for everybody else. */
export function taxOwnerOf({ principal: actor }: { principal: Actor }): TaxOwner | null {
  if (actor.kind === 'member') return { key: companyTaxOwner(actor.company.id), customerId: actor.id, company: actor.company }
  return actor.kind === 'customer' ? { key: customerTaxOwner(actor.id), customerId: actor.id, company: null } : null
}

/** Whether its register knows the number of a record, but not as that of its owner: an operator decides. */
export function isInReview({ vatState, vatCheckedAt }: Pick<TaxRecord, 'vatState' | 'vatCheckedAt'>): boolean {
  return vatState === 'pending' && vatCheckedAt !== null
}

/** The customer of an owner's key; null for a company's. */
export function customerOf(key: string): string | null {
  return key.startsWith('customer:') ? key.slice('customer:'.length) : null
}

/** The company of an owner's key; null for a customer's. */
export function companyIdOfOwner(key: string): string | null {
  return key.startsWith('company:') ? key.slice('company:'.length) : null
}

export function customerTaxOwner(customerId: string): string {
  return `customer:${customerId}`
}

export function companyTaxOwner(companyId: string): string {
  return `company:${companyId}`
}

export type TaxInput = { [Field in keyof TaxDetails]?: string | null }
export type TaxFault =
  | 'missing'
  | 'too-long'
  | 'signs'
  | 'country'
  | 'postcode'
  | 'vat-number'
  | 'vat-number-taken'
  | 'fiscal-number'
  | 'sdi-code'
  | 'pec'

const longest = { legalName: 120, line1: 100, line2: 100, city: 80 } as const

/** The input as invoices will print it, or each field that is not right. */
export function checkTaxDetails(
  input: TaxInput,
  { country: home, isCompany }: { country: string; isCompany: boolean },
): { details: TaxDetails } | { fields: Partial<Record<keyof TaxDetails, TaxFault>> } {
  const fields: Partial<Record<keyof TaxDetails, TaxFault>> = {}
  const line = (field: keyof typeof longest): string | null => {
    const text = (input[field] ?? '').normalize('NFC').replace(/\s+/g, ' ').trim()
    if (text.length > longest[field]) fields[field] = 'too-long'
    else if (/[\p{Cc}\p{Cf}<>]/u.test(text)) fields[field] = 'signs'
    return text || null
  }
  const code = (field: 'fiscalNumber' | 'sdiCode') => (input[field] ?? '').toUpperCase().replace(/[\s.-]+/g, '') || null
  const details: TaxDetails = {
    legalName: line('legalName'),
    line1: line('line1'),
    line2: line('line2'),
    postcode: input.postcode?.trim() || null,
    city: line('city'),
    country: input.country?.trim() || home,
    fiscalNumber: code('fiscalNumber'),
    sdiCode: code('sdiCode'),
    pec: input.pec?.trim().toLowerCase() || null,
    vatNumber: canonicalVatNumber(input.vatNumber ?? '', input.country?.trim() || home) || null,
  }
  const { country, postcode, fiscalNumber, sdiCode, pec, vatNumber } = details
  if (country === null || !isAddressCountry(country)) fields.country = 'country'
  else if (postcode !== null) {
    details.postcode = postcodeOf(country, postcode)
    if (details.postcode === null) fields.postcode = 'postcode'
  }
  if (vatNumber !== null && !isVatNumber(vatNumber)) fields.vatNumber = 'vat-number'
  if (fiscalNumber !== null && !isFiscalOf(home, fiscalNumber, isCompany)) fields.fiscalNumber = 'fiscal-number'
  if (sdiCode !== null && !/^[A-Z0-9]{6,7}$/.test(sdiCode)) fields.sdiCode = 'sdi-code'
  if (pec !== null && !/^[^\s@<>]{1,64}@[^\s@<>]{1,180}\.[a-z]{2,}$/.test(pec)) fields.pec = 'pec'
  // An invoice that names a VAT number names its owner, too.
  if (vatNumber !== null || details.legalName !== null || isCompany)
    for (const field of ['legalName', 'line1', 'postcode', 'city'] as const) if (details[field] === null) fields[field] ??= 'missing'
  return Object.keys(fields).length > 0 ? { fields } : { details }
}

function isFiscalOf(country: string, number: string, isCompany: boolean): boolean {
  return isFiscalNumber(country, number) || (isCompany && isCompanyFiscalNumber(country, number))
}
