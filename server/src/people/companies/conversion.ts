/** Spec §3: CONVERTED, LEAD, REFUSED; UNKNOWN before any request. */
export const conversionStates = ['lead', 'converted', 'refused'] as const
export type ConversionState = (typeof conversionStates)[number]
/** Why a request waits for an operator, or was refused. */
export type ConversionReason = 'register-number' | 'name-undisclosed' | 'name-differs' | 'known-company' | 'vat-not-valid' | 'not-a-company'

export interface Conversion {
  id: string
  customerId: string
  state: ConversionState
  reason: ConversionReason | null
  companyName: string
  country: string
  vatNumber: string | null
  registerNumber: string | null
  companyId: string | null
  /** Opened at the registration; null for a consumer's request, whose company is opened when it is accepted. */
  registeredCompanyId: string | null
  requestedAt: Date
  decidedAt: Date | null
}

const registers: Readonly<Record<string, RegExp>> = {
  GB: /^(?:\d{8}|(?:SC|NI|OC|SO|NC|FC|LP|SL)\d{6})$/,
  FR: /^(?:\d{9}|\d{14})$/,
  DE: /^(?:HRA|HRB|GNR|PR|VR)\d{1,6}[A-Z]{0,3}$/,
  ES: /^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/,
  IT: /^[A-Z]{2}\d{5,7}$/,
}

/** Number in the company register as its country writes it: Companies House, SIREN or SIRET, Handelsregister, NIF, REA; null for others. */
export function registerNumberOf(country: string, typed: string): string | null {
  const number = typed.toUpperCase().replace(/[\s.\-/]+/g, '')
  const padded = country === 'GB' && /^\d{6,7}$/.test(number) ? number.padStart(8, '0') : number
  if (!registers[country]?.test(padded)) return null
  return country === 'FR' && !hasLuhnDigit(padded) ? null : padded
}

/** SIREN and SIRET end with a digit that makes Luhn's sum divisible by ten. */
function hasLuhnDigit(number: string): boolean {
  const digits = Array.from(number, Number).toReversed()
  const sum = digits.reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0)
  return sum % 10 === 0
}
