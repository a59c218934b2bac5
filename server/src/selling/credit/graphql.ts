import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { checkLimit } from './check-limit.ts'
import { showCredit } from './show-credit.ts'

export const resolvers = {
  Query: {
    myCredit: (_parent, _args, scope: Scope) => showCredit(scope),
  },
  Mutation: {
    checkCreditLimit: async (_parent, _args, scope: Scope) => ({ isRequested: (await checkLimit(scope)).ok }),
  },
} satisfies Resolvers

export const actions = {
  'Query.myCredit': 'credit.see',
  'Mutation.checkCreditLimit': 'credit.check',
} satisfies ActionsOf<typeof resolvers>
