import { outcomeOf, quantityStates, sellerOfPart, sellerOrderId } from '#orders'
import type { Db } from '#platform'
import { readReturning, readSentBack } from './return-store.ts'

/**
 * Those of these seller orders whose money waits: goods are coming back from them and nothing is decided, or their seller has refused
 * goods after an inspection and still has them. Then it waits until the buyer has them again, or the order that brings them has ended.
 */
export async function findReturning(db: Db, sellerOrderIds: readonly string[]): Promise<Set<string>> {
  const held = new Set(await readReturning(db, sellerOrderIds))
  const sentBack = await readSentBack(db, sellerOrderIds)
  const origins = new Map(sentBack.map((back) => [sellerOrderId(back.by, sellerOfPart(back.sellerOrderId)), back.sellerOrderId]))
  if (origins.size === 0) return held
  for (const { sellerOrderId: id, quantities } of await quantityStates(db, [...origins.keys()])) {
    const origin = origins.get(id)
    if (origin !== undefined && outcomeOf(quantities) === 'open') held.add(origin)
  }
  return held
}
