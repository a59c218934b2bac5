import type { Refused } from '@purlin/contract/refusals.ts'
import { addAllToCart, listLimit, withOwnOffers, type AddedAll } from '#cart'
import { cardsOf } from '#listing'
import type { Scope } from '#platform'
import { findOrder } from './find-order.ts'

/**
 * Adds everything from an order to the cart: as many as were ordered, from today's best offer of each product, or from the offer
 * bought before where the index knows none. What cannot be bought any more is left out and listed. Undefined for an order the
 * principal may not see. Source: R-139.
 */
export async function orderAgain(scope: Scope, customerOrderId: string): Promise<AddedAll | Refused | undefined> {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  if (!order) return undefined
  const lines = order.sellerOrders.flatMap((part) => part.lines)
  const ordered = Map.groupBy(lines, ({ productId }) => productId)
  const found = await withOwnOffers(scope, await cardsOf(scope, [...ordered.keys()]), ({ productId, bulk }) =>
    (ordered.get(productId) ?? []).map(({ quantity }) => inPacks(quantity, bulk)),
  )
  const cards = new Map(found.map((card) => [card.productId, card]))
  const items = lines.map(({ productId, offerId, quantity }) => {
    const card = cards.get(productId)
    return card ? { offerId: card.offerId, quantity: inPacks(quantity, card.bulk) } : { offerId, quantity }
  })
  const outcome: AddedAll = { ok: true, added: 0, left: [] }
  for (let from = 0; from < items.length; from += listLimit) {
    const page = items.slice(from, from + listLimit)
    const part = await addAllToCart(scope, page)
    outcome.added += part.ok ? part.added : 0
    outcome.left.push(...(part.ok ? part.left : page.map(({ offerId }) => ({ offerId, refusal: part }))))
  }
  return outcome.added > 0 ? outcome : (outcome.left[0]?.refusal ?? { ok: false, reason: 'unknown-offer' })
}

/** At least as many as before, in the offer's steps. */
export function inPacks(quantity: number, bulk: number | null): number {
  return bulk === null ? quantity : Math.ceil(quantity / bulk) * bulk
}
