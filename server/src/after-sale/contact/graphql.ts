import { markets } from '@purlin/contract/markets.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { sendMessage } from './send-message.ts'
import { contactWords } from './words.ts'

export const resolvers = {
  Mutation: {
    sendMessage: async (_parent, { input }, scope: Scope) => {
      const outcome = await sendMessage(scope, input)
      if (outcome.ok) return { reference: outcome.reference, refusal: null }
      const words = contactWords[markets[scope.market].language]
      const faults = outcome.reason === 'message-invalid' ? [...outcome.faults] : []
      return {
        reference: null,
        refusal: {
          reason: outcome.reason,
          message: words[outcome.reason],
          fields: faults.map(([field, fault]) => ({ field, message: words.fault[fault] })),
        },
      }
    },
  },
} satisfies Resolvers

export const actions = {
  'Mutation.sendMessage': 'message.send',
} satisfies ActionsOf<typeof resolvers>
