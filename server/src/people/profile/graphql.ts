import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { customerIdOf, writeVatDisplay } from '#accounts'
import { endOffers } from './offers.ts'
import { changeOptIns, changeProfile } from './change-profile.ts'
import { confirmPhone, sendAnotherPhoneCode } from './confirm-phone.ts'
import { reasonOf, type ProfileChange, type ProfileFault } from './profile.ts'
import { showOptIns, showProfile } from './show-profile.ts'

function told(market: Market, change: ProfileChange) {
  const words = wordsFor(market)
  const at = (faults: Record<string, ProfileFault>) =>
    Object.entries(faults).map(([field, fault]) => ({ field, message: words(`settings.fault.${fault}`) }))
  if (!change.ok) return { refusal: { reason: change.reason, message: words('settings.refused'), fields: at(change.fields) } }
  if (change.codeRefused === undefined) return { refusal: null }
  const fields = at({ smsPhone: change.codeRefused })
  return { refusal: null, codeRefusal: { reason: reasonOf(change.codeRefused), message: words('settings.code-refused'), fields } }
}

export const resolvers = {
  Query: {
    customerProfile: (_parent, _args, scope: Scope) => showProfile(scope),
    optInStatus: (_parent, _args, scope: Scope) => showOptIns(scope),
  },
  Mutation: {
    changeProfile: async (_parent, { input }, scope: Scope) => told(scope.market, await changeProfile(scope, input)),
    changeOptIns: async (_parent, { input }, scope: Scope) => told(scope.market, await changeOptIns(scope, input)),
    confirmPhone: async (_parent, { code }, scope: Scope) => told(scope.market, await confirmPhone(scope, code)),
    sendAnotherPhoneCode: async (_parent, _args, scope: Scope) => told(scope.market, await sendAnotherPhoneCode(scope)),
    endOffers: async (_parent, { token }, scope: Scope) => {
      await endOffers(scope, token)
      return true
    },
    chooseVatDisplay: async (_parent, { withVat }, scope: Scope) => {
      const customerId = customerIdOf(scope)
      if (customerId !== null) await writeVatDisplay(scope.db, customerId, withVat)
      return customerId !== null
    },
  },
  // Computed only when requested, and after the commit.
  ProfileResult: {
    profile: ({ refusal }, _args, scope: Scope) => (refusal ? null : showProfile(scope)),
  },
} satisfies Resolvers

export const actions = {
  'Query.customerProfile': 'account.see',
  'Query.optInStatus': 'account.see',
  'Mutation.changeProfile': 'profile.change',
  'Mutation.changeOptIns': 'profile.change',
  'Mutation.confirmPhone': 'profile.change',
  'Mutation.sendAnotherPhoneCode': 'profile.change',
  'Mutation.endOffers': 'newsletter.join',
  'Mutation.chooseVatDisplay': 'profile.change',
  'ProfileResult.profile': 'account.see',
} satisfies ActionsOf<typeof resolvers>
