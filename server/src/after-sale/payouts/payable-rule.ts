import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay, workingDayAfter } from '#pricing'
import type { Quantities, SellerOrderState } from '#orders'

/** No seller is paid earlier, as some buyers may return nothing but still report what is wrong. */
const leastDays = 14
/** For the post, by market of the order: what was sent back on the last day is still on its way. */
const workingDays: Record<Market, number> = { gb: 2, fr: 2, de: 2, es: 3, it: 3 }

/**
 * The evening on which a seller order delivered at this instant becomes payable: after the days in which its buyer may change
 * their mind, and working days for the post. Source: 2011/83/EU art. 9 and 14; decision 046.
 */
export function payableAt(market: Market, delivered: Date, returnDays: number): Date {
  const lastDay = addDays(localDay(market, delivered), Math.max(leastDays, returnDays))
  return new Date(`${workingDayAfter(market, lastDay, workingDays[market])}T21:00:00Z`)
}

const finished: ReadonlySet<SellerOrderState> = new Set(['delivered', 'closed', 'cancelled', 'refused'])

/** Whether every piece has arrived or will never come: what is left to be paid is known. */
export function isFinished(quantities: Quantities): boolean {
  return Object.entries(quantities).every(([state, count]) => count === 0 || finished.has(state as SellerOrderState))
}
