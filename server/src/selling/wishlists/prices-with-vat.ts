import { cardsOf } from '#listing'
import type { SiteScope } from '#platform'

/**
 * What products cost on this storefront with VAT, by product, in minor units: what a list remembers and mails tell, whoever adds a product
 * and whoever looks at the list in whichever tax mode. Without the company's own prices, which may end.
 */
export async function pricesWithVat(scope: SiteScope, productIds: readonly string[]): Promise<Map<string, number>> {
  const { market, mode, now, db } = scope
  // Without the principal: a member from another country sees prices in another mode.
  const shown = await cardsOf({ market, mode, now, db, prefersVat: true }, productIds)
  return new Map(shown.map(({ productId, prices }) => [productId, Math.round(prices.main.asFloat * 100)]))
}
