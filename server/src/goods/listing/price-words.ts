import { publicUrl } from '@purlin/contract/public-addresses.ts'
import type { Language } from '@purlin/contract/markets.ts'

/** A price limit said in the words of a query: "ladder under 150". In major units. */
export interface PricedQuery {
  /** The rest of the query. */
  query: string
  min: number | null
  max: number | null
}

interface PriceWords {
  most: string
  least: string
  /** Also used of lengths and weights: they mean a price only beside a currency. */
  mostOfAnything: string
}

const wordsOf: Record<Language, PriceWords> = {
  en: { most: 'under|below|less than|cheaper than', least: 'over|above|more than', mostOfAnything: 'up to|at most|max|maximum' },
  fr: { most: 'moins de|au-dessous de|en dessous de', least: 'plus de|au-dessus de', mostOfAnything: "jusqu['’]à|max|maximum|sous" },
  de: {
    most: 'unter|weniger als|günstiger als|billiger als',
    least: 'über|mehr als|ab',
    mostOfAnything: 'bis|bis zu|höchstens|max|maximal',
  },
  es: { most: 'menos de|por debajo de', least: 'más de|mas de', mostOfAnything: 'hasta|máximo|maximo' },
  it: { most: 'meno di|sotto i|sotto', least: 'più di|piu di|oltre', mostOfAnything: 'fino a|massimo|max' },
}

const currency = '(?:€|£|euros?|eur|pounds?|gbp|quid|sterline)'
const number = String.raw`(\d{1,6}(?:[.,]\d{1,2})?)`
const expressions = new Map<Language, RegExp>()

/** At the end or in the middle of a query, never followed by a unit: "hose under 20 m" is about length. */
function expressionOf(language: Language): RegExp {
  let expression = expressions.get(language)
  if (!expression) {
    const { most, least, mostOfAnything } = wordsOf[language]
    const bare = String.raw`(?<word>${most}|${least})\s+[€£]?\s?${number}(?:\s?${currency})?(?=\s*$|\s+\p{L}{3,})`
    const withCurrency = String.raw`(?<any>${most}|${least}|${mostOfAnything})\.?\s+(?:[€£]\s?${number}|${number}\s?${currency})(?![\p{L}\p{N}])`
    expression = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${withCurrency}|${bare})`, 'iu')
    expressions.set(language, expression)
  }
  return expression
}

/** The price limit of a query, or null when it has none or consists of nothing else. */
export function readPriceWords(query: string, language: Language): PricedQuery | null {
  const found = expressionOf(language).exec(query)
  if (!found) return null
  const rest = `${query.slice(0, found.index)} ${query.slice(found.index + found[0].length)}`.replace(/\s+/g, ' ').trim()
  const digits = found.slice(1).find((group) => group !== undefined && /^\d/.test(group))
  const amount = Number(digits?.replace(',', '.'))
  if (!/\p{L}{2,}/u.test(rest) || !(amount > 0)) return null
  const word = found.groups?.['any'] ?? found.groups?.['word'] ?? ''
  const isLeast = new RegExp(`^(?:${wordsOf[language].least})$`, 'iu').test(word)
  return { query: rest, min: isLeast ? amount : null, max: isLeast ? null : amount }
}

/** The search page with the limit as a filter, which its visitor can take off. */
export function addressOfPriced({ query, min, max }: PricedQuery): string {
  const end = min === null ? `max%5Bprice%5D=${max}` : `min%5Bprice%5D=${min}`
  return `${publicUrl('search', { query })}?${end}`
}
