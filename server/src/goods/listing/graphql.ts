import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { brandUrl } from '#catalogue'
import { sellerUrl } from '#sellers'
import { alternatesIn, categoryAlternates } from './page-alternates.ts'
import { countProducts } from './count-products.ts'
import { alternativesOf } from './find-alternatives.ts'
import { feedGoods } from './feed-goods.ts'
import { impressionOf } from './impression.ts'
import { holdsStill, isFirstByRelevance, listProducts, type Listing } from './list-products.ts'
import { normalizeListing, type ListingInput } from './listing-input.ts'
import { reportSearch } from './ports.ts'
import { productAlternates } from './product-alternates.ts'
import { countSitemapFiles, sitemapBrands, sitemapCategories, sitemapProducts, sitemapQueries, sitemapSellers } from './sitemap-goods.ts'
import { suggest } from './suggest.ts'

/** A filtered or sorted listing is the same search: its few results say nothing about the query. */
function isRefined({ filters, ranges, sort }: ListingInput): boolean {
  return (filters?.length ?? 0) > 0 || (ranges?.length ?? 0) > 0 || (sort ?? 'relevance') !== 'relevance'
}

/** Of a search or a category, for events about its products. */
function impressionIn({ market, now }: SiteScope, input: ListingInput, { cards }: Listing): string | null {
  const { kind, id, query } = input
  if ((kind !== 'search' && kind !== 'category') || cards.length === 0) return null
  const list = { market, kind, id: id ?? null, query: query ?? null, shown: cards.map(({ productId }) => productId) }
  return impressionOf(list, isFirstByRelevance(normalizeListing(input)), now)
}

export const resolvers = {
  Query: {
    listing: async (_parent, { input }, scope: SiteScope) => {
      const listing = await listProducts(scope, input)
      const isTold = input.kind === 'search' && listing.page === 1 && listing.available
      const holds = isTold ? null : holdsStill(listing)
      if (holds) scope.share?.(holds)
      if (isTold) {
        const { total: results, queryId } = listing
        const shown = listing.cards.map(({ productId }) => productId)
        reportSearch({ market: scope.market, query: input.query ?? '', results, queryId, shown, isRefined: isRefined(input) })
      }
      return { ...listing, impressionId: impressionIn(scope, input, listing) }
    },
    suggestions: (_parent, { query }, scope: SiteScope) => suggest(scope, query),
    feedGoods: (_parent, { after }, scope: SiteScope) => feedGoods(scope, after),
    sitemapFiles: (_parent, _args, scope: SiteScope) => countSitemapFiles(scope),
    sitemapProducts: (_parent, { file }, scope: SiteScope) => sitemapProducts(scope, file),
    sitemapSellers: async (_parent, _args, scope: SiteScope) => [...(await sitemapSellers(scope))],
    sitemapCategories: (_parent, _args, scope: SiteScope) => sitemapCategories(scope),
    sitemapQueries: async (_parent, _args, scope: SiteScope) => [...(await sitemapQueries(scope))],
    sitemapBrands: async (_parent, _args, scope: SiteScope) => [...(await sitemapBrands(scope))],
  },
  Product: {
    alternatives: ({ product }, _args, scope: SiteScope) => alternativesOf(scope, product),
    alternates: ({ product }, _args, scope: SiteScope) => productAlternates(scope, [product.id]),
  },
  Brand: {
    alternates: (brand, _args, scope: SiteScope) => alternatesIn(scope, brandUrl(brand), sitemapBrands),
  },
  Seller: {
    alternates: (seller, _args, scope: SiteScope) => alternatesIn(scope, sellerUrl(seller), sitemapSellers),
  },
  Category: {
    productCount: async ({ id }, _args, scope: SiteScope) => (await countProducts(scope)).get(id) ?? 0,
    alternates: (category, _args, scope: SiteScope) => categoryAlternates(scope, category),
  },
} satisfies Resolvers

export const actions = {
  'Query.listing': 'goods.see',
  'Query.feedGoods': 'goods.see',
  'Query.sitemapFiles': 'goods.see',
  'Query.sitemapProducts': 'goods.see',
  'Query.sitemapSellers': 'goods.see',
  'Query.sitemapBrands': 'goods.see',
  'Query.sitemapCategories': 'goods.see',
  'Query.sitemapQueries': 'goods.see',
  'Query.suggestions': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
