import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { checkLimit } from './check-limit.ts'
import { chooseStatements } from './choose-statements.ts'
import { financingExample } from './financing-example.ts'
import { giveMandate } from './give-mandate.ts'
import { requestFinancing } from './request-financing.ts'
import { revokeMandate } from './revoke-mandate.ts'
import { leastByInvoice, showCredit } from './show-credit.ts'
import { showDirectDebit } from './show-direct-debit.ts'

export const resolvers = {
  Query: {
    myCredit: (_parent, _args, scope: Scope) => showCredit(scope),
    directDebit: (_parent, _args, scope: Scope) => showDirectDebit(scope),
    financingExample: (_parent, asked, site: SiteScope) => financingExample(site, asked),
  },
  Offer: {
    payByInvoiceFrom: (_parent, _args, site: SiteScope) => leastByInvoice(site),
  },
  Mutation: {
    requestFinancing: (_parent, { input }, scope: Scope) => requestFinancing(scope, input),
    chooseStatements: async (_parent, { isOn }, scope: Scope) => ({ isChosen: (await chooseStatements(scope, isOn)).ok }),
    giveMandate: async (_parent, { input }, scope: Scope) => {
      const given = await giveMandate(scope, input)
      if (given.ok) return { refusal: null }
      const t = wordsFor(scope.market)
      const { reason } = given
      const fields = reason === 'mandate-invalid' ? given.faults : {}
      const faults = (['holder', 'iban', 'isAgreed'] as const).flatMap((field) => {
        const fault = fields[field]
        return fault ? [{ field, message: t(`mandate.fault.${fault}`) }] : []
      })
      return { refusal: { reason, message: t(`mandate.refusal.${reason}`), fields: faults } }
    },
    revokeMandate: async (_parent, _args, scope: Scope) => ({ isRevoked: (await revokeMandate(scope)).ok }),
    checkCreditLimit: async (_parent, _args, scope: Scope) => ({ isRequested: (await checkLimit(scope)).ok }),
  },
} satisfies Resolvers

export const actions = {
  'Query.myCredit': 'credit.see',
  'Query.directDebit': 'statement.see',
  'Query.financingExample': 'page.see',
  'Mutation.requestFinancing': 'credit.check',
  'Mutation.chooseStatements': 'statement.choose',
  'Mutation.giveMandate': 'mandate.change',
  'Mutation.revokeMandate': 'mandate.change',
  'Mutation.checkCreditLimit': 'credit.check',
} satisfies ActionsOf<typeof resolvers>
