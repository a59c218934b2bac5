import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { listOrders } from './list-orders.ts'

export const resolvers = {
  Query: {
    myOrders: (_parent, { page, filter }, scope: Scope) => listOrders(scope, { page: page ?? 1, filter: filter ?? 'all' }),
  },
} satisfies Resolvers

export const actions = {
  'Query.myOrders': 'orders.list',
} satisfies ActionsOf<typeof resolvers>
