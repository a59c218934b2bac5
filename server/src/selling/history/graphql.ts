import { customerIdOf } from '#accounts'
import { cardsOf, recommendForHistory } from '#listing'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { maxEntries, readHistory } from './store.ts'

const isId = (id: string) => /^\d{1,18}$/.test(id)
const some = (ids: readonly string[]) => [...new Set(ids.filter(isId))].slice(0, maxEntries)

export const resolvers = {
  Query: {
    productHistory: (_parent, _args, scope: Scope) => {
      const customerId = customerIdOf(scope)
      return customerId === null ? [] : readHistory(scope.db, customerId, scope.now)
    },
    seenProducts: (_parent, { productIds }, scope: SiteScope) => cardsOf(scope, some(productIds)),
    suggestedFromHistory: (_parent, { productIds }, scope: SiteScope) => recommendForHistory(scope, some(productIds)),
  },
} satisfies Resolvers

export const actions = {
  'Query.productHistory': 'history.see',
  'Query.seenProducts': 'goods.see',
  'Query.suggestedFromHistory': 'goods.see',
} satisfies ActionsOf<typeof resolvers>
