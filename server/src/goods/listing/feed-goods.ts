import { markets } from '@purlin/contract/markets.ts'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import { UnavailableError } from '#platform'
import { activeProductIds, inLanguage, readProducts, reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { cardOf } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { searchEngine } from './ports.ts'
import type { ListingScope } from './list-products.ts'

export interface FeedItem {
  id: string
  title: string
  description: string
  ean: string
  mpn: string
  card: ProductCard
}

const pageMax = 200

/**
 * The next goods after an id, with everything a merchant feed says about them.
 * @throws UnavailableError while the index is empty or unavailable: an empty feed would take the goods off the market
 */
export async function feedGoods(scope: ListingScope, after: string): Promise<{ goods: FeedItem[]; next: string | null }> {
  if (!/^\d{1,18}$/.test(after)) return { goods: [], next: null }
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  if (!engine.version(index)) throw new UnavailableError('the search engine is unavailable')
  const from = String(BigInt(after) + 1n)
  const ids = await activeProductIds(scope.db, { from, before: null, max: pageMax })
  // By id, and failing if the index does: a search that fails returns nothing, which a feed must not pass on.
  const [products, found, catalogue] = await Promise.all([readProducts(scope.db, ids), engine.getObjects(index, ids), reference(scope)])
  const documents = new Map((found as (ProductDocument | null)[]).flatMap((document) => (document ? [[document.objectID, document]] : [])))
  const viewer = { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue }
  const { language } = markets[scope.market]
  const goods = products
    .toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
    .flatMap((product): FeedItem[] => {
      const document = documents.get(product.id)
      if (!document?.indexable || !document.storefronts.includes(scope.mode)) return []
      const card = cardOf(document, viewer)
      const { id, ean, mpn } = product
      return [{ id, title: inLanguage(product.titles, language), description: inLanguage(product.descriptions, language), ean, mpn, card }]
    })
  return { goods, next: ids.length === pageMax ? (ids.at(-1) ?? null) : null }
}
