/** For tests: an invented British VAT number that passes the check rule. */
export function inventVatNumber(number: number): string {
  const body = String(number).padStart(7, '0')
  const sum = Array.from(body).reduce((total, digit, at) => total + Number(digit) * (8 - at), 0)
  return `GB${body}${String(97 - (sum % 97)).padStart(2, '0')}`
}
