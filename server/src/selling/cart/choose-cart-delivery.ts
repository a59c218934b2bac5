import type { Result } from '@purlin/contract/refusals.ts'
import type { Scope } from '#platform'
import { loadPricedCart } from './load-cart.ts'
import { writeChoices } from './store.ts'

export interface DeliveryChoice {
  sellerId: number
  kind: string
}

/** How each seller delivers. A seller who is not in the cart, or a way the seller does not offer, is refused. */
export async function chooseCartDelivery(scope: Scope, choices: readonly DeliveryChoice[]): Promise<Result> {
  const priced = await loadPricedCart(scope)
  if (priced.cart.id === null || priced.sellers.length === 0) return { ok: false, reason: 'cart-empty' }
  for (const { sellerId, kind } of choices) {
    const group = priced.sellers.find(({ seller }) => seller.id === sellerId)
    if (!group) return { ok: false, reason: 'delivery-unknown' }
    if (group.options.length === 0) return { ok: false, reason: 'cart-changed' } // None of this seller's goods can be had any more.
    if (!group.options.some((option) => option.kind === kind)) return { ok: false, reason: 'delivery-not-available' }
  }
  await writeChoices(scope.db, priced.cart.id, choices)
  return { ok: true }
}
