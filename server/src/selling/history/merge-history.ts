import { monthsBefore } from '@purlin/contract/months-before.ts'
import { companyOf, customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import { keptMonths, maxEntries, mergeEntries, readHistory, type HistoryEntry } from './store.ts'

/**
 * Adds what a browser remembers to the customer's own history, under the consent of its visitor: without an id they could not withdraw it
 * once they are signed out. Users who act for a company skip the merge: what they look at is their company's affair.
 * Source: spec §4, R-473, R-474.
 */
export async function mergeHistory(scope: Scope, visitorId: string | null, given: readonly HistoryEntry[]): Promise<HistoryEntry[]> {
  const { db, now } = scope
  const customerId = customerIdOf(scope)
  if (customerId === null) return []
  const entries = newest(given, now)
  if (visitorId !== null && companyOf(scope) === null && entries.length > 0) await mergeEntries(db, { customerId, visitorId, now }, entries)
  return readHistory(db, customerId, now)
}

/** One entry per product, without those that are too old; a browser's clock may be ahead. */
function newest(given: readonly HistoryEntry[], now: Date): HistoryEntry[] {
  const oldest = monthsBefore(now, keptMonths)
  const byProduct = new Map<string, HistoryEntry>()
  for (const { productId, viewedAt } of given) {
    const at = viewedAt > now ? now : viewedAt
    const known = byProduct.get(productId)
    if (at > oldest && (!known || known.viewedAt < at)) byProduct.set(productId, { productId, viewedAt: at })
  }
  return [...byProduct.values()].toSorted((a, b) => b.viewedAt.getTime() - a.viewedAt.getTime()).slice(0, maxEntries)
}
