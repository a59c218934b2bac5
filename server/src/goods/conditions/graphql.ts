import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { showMoney } from '#pricing'
import { hasAgreedPrices } from './agreed-prices.ts'
import { sumOfItems } from './sum-of-items.ts'
import { showDelivery, showLandedPrice, showYourPrices, yourPricesBeside, type PricesWanted } from './your-prices.ts'

export const resolvers = {
  Query: {
    yourPrices: (_parent, args, scope: Scope) => showYourPrices(scope, args),
    sumOfItems: async (_parent, { items }, scope: Scope) => {
      const { taxKey, amount } = await sumOfItems(scope, items)
      return { taxKey, total: showMoney(scope.market, amount) }
    },
  },
  YourPrice: {
    landedPrice: (own, _args, scope: SiteScope) => showLandedPrice(scope, own),
    delivery: (own, _args, scope: SiteScope) => showDelivery(scope, own),
  },
  Site: { hasYourPrices: (_parent, _args, scope: Scope) => hasAgreedPrices(scope) },
} satisfies Resolvers

export const actions = {
  'Query.yourPrices': 'your-price.see',
  'Query.sumOfItems': 'your-price.see',
  'Site.hasYourPrices': 'cart.see',
} satisfies ActionsOf<typeof resolvers>

export const besides = {
  'Query.yourPrices': (args: PricesWanted, site: SiteScope) => yourPricesBeside(site, args),
}
