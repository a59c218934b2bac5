import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { showSegments } from './show-segments.ts'

export const resolvers = {
  Query: {
    customerSegments: (_parent, _args, scope: Scope) => showSegments(scope),
  },
} satisfies Resolvers

export const actions = {
  'Query.customerSegments': 'account.see',
} satisfies ActionsOf<typeof resolvers>
