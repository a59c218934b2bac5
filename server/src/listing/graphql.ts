import type { Scope } from '#platform'
import type { Category, ProductSheet } from '#catalogue'
import { countProducts } from './count-products.ts'
import { alternativesOf } from './find-alternatives.ts'
import { holdsStill, listProducts } from './list-products.ts'
import type { ListingInput } from './listing-input.ts'
import { tellSearch } from './ports.ts'
import { suggest } from './suggest.ts'

export const resolvers = {
  Query: {
    listing: async (_parent: unknown, { input }: { input: ListingInput }, scope: Scope) => {
      const listing = await listProducts(scope, input)
      const isNewSearch = input.kind === 'search' && listing.page === 1 && listing.available
      const holds = isNewSearch ? null : holdsStill(listing)
      if (holds) scope.share?.(holds)
      if (isNewSearch) tellSearch({ market: scope.market, query: input.query ?? '', results: listing.total, queryId: listing.queryId })
      return listing
    },
    suggestions: (_parent: unknown, { query }: { query: string }, scope: Scope) => suggest(scope, query),
  },
  Product: {
    alternatives: ({ product }: ProductSheet, _args: unknown, scope: Scope) => alternativesOf(scope, product),
  },
  Category: {
    productCount: async ({ id }: Category, _args: unknown, scope: Scope) => (await countProducts(scope)).get(id) ?? 0,
  },
}
