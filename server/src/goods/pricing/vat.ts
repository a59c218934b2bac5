import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay } from './local-time.ts'

/** A row of pricing.vat_rule. */
export interface VatRule {
  market: Market
  /** The category with its descendants; null is the market's standard rate. */
  categoryId: number | null
  /** Basis points: 1900 is 19 %. */
  rateBp: number
  flag: string | null
  /** First and last day, in the market's own calendar: "2026-01-01". */
  validFrom: string
  validTo: string | null
}

export interface Vat {
  rateBp: number
  /** Solar goods in de: zero rate, shown with the legal note. Source: R-685, decision 11. */
  hasNoVATForDE: boolean
}

export interface NetAndVat {
  net: number
  vat: number
  gross: number
}

/**
 * The rate of a category on a day: the rule nearest to the leaf wins, and of two for the same
 * category the one that took effect last.
 * @param categoryPath ids from the department down to the leaf
 * @throws when the market has no standard rate on that day: a price without a rate must not exist
 */
export function vatOf(rules: readonly VatRule[], market: Market, categoryPath: readonly number[], at: Date): Vat {
  const day = localDay(market, at)
  let best: { rule: VatRule; depth: number } | undefined
  for (const rule of rules) {
    if (rule.market !== market || rule.validFrom > day || (rule.validTo !== null && rule.validTo < day)) continue
    const depth = rule.categoryId === null ? -1 : categoryPath.indexOf(rule.categoryId)
    if (rule.categoryId !== null && depth < 0) continue
    if (!best || depth > best.depth || (depth === best.depth && rule.validFrom > best.rule.validFrom)) best = { rule, depth }
  }
  if (!best) throw new Error(`No VAT rule for ${market} on ${day}`)
  return { rateBp: best.rule.rateBp, hasNoVATForDE: best.rule.flag === 'hasNoVATForDE' }
}

/** Whether today, in the market's calendar, is the first day of other rates. */
export function ratesChangeToday(rules: readonly VatRule[], market: Market, at: Date): boolean {
  const today = localDay(market, at)
  const yesterday = addDays(today, -1)
  return rules.some((rule) => rule.market === market && (rule.validFrom === today || rule.validTo === yesterday))
}

/** Splits a price with VAT. Minor units; net + vat equals gross to the cent, at any rate. */
export function splitGross(gross: number, rateBp: number): NetAndVat {
  const net = divideHalfUp(gross * 10_000, 10_000 + rateBp)
  return { net, vat: gross - net, gross }
}

/** Adds VAT to a price without it. Minor units. */
export function addVat(net: number, rateBp: number): NetAndVat {
  const gross = divideHalfUp(net * (10_000 + rateBp), 10_000)
  return { net, vat: gross - net, gross }
}

/** The shop's only rounding rule: half up (away from zero for refunds), to integer minor units. */
export function divideHalfUp(dividend: number, divisor: number): number {
  if (!Number.isSafeInteger(dividend * 2) || !Number.isSafeInteger(divisor) || divisor <= 0) {
    throw new Error(`Cannot divide ${dividend} by ${divisor} exactly`)
  }
  const size = Math.abs(dividend)
  const rest = size % divisor
  const quotient = (size - rest) / divisor + (rest * 2 >= divisor ? 1 : 0)
  return dividend < 0 ? -quotient || 0 : quotient
}
