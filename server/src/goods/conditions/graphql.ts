import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { hasAgreedPrices } from './agreed-prices.ts'
import { showYourPrices } from './your-prices.ts'

export const resolvers = {
  Query: { yourPrices: (_parent, { offerIds }, scope: Scope) => showYourPrices(scope, offerIds) },
  Site: { hasYourPrices: (_parent, _args, scope: Scope) => hasAgreedPrices(scope) },
} satisfies Resolvers

export const actions = {
  'Query.yourPrices': 'your-price.see',
  'Site.hasYourPrices': 'cart.see',
} satisfies ActionsOf<typeof resolvers>
