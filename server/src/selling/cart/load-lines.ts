import { offersToPrice } from '#catalogue'
import type { Scope } from '#platform'
import { addLines } from './add-lines.ts'
import { cartOwnerOf } from './cart-owner.ts'
import { lockCart } from './cart-reads.ts'
import { agreeToChanges, giveCart, removeCartsOf } from './store.ts'

/**
 * Moves what another cart holds into the viewer's. An empty one is replaced by that cart as it is, which then shows what has changed;
 * otherwise its lines are added at today's prices, and those that are refused stay where they are.
 * @returns the offers of the lines that stay
 */
export async function loadLines(scope: Scope, owner: string): Promise<string[]> {
  const own = cartOwnerOf(scope)
  if (own === null) throw new Error('A cart needs an owner')
  const other = await lockCart(scope.db, owner, scope.market)
  if (other.id === null || other.lines.length === 0) return []
  const mine = await lockCart(scope.db, own, scope.market)
  if (mine.lines.length === 0) {
    await giveCart(scope.db, other.id, own, mine)
    return []
  }
  const ids = other.lines.map(({ offerId }) => offerId)
  const offers = await offersToPrice(scope.db, ids)
  const wishes = other.lines.flatMap(({ offerId, quantity }) => {
    const offer = offers.get(offerId)
    return offer && offer.market === scope.market ? [{ offer, quantity }] : []
  })
  const refused = await addLines(scope, wishes)
  const added = new Set(wishes.flatMap(({ offer }) => (refused.has(offer.id) ? [] : [offer.id])))
  const left = ids.filter((id) => !added.has(id))
  if (left.length === 0) await removeCartsOf(scope.db, owner)
  else await agreeToChanges(scope.db, other.id, [...added], [])
  return left
}
