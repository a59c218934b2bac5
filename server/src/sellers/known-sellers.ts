import type { Db } from '#platform'
import type { Seller } from './seller.ts'
import { readSellers } from './store.ts'

/** A purge of the tag makes a change visible at once; this bounds what a lost purge can cost. */
const keptMs = 60_000
const keptMax = 5_000
export const sellersTag = 'sellers'

const kept = new Map<number, { seller: Seller; until: number }>()

/**
 * Sellers by id, at most a minute old: on every card, page and cart line the same few sellers are asked
 * for. One statement for those not at hand, none when all are. Unknown ids are absent from the answer.
 */
export async function knownSellers(scope: { db: Db }, ids: Iterable<number>): Promise<Map<number, Seller>> {
  const now = Date.now()
  const found = new Map<number, Seller>()
  const missing = new Set<number>()
  for (const id of ids) {
    const hit = kept.get(id)
    if (hit && hit.until > now) found.set(id, hit.seller)
    else missing.add(id)
  }
  if (missing.size === 0) return found
  if (kept.size + missing.size > keptMax) kept.clear()
  for (const [id, seller] of await readSellers(scope.db, [...missing])) {
    kept.set(id, { seller, until: now + keptMs })
    found.set(id, seller)
  }
  return found
}

/** After a seller changed. */
export function forgetSellers(): void {
  kept.clear()
}
