import { isAddressCountry, phoneOf, postcodeOf } from '@purlin/contract/addresses.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'

/** An address as it is printed on a parcel or an invoice. */
export interface PostalAddress {
  firstName: string
  lastName: string
  company: string | null
  vatNumber: string | null
  line1: string
  line2: string | null
  postcode: string
  city: string
  /** ISO 3166-1 alpha-2, upper case. */
  country: string
  phone: string
  instructions: string | null
}

export interface AddressInput {
  firstName: string
  lastName: string
  company?: string | null
  vatNumber?: string | null
  line1: string
  line2?: string | null
  postcode: string
  city: string
  /** Optional: only freight needs it, and then the order is refused without it. */
  phone?: string | null
  instructions?: string | null
  billing?: BillingInput | null
}
export interface BillingInput {
  name: string
  line1: string
  line2?: string | null
  postcode: string
  city: string
  country: string
}

/** The reason a field is invalid: keys of its messages. */
export type FieldReason = 'missing' | 'too-long' | 'signs' | 'postcode-format' | 'phone-format' | 'country-unknown' | 'vat-number-format'
export type FieldRefusals = Record<string, FieldReason>

const vatNumbers: Record<string, RegExp> = {
  ES: /^ES[A-Z0-9]\d{7}[A-Z0-9]$/,
  FR: /^FR[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^GB(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  DE: /^DE\d{9}$/,
  IT: /^IT\d{11}$/,
}

const lengths = { firstName: 60, lastName: 60, company: 100, line1: 100, line2: 100, city: 80, instructions: 300, name: 120 } as const

/** Validates an address for a market; returns it as it will be printed, or every invalid field. */
export function checkAddress(
  market: Market,
  input: AddressInput,
): { address: PostalAddress; billing: PostalAddress } | { fields: FieldRefusals } {
  const { address, fields } = readAddress(markets[market].country, input)
  const billing = input.billing ? checkBilling(input.billing, address, fields) : address
  return Object.keys(fields).length > 0 ? { fields } : { address, billing }
}

/** Validates an address in any of the countries we deliver to. */
export function checkPostalAddress(country: string, input: AddressInput): { address: PostalAddress } | { fields: FieldRefusals } {
  const { address, fields } = readAddress(country, input)
  if (!isAddressCountry(country)) fields['country'] = country === '' ? 'missing' : 'country-unknown'
  return Object.keys(fields).length > 0 ? { fields } : { address }
}

function readAddress(country: string, input: AddressInput): { address: PostalAddress; fields: FieldRefusals } {
  const fields: FieldRefusals = {}
  const text = (field: keyof typeof lengths, value: string | null | undefined, needed: boolean): string | null =>
    words(value, lengths[field], needed, field, fields)
  const read = <Value>(path: string, typed: string, value: Value | null, reason: FieldReason): Value | null => {
    if (value === null) fields[path] = typed.trim() === '' ? 'missing' : reason
    return value
  }
  const postcode = read('postcode', input.postcode, postcodeOf(country, input.postcode), 'postcode-format')
  const phoneTyped = input.phone?.trim() ?? ''
  const phone = phoneTyped === '' ? '' : read('phone', phoneTyped, phoneOf(country, phoneTyped), 'phone-format')
  const vatNumber = vatNumberOf(input.vatNumber)
  if (vatNumber !== null && !vatNumbers[vatNumber.slice(0, 2)]?.test(vatNumber)) fields['vatNumber'] = 'vat-number-format'
  const address: PostalAddress = {
    firstName: text('firstName', input.firstName, true) ?? '',
    lastName: text('lastName', input.lastName, true) ?? '',
    company: text('company', input.company, false),
    vatNumber,
    line1: text('line1', input.line1, true) ?? '',
    line2: text('line2', input.line2, false),
    postcode: postcode ?? '',
    city: text('city', input.city, true) ?? '',
    country,
    phone: phone ?? '',
    instructions: text('instructions', input.instructions, false),
  }
  return { address, fields }
}

function checkBilling(input: BillingInput, to: PostalAddress, fields: FieldRefusals): PostalAddress {
  const country = input.country.trim().toUpperCase()
  if (!isAddressCountry(country)) fields['billing.country'] = input.country.trim() === '' ? 'missing' : 'country-unknown'
  const postcode = postcodeOf(country, input.postcode)
  if (postcode === null) fields['billing.postcode'] = input.postcode.trim() === '' ? 'missing' : 'postcode-format'
  const name = words(input.name, lengths.name, true, 'billing.name', fields) ?? ''
  const [first = '', ...rest] = name.split(' ')
  return {
    ...to,
    firstName: rest.length > 0 ? first : '',
    lastName: rest.length > 0 ? rest.join(' ') : first,
    line1: words(input.line1, lengths.line1, true, 'billing.line1', fields) ?? '',
    line2: words(input.line2, lengths.line2, false, 'billing.line2', fields),
    postcode: postcode ?? '',
    city: words(input.city, lengths.city, true, 'billing.city', fields) ?? '',
    country,
    instructions: null,
  }
}

/** Trimmed to one line. Control and bidirectional characters are refused: they have no place on a parcel or in a mail header. */
function words(value: string | null | undefined, longest: number, needed: boolean, path: string, fields: FieldRefusals): string | null {
  const tidy = (value ?? '')
    .normalize('NFC')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
  if (tidy === '') {
    if (needed) fields[path] = 'missing'
    return null
  }
  if (tidy.length > longest) fields[path] = 'too-long'
  else if (/[\p{Cc}\p{Cf}<>]/u.test(tidy)) fields[path] = 'signs'
  return tidy
}

function vatNumberOf(typed: string | null | undefined): string | null {
  return (
    (typed ?? '')
      .slice(0, 30)
      .toUpperCase()
      .replace(/[\s.-]+/g, '') || null
  )
}
