import type { Language } from './markets.ts'

/** Words of an address: "Perceuse à percussion 18 V" is "perceuse-a-percussion-18-v". German umlauts are written out. */
export function slugOf(text: string, language: Language, maxLength = 80): string {
  const folded = (language === 'de' ? text.replace(/ä/gi, 'ae').replace(/ö/gi, 'oe').replace(/ü/gi, 'ue') : text)
    .replace(/ß/g, 'ss')
    .replace(/ø/gi, 'd')
    .replace(/²/g, '2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (folded.length <= maxLength) return folded
  return folded.slice(0, folded.lastIndexOf('-', maxLength)).replace(/-$/, '')
}
