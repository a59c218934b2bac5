import { checkVAT, countries } from 'jsvat'

/** Countries covered by VIES, by number prefix; XI is Northern Ireland, EL is Greece. */
const viesPrefixes = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ')

const union = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

/** Whether a country is a member state of the Union, and of its customs territory. */
export function isInUnion(country: string): boolean {
  return union.has(country)
}

export type VatRegister = 'vies' | 'hmrc'

/** Upper case, without the blanks, dots and hyphens people write; a number without prefix gets that of the country. */
export function canonicalVatNumber(typed: string, country: string): string {
  const number = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s.\-/]+/g, '')
  const own = `${country}${number}`
  if (number.startsWith('GR')) return `EL${number.slice(2)}`
  if (number === '' || isVatNumber(number)) return number
  // A French number may begin with two letters that are another country's prefix.
  return registerOf(number) === null || isVatNumber(own) ? own : number
}

/** The register for numbers with this prefix; null for countries whose numbers cannot be checked. */
export function registerOf(number: string): VatRegister | null {
  const prefix = number.slice(0, 2)
  if (prefix === 'GB') return 'hmrc'
  return viesPrefixes.includes(prefix) ? 'vies' : null
}

/** The member state of the Union that gave a number; null for others. Northern Ireland is in the Union's register for goods, and no member. */
export function memberStateOf(number: string): string | null {
  const prefix = number.slice(0, 2)
  if (registerOf(number) !== 'vies' || prefix === 'XI') return null
  return prefix === 'EL' ? 'GR' : prefix
}

/** The country whose register has a number, which is that of services to its holder: Northern Ireland follows the Union for goods alone. */
export function countryOfVatNumber(number: string): string {
  return number.startsWith('XI') ? 'GB' : (memberStateOf(number) ?? number.slice(0, 2))
}

/** Whether it is in its country's VAT number format, with a correct check digit. Only then is the register queried. */
export function isVatNumber(number: string): boolean {
  if (registerOf(number) === null) return false
  // Northern Ireland has Great Britain's rule under a prefix of its own.
  return checkVAT(number.startsWith('XI') ? `GB${number.slice(2)}` : number, countries).isValid
}

/** A number as its register writes it; null if it cannot be one. */
export function wellFormedVatNumber(typed: string, country: string): string | null {
  const number = canonicalVatNumber(typed, country)
  return isVatNumber(number) ? number : null
}

/** Fiscal number of a company: Spain's NIF is its VAT number without prefix, Italy's codice fiscale has eleven digits. */
export function isCompanyFiscalNumber(country: string, number: string): boolean {
  return (country === 'ES' || country === 'IT') && isVatNumber(country + number)
}
