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

/** Legal forms and short words, which registers and people include or omit at will. */
const forms = new Set(
  'ag and cie co company cv de der des di die du e et eirl ek eurl gbr gmbh gmbhcokg inc kg la le les limited llp ltd ltda mbh ohg plc sa sarl sas sasu sl slu snc sociedad spa srl srls the ug und y'.split(
    ' ',
  ),
)

function wordsIn(name: string): Set<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[.'’]/g, '')
  return new Set((plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !forms.has(word)))
}

/**
 * Whether two spellings may name the same company: each distinctive word of the shorter one is in the other, and is at least half of it.
 * One common word, such as a surname, does not name a company whose name has three more.
 */
export function namesAgree(one: string, other: string): boolean {
  const [fewer, more] = [wordsIn(one), wordsIn(other)].toSorted((a, b) => a.size - b.size)
  return (
    fewer !== undefined && more !== undefined && fewer.size > 0 && fewer.size * 2 >= more.size && [...fewer].every((word) => more.has(word))
  )
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
