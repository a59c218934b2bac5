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
}

const day = 24 * 60 * 60_000
/** Fewer orders show no rhythm: two can be any distance apart. */
const ordersForRhythm = 3
/** Orders closer together than this complete one another rather than repeat. */
const shortestRhythm = 3 * day

/**
 * When the product is likely to be needed again: its latest order plus the average time between its orders. Null for fewer than
 * three orders, for orders made within days of one another, and once a whole rhythm has been skipped: it is no longer needed then.
 */
export function neededAgainAt(
  { times, firstBoughtAt, lastBoughtAt }: Pick<BoughtProduct, 'times' | 'firstBoughtAt' | 'lastBoughtAt'>,
  now: Date,
): Date | null {
  if (times < ordersForRhythm) return null
  const rhythm = (lastBoughtAt.getTime() - firstBoughtAt.getTime()) / (times - 1)
  const next = lastBoughtAt.getTime() + rhythm
  return rhythm < shortestRhythm || next + rhythm < now.getTime() ? null : new Date(next)
}
