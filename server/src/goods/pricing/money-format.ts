import { minorPerMajor, type Money } from '@purlin/contract/money.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import type { PriceAmount } from '@purlin/contract/price.ts'

/** An amount without the range that a model may add. */
export type PlainAmount = Omit<PriceAmount, 'ranges'>

// Constructing an Intl formatter costs more than a whole price block: one per market, for the life of the process.
const moneyFormats = new Map<Market, Intl.NumberFormat>()
// At most a hundred per market.
const reductions = new Map<string, string>()

// Prices share few endings and repeat between products, so most amounts of a listing are already cached.
const remembered = new Map<Market, Map<number, PlainAmount>>()
const rememberedMax = 50_000

/** "£1,234.50" in the market's format. The only place where money becomes text. */
export function formatMoney(money: Money, market: Market): string {
  const facts = markets[market]
  if (money.currency !== facts.currency) throw new Error(`${money.currency} is not the currency of ${market}`)
  return amountIn(market, money.amount).asString
}

/** `Money` of the published API. */
export interface ShownMoney {
  amount: number
  currency: string
  formatted: string
}

/** Minor units in the market's currency, with the formatted text. */
export function showMoney(market: Market, amount: number): ShownMoney {
  const { currency } = markets[market]
  return { amount, currency, formatted: formatMoney({ amount, currency }, market) }
}

/** The parts of an amount in the market's format. Takes minor units. Source: R-379. */
export function amountIn(market: Market, minor: number): PlainAmount {
  let known = remembered.get(market)
  if (!known) remembered.set(market, (known = new Map()))
  const hit = known.get(minor)
  if (hit) return hit
  if (known.size >= rememberedMax) known.clear()
  const amount = Object.freeze(formatted(market, minor))
  known.set(minor, amount)
  return amount
}

/** A price amount with the range of a model, if its ends differ. Source: R-387. */
export function priceAmount(market: Market, minor: number, range?: { min: number; max: number } | null): PriceAmount {
  const amount = amountIn(market, minor)
  const ranges =
    range && range.min !== range.max ? { min: amountIn(market, range.min).asString, max: amountIn(market, range.max).asString } : null
  return { ...amount, ranges }
}

/** "-15%" or "-15 %", in the market's format of a reduction. Takes whole percent. */
export function formatReduction(market: Market, percent: number): string {
  const key = `${market}${percent}`
  let text = reductions.get(key)
  if (text === undefined) {
    const format = new Intl.NumberFormat(markets[market].locale, { style: 'percent' })
    reductions.set(key, (text = format.format(`${-percent}e-2` as Intl.StringNumericLiteral)))
  }
  return text
}

function formatted(market: Market, minor: number): PlainAmount {
  if (!Number.isSafeInteger(minor)) throw new Error(`An amount is a whole number of minor units, not ${minor}`)
  // The decimal string keeps floats out of the formatting; `e-2` because both currencies have two decimals.
  const parts = moneyFormat(market).formatToParts(`${minor}e-2` as Intl.StringNumericLiteral)
  let integer = ''
  let decimal = ''
  let asString = ''
  for (const { type, value } of parts) {
    asString += value
    // Trap: es and it write 1234,50 without a separator and 12.345,00 with one; fr separates by U+202F. Only Intl knows.
    if (type === 'integer' || type === 'group' || type === 'minusSign') integer += value
    if (type === 'fraction') decimal = value
  }
  return { integer, decimal, asString, asFloat: minor / minorPerMajor }
}

function moneyFormat(market: Market): Intl.NumberFormat {
  let format = moneyFormats.get(market)
  if (!format) {
    const { locale, currency } = markets[market]
    format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    moneyFormats.set(market, format)
  }
  return format
}
