import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { findSeller } from './find-seller.ts'
import { addressLine, sellerUrl } from './seller.ts'

const countryNames = new Map<string, string>()

/** "Germany", in the market's language; there are few countries and many offers. */
function countryName(locale: string, country: string): string {
  const key = `${locale}:${country}`
  let name = countryNames.get(key)
  if (name === undefined) countryNames.set(key, (name = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country))
  return name
}

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
