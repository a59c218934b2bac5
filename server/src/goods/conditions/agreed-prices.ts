import { companyOf, inPerson } from '#accounts'
import { reference, type Offer, type Reference } from '#catalogue'
import { categoryPath, differsFromPages, priceDisplay, type AgreedPrice } from '#pricing'
import type { Scope } from '#platform'
import { readQuotedPrices } from './quoted-prices.ts'
import { hasRules, readRules, type PriceRule } from './store.ts'

type Viewer = Pick<Scope, 'db' | 'principal' | 'market' | 'mode' | 'now'>
/** The facts about an offer that rules refer to. */
export type AgreedFor = Pick<Offer, 'id' | 'productId' | 'sellerId'> & { categoryId: number }

/** Agreed prices apply to members of a company on the professional storefront, and to nobody else. */
export function companyOnPro(viewer: Pick<Viewer, 'principal' | 'mode'>): string | null {
  return viewer.mode === 'b2b' ? companyOf(viewer) : null
}

/**
 * Prices that sellers have agreed with the acting company for these offers, by offer; empty for everybody else, without a
 * statement. Never part of what is cached for others: callers price for this viewer alone.
 */
export async function agreedPrices(viewer: Viewer, offers: readonly AgreedFor[]): Promise<ReadonlyMap<string, AgreedPrice>> {
  const companyId = companyOnPro(viewer)
  if (companyId === null || offers.length === 0) return new Map()
  // Null in a basket or an order of a purchasing system, which has asked for no quote here.
  const customerId = inPerson(viewer)
  const [contract, quotes] = await Promise.all([
    contractPrices(viewer, offers),
    customerId === null
      ? []
      : readQuotedPrices(viewer.db, {
          customerId,
          companyId,
          market: viewer.market,
          now: viewer.now,
          offerIds: offers.map(({ id }) => id),
        }),
  ])
  const agreed = new Map<string, AgreedPrice>(contract)
  for (const [offerId, own] of Map.groupBy(quotes, (quote) => quote.offerId))
    agreed.set(offerId, { price: null, percentBp: null, ...contract.get(offerId), quotes: own })
  return agreed
}

/** The same without accepted quotes, which count for one quantity only: the prices of the company's groups and price lists. */
export async function contractPrices(viewer: Viewer, offers: readonly AgreedFor[]): Promise<ReadonlyMap<string, AgreedPrice>> {
  const companyId = companyOnPro(viewer)
  if (companyId === null || offers.length === 0) return new Map()
  const { market, now } = viewer
  const catalogue = await reference(viewer)
  const categoryIds = [...new Set(offers.flatMap(({ categoryId }) => categoryPath(catalogue, categoryId)))]
  return pricesByRules(catalogue, offers, await readRules(viewer.db, { companyId, market, now, offers, categoryIds }))
}

/** The prices that rules give to offers, by offer. */
export function pricesByRules(
  catalogue: Reference,
  offers: readonly AgreedFor[],
  rules: readonly PriceRule[],
): ReadonlyMap<string, AgreedPrice> {
  if (rules.length === 0) return new Map()
  const bySeller = Map.groupBy(rules, ({ sellerId }) => sellerId)
  const known = new Map([...bySeller].map(([sellerId, own]) => [sellerId, byGoods(own)]))
  const agreed = new Map<string, AgreedPrice>()
  for (const { id, sellerId, productId, categoryId } of offers) {
    const own = known.get(sellerId)
    if (!own) continue
    const covering = [...(own.products.get(productId) ?? [])]
    // Most lists name a few categories, and most categories are in none.
    if (own.categories.size > 0) for (const each of categoryPath(catalogue, categoryId)) covering.push(...(own.categories.get(each) ?? []))
    const best = bestOf(covering)
    if (best) agreed.set(id, best)
  }
  return agreed
}

function byGoods(rules: readonly PriceRule[]) {
  return {
    products: Map.groupBy(rules, ({ productId }) => productId),
    categories: Map.groupBy(
      rules.filter(({ productId }) => productId === null),
      ({ categoryId }) => categoryId,
    ),
  }
}

/** The best price and the best percentage among the rules that cover an offer; the lower of both applies. */
function bestOf(rules: readonly PriceRule[]): AgreedPrice | null {
  if (rules.length === 0) return null
  const prices = rules.flatMap(({ price }) => price ?? [])
  const percents = rules.flatMap(({ percentBp }) => percentBp ?? [])
  return {
    price: prices.length > 0 ? Math.min(...prices) : null,
    percentBp: percents.length > 0 ? Math.max(...percents) : null,
  }
}

/** Whether pages ask for the acting company's prices: it has agreed some in this market, or sees prices in another tax mode. */
export async function hasAgreedPrices(viewer: Viewer & Pick<Scope, 'prefersVat'>): Promise<boolean> {
  const companyId = companyOnPro(viewer)
  if (companyId !== null && differsFromPages(priceDisplay(viewer))) return true
  return companyId !== null && hasRules(viewer.db, companyId, viewer.market, viewer.now)
}
