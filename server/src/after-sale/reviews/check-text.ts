import { createHash } from 'node:crypto'

/** Why an operator looks at a text before it is published. */
export const findings = ['link', 'contact', 'words', 'shouting', 'gibberish', 'duplicate', 'guest', 'photos'] as const
export type Finding = (typeof findings)[number]

// A pattern begins where a run of its characters begins: a long run costs one attempt and not one per character.
const links = /https?:|www\.|(?<![\p{L}\d-])[\p{L}\d-]{2,}\.(?:com|net|org|shop|store|info|biz|xyz|ru|cn|io|eu|uk|co|fr|de|es|it)\b/iu
/** "name (at) example dot com" is an address as well. */
const addresses = /(?<![\p{L}\d._%+-])[\p{L}\d._%+-]+\s*(?:@|\(at\)|\[at\]|\(arroba\)|\(chiocciola\))\s*[\p{L}\d.-]+/iu
const handles = /(?:whats\s?app|telegram|signal|instagram|facebook|tiktok)\b|(?<![\p{L}\d])@[\p{L}\d_.]{3,}/iu
/** Seven digits or more that a person would dial. Measures ("2500 x 1250 mm") have fewer in a row. */
const phones = /(?:\+|\b00|\b0)\d(?:[\s./()-]*\d){6,}/u

/**
 * Insults and hate, as word stems, in all five languages: authors do not keep to the market's. An operator decides, so that a
 * borderline word costs a wait and no review.
 */
const insults = [
  'fuck\\w*',
  'shit\\w*',
  'cunts?',
  'bastards?',
  'assholes?',
  'arseholes?',
  'wankers?',
  'retard(?:s|ed)?',
  'putes?',
  'putain',
  'connards?',
  'connasses?',
  'salopes?',
  'encul\\w*',
  'merdes?',
  'pd',
  'arschl\\w*',
  'schei(?:ß|ss)\\w*',
  'hurens\\w*',
  'wichser\\w*',
  'fotzen?',
  'missgeburt\\w*',
  'put[oa]s?',
  'mierdas?',
  'cabr[oó]n\\w*',
  'gilipollas',
  'hijoputa\\w*',
  'maric[oó]n\\w*',
  'stronz\\w*',
  'cazzo',
  'merda',
  'puttan\\w*',
  'vaffancul\\w*',
  'coglion\\w*',
  'nazis?',
  'hitler',
]
const insult = new RegExp(`(?<![\\p{L}\\d])(?:${insults.join('|')})(?![\\p{L}\\d])`, 'iu')
const shoutedFrom = 24

/** Findings of a text. Source: Omnibus Directive (reviews must be checked), DSA Art. 14 (our own rules are applied to all alike). */
export function checkText(parts: readonly (string | null)[]): Finding[] {
  const text = parts.filter((part) => part !== null).join('\n')
  // "f.u.c.k" and zero-width characters hide a word from the list.
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  const joined = plain.replace(/(?<=(?:^|[^\p{L}])\p{L})[.\-_*](?=\p{L}(?:[^\p{L}]|$))/gu, '')
  const found: Finding[] = []
  if (links.test(plain)) found.push('link')
  if (addresses.test(plain) || handles.test(plain) || phones.test(plain)) found.push('contact')
  if (insult.test(plain) || insult.test(joined)) found.push('words')
  if (isShouted(plain)) found.push('shouting')
  if (/([^\d\s])\1{6,}/u.test(plain) || hasNoWords(plain)) found.push('gibberish')
  return found
}

function isShouted(text: string): boolean {
  const letters = text.replace(/\P{L}/gu, '')
  return letters.length >= shoutedFrom && letters.replace(/\P{Lu}/gu, '').length / letters.length > 0.7
}

/** One endless "word", or hardly any letters. */
function hasNoWords(text: string): boolean {
  const letters = text.replace(/\P{L}/gu, '').length
  return letters < text.length / 3 || /[\p{L}\d]{46,}/u.test(text)
}

/** Copies are the same text without case, punctuation and spaces. */
export function hashOf(body: string): Buffer {
  const plain = body
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\d]/gu, '')
  return createHash('sha256').update(plain).digest()
}
