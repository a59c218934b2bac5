import { markets } from '@purlin/contract/markets.ts'
import {
  findProduct,
  inLanguage,
  marketOffersToPrice,
  maxQuantity,
  quantityRefusal,
  stepOf,
  type OfferToPrice,
  type Product,
  type ProductSheet,
} from '#catalogue'
import { agreedPrices } from '#conditions'
import { alternativesOf } from '#listing'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { Scope } from '#platform'
import { askedPrice, priceBlock, priceDisplay, priceProduct, stepAt, unitContent, type PricedOffer } from '#pricing'
import type { PricedCart } from './price-cart.ts'
import type { PricedLine } from './price-lines.ts'
import { stepsInCart } from './steps-for.ts'

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

/** As many pieces as the line has, in whole packs, as far as the seller has them. */
export function quantityInstead(offer: OfferToPrice, wanted: number): number {
  const step = stepOf(offer)
  return Math.min(Math.ceil(wanted / step) * step, Math.max(maxQuantity(offer), step))
}

/**
 * Alternatives for lines that cannot be bought any more: the same product from other sellers, at the prices at which they would take the
 * line's place, in its quantity, else similar products.
 */
export async function findInstead(scope: Scope, { sellers }: PricedCart): Promise<Instead[]> {
  const lines = sellers.flatMap((group) => group.lines)
  const inCart = new Set(lines.map(({ offer }) => offer.id))
  const soldOut = lines.filter(canBeReplaced).slice(0, maxLines)
  const found = await Promise.all(
    soldOut.map(async ({ offer, quantity }): Promise<Instead | null> => {
      const sheet = await findProduct(scope, offer.productId)
      if (!sheet) return null
      const others = (await otherOffers(scope, sheet, quantity)).filter((other) => !inCart.has(other.offer.id))
      const offers = others.filter(({ isYourPrice }, place) => place < shownOffers || isYourPrice)
      const alternatives = offers.length > 0 ? [] : (await alternativesOf(scope, sheet.product)).slice(0, shownAlternatives)
      const title = inLanguage(offer.titles, markets[scope.market].language)
      return { offerId: offer.id, title, quantity, offers, alternatives }
    }),
  )
  return found.filter((each): each is Instead => each !== null && each.offers.length + each.alternatives.length > 0)
}

/** All that can be bought of a product, in the public order, at the price of as many pieces as would be bought. */
async function otherOffers(scope: Scope, sheet: ProductSheet, wanted: number): Promise<PricedOffer[]> {
  const { product } = sheet
  const toPrice = await marketOffersToPrice(scope.db.reads, [product.id], scope.market)
  const byId = new Map(toPrice.map((offer) => [offer.id, offer]))
  const agreed = await agreedPrices(scope, toPrice)
  const nothingAdded = toPrice.map((offer) => ({ offer, quantity: 0 }))
  const stepsOf = await stepsInCart(scope, nothingAdded, agreed)
  const { offers } = await priceProduct(scope, product, sheet.offers, agreed)
  return offers.flatMap((priced) => {
    const offer = byId.get(priced.offer.id)
    if (!offer || offer.isSample) return []
    const quantity = quantityInstead(offer, wanted)
    if (quantityRefusal(offer, quantity)) return []
    const { price } = stepAt(stepsOf(offer), quantity)
    const isYourPrice = price < askedPrice(priceDisplay(scope), offer, quantity)
    return { ...priced, isYourPrice, block: price === priced.asked ? priced.block : blockAt(scope, product, priced, price) }
  })
}

/** A price that is not the one of a piece for everybody is compared with no retail price. */
function blockAt(scope: Scope, product: Product, { offer, seller, vat }: PricedOffer, price: number): PricedOffer['block'] {
  const unit = unitContent(product)
  const asked = { price, proPrice: null, retailPrice: null, range: null }
  return priceBlock(priceDisplay(scope), { ...asked, sellerCountry: seller.country, vat, unit, bulk: offer.bulk })
}
