/** Character classes and folding: what is a letter, what is a digit, and what each becomes without case and accents. */

export const OTHER = 0
export const LETTER = 1
export const DIGIT = 2

const KNOWN = 0x250
const special: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  '²': '2',
  '³': '3',
  '¹': '1',
}

const classes = new Uint8Array(KNOWN)
const folded: string[] = []

for (let code = 0; code < KNOWN; code++) {
  const char = String.fromCharCode(code)
  classes[code] = classOf(char)
  folded.push(foldChar(char))
}

function classOf(char: string): number {
  if (/[0-9]/.test(char)) return DIGIT
  // ² and ³ follow unit letters: m², m³. Digits of other scripts are treated as words: numbers use ASCII digits.
  if (/[\p{L}\p{M}\p{Nd}²³]/u.test(char)) return LETTER
  return OTHER
}

function foldChar(char: string): string {
  const low = char.toLowerCase()
  if (special[low] !== undefined) return special[low]
  return low.normalize('NFKD').replace(/\p{M}+/gu, '')
}

/** Letter, digit or neither, of one UTF-16 unit. Surrogate halves count as letters so that pairs stay whole. */
export function charClass(code: number): number {
  if (code < KNOWN) return classes[code]!
  if (code >= 0xd800 && code <= 0xdfff) return OTHER
  return classOf(String.fromCharCode(code))
}

/** The text without case and accents: "Échelle" and "echelle" are one word. */
export function fold(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    out += code < KNOWN ? folded[code] : foldChar(text[i]!)
  }
  return out
}

/** The normal form of an exact attribute and of a query for it: letters and digits alone. */
export function bare(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) if (charClass(text.charCodeAt(i)) !== OTHER) out += text[i]
  return fold(out)
}
