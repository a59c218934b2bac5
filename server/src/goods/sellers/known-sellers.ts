import type { Db } from '#platform'
import type { Seller } from './seller.ts'
import { readSellers } from './store.ts'

/** A purge of the tag makes a change visible at once; this bounds the delay after a lost purge. */
const keptMs = 60_000
const keptMax = 5_000
export const sellersTag = 'sellers'

const kept = new Map<number, { seller: Seller; until: number }>()
/** Number of evictions so far: data requested before one must not be cached after it. */
let forgotten = 0

/**
 * Sellers by id, at most a minute old: every card, page and cart line needs the same few sellers.
 * One statement for those not cached, none if all are. Unknown ids are absent from the result.
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
  const asked = forgotten
  const read = await readSellers(scope.db, [...missing])
  if (kept.size + read.size > keptMax) kept.clear()
  for (const [id, seller] of read) {
    if (asked === forgotten) kept.set(id, { seller, until: now + keptMs })
    found.set(id, seller)
  }
  return found
}

/** Call after a seller changed. */
export function forgetSellers(): void {
  kept.clear()
  forgotten += 1
}
