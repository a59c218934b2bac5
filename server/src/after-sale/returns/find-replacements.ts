import type { Db } from '#platform'
import { readFollowing } from './return-store.ts'

/**
 * Each of these seller orders with the orders without payment that replace its goods or bring them back, and with those that follow from
 * these: what is open about one of them concerns the money of the first. Source: decision 107.
 */
export async function findReplacements(db: Db, sellerOrderIds: readonly string[]): Promise<Map<string, string[]>> {
  const all = new Map(sellerOrderIds.map((id) => [id, [id]]))
  for (const { paid, id } of await readFollowing(db, sellerOrderIds)) all.get(paid)?.push(id)
  return all
}
