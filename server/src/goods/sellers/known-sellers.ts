import type { Db } from '#platform'
import type { Seller } from './seller.ts'
import { readSellers } from './store.ts'

/** A purge of the tag makes a change visible at once; this bounds what a lost purge can cost. */
const keptMs = 60_000
const keptMax = 5_000
export const sellersTag = 'sellers'

const kept = new Map<number, { seller: Seller; until: number }>()
/** Counts the times they were forgotten: what was asked before may not be kept after. */
let forgotten = 0

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
  const asked = forgotten
  const read = await readSellers(scope.db, [...missing])
  if (kept.size + read.size > keptMax) kept.clear()
  for (const [id, seller] of read) {
    if (asked === forgotten) kept.set(id, { seller, until: now + keptMs })
    found.set(id, seller)
  }
  return found
}

/** After a seller changed. */
export function forgetSellers(): void {
  kept.clear()
  forgotten += 1
}
