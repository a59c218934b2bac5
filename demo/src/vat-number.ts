/** Invented VAT numbers that pass their country's check rule. Codes that no tax office issues are used where a country has them. */
export function inventVatNumber(country: string, number: number): string {
  const make = makers[country]
  if (!make) throw new RangeError(`no rule for VAT numbers of ${country}`)
  return country + make(number)
}

const padded = (number: number, length: number) => String(number).padStart(length, '0').slice(-length)

const makers: Record<string, (number: number) => string> = {
  FR: frenchNumber,
  DE: germanNumber,
  ES: spanishNumber,
  IT: italianNumber,
  GB: britishNumber,
  BE: (number) => {
    const body = Number(`01${padded(number, 6)}`)
    return `${padded(body, 8)}${padded(97 - (body % 97), 2)}`
  },
  PL: polishNumber,
  NL: dutchNumber,
}

/** Luhn sum: every second digit doubled, counted from the right of the future check digit. */
function luhnDigit(body: string): number {
  let sum = 0
  for (let i = 0; i < body.length; i += 1) {
    const digit = Number(body[body.length - 1 - i]) * (i % 2 === 0 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return (10 - (sum % 10)) % 10
}

/** SIREN with its own check digit, preceded by the key modulo 97. The register issues no number that starts with 000. */
function frenchNumber(number: number): string {
  const body = `000${padded(number, 5)}`
  const siren = `${body}${luhnDigit(body)}`
  return padded((12 + 3 * (Number(siren) % 97)) % 97, 2) + siren
}

/** ISO 7064, MOD 11,10. */
function germanNumber(number: number): string {
  const body = `9${padded(number, 7)}`
  let product = 10
  for (const digit of body) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (2 * sum) % 11
  }
  const check = (11 - product) % 10
  return body + check
}

/** CIF of a limited company; 00 is not a province. */
function spanishNumber(number: number): string {
  const body = `00${padded(number, 5)}`
  let sum = 0
  for (let i = 0; i < 7; i += 1) {
    const digit = Number(body[i]) * (i % 2 === 0 ? 2 : 1)
    sum += Math.floor(digit / 10) + (digit % 10)
  }
  return `B${body}${(10 - (sum % 10)) % 10}`
}

/** 777 is not a tax office. */
function italianNumber(number: number): string {
  const body = `${padded(number, 7)}777`
  return body + luhnDigit(body)
}

function britishNumber(number: number): string {
  const body = padded(number % 100_000, 7)
  let sum = 0
  for (let i = 0; i < 7; i += 1) sum += Number(body[i]) * (8 - i)
  return body + padded(97 - (sum % 97), 2)
}

/** Some numbers have no valid check digit; the next one has. */
function polishNumber(number: number): string {
  const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7]
  for (let body = 100_000_000 + number; ; body += 1) {
    const digits = padded(body, 9)
    const check = weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11
    if (check < 10) return digits + check
  }
}

/** The older format: nine digits with a modulo 11 check, and the suffix of the unit. */
function dutchNumber(number: number): string {
  for (let body = 10_000_000 + number; ; body += 1) {
    const digits = padded(body, 8)
    let sum = 0
    for (let i = 0; i < 8; i += 1) sum += Number(digits[i]) * (9 - i)
    if (sum % 11 < 10) return `${digits}${sum % 11}B01`
  }
}
