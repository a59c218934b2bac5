/** A product as its buyer has bought it so far. */
export interface BoughtProduct {
  productId: string
  /** As it was called in its latest order. */
  title: string
  imageUrl: string
  /** Number of orders. */
  times: number
  /** Of the latest order. */
  quantity: number
  firstBoughtAt: Date
  lastBoughtAt: Date
  /** The day on which it is likely to be needed again; null if its orders show no rhythm. */
  neededAgainAt: Date | null
  /** That day has come. */
  isDue: boolean
}

/** Fewer orders show no rhythm: two can be any distance apart. */
const ordersForRhythm = 3
/** Days: orders closer together than this complete one another rather than repeat. */
const shortestRhythm = 3

const rhythm = '(last_at - first_at) / nullif(times - 1, 0)'
/** How long the latest order lasts, if as much is used in a day as was bought for each day before it. */
const lasts = '(last_at - first_at) * latest / nullif(pieces - latest, 0)'

/**
 * SQL: the time at which a product is likely to be needed again, from the columns `times` (orders), `first_at`, `last_at`, `pieces` (of all orders)
 * and `latest` (pieces of the latest one). Null for fewer than three orders, for orders made within days of one another, and once a whole rhythm
 * has been skipped: it is no longer needed then.
 */
export const neededAgainAt = (now: string): string =>
  `case when times >= ${ordersForRhythm} and ${rhythm} >= interval '${shortestRhythm} days' and last_at + ${lasts} + ${rhythm} >= ${now}
    then last_at + ${lasts} end`
