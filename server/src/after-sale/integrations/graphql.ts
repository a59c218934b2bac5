import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { createKey, dropKey, listKeys } from './manage-keys.ts'

export const resolvers = {
  Query: {
    sellerKeys: (_parent, _args, scope: Scope) => listKeys(scope),
  },
  Mutation: {
    createSellerKey: async (_parent, { input }, scope: Scope) => {
      const made = await createKey(scope, input)
      if (made.ok) return { key: made.key, secret: made.secret, refusal: null }
      const message = wordsFor(scope.market)(`integrations.refusal.${made.reason}`)
      return { key: null, secret: null, refusal: { reason: made.reason, message, fields: [] } }
    },
    revokeSellerKey: (_parent, { id }, scope: Scope) => dropKey(scope, id),
  },
} satisfies Resolvers

export const actions = {
  'Query.sellerKeys': 'sellerKey.manage',
  'Mutation.createSellerKey': 'sellerKey.manage',
  'Mutation.revokeSellerKey': 'sellerKey.manage',
} satisfies ActionsOf<typeof resolvers>
