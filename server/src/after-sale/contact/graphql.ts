import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { sendMessage } from './send-message.ts'

export const resolvers = {
  Mutation: {
    sendMessage: async (_parent, { input }, scope: Scope) => {
      const outcome = await sendMessage(scope, input)
      if (outcome.ok) return { reference: outcome.reference, isAcknowledged: outcome.isAcknowledged, refusal: null }
      const t = wordsFor(scope.market)
      const faults = outcome.reason === 'message-invalid' ? [...outcome.faults] : []
      return {
        reference: null,
        isAcknowledged: false,
        refusal: {
          reason: outcome.reason,
          message: t(`refusal.${outcome.reason}`),
          fields: faults.map(([field, fault]) => ({ field, message: t(`refusal.message.${fault}`) })),
        },
      }
    },
  },
} satisfies Resolvers

export const actions = {
  'Mutation.sendMessage': 'message.send',
} satisfies ActionsOf<typeof resolvers>
