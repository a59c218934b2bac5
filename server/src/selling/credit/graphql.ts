import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { checkLimit } from './check-limit.ts'
import { chooseStatements } from './choose-statements.ts'
import { financingExample } from './financing-example.ts'
import { requestFinancing } from './request-financing.ts'
import { leastByInvoice, showCredit } from './show-credit.ts'

export const resolvers = {
  Query: {
    myCredit: (_parent, _args, scope: Scope) => showCredit(scope),
    financingExample: (_parent, asked, site: SiteScope) => financingExample(site, asked),
  },
  Offer: {
    payByInvoiceFrom: (_parent, _args, site: SiteScope) => leastByInvoice(site),
  },
  Mutation: {
    requestFinancing: (_parent, { input }, scope: Scope) => requestFinancing(scope, input),
    chooseStatements: async (_parent, { isOn }, scope: Scope) => ({ isChosen: (await chooseStatements(scope, isOn)).ok }),
    checkCreditLimit: async (_parent, _args, scope: Scope) => ({ isRequested: (await checkLimit(scope)).ok }),
  },
} satisfies Resolvers

export const actions = {
  'Query.myCredit': 'credit.see',
  'Query.financingExample': 'page.see',
  'Mutation.requestFinancing': 'credit.check',
  'Mutation.chooseStatements': 'statement.choose',
  'Mutation.checkCreditLimit': 'credit.check',
} satisfies ActionsOf<typeof resolvers>
