/** Digits of a card number as entered, without blanks and dashes. */
export function digitsOf(typed: string): string {
  return typed.slice(0, 64).replace(/[\s-]+/g, '')
}

/** Verifies the check digit of a card number (Luhn). */
export function passesLuhn(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

export type Brand = 'visa' | 'mastercard' | 'amex' | 'card'

export function brandOf(digits: string): Brand {
  if (digits.startsWith('4')) return 'visa'
  if (/^(?:5[1-5]|2[2-7])/.test(digits)) return 'mastercard'
  return /^3[47]/.test(digits) ? 'amex' : 'card'
}

/** "04/28", "4 / 2028" → the month of expiry; null when it is not a month. */
export function readExpiry(typed: string): { year: number; month: number } | null {
  const match = /^\s*(\d{1,2})\s*[/.\- ]?\s*(\d{4}|\d{2})\s*$/.exec(typed.slice(0, 20))
  const month = Number(match?.[1])
  const year = Number(match?.[2]?.length === 2 ? `20${match[2]}` : match?.[2])
  return match && month >= 1 && month <= 12 ? { year, month } : null
}

/** A card is valid until the last moment of its month, in the time zone where that is latest. */
export function hasExpired({ year, month }: { year: number; month: number }, now: Date): boolean {
  return Date.UTC(year, month, 1) + 12 * 3_600_000 <= now.getTime()
}
