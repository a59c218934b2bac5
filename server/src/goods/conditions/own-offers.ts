import { inPerson } from '#accounts'
import { marketOffersToPrice, quantityRefusal, type OfferToPrice } from '#catalogue'
import type { Scope } from '#platform'
import { askedPrice, rankForSale, type AgreedPrice } from '#pricing'
import { knownSellers, type Seller } from '#sellers'
import { agreedPrices, companyOnPro } from './agreed-prices.ts'
import { hasRulesOrQuotes } from './store.ts'

type Viewer = Pick<Scope, 'db' | 'principal' | 'market' | 'mode' | 'now'>

/**
 * The quantities of a product that would be put into the cart from an offer, one after the other: lists and orders that are bought
 * again round up to its packs.
 */
export type Wanted = (offer: Pick<OfferToPrice, 'productId' | 'bulk'>) => readonly number[]

interface Choice {
  offerId: string
  agreed: AgreedPrice | undefined
  /** Chosen by what the viewer's company pays; otherwise it is the winner of the public buy box. */
  isOwn: boolean
}

/**
 * The offer of each product that the shop chooses for the viewer, by product. For everybody it is the winner of the buy box, as cards
 * and pages show it. For a company with which a seller has agreed a price it is the offer that costs this company least for everything
 * that can be bought, by the rules of the buy box; where no offer can take any of it, the public winner again.
 */
export async function chooseOffers(viewer: Viewer, offers: readonly OfferToPrice[], wanted: Wanted): Promise<ReadonlyMap<string, Choice>> {
  const [agreed, sellers] = await Promise.all([
    agreedPrices(viewer, offers),
    knownSellers(viewer, new Set(offers.map(({ sellerId }) => sellerId))),
  ])
  const chosen = [...Map.groupBy(offers, ({ productId }) => productId)].flatMap(([productId, all]): [string, Choice][] => {
    const forSale = rankForSale(viewer, { sellers }, all).flatMap(({ offer: { of } }) => (of.isSample ? [] : of))
    const own = all.some(({ id }) => agreed.has(id)) ? cheapest(viewer, sellers, forSale, { wanted, agreed }) : undefined
    const best = own ?? forSale[0]
    return best ? [[productId, { offerId: best.id, agreed: agreed.get(best.id), isOwn: own !== undefined }]] : []
  })
  return new Map(chosen)
}

/**
 * The offers chosen by agreed prices and accepted quotes, by product; other products are missing. One statement for companies without
 * either, none for everybody else.
 */
export async function ownOffers(viewer: Viewer, productIds: readonly string[], wanted: Wanted): Promise<ReadonlyMap<string, string>> {
  const { db, market, now } = viewer
  const companyId = companyOnPro(viewer)
  if (companyId === null || productIds.length === 0) return new Map()
  if (!(await hasRulesOrQuotes(db, { companyId, customerId: inPerson(viewer), market, now }))) return new Map()
  const choices = await chooseOffers(viewer, await marketOffersToPrice(db.reads, productIds, market), wanted)
  return new Map([...choices].flatMap(([productId, { offerId, isOwn }]) => (isOwn ? [[productId, offerId] as const] : [])))
}

function cheapest(
  viewer: Viewer,
  sellers: ReadonlyMap<number, Seller>,
  offers: readonly OfferToPrice[],
  { wanted, agreed }: { wanted: Wanted; agreed: ReadonlyMap<string, AgreedPrice> },
): OfferToPrice | undefined {
  const takers = takersOf(offers, wanted)
  const costOf = (offer: OfferToPrice): number => {
    const pieces = takers.get(offer) ?? 0
    return askedPrice({ business: true }, { ...offer, agreed: agreed.get(offer.id) }, pieces) * pieces
  }
  return rankForSale(viewer, { sellers }, [...takers.keys()], costOf)[0]?.offer.of
}

/**
 * The offers that can take the wanted quantities, with their sums, as the cart adds them up. A quantity that none of them can take will be
 * refused, and does not count.
 */
function takersOf(offers: readonly OfferToPrice[], wanted: Wanted): ReadonlyMap<OfferToPrice, number> {
  const quantities = new Map(offers.map((offer) => [offer, wanted(offer)]))
  const times = Math.max(0, ...[...quantities.values()].map(({ length }) => length))
  let takers: ReadonlyMap<OfferToPrice, number> = new Map()
  for (let at = 0; at < times; at++) {
    const before = takers.size > 0 ? takers : new Map(offers.map((offer) => [offer, 0]))
    const grown = [...before].map(([offer, sum]) => [offer, sum + (quantities.get(offer)?.[at] ?? 0)] as const)
    const able = grown.filter(([offer, sum]) => quantityRefusal(offer, sum) === null)
    if (able.length > 0) takers = new Map(able)
  }
  return takers
}
