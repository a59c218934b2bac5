/** Fiscal numbers of people, with their check characters: Spain's NIF and NIE, Italy's codice fiscale. */

const nifLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** 12345678Z, or X1234567L for foreigners: the letter encodes the number modulo 23. */
function isNif(number: string): boolean {
  if (!/^(?:\d{8}|[XYZ]\d{7})[A-Z]$/.test(number)) return false
  const digits = number.slice(0, -1).replace(/^[XYZ]/, (first) => String('XYZ'.indexOf(first)))
  return nifLetters[Number(digits) % 23] === number.at(-1)
}

const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** RSSMRA85T10A562S: characters at odd positions have values of their own, the sum modulo 26 is the last letter. */
function isCodiceFiscale(number: string): boolean {
  // Two people with the same code: digits become letters (omocodia).
  if (!/^[A-Z]{6}[\dLMNPQRSTUV]{2}[ABCDEHLMPRST][\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]$/.test(number)) return false
  let sum = 0
  for (const [at, character] of Array.from(number.slice(0, 15)).entries()) {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    sum += at % 2 === 0 ? (odd[value] ?? 0) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === number[15]
}

const rules: Readonly<Record<string, (number: string) => boolean>> = { ES: isNif, IT: isCodiceFiscale }

/** Whether people in the country have fiscal numbers that invoices may have to state. */
export function hasFiscalNumbers(country: string): boolean {
  return Object.hasOwn(rules, country)
}

/** Whether it is a fiscal number of the country, in upper case and without blanks, with a correct check character. */
export function isFiscalNumber(country: string, number: string): boolean {
  return rules[country]?.(number) ?? false
}
