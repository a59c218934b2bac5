import type { Result } from '@purlin/contract/refusals.ts'
import type { Scope } from '#platform'
import { addToCart, type AddToCart } from './add-to-cart.ts'

/** Articles of one list at most. */
export const listLimit = 30

export type AddedAll = { ok: true; added: number; left: { offerId: string; refusal: Extract<Result, { ok: false }> }[] }

/**
 * Adds the articles of a list, each by itself: one that sold out does not keep the others from the cart. Refused when none
 * could be added, with the reason of the first.
 */
export async function addAllToCart(scope: Scope, items: readonly AddToCart[]): Promise<AddedAll | Extract<Result, { ok: false }>> {
  const left: AddedAll['left'] = []
  const wanted = items.slice(0, listLimit)
  for (const item of wanted) {
    const added = await addToCart(scope, item)
    if (!added.ok) left.push({ offerId: item.offerId, refusal: added })
  }
  const [first] = left
  if (!first) return wanted.length > 0 ? { ok: true, added: wanted.length, left } : { ok: false, reason: 'unknown-offer' }
  return left.length === wanted.length ? first.refusal : { ok: true, added: wanted.length - left.length, left }
}
