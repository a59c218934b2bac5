import { companyOf, customerIdOf } from '#accounts'
import { reference, type Offer } from '#catalogue'
import { categoryPath, type AgreedPrice } from '#pricing'
import type { Scope } from '#platform'
import { readQuotedPrices } from './quoted-prices.ts'
import { hasRules, readRules, type PriceRule } from './store.ts'

type Viewer = Pick<Scope, 'db' | 'principal' | 'market' | 'mode' | 'now'>
/** The facts about an offer that rules refer to. */
export type AgreedFor = Pick<Offer, 'id' | 'productId' | 'sellerId'> & { categoryId: number }

/** Agreed prices apply to members of a company on the professional storefront, and to nobody else. */
function companyOnPro(viewer: Pick<Viewer, 'principal' | 'mode'>): string | null {
  return viewer.mode === 'b2b' ? companyOf(viewer) : null
}

/**
 * Prices that sellers have agreed with the acting company for these offers, by offer; empty for everybody else, without a
 * statement. Never part of what is cached for others: callers price for this viewer alone.
 */
export async function agreedPrices(viewer: Viewer, offers: readonly AgreedFor[]): Promise<ReadonlyMap<string, AgreedPrice>> {
  const companyId = companyOnPro(viewer)
  if (companyId === null || offers.length === 0) return new Map()
  const catalogue = await reference(viewer)
  const paths = new Map(offers.map(({ categoryId }) => [categoryId, categoryPath(catalogue, categoryId)]))
  // Null for a buyer from a purchasing system, who has asked for no quote here.
  const customerId = customerIdOf(viewer)
  const [rules, quotes] = await Promise.all([
    readRules(viewer.db, {
      companyId,
      market: viewer.market,
      now: viewer.now,
      sellerIds: [...new Set(offers.map(({ sellerId }) => sellerId))],
      productIds: offers.map(({ productId }) => productId),
      categoryIds: [...new Set([...paths.values()].flat())],
    }),
    customerId === null
      ? []
      : readQuotedPrices(viewer.db, { customerId, market: viewer.market, now: viewer.now, offerIds: offers.map(({ id }) => id) }),
  ])
  const quoteOf = new Map(quotes.map(({ offerId, ...quoted }) => [offerId, quoted]))
  return new Map(
    offers.flatMap((offer) => {
      const agreed = bestOf(rules, offer, paths.get(offer.categoryId) ?? [])
      const quoted = quoteOf.get(offer.id)
      if (!agreed && !quoted) return []
      return [[offer.id, { price: null, percentBp: null, ...agreed, ...(quoted && { quoted }) }]]
    }),
  )
}

/** The best price and the best percentage among the rules that cover an offer; the lower of both applies. */
export function bestOf(rules: readonly PriceRule[], offer: AgreedFor, path: readonly number[]): AgreedPrice | null {
  const own = rules.filter(
    ({ sellerId, productId, categoryId }) =>
      sellerId === offer.sellerId && (productId === offer.productId || (categoryId !== null && path.includes(categoryId))),
  )
  if (own.length === 0) return null
  const prices = own.flatMap(({ price }) => price ?? [])
  const percents = own.flatMap(({ percentBp }) => percentBp ?? [])
  return {
    price: prices.length > 0 ? Math.min(...prices) : null,
    percentBp: percents.length > 0 ? Math.max(...percents) : null,
  }
}

/** Whether the acting company has agreed prices in this market, so that pages ask for them. */
export async function hasAgreedPrices(viewer: Viewer): Promise<boolean> {
  const companyId = companyOnPro(viewer)
  return companyId !== null && hasRules(viewer.db, companyId, viewer.market, viewer.now)
}
