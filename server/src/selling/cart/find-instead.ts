import { markets } from '@purlin/contract/markets.ts'
import { findProduct, inLanguage, stockToSell } from '#catalogue'
import { contractPrices } from '#conditions'
import { alternativesOf } from '#listing'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { Scope } from '#platform'
import { priceProduct, type PricedOffer } from '#pricing'
import type { PricedCart } from './price-cart.ts'
import type { PricedLine } from './price-lines.ts'

/** Besides those with a price of the viewer's company. */
const shownOffers = 3
const shownAlternatives = 4
/** Each costs a query to the search engine. */
const maxLines = 2

export interface Instead {
  offerId: string
  title: string
  quantity: number
  offers: PricedOffer[]
  alternatives: ProductCard[]
}

/** Whether another offer may take this line's place: its own is sold out or no longer offered. */
export function canBeReplaced({ state }: Pick<PricedLine, 'state'>): boolean {
  return state === 'out-of-stock' || state === 'offer-gone'
}

/**
 * Alternatives for lines that cannot be bought any more: the same product from other sellers, at the prices at which they would take the
 * line's place, else similar products.
 */
export async function findInstead(scope: Scope, { sellers }: PricedCart): Promise<Instead[]> {
  const lines = sellers.flatMap((group) => group.lines)
  const inCart = new Set(lines.map(({ offer }) => offer.id))
  const soldOut = lines.filter(canBeReplaced).slice(0, maxLines)
  const found = await Promise.all(
    soldOut.map(async ({ offer, quantity }): Promise<Instead | null> => {
      const sheet = await findProduct(scope, offer.productId)
      if (!sheet) return null
      const agreed = await contractPrices(
        scope,
        sheet.offers.map((each) => ({ ...each, categoryId: sheet.product.categoryId })),
      )
      const priced = await priceProduct(scope, sheet.product, sheet.offers, agreed)
      const others = priced.offers.filter((other) => !inCart.has(other.offer.id) && !other.offer.isSample && stockToSell(other.offer) > 0)
      const offers = others.filter(({ isYourPrice }, place) => place < shownOffers || isYourPrice)
      const alternatives = offers.length > 0 ? [] : (await alternativesOf(scope, sheet.product)).slice(0, shownAlternatives)
      const title = inLanguage(offer.titles, markets[scope.market].language)
      return { offerId: offer.id, title, quantity, offers, alternatives }
    }),
  )
  return found.filter((each): each is Instead => each !== null && each.offers.length + each.alternatives.length > 0)
}
