import { charClass, DIGIT, fold, LETTER, OTHER } from './fold.ts'
import { units } from './languages.ts'

/** A number found in a text: its end, its normalised value, and its terms. */
export interface NumberToken {
  end: number
  /** Terms at this position, the most specific first: ["4x40"], ["18v", "18"]. */
  terms: string[]
  /** The value alone; '' for a dimension. */
  value: string
  /** Canonical unit, or '' when there is none. */
  unit: string
  /** True when a word that is not a unit is attached to the number: "14Stufen". */
  glued: boolean
}

const DIM =
  /(\d+(?:[.,]\d+)?)[ \u00a0\u202f]?(?:mm|cm|m)?[ \u00a0\u202f]?[x×*X][ \u00a0\u202f]?(\d+(?:[.,]\d+)?)(?:[ \u00a0\u202f]?(?:mm|cm|m)?[ \u00a0\u202f]?[x×*X][ \u00a0\u202f]?(\d+(?:[.,]\d+)?))?(?:[ \u00a0\u202f]?(mm|cm|m))?(?![\p{L}\p{N}])/uy
const NUM = /\d+(?:[\u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)*/y

/** "1.500" is 1500 in German and 1.5 in English; insignificant zeros are dropped. */
export function canonicalNumber(text: string, decimal: ',' | '.'): string {
  let plain = text.replace(/[\u00a0\u202f]/g, '')
  const thousands = decimal === ',' ? '.' : ','
  const marks = plain.match(/[.,]/g)
  if (marks) {
    if (marks.length > 1 && new Set(marks).size === 1) plain = plain.replaceAll(marks[0], '')
    else if (marks.length > 1) plain = plain.replaceAll(thousands, '').replace(',', '.')
    else if (marks[0] === thousands && /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain)) plain = plain.replace(/[.,]/, '')
    else plain = plain.replace(',', '.')
  }
  return plain.includes('.') ? plain.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : plain
}

/** Reads the number that starts at `start` with its unit or its dimensions. */
export function readNumber(text: string, start: number, decimal: ',' | '.'): NumberToken {
  DIM.lastIndex = start
  const dim = DIM.exec(text)
  if (dim) {
    const sides = [dim[1], dim[2], dim[3]].filter((side) => side !== undefined).map((side) => canonicalNumber(side, decimal))
    const unit = dim[4] ?? ''
    const terms = [sides.join('x'), ...sides, ...(unit ? sides.map((side) => side + unit) : [])]
    return { end: start + dim[0].length, terms, value: '', unit, glued: false }
  }
  NUM.lastIndex = start
  const digits = NUM.exec(text)![0]
  const value = canonicalNumber(digits, decimal)
  let end = start + digits.length
  const next = end < text.length ? text.charCodeAt(end) : 0
  const isGlued = next !== 0 && charClass(next) === LETTER
  const blank = next === 0x20 || next === 0xa0 || next === 0x202f
  const from = isGlued ? end : blank ? end + 1 : text.length
  let to = from
  while (to < text.length && charClass(text.charCodeAt(to)) === LETTER) to++
  if (to === from) return { end, terms: [value], value, unit: '', glued: false }
  const followed = to < text.length && charClass(text.charCodeAt(to)) === DIGIT
  if (followed && isGlued) {
    // "2t4ah", "10w40": a code, not split.
    while (to < text.length && charClass(text.charCodeAt(to)) !== OTHER) to++
    const whole = fold(text.slice(start, to))
    return { end: to, terms: [whole], value: '', unit: '', glued: false }
  }
  let word = fold(text.slice(from, to))
  if (followed && (word === 'm' || word === 'mm' || word === 'cm')) {
    word += text[to]
    to++
  }
  const unit = units.get(word)
  if (unit !== undefined && (isGlued || !followed || to - from > 1)) {
    end = to
    return { end, terms: [value + unit, value], value, unit, glued: false }
  }
  if (isGlued) return { end: to, terms: [value + word, value], value, unit: word, glued: true }
  return { end, terms: [value], value, unit: '', glued: false }
}
