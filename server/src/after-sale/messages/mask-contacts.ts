import type { Market } from '@purlin/contract/markets.ts'
import { spelledNumber } from './spelled-numbers.ts'

/** Stands where contact data were. */
export const mask = '[…]'

export interface Masked {
  text: string
  isMasked: boolean
}

interface Site {
  market: Market
  /** Whether a host is our own: links to it stay. */
  isOwnHost: (host: string) => boolean
}

const topLevel =
  'com|net|org|info|biz|shop|store|online|site|app|eu|uk|fr|de|es|it|io|me|co|tv|ly|gl|gg|to|be|ch|at|pt|pl|nl|ru|cn|xyz|link'
/** Top-level domains that are also words after "punto" or "point": "punto de recogida", "point de retrait". */
const dotWordDomain = topLevel
  .split('|')
  .filter((each) => !['de', 'es', 'to', 'me', 'co', 'at', 'be', 'it'].includes(each))
  .join('|')

const at = String.raw`\s*(?:@|[([{<]\s*(?:at|ät|arroba|arobase|chiocciola|klammeraffe)\s*[)\]}>])\s*|\s+(?:at|ät|arroba|arobase|chiocciola|klammeraffe)\s+`
const dot = String.raw`\s*\.\s*|\s*[([{<]\s*(?:dot|punkt|punto|point|\.)\s*[)\]}>]\s*|\s+(?:dot|punkt|punto|point)\s+`
// Each pattern begins where a run of its characters begins, so that a long run costs one attempt and not one per character.
const email = new RegExp(
  String.raw`(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+(?:${at})[\p{L}\d-]+(?:(?:${dot})[\p{L}\d-]+)*(?:${dot})(?:${topLevel}|\p{L}{2,24})\b`,
  'giu',
)

const address = /(?:https?:\/\/|www\.)[^\s<>]*[^\s<>.,;:!?)]/giu
// Longer ones do not exist in the domain name system.
const label = String.raw`[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?`
// In lower or upper case throughout: "…sent.It is" is the end of a sentence.
const domain = new RegExp(
  String.raw`(?<![\p{L}\d@.])(?:${label}\.){1,40}(?:${topLevel}|${topLevel.toUpperCase()})(?![\p{L}\d-])(?:[/?#](?:[^\s<>]*[^\s<>.,;:!?)])?)?`,
  'gu',
)
const bracketed = new RegExp(
  String.raw`(?<![\p{L}\d-])[\p{L}\d-]{2,}\s*[([{<]\s*(?:dot|punkt|punto|point|\.)\s*[)\]}>]\s*(?:${topLevel})\b`,
  'giu',
)
const spoken = new RegExp(
  String.raw`(?<![\p{L}\d-])[\p{L}\d-]{3,}\s+(?:(?:dot|punkt)\s+(?:${topLevel})|(?:punto|point)\s+(?:${dotWordDomain}))(?![\p{L}\d-])`,
  'giu',
)
const handle = /(?<![\p{L}\d.])@[\p{L}\d_][\p{L}\d_.]{2,}/gu
const iban = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b/gu
// A whole run of digits, however they are separated: part of a longer number is no phone number.
const digits = /(?<![\p{L}\d,])\+?[(]?\d(?:[\s().\-/_*·|]{0,12}\d){6,19}(?![\s().\-/]*\d)(?![\p{L},]\d)/gu
// Also the parts that make an emoji of a digit.
const invisible = /\p{Default_Ignorable_Code_Point}|\u20e3/gu
const blank = /\u2800/gu
const ideographicDot = /。/gu
const digit = /\p{Nd}/gu

/**
 * Removes contact data and links to elsewhere, also when they are disguised, so that what buyers and sellers agree stays
 * where the operator can help them. Order numbers, prices, dates, sizes and tracking numbers stay.
 */
export function maskContacts(written: string, { market, isOwnHost }: Site): Masked {
  // Full-width and invisible characters and digits of other scripts are disguises too.
  const plain = written.normalize('NFKC').replace(invisible, '').replace(blank, ' ').replace(ideographicDot, '.').replace(digit, latinDigit)
  const away = (found: string) => (isOurs(found, isOwnHost) ? found : mask)
  const text = plain
    .replace(email, mask)
    .replace(address, away)
    .replace(domain, away)
    .replace(bracketed, mask)
    .replace(spoken, mask)
    .replace(handle, mask)
    .replace(iban, (found) => (isIban(found) ? mask : found))
    .replace(digits, (found) => (isPhone(found, market) ? mask : found))
    .replace(spelledNumber, mask)
  return { text, isMasked: text !== plain }
}

function isOurs(found: string, isOwnHost: Site['isOwnHost']): boolean {
  const url = URL.parse(/^https?:/i.test(found) ? found : `https://${found}`)
  // A name before the host ("https://purlin.fr@evil.example") is a disguise.
  return url !== null && url.username === '' && isOwnHost(url.host)
}

/** National numbers without a leading zero, by market. */
const bare: Partial<Record<Market, RegExp>> = { es: /^[6-9]\d{8}$/, it: /^3\d{8,9}$/ }

function isPhone(found: string, market: Market): boolean {
  const number = found.replace(/\D/g, '')
  if (isDate(found)) return false
  if (found.startsWith('+') || found.startsWith('(+')) return number.length >= 8 && number.length <= 15
  if (number.startsWith('00')) return number.length >= 10 && number.length <= 16
  if (number.startsWith('0')) return number.length >= 9 && number.length <= 12
  return bare[market]?.test(number) ?? false
}

function isDate(found: string): boolean {
  return /^(?:\d{1,2}([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}|(?:19|20)\d{2}-\d{2}-\d{2})(?!\d)/.test(found)
}

/** ISO 13616: the check digits tell an account number from an order number. */
function isIban(found: string): boolean {
  const account = found.replace(/[ -]/g, '')
  if (account.length < 15) return false
  const rearranged = account.slice(4) + account.slice(0, 4)
  let rest = 0
  for (const sign of rearranged) rest = Number(`${rest}${Number.parseInt(sign, 36)}`) % 97
  return rest === 1
}

/** The digits of a script follow each other from its zero, in blocks of ten. */
function latinDigit(found: string): string {
  if (found >= '0' && found <= '9') return found
  const code = found.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}
