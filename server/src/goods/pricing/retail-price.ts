import type { Market } from '@purlin/contract/markets.ts'
import type { PricePoint } from '#catalogue'
import { addDays, localDay } from './local-time.ts'

const dayMs = 86_400_000
const priorDays = 30
/** How long a reduction without a promotion is shown as one. */
const toldDays = 30
/** How long a price must have applied in gb to be a genuine reference for a reduction. */
const genuineDays = 28

/**
 * The reference price of a reduction, or null when the current price is not a reduction.
 * es, fr, de, it: the lowest price of the 30 days before the reduction (98/6/EC art. 6a, C-330/23; R-385), shown for
 * 30 days, or for as long as a promotion runs: after that the reduced price is the regular one.
 * gb: the previous price, if it applied for 28 days in a row and for longer than the reduction runs.
 * @param history prices of one offer, in any order
 * @param isPromoted whether the offer is in a running promotion
 */
export function retailPrice(market: Market, history: readonly PricePoint[], now: Date, isPromoted = false): number | null {
  const steps = stepsUntil(history, now)
  const current = steps.at(-1)
  const previous = steps.at(-2)
  if (!current || !previous) return null
  const reducedAt = current.validFrom.getTime()
  const reference = market === 'gb' ? genuinePrice(previous, reducedAt, now.getTime()) : lowestBefore(market, steps, reducedAt)
  if (market !== 'gb' && !isPromoted && now.getTime() - reducedAt > toldDays * dayMs) return null
  return reference !== null && reference > current.price ? reference : null
}

/**
 * `retailPrice` of the current price. A history that ends with another price proves nothing: the price changed between two
 * reads, or was written without a history.
 */
export function provenRetailPrice(
  market: Market,
  asked: number,
  history: readonly PricePoint[],
  now: Date,
  isPromoted: boolean,
): number | null {
  return stepsUntil(history, now).at(-1)?.price === asked ? retailPrice(market, history, now, isPromoted) : null
}

/** The offer's prices up to now, oldest first, with equal consecutive prices merged. */
function stepsUntil(history: readonly PricePoint[], now: Date): PricePoint[] {
  const past = history.filter((point) => point.validFrom <= now).toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
  return past.filter((point, index) => index === 0 || point.price !== past[index - 1]?.price)
}

/** Whole days of the market's calendar, so that the period is never shorter than the legal one, whatever the hour or the clocks. */
function lowestBefore(market: Market, steps: readonly PricePoint[], reducedAt: number): number | null {
  const from = addDays(localDay(market, new Date(reducedAt)), -priorDays)
  let lowest: number | null = null
  for (let index = 0; index < steps.length - 1; index += 1) {
    const step = steps[index] as PricePoint
    const lastAsked = (steps[index + 1] as PricePoint).validFrom.getTime() - 1
    if (lowest !== null && step.price >= lowest) continue
    if (localDay(market, new Date(lastAsked)) >= from) lowest = step.price
  }
  return lowest
}

function genuinePrice(previous: PricePoint, reducedAt: number, now: number): number | null {
  const asked = reducedAt - previous.validFrom.getTime()
  return asked >= genuineDays * dayMs && asked >= now - reducedAt ? previous.price : null
}
