import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { confirmSubscription, endSubscription, subscribe } from './subscribe.ts'

export const resolvers = {
  Mutation: {
    subscribeToNewsletter: async (_parent, { email, website }, scope: Scope) => {
      const outcome = await subscribe(scope, { email, website })
      if (outcome.ok) return { refusal: null }
      const message = wordsFor(scope.market)('refusal.field.email-format')
      return { refusal: { reason: 'email-invalid' as const, message, fields: [{ field: 'email', message }] } }
    },
    confirmSubscription: (_parent, { token }, scope: Scope) => confirmSubscription(scope, token),
    endSubscription: async (_parent, { token }, scope: Scope) => {
      await endSubscription(scope, token)
      return true
    },
  },
} satisfies Resolvers

export const actions = {
  'Mutation.subscribeToNewsletter': 'newsletter.join',
  'Mutation.confirmSubscription': 'newsletter.join',
  'Mutation.endSubscription': 'newsletter.join',
} satisfies ActionsOf<typeof resolvers>
