import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { listInvoices } from './list-invoices.ts'
import { listSellerInvoices } from './list-seller-invoices.ts'
import { showStatement, showStatements } from './show-statements.ts'
import { requestInvoice, showSelfCareInvoice } from './self-care.ts'

export const resolvers = {
  Query: {
    myInvoices: (_parent, { page, ...query }, scope: Scope) => listInvoices(scope, { page: page ?? 1, ...query }),
    sellerInvoices: (_parent, { page }, scope: Scope) => listSellerInvoices(scope, page ?? 1),
    selfCareInvoice: (_parent, { orderId }, scope: Scope) => showSelfCareInvoice(scope, orderId),
    myStatements: (_parent, _args, scope: Scope) => showStatements(scope),
    invoiceStatement: (_parent, { id }, scope: Scope) => showStatement(scope, id),
  },
  Mutation: {
    requestInvoice: async (_parent, { orderId }, scope: Scope) => {
      const result = await requestInvoice(scope, orderId)
      if (result.ok) return { refusal: null }
      const t = wordsFor(scope.market)
      const message = t(result.reason === 'not-yet' ? 'invoice.state.not-yet' : 'invoice.state.failure')
      return { refusal: { reason: result.reason, message, fields: [] } }
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.myInvoices': 'invoices.list',
  'Query.sellerInvoices': 'sellerInvoice.see',
  'Query.selfCareInvoice': 'invoice.see',
  'Query.myStatements': 'statement.see',
  'Query.invoiceStatement': 'statement.see',
  'Mutation.requestInvoice': 'invoice.request',
} satisfies ActionsOf<typeof resolvers>
