import { toAddedItems } from '#cart'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { listBought } from './list-bought.ts'
import { listOrders } from './list-orders.ts'
import { orderAgain } from './order-again.ts'

export const resolvers = {
  Query: {
    myOrders: (_parent, { page, filter, search }, scope: Scope) =>
      listOrders(scope, { page: page ?? 1, filter: filter ?? 'all', search: search ?? '' }),
    boughtProducts: (_parent, { page }, scope: Scope) => listBought(scope, page ?? 1),
  },
  Mutation: {
    orderAgain: async (_parent, { customerOrderId }, scope: Scope) => {
      const outcome = await orderAgain(scope, customerOrderId)
      return outcome ? toAddedItems(scope.market, outcome) : null
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.myOrders': 'orders.list',
  'Query.boughtProducts': 'bought.list',
  'Mutation.orderAgain': 'cart.change',
} satisfies ActionsOf<typeof resolvers>
