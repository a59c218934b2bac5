import { marketOffersToPrice } from '#catalogue'
import type { Scope } from '#platform'
import { rankForSale } from '#pricing'
import { knownSellers } from '#sellers'
import { companyOnPro, contractPrices } from './agreed-prices.ts'
import { hasRules } from './store.ts'

type Viewer = Pick<Scope, 'db' | 'principal' | 'market' | 'mode' | 'now'>

/**
 * The offer to buy of each product for which a seller has agreed a price with the acting company, by product: the buy box, weighed
 * with the prices that this company pays for so many pieces. Other products are missing. One statement for companies without prices,
 * none for everybody else.
 */
export async function ownOffers(viewer: Viewer, pieces: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, string>> {
  const { db, market, now } = viewer
  const companyId = companyOnPro(viewer)
  if (companyId === null || pieces.size === 0 || !(await hasRules(db, companyId, market, now))) return new Map()
  const offers = await marketOffersToPrice(db.reads, [...pieces.keys()], market)
  const [agreed, sellers] = await Promise.all([
    contractPrices(viewer, offers),
    knownSellers(viewer, new Set(offers.map(({ sellerId }) => sellerId))),
  ])
  const own = [...Map.groupBy(offers, ({ productId }) => productId)].flatMap(([productId, all]): [string, string][] => {
    if (!all.some(({ id }) => agreed.has(id))) return []
    const best = rankForSale(viewer, { sellers }, all, { pieces: pieces.get(productId) ?? 1, agreed })[0]?.offer.of
    return best && !best.isSample ? [[productId, best.id]] : []
  })
  return new Map(own)
}
