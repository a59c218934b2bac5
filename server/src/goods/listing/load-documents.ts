import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import {
  readMarketOffers,
  readModelMembers,
  readPriceHistory,
  readProductPage,
  readProducts,
  reference,
  type Offer,
  type Product,
} from '#catalogue'
import { codesForSome, vatRules } from '#pricing'
import { knownSellers } from '#sellers'
import { buildDocument, type DocumentFacts } from './build-documents.ts'
import { buildOffers } from './build-offers.ts'
import type { OfferDocument, ProductDocument } from './document.ts'

const pageSize = 500

/** The documents of products in a market, and those of their offers. */
export interface Documents {
  products: ProductDocument[]
  offers: OfferDocument[]
}

/** Documents of these products in a market; products nobody sells there are absent. Of the products in `only`, this offer alone counts. */
export async function loadDocuments(
  db: Db,
  market: Market,
  products: readonly Product[],
  now: Date,
  only: ReadonlyMap<string, string> = new Map(),
): Promise<Documents> {
  const modelIds = [...new Set(products.flatMap(({ modelId }) => modelId ?? []))]
  const members = await readModelMembers(db, modelIds)
  const ids = [...new Set([...products.map(({ id }) => id), ...members.map(({ id }) => id)])]
  const offers = await withoutHiddenCodes(db, market, await readMarketOffers(db, ids, market))
  for (const [productId, offerId] of only)
    offers.set(
      productId,
      (offers.get(productId) ?? []).filter(({ id }) => id === offerId),
    )
  const wanted = new Set(products.map(({ id }) => id))
  const offerIds = [...offers].flatMap(([productId, list]) => (wanted.has(productId) ? list.map(({ id }) => id) : []))
  const sellerIds = new Set([...offers.values()].flatMap((list) => list.map(({ sellerId }) => sellerId)))
  const [catalogue, rules, sellers, history] = await Promise.all([
    reference({ db }),
    vatRules({ db }),
    knownSellers({ db }, sellerIds),
    readPriceHistory(db, offerIds, now),
  ])
  const facts: DocumentFacts = {
    market,
    now,
    catalogue,
    rules,
    sellers,
    offers,
    history,
    models: Map.groupBy(members, ({ modelId }) => modelId),
  }
  return {
    products: products.flatMap((product) => buildDocument(product, facts) ?? []),
    offers: products.flatMap((product) => buildOffers(product, facts)),
  }
}

/** Anybody may search with the public key: an index has no coupon code that only some customers may use. */
async function withoutHiddenCodes(db: Db, market: Market, offers: Map<string, Offer[]>): Promise<Map<string, Offer[]>> {
  const codes = new Set([...offers.values()].flatMap((list) => list.flatMap(({ couponCode }) => couponCode ?? [])))
  const hidden = await codesForSome(db, market, [...codes])
  if (hidden.size === 0) return offers
  const shown = (offer: Offer): Offer => (hidden.has(offer.couponCode ?? '') ? { ...offer, couponCode: null } : offer)
  return new Map([...offers].map(([productId, list]) => [productId, list.map(shown)]))
}

/** All documents of a market, in key order; at most two pages in memory: the next one is read while this one is indexed. */
export async function* allDocuments(db: Db, market: Market, now: Date): AsyncGenerator<Documents> {
  const load = async (after: string): Promise<{ documents: Documents; last: string | null }> => {
    const products = await readProductPage(db, after, pageSize)
    const last = products.length < pageSize ? null : (products.at(-1)?.id ?? null)
    return { documents: await loadDocuments(db, market, products, now), last }
  }
  let page = load('0')
  for (;;) {
    const { documents, last } = await page
    if (last !== null) {
      page = load(last)
      // A caller that stops halfway must not get this page's failure as an unhandled rejection.
      page.catch(() => undefined)
    }
    yield documents
    if (last === null) return
  }
}

export async function documentsOf(db: Db, market: Market, productIds: readonly string[], now: Date): Promise<ProductDocument[]> {
  return (await loadDocuments(db, market, await readProducts(db, productIds), now)).products
}

/** Documents as they would be if each product had this offer alone, by product. */
export async function documentsWith(db: Db, market: Market, offerOf: ReadonlyMap<string, string>, now: Date): Promise<ProductDocument[]> {
  return (await loadDocuments(db, market, await readProducts(db, [...offerOf.keys()]), now, offerOf)).products
}
