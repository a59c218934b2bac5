import type { Result } from '@purlin/contract/refusals.ts'
import { cartOwnerOf } from './cart-owner.ts'
import { maxQuantity, offersForSale, quantityRefusal, type OfferForSale } from '#catalogue'
import { newId, readingAside, type Scope } from '#platform'
import { offeredDelivery, stepAt } from '#pricing'
import { knownSellers, sellsTo } from '#sellers'
import type { Cart } from './cart.ts'
import { readCart } from './cart-reads.ts'
import { isOfferId } from './offer-id.ts'
import { cartLimits } from './cart-limits.ts'
import { stepsFor } from './steps-for.ts'
import { growCartLine } from './store.ts'
import { waitIfHeld } from './waitlist.ts'

export interface AddToCart {
  offerId: string
  quantity: number
}

export interface AddedToCart {
  cart: Cart | null
  /** The offer as read along the way. */
  offers: readonly OfferForSale[]
}

/**
 * Adds an offer to the viewer's cart. Concurrent additions add up; a limit refuses, it never clips.
 * Returns the resulting cart, or null if another command changed it at the same time.
 */
export async function addToCart(scope: Scope, { offerId, quantity }: AddToCart): Promise<Result<AddedToCart>> {
  const owner = cartOwnerOf(scope)
  if (owner === null) throw new Error('A cart needs a session: the gateway starts one for this command')
  if (!isOfferId(offerId)) return { ok: false, reason: 'unknown-offer' }

  const offer = (await offersForSale(scope.db.reads, [offerId])).get(offerId)
  if (!offer) return { ok: false, reason: 'unknown-offer' }
  if (offer.market !== scope.market) return { ok: false, reason: 'not-for-this-market' }
  const seller = (await knownSellers(scope, [offer.sellerId])).get(offer.sellerId)
  if (!seller || !sellsTo(seller, scope.mode)) return { ok: false, reason: 'unknown-offer' }
  const refused = quantityRefusal(offer, quantity)
  if (refused) return waitIfHeld(scope, offer, refused)
  if (offeredDelivery(offer.delivery).length === 0) return { ok: false, reason: 'delivery-not-available' }
  const steps = await stepsFor(readingAside(scope), offer)
  if (stepAt(steps, quantity).price * quantity > cartLimits.total) return { ok: false, reason: 'cart-too-large' }

  const newCartId = newId()
  const limits = { maxQuantity: maxQuantity(offer), maxLines: cartLimits.lines }
  const cart = await growCartLine(scope.db, { newCartId, owner, market: scope.market, offerId, quantity, steps, ...limits })
  if (cart !== undefined) {
    scope.noteAdded?.({ productId: offer.productId, quantity })
    return { ok: true, cart, offers: [offer] }
  }

  // Refused by the statement itself: the line shows which limit it hit.
  const full = await readCart(scope.db.reads, owner, scope.market)
  const held = full.lines.find((line) => line.offerId === offerId)?.quantity ?? 0
  return quantityRefusal(offer, held + quantity) ?? { ok: false, reason: 'cart-too-large' }
}
