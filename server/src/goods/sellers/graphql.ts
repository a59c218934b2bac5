import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, SiteScope } from '#platform'
import { findSeller } from './find-seller.ts'
import { addressLine, sellerUrl, type Seller } from './seller.ts'

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
    seller: (_parent: unknown, { id }: { id: number }, scope: SiteScope) => findSeller(scope, id),
  },
  Seller: {
    url: sellerUrl,
    countryName: (seller: Seller, _args: unknown, { market }: SiteScope) => countryName(markets[market].locale, seller.country),
    address: ({ address }: Seller) => addressLine(address),
    about: ({ about }: Seller, _args: unknown, { market }: SiteScope) => about[markets[market].language] ?? null,
    returnTerms: ({ returnTerms }: Seller, _args: unknown, { market }: SiteScope) => returnTerms[markets[market].language] ?? null,
  },
}

export const actions = {
  'Query.seller': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
