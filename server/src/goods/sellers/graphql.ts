import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { findSeller } from './find-seller.ts'
import { addressLine, countryName, sellerUrl } from './seller.ts'

export const resolvers = {
  Query: {
    seller: (_parent, { id }, scope: SiteScope) => findSeller(scope, id),
  },
  Seller: {
    url: sellerUrl,
    countryName: (seller, _args, { market }: SiteScope) => countryName(markets[market].locale, seller.country),
    address: ({ address }) => addressLine(address),
    about: ({ about }, _args, { market }: SiteScope) => about[markets[market].language] ?? null,
    returnTerms: ({ returnTerms }, _args, { market }: SiteScope) => returnTerms[markets[market].language] ?? null,
  },
} satisfies Resolvers

export const actions = {
  'Query.seller': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
