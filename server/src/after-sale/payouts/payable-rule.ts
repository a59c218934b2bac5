import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay, workingDayAfter } from '#pricing'
import type { Quantities, SellerOrderState } from '#orders'

/** When the money of a delivered seller order is the seller's: days to withdraw, and working days for the post. */
interface PayableRule {
  returnDays: number
  workingDays: number
}

/** By market of the order. Source: 2011/83/EU art. 9 and 14; a withdrawal sent on the last day is still on its way. */
const payableRules: Record<Market, PayableRule> = {
  gb: { returnDays: 14, workingDays: 2 },
  fr: { returnDays: 14, workingDays: 2 },
  de: { returnDays: 14, workingDays: 2 },
  es: { returnDays: 14, workingDays: 3 },
  it: { returnDays: 14, workingDays: 3 },
}

/** The evening on which a seller order delivered at this instant becomes payable. */
export function payableAt(market: Market, delivered: Date): Date {
  const { returnDays, workingDays } = payableRules[market]
  const lastDay = addDays(localDay(market, delivered), returnDays)
  return new Date(`${workingDayAfter(market, lastDay, workingDays)}T21:00:00Z`)
}

const finished: ReadonlySet<SellerOrderState> = new Set(['delivered', 'closed', 'cancelled', 'refused'])

/** Whether every piece has arrived or will never come: what is left to be paid is known. */
export function isFinished(quantities: Quantities): boolean {
  return Object.entries(quantities).every(([state, count]) => count === 0 || finished.has(state as SellerOrderState))
}
