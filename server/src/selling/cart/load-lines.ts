import { offersToPrice } from '#catalogue'
import type { Scope } from '#platform'
import { addLines } from './add-lines.ts'
import { readCart } from './cart-reads.ts'
import { removeCartsOf } from './store.ts'

/** Moves what another cart holds into the viewer's, at today's prices, as far as it is sold; the other cart goes. */
export async function loadLines(scope: Scope, owner: string): Promise<void> {
  const { lines } = await readCart(scope.db, owner, scope.market)
  const offers = await offersToPrice(
    scope.db,
    lines.map(({ offerId }) => offerId),
  )
  const wishes = lines.flatMap(({ offerId, quantity }) => {
    const offer = offers.get(offerId)
    return offer && offer.market === scope.market ? [{ offer, quantity }] : []
  })
  if (wishes.length > 0) await addLines(scope, wishes)
  await removeCartsOf(scope.db, owner)
}
