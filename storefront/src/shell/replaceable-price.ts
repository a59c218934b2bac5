import { packOf } from '../cart/pack.ts'
import type { ShopContext } from './context.ts'

/**
 * The offer that a price on a page names, so that the price of the viewer's company takes its place in the browser. Consumers have no such
 * prices, and their pages do without the ids.
 */
export function replaceable({ mode }: Pick<ShopContext, 'mode'>, offerId: string): string | null {
  return mode === 'b2b' ? offerId : null
}

/** The same for the price of several pieces, or of several offers: an attribute that names them. */
export function replaceableSum(
  { mode }: Pick<ShopContext, 'mode'>,
  items: readonly { offerId: string; quantity: number }[],
): { 'data-sum'?: string } {
  return mode === 'b2b' ? { 'data-sum': items.map(({ offerId, quantity }) => packOf(offerId, quantity)).join(' ') } : {}
}
