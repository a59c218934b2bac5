import type { Language } from '@purlin/contract/markets.ts'

/** Number words people use to disguise a phone number: digits, and for the languages that group digits in pairs also two-digit numbers. */
const words: Record<Language, string> = {
  en: 'zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple',
  fr: 'zéro|zero|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante',
  de: String.raw`null|eins|zwei|zwo|drei|vier|fünf|fuenf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}{3,6}zehn|(?:\p{L}{3,6}und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)`,
  es: 'cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa',
  it: 'zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta',
}
const one = Object.values(words).join('|')
const gap = String.raw`[\s,.;:/·-]+(?:(?:et|und|y|e)\s+)?`
const token = String.raw`(?:${one}|\d{1,4})`

/** Seven or more number words and short numbers in a row, at least three of them words. */
export const spelledNumber = new RegExp(
  String.raw`(?<![\p{L}\d])(?=(?:\d{1,4}${gap})*(?:${one})(?:${gap}${token})*?${gap}(?:${one})(?:${gap}${token})*?${gap}(?:${one})(?![\p{L}\d]))${token}(?:${gap}${token}){6,}(?![\p{L}\d])`,
  'giu',
)
