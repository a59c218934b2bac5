import type { ShopContext } from './context.ts'

/**
 * The offer that a price on a page names, so that the price of the viewer's company takes its place in the browser. Consumers have no such
 * prices, and their pages do without the ids.
 */
export function replaceable({ mode }: Pick<ShopContext, 'mode'>, offerId: string): string | null {
  return mode === 'b2b' ? offerId : null
}
