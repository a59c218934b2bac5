import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { changeTaxInformation, checkAgain, type TaxChange } from './change-tax-information.ts'
import { showTaxInformation } from './show-tax-information.ts'

function answered(market: Market, change: TaxChange) {
  if (change.ok) return { refusal: null, isAsked: change.asked }
  const words = wordsFor(market)
  if (change.reason !== 'tax-invalid')
    return { refusal: { reason: change.reason, message: words(`tax.refusal.${change.reason}`), fields: [] }, isAsked: false }
  const fields = Object.entries(change.fields).map(([field, fault]) => ({ field, message: words(`tax.fault.${fault}`) }))
  return { refusal: { reason: change.reason, message: words('tax.refusal.tax-invalid'), fields }, isAsked: false }
}

export const resolvers = {
  Query: {
    myTaxInformation: (_parent, _args, scope: Scope) => showTaxInformation(scope),
  },
  Mutation: {
    changeTaxInformation: async (_parent, { input }, scope: Scope) => answered(scope.market, await changeTaxInformation(scope, input)),
    checkVatNumberAgain: async (_parent, _args, scope: Scope) => answered(scope.market, await checkAgain(scope)),
  },
} satisfies Resolvers

export const actions = {
  'Query.myTaxInformation': 'tax.see',
  'Mutation.changeTaxInformation': 'tax.change',
  'Mutation.checkVatNumberAgain': 'tax.change',
} satisfies ActionsOf<typeof resolvers>
