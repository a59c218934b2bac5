import type { StockLeft } from '#catalogue'
import type { JobScope } from '#platform'

/** Above this no page shows the exact stock, and every sale would only invalidate pages. */
const shownUpTo = 20

/** Emits stock changes that a page would show: low stock, or stock that has returned. */
export function emitStockChanged(
  { emit }: Pick<JobScope, 'emit'>,
  changed: readonly StockLeft[],
  given: ReadonlyMap<string, number> = new Map(),
): void {
  for (const left of changed) if (left.stock - (given.get(left.offerId) ?? 0) <= shownUpTo) emit('stock.changed', left)
}
