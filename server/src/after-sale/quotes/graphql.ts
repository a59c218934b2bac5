import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { acceptQuote, endQuote } from './move-quote.ts'
import { requestQuote, type QuoteRefusal } from './request-quote.ts'
import { countQuotes, showDraft, showOwnQuote, showQuotes } from './show-quote.ts'

type Outcome = { ok: true } | { ok: false; reason: QuoteRefusal | 'lines-invalid' | 'validity-invalid' }

function answer({ market }: Scope, outcome: Outcome, quoteId: string | null) {
  if (outcome.ok) return { quoteId, refusal: null }
  const { reason } = outcome
  // Refusals of sellers' commands never reach a buyer.
  const known = reason === 'lines-invalid' || reason === 'validity-invalid' ? 'quote-not-open' : reason
  return { quoteId: null, refusal: { reason: known, message: wordsFor(market)(`quote.refusal.${known}`) } }
}

export const resolvers = {
  Query: {
    myQuotes: (_parent, { state, page }, scope: Scope) => showQuotes(scope, state ?? null, page ?? 1),
    myQuoteCount: (_parent, { state }, scope: Scope) => countQuotes(scope, state ?? null),
    quote: (_parent, { quoteId }, scope: Scope) => showOwnQuote(scope, quoteId),
    quoteDraft: (_parent, subject, scope: Scope) => showDraft(scope, subject),
  },
  Mutation: {
    requestQuote: async (_parent, { input }, scope: Scope) => {
      const made = await requestQuote(scope, input)
      return answer(scope, made, made.ok ? made.quoteId : null)
    },
    acceptQuote: async (_parent, { quoteId }, scope: Scope) => answer(scope, await acceptQuote(scope, quoteId), quoteId),
    endQuote: async (_parent, { quoteId }, scope: Scope) => answer(scope, await endQuote(scope, quoteId), quoteId),
  },
} satisfies Resolvers

export const actions = {
  'Query.myQuotes': 'quote.see',
  'Query.myQuoteCount': 'quote.see',
  'Query.quote': 'quote.see',
  'Query.quoteDraft': 'quote.see',
  'Mutation.requestQuote': 'quote.decide',
  'Mutation.acceptQuote': 'quote.decide',
  'Mutation.endQuote': 'quote.decide',
} satisfies ActionsOf<typeof resolvers>
