import { outcomeOf, quantityStates, sellerOfPart, sellerOrderId } from '#orders'
import type { Db } from '#platform'
import { findReplacements } from './find-replacements.ts'
import { readReturning, readSentBack } from './return-store.ts'

/**
 * Those of these seller orders whose money waits: goods are coming back from them, or from what replaced them, and nothing is decided, or
 * their seller has refused goods after an inspection and still has them. Then it waits until the buyer has them again, or the order that
 * brings them has ended.
 */
export async function findReturning(db: Db, sellerOrderIds: readonly string[]): Promise<Set<string>> {
  const replacements = await findReplacements(db, sellerOrderIds)
  const open = await findOpen(db, [...new Set([...replacements.values()].flat())])
  return new Set(sellerOrderIds.filter((id) => replacements.get(id)?.some((each) => open.has(each))))
}

async function findOpen(db: Db, sellerOrderIds: readonly string[]): Promise<Set<string>> {
  const open = new Set(await readReturning(db, sellerOrderIds))
  const sentBack = await readSentBack(db, sellerOrderIds)
  const origins = new Map(sentBack.map((back) => [sellerOrderId(back.by, sellerOfPart(back.sellerOrderId)), back.sellerOrderId]))
  if (origins.size === 0) return open
  for (const { sellerOrderId: id, quantities } of await quantityStates(db, [...origins.keys()])) {
    const origin = origins.get(id)
    if (origin !== undefined && outcomeOf(quantities) === 'open') open.add(origin)
  }
  return open
}
