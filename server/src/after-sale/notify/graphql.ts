import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { requestOrderLink } from './request-order-link.ts'

export const resolvers = {
  Mutation: {
    requestOrderLink: (_parent, typed, scope: Scope) => requestOrderLink(scope, typed),
  },
} satisfies Resolvers

export const actions = {
  'Mutation.requestOrderLink': 'order.request-link',
} satisfies ActionsOf<typeof resolvers>
