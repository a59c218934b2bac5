/**
 * Address formats of the countries the shop delivers to: notation of postcodes and phone numbers, and the order of lines on
 * an envelope. One table for forms, gateway and pages.
 */
export interface AddressFormat {
  postcode: RegExp
  /** Shown next to the field. */
  example: string
  /** The on-screen keyboard of phones. */
  keyboard: 'text' | 'numeric'
  dialCode: string
  /** Number of digits of the national number without its leading zero. Italy keeps the zero. */
  phone: RegExp
  /** The town comes before the postcode, on a line of its own. */
  isTownFirst: boolean
}

export const addressFormats = {
  ES: {
    postcode: /^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
    example: '28001',
    keyboard: 'numeric',
    dialCode: '34',
    phone: /^[6789]\d{8}$/,
    isTownFirst: false,
  },
  FR: {
    postcode: /^(?:0[1-9]|[1-8]\d|9[0-8])\d{3}$/,
    example: '75011',
    keyboard: 'numeric',
    dialCode: '33',
    phone: /^[1-9]\d{8}$/,
    isTownFirst: false,
  },
  GB: {
    postcode: /^(?:GIR 0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRV-Y]) \d[ABD-HJLNP-UW-Z]{2})$/,
    example: 'SW1A 1AA',
    keyboard: 'text',
    dialCode: '44',
    phone: /^[1-9]\d{8,9}$/,
    isTownFirst: true,
  },
  DE: {
    postcode: /^(?:0[1-9]|[1-9]\d)\d{3}$/,
    example: '10115',
    keyboard: 'numeric',
    dialCode: '49',
    phone: /^[1-9]\d{5,11}$/,
    isTownFirst: false,
  },
  IT: {
    postcode: /^\d{5}$/,
    example: '00184',
    keyboard: 'numeric',
    dialCode: '39',
    phone: /^(?:0\d{5,10}|3\d{8,9})$/,
    isTownFirst: false,
  },
} as const satisfies Record<string, AddressFormat>

export type AddressCountry = keyof typeof addressFormats

export function isAddressCountry(country: string): country is AddressCountry {
  return Object.hasOwn(addressFormats, country)
}

function formatOf(country: string): AddressFormat | undefined {
  return isAddressCountry(country) ? addressFormats[country] : undefined
}

/** "sw1a1aa" → "SW1A 1AA": in the country's format. Null when it cannot be one. */
export function postcodeOf(country: string, typed: string): string | null {
  const tight = typed
    .slice(0, 20)
    .toUpperCase()
    .replace(/[\s.-]+/g, '')
  const written = country === 'GB' && tight.length >= 5 ? `${tight.slice(0, -3)} ${tight.slice(-3)}` : tight
  return formatOf(country)?.postcode.test(written) ? written : null
}

/**
 * National numbers that can be mobile phones, without a leading zero. Personal numbers and pagers (070 and 076 in gb, 70 in es, 0164 … in de) look
 * alike, and some of them charge those who call or text them.
 */
const mobileNumbers: Record<AddressCountry, RegExp> = {
  ES: /^(?:6\d|7[1-9])\d{7}$/,
  FR: /^[67]\d{8}$/,
  GB: /^7[1-57-9]\d{8}$/,
  DE: /^1(?:5\d|6[023]|7\d)\d{7,8}$/,
  IT: /^3\d{8,9}$/,
}

/** "+44 7700 900123" from a number entered with or without the country code; null when it is not valid there. */
export function phoneOf(country: string, typed: string): string | null {
  const format = formatOf(country)
  const signs = typed.slice(0, 40).replace(/[\s().\-/]+/g, '')
  if (!format || !/^(?:\+|00)?\d{5,16}$/.test(signs)) return null
  const { dialCode } = format
  const international = /^(?:\+|00)(\d+)$/.exec(signs)?.[1]
  if (international !== undefined && !international.startsWith(dialCode)) return international.length >= 8 ? `+${international}` : null
  const national = withoutTrunkZero(country, international?.slice(dialCode.length) ?? signs)
  return format.phone.test(national) ? `+${dialCode} ${national}` : null
}

/** In Italy the zero belongs to the number. */
function withoutTrunkZero(country: string, national: string): string {
  return country === 'IT' ? national : national.replace(/^0/, '')
}

/**
 * "+44 7700 900123" if it can be a mobile phone of one of these countries, whichever it was entered in, and written in the same way each time;
 * null for any other number.
 */
export function mobilePhoneOf(country: string, typed: string): string | null {
  const digits = phoneOf(country, typed)?.replace(/\D/g, '')
  const of = (Object.keys(addressFormats) as AddressCountry[]).find((each) => digits?.startsWith(addressFormats[each].dialCode))
  if (digits === undefined || of === undefined) return null
  const { dialCode } = addressFormats[of]
  const national = withoutTrunkZero(of, digits.slice(dialCode.length))
  return mobileNumbers[of].test(national) ? `+${dialCode} ${national}` : null
}

/** Postcode and town in the country's envelope format, line by line. */
export function townLines({ country, postcode, city }: { country: string; postcode: string; city: string }): string[] {
  return formatOf(country)?.isTownFirst ? [city, postcode] : [`${postcode} ${city}`]
}
