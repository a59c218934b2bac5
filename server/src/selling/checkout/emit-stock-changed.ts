import type { StockLeft } from '#catalogue'
import type { JobScope } from '#platform'

/** Above this nobody is shown how many there are, and every sale would only make pages anew. */
const shownUpTo = 20

/** Tells those who show stock, when there is something to show: few are left, or there are some again. */
export function emitStockChanged(
  { emit }: Pick<JobScope, 'emit'>,
  changed: readonly StockLeft[],
  given: ReadonlyMap<string, number> = new Map(),
): void {
  for (const left of changed) if (left.stock - (given.get(left.offerId) ?? 0) <= shownUpTo) emit('stock.changed', left)
}
