import type { ProductCard } from '@purlin/contract/product-card.ts'
import { withOffers } from '#listing'
import type { Scope } from '#platform'
import { ownOffers, type Wanted } from './choose-offers.ts'

type Bought = Parameters<typeof ownOffers>[3]

/**
 * The cards with the offers from which the viewer's company buys the wanted quantities best, where a seller has agreed a price
 * with it. The cards of everybody else stay as they are.
 */
export async function withOwnOffers(
  scope: Scope,
  cards: readonly ProductCard[],
  wanted: Wanted,
  bought?: Bought,
): Promise<readonly ProductCard[]> {
  const productIds = cards.map(({ productId }) => productId)
  return withOffers(scope, cards, await ownOffers(scope, productIds, wanted, bought))
}
