import type { Refused, Result } from '@purlin/contract/refusals.ts'
import type { OfferToPrice } from '#catalogue'
import { readingAside, type Scope } from '#platform'
import type { Cart } from './cart.ts'
import { loadCartPrices } from './load-cart.ts'
import type { PricedCart } from './price-cart.ts'
import { writeChoices } from './store.ts'

export interface DeliveryChoice {
  sellerId: number
  kind: string
  /** Of a delivery to a pick-up point; needed, and looked up, when the order is placed. */
  pointId?: string | null
  /** Of a delivery by appointment: the time, which may also be agreed after the order. */
  slotId?: string | null
}

/** Sets each seller's delivery kind. Sellers not in the cart and kinds the seller does not offer are refused. */
export async function chooseCartDelivery(
  scope: Scope,
  choices: readonly DeliveryChoice[],
  known?: PricedCart<OfferToPrice>,
): Promise<Result> {
  const priced = known ?? (await loadCartPrices(readingAside(scope)))
  if (priced.cart.id === null || priced.sellers.length === 0) return { ok: false, reason: 'cart-empty' }
  const refused = reasonAgainstChoices(priced, choices)
  if (refused) return refused
  await writeChoices(scope.db.alone, priced.cart.id, choices)
  return { ok: true }
}

/** The cart with these choices applied. */
export function withChoices(cart: Cart, choices: readonly DeliveryChoice[]): Cart {
  return { ...cart, choices: { ...cart.choices, ...Object.fromEntries(choices.map(({ sellerId, kind }) => [sellerId, kind])) } }
}

export function reasonAgainstChoices({ sellers }: PricedCart<OfferToPrice>, choices: readonly DeliveryChoice[]): Refused | null {
  for (const { sellerId, kind } of choices) {
    const group = sellers.find(({ seller }) => seller.id === sellerId)
    if (!group) return { ok: false, reason: 'delivery-unknown' }
    if (group.options.length === 0) return { ok: false, reason: 'cart-changed' } // None of this seller's goods are available any more.
    if (!group.options.some((option) => option.kind === kind)) return { ok: false, reason: 'delivery-not-available' }
  }
  return null
}
