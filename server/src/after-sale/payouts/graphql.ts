import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { bankFields } from './bank-account.ts'
import { changeAccount } from './change-account.ts'
import { listPayouts, showBalance, showOwnPayout } from './show-payouts.ts'

export const resolvers = {
  Query: {
    sellerBalance: (_parent, _args, scope: Scope) => showBalance(scope),
    sellerPayouts: (_parent, { below }, scope: Scope) => listPayouts(scope, below),
    sellerPayout: (_parent, { id }, scope: Scope) => showOwnPayout(scope, id),
  },
  Mutation: {
    changePayoutAccount: async (_parent, { input }, scope: Scope) => {
      const changed = await changeAccount(scope, input)
      if (changed.ok) return { isChanged: true, refusal: null }
      const t = wordsFor(scope.market)
      const fields = bankFields.flatMap((field) => {
        const fault = changed.faults[field]
        return fault ? [{ field, message: t(`payout.fault.${fault}`) }] : []
      })
      return { isChanged: false, refusal: { reason: changed.reason, message: t('payout.refusal.account-invalid'), fields } }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.sellerBalance': 'payout.see',
  'Query.sellerPayouts': 'payout.see',
  'Query.sellerPayout': 'payout.see',
  'Mutation.changePayoutAccount': 'payout.change-account',
} satisfies ActionsOf<typeof resolvers>
