import { markets, type Market } from '@purlin/contract/markets.ts'
import type { Address } from '#orders'

export interface AddressInput {
  firstName: string
  lastName: string
  company?: string | null
  vatNumber?: string | null
  line1: string
  line2?: string | null
  postcode: string
  city: string
  phone: string
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

/** Why a field was refused: keys of the words for it. */
export type FieldReason = 'missing' | 'too-long' | 'signs' | 'postcode-format' | 'phone-format' | 'country-unknown' | 'vat-number-format'
export type FieldRefusals = Record<string, FieldReason>

/** How a postcode is written, by country; upper case, one space where the country has one. */
const postcodes: Record<string, RegExp> = {
  ES: /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
  FR: /^(?:0[1-9]|[1-8]\d|9[0-8])\d{3}$/,
  GB: /^(?:GIR 0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRV-Y]) \d[ABD-HJLNP-UW-Z]{2})$/,
  DE: /^(?:0[1-9]|[1-9]\d)\d{3}$/,
  IT: /^\d{5}$/,
}
const dialCodes: Record<string, string> = { ES: '34', FR: '33', GB: '44', DE: '49', IT: '39' }
/** National number without its leading zero: how many digits it has. Italy keeps the zero. */
const phoneDigits: Record<string, RegExp> = {
  ES: /^[6789]\d{8}$/,
  FR: /^[1-9]\d{8}$/,
  GB: /^[1-9]\d{8,9}$/,
  DE: /^[1-9]\d{5,11}$/,
  IT: /^(?:0\d{5,10}|3\d{8,9})$/,
}
const vatNumbers: Record<string, RegExp> = {
  ES: /^ES[A-Z0-9]\d{7}[A-Z0-9]$/,
  FR: /^FR[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^GB(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  DE: /^DE\d{9}$/,
  IT: /^IT\d{11}$/,
}

const lengths = { firstName: 60, lastName: 60, company: 100, line1: 100, line2: 100, city: 80, instructions: 300, name: 120 } as const

/** One address of a mailbox: no lists, no blanks, no line breaks, as long as the standard allows (CVE-2022-35924). */
export function isEmail(text: string): boolean {
  if (text.length > 254 || /[\p{C}\s,;:<>()[\]\\"]/u.test(text)) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  if (at < 1 || local.length > 64 || local.includes('@') || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false
  return (
    labels.length >= 2 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label)) && /\p{L}$/u.test(text)
  )
}

/** "sw1a1aa" → "SW1A 1AA": as the country writes it. Null when it cannot be one. */
export function postcodeOf(country: string, typed: string): string | null {
  const tight = typed
    .slice(0, 20)
    .toUpperCase()
    .replace(/[\s.-]+/g, '')
  const written = country === 'GB' && tight.length >= 5 ? `${tight.slice(0, -3)} ${tight.slice(-3)}` : tight
  return postcodes[country]?.test(written) ? written : null
}

/** "+44 7700 900123" from what was typed with or without the country's code; null when it cannot be a number there. */
export function phoneOf(country: string, typed: string): string | null {
  const code = dialCodes[country]
  const signs = typed.slice(0, 40).replace(/[\s().\-/]+/g, '')
  if (!code || !/^(?:\+|00)?\d{5,16}$/.test(signs)) return null
  const international = /^(?:\+|00)(\d+)$/.exec(signs)?.[1]
  if (international !== undefined && !international.startsWith(code)) return international.length >= 8 ? `+${international}` : null
  const national = (international?.slice(code.length) ?? signs).replace(country === 'IT' ? /^$/ : /^0/, '')
  return phoneDigits[country]?.test(national) ? `+${code} ${national}` : null
}

/** Checks an address for a market; answers it as it will be printed, or every field that is not right. */
export function checkAddress(market: Market, input: AddressInput): { address: Address; billing: Address } | { fields: FieldRefusals } {
  const { country } = markets[market]
  const fields: FieldRefusals = {}
  const text = (field: keyof typeof lengths, value: string | null | undefined, needed: boolean, path: string = field): string | null =>
    words(value, lengths[field], needed, path, fields)
  const read = <Value>(path: string, typed: string, value: Value | null, reason: FieldReason): Value | null => {
    if (value === null) fields[path] = typed.trim() === '' ? 'missing' : reason
    return value
  }
  const postcode = read('postcode', input.postcode, postcodeOf(country, input.postcode), 'postcode-format')
  const phone = read('phone', input.phone, phoneOf(country, input.phone), 'phone-format')
  const vatNumber = vatNumberOf(input.vatNumber)
  if (vatNumber !== null && !vatNumbers[vatNumber.slice(0, 2)]?.test(vatNumber)) fields['vatNumber'] = 'vat-number-format'
  const address: Address = {
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
  const billing = input.billing ? checkBilling(input.billing, address, fields) : address
  return Object.keys(fields).length > 0 ? { fields } : { address, billing }
}

function checkBilling(input: BillingInput, to: Address, fields: FieldRefusals): Address {
  const country = input.country.trim().toUpperCase()
  if (!(country in postcodes)) fields['billing.country'] = input.country.trim() === '' ? 'missing' : 'country-unknown'
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

/** Trimmed and in one line. Control and direction signs are refused: they have no place on a parcel or in a mail header. */
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
