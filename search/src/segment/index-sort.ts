import type { DocValuesWriter } from './doc-values.ts'
import type { Numbers } from './segment-format.ts'

/** A value should bring together at least so many documents. */
const LEAST_TOGETHER = 8

/**
 * The order documents are stored in: those that share a value of the attribute that tells most apart stand together,
 * the best first among them. What a query matches is mostly of a few families or categories; side by side, its
 * prices, lengths and facet values are read in streams, while in ranking order each would be a wait for memory.
 * Adds `ranks`, the place of each stored document in ranking order; without them that is the order stored.
 */
export function arrange(best: Uint32Array, columns: readonly DocValuesWriter[], sections: Map<string, Numbers>): Uint32Array {
  const by = columns.reduce<DocValuesWriter | null>((most, column) => {
    const values = column.countOfValues()
    return values >= 2 && values * LEAST_TOGETHER <= best.length && values > (most?.countOfValues() ?? 0) ? column : most
  }, null)
  if (!by) return best
  const cursor = new Uint32Array(by.countOfValues() + 2)
  for (const document of best) cursor[by.lastValue(document) + 2]!++
  for (let value = 1; value < cursor.length; value++) cursor[value]! += cursor[value - 1]!
  const order = new Uint32Array(best.length)
  const ranks = new Uint32Array(best.length)
  best.forEach((document, rank) => {
    const place = cursor[by.lastValue(document) + 1]!++
    order[place] = document
    ranks[place] = rank
  })
  sections.set('ranks', ranks)
  return order
}
