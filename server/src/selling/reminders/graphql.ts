import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { agreeToReminder, confirmReminder, endReminder, showGuestReminder, withdrawReminder } from './guest-reminder.ts'

export const resolvers = {
  Query: {
    basketReminder: (_parent, _args, scope: Scope) => showGuestReminder(scope),
  },
  Mutation: {
    agreeToBasketReminder: (_parent, _args, scope: Scope) => agreeToReminder(scope),
    withdrawBasketReminder: async (_parent, _args, scope: Scope) => {
      await withdrawReminder(scope)
      return true
    },
    confirmBasketReminder: (_parent, { token }, scope: Scope) => confirmReminder(scope, token),
    endBasketReminder: async (_parent, { token }, scope: Scope) => {
      await endReminder(scope, token)
      return true
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.basketReminder': 'checkout.see',
  'Mutation.agreeToBasketReminder': 'guest.continue',
  'Mutation.withdrawBasketReminder': 'guest.continue',
  'Mutation.confirmBasketReminder': 'newsletter.join',
  'Mutation.endBasketReminder': 'newsletter.join',
} satisfies ActionsOf<typeof resolvers>
