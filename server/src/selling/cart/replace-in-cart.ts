import type { Result } from '@purlin/contract/refusals.ts'
import { maxQuantity, offersToPrice, quantityRefusal } from '#catalogue'
import { readingAside, type Scope } from '#platform'
import { offeredDelivery, stepAt } from '#pricing'
import { knownSellers, sellsTo } from '#sellers'
import { canBeReplaced, quantityInstead } from './find-instead.ts'
import { loadCartPrices } from './load-cart.ts'
import { isOfferId } from './offer-id.ts'
import { cartLimits } from './cart-limits.ts'
import { stepsFor } from './steps-for.ts'
import { replaceCartLine } from './store.ts'

export interface Replacement {
  /** The line whose offer has gone or sold out. */
  offerId: string
  /** Another offer of the same product. */
  byOfferId: string
}

/**
 * With the buyer's consent another offer of the same product takes the place of a line that cannot be bought any more, in the
 * same quantity as far as its seller has it.
 */
export async function replaceInCart(scope: Scope, { offerId, byOfferId }: Replacement): Promise<Result> {
  const { cart, sellers } = await loadCartPrices(readingAside(scope))
  const line = sellers.flatMap(({ lines }) => lines).find(({ offer }) => offer.id === offerId)
  if (cart.id === null || !line || !canBeReplaced(line)) return { ok: false, reason: 'unknown-line' }
  if (!isOfferId(byOfferId) || byOfferId === offerId) return { ok: false, reason: 'unknown-offer' }
  const offer = (await offersToPrice(scope.db.reads, [byOfferId])).get(byOfferId)
  if (!offer || offer.productId !== line.offer.productId) return { ok: false, reason: 'unknown-offer' }
  if (offer.market !== scope.market) return { ok: false, reason: 'not-for-this-market' }
  const seller = (await knownSellers(scope, [offer.sellerId])).get(offer.sellerId)
  if (!seller || !sellsTo(seller, scope.mode)) return { ok: false, reason: 'unknown-offer' }
  if (offeredDelivery(offer.delivery).length === 0) return { ok: false, reason: 'delivery-not-available' }
  const quantity = quantityInstead(offer, line.quantity)
  const refused = quantityRefusal(offer, quantity)
  if (refused) return refused
  const { price } = stepAt(await stepsFor(readingAside(scope), offer), quantity)
  if (price * quantity > cartLimits.total) return { ok: false, reason: 'cart-too-large' }
  const by = { offerId: byOfferId, quantity, price, maxQuantity: maxQuantity(offer) }
  return (await replaceCartLine(scope.db.alone, cart.id, offerId, by)) ? { ok: true } : { ok: false, reason: 'unknown-line' }
}
