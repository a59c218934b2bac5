import type { Refused } from '@purlin/contract/refusals.ts'
import { maxQuantity, quantityRefusal, type OfferToPrice } from '#catalogue'
import { agreedPrices } from '#conditions'
import { readingAside, type Scope } from '#platform'
import { stepAt } from '#pricing'
import { cartOwnerOf } from './cart-owner.ts'
import { lockCart } from './cart-reads.ts'
import { growCartLines, writeLines } from './line-store.ts'
import { cartLimits } from './cart-limits.ts'
import { stepsInCart } from './steps-for.ts'

export interface LineWish {
  /** On sale in this market, from a seller of this storefront. */
  offer: OfferToPrice
  quantity: number
}

/**
 * Adds many lines in one statement, each within its own limits and on top of what the cart holds.
 * @returns the offers left out, with the reason
 */
export async function addLines(scope: Scope, wishes: readonly LineWish[]): Promise<Map<string, Refused>> {
  const owner = cartOwnerOf(scope)
  if (owner === null) throw new Error('A cart needs a session: the gateway starts one for this command')
  const left = new Map<string, Refused>()
  const cart = await lockCart(scope.db, owner, scope.market)
  const held = new Map(cart.lines.map(({ offerId, quantity }) => [offerId, quantity]))
  const aside = readingAside(scope)
  const agreed = await agreedPrices(
    aside,
    wishes.map(({ offer }) => offer),
  )
  const stepsOf = await stepsInCart(aside, wishes, agreed)
  let total = cart.lines.reduce((sum, { quantity, seenPrice }) => sum + quantity * seenPrice, 0)
  let lines = cart.lines.length
  const taken = wishes.flatMap(({ offer, quantity }) => {
    const steps = stepsOf(offer)
    const sum = stepAt(steps, quantity).price * quantity
    const isNew = !held.has(offer.id)
    const refused =
      quantityRefusal(offer, (held.get(offer.id) ?? 0) + quantity) ??
      (total + sum > cartLimits.total || (isNew && lines >= cartLimits.lines) ? ({ ok: false, reason: 'cart-too-large' } as const) : null)
    if (refused) return (left.set(offer.id, refused), [])
    total += sum
    if (isNew) lines++
    return [{ offerId: offer.id, quantity, steps, most: maxQuantity(offer) }]
  })
  if (taken.length === 0) return left
  const added = await growCartLines(scope.db, owner, scope.market, taken)
  const isAdded = new Set(added.map(({ offerId }) => offerId))
  for (const { offerId, quantity } of taken) {
    const cartId = added[0]?.cartId
    if (isAdded.has(offerId) && cartId !== undefined) scope.emit('cart.line-added', { cartId, offerId, quantity })
    else left.set(offerId, { ok: false, reason: 'cart-changed' })
  }
  return left
}

/** Puts the lines of an accepted quote into the viewer's cart; the buyer has agreed to their prices. */
export async function putLines(scope: Scope, lines: readonly { offerId: string; quantity: number; price: number }[]): Promise<void> {
  const owner = cartOwnerOf(scope)
  if (owner === null) throw new Error('A cart needs an owner')
  await writeLines(scope.db, owner, scope.market, lines)
}
