import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { showLoyalty } from './show-loyalty.ts'
import { showSegments } from './show-segments.ts'
import { showWelcomeOffer } from './show-welcome-offer.ts'

export const resolvers = {
  Query: {
    customerSegments: (_parent, _args, scope: Scope) => showSegments(scope),
    myWelcomeOffer: (_parent, _args, scope: Scope) => showWelcomeOffer(scope),
    loyalty: (_parent, _args, scope: Scope) => showLoyalty(scope),
  },
} satisfies Resolvers

export const actions = {
  'Query.customerSegments': 'account.see',
  'Query.myWelcomeOffer': 'account.see',
  'Query.loyalty': 'account.see',
} satisfies ActionsOf<typeof resolvers>
