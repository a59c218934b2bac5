import type { Result } from '@purlin/contract/refusals.ts'
import { cartOwnerOf } from './cart-owner.ts'
import { offersToPrice, quantityRefusal } from '#catalogue'
import { readingAside, type Scope } from '#platform'
import { isOfferId } from './offer-id.ts'
import { stepsFor } from './steps-for.ts'
import { dropCartLine, setCartLine } from './store.ts'

/** Sets a line of the viewer's cart; 0 removes it. An unavailable line can always be removed. */
export async function setCartQuantity(scope: Scope, offerId: string, quantity: number): Promise<Result> {
  const owner = cartOwnerOf(scope)
  if (owner === null || !isOfferId(offerId)) return { ok: false, reason: 'unknown-line' }
  if (quantity === 0) return found(await dropCartLine(scope.db.alone, owner, scope.market, offerId))
  const offer = (await offersToPrice(scope.db.reads, [offerId])).get(offerId)
  if (!offer || offer.market !== scope.market) return found(false)
  const refused = quantityRefusal(offer, quantity)
  if (refused) return refused
  const steps = await stepsFor(readingAside(scope), offer)
  return found(await setCartLine(scope.db.alone, owner, scope.market, offerId, quantity, steps))
}

function found(isFound: boolean): Result {
  return isFound ? { ok: true } : { ok: false, reason: 'unknown-line' }
}

export function removeFromCart(scope: Scope, offerId: string): Promise<Result> {
  return setCartQuantity(scope, offerId, 0)
}
