import { ownerOf } from '#accounts'
import type { OfferForSale } from '#catalogue'
import { waitForHeld } from '#orders'
import { senderHashOf, type Scope } from '#platform'

/**
 * A refused buyer waits for those of the offers of which nothing is left to sell: unpaid orders that hold them get less time
 * (decision 052). Returns the ids of the offers held like that; a failure costs nobody the answer.
 */
export async function waitForStock(scope: Scope, offers: readonly OfferForSale[]): Promise<readonly string[]> {
  const owner = ownerOf(scope)
  const soldOut = offers.flatMap(({ id, onSale, stock, bulk }) => {
    const step = bulk ?? 1
    return onSale && stock < step ? [{ id, step }] : []
  })
  if (owner === null || soldOut.length === 0) return []
  return waitForHeld(scope.db, soldOut, owner, senderHashOf(scope.remoteAddress)).catch((error: unknown) => {
    scope.log.warn({ err: error }, 'holds were not shortened')
    return []
  })
}
