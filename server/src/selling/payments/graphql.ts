import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { dropCard, listCards, preferCard, type CardChange } from './change-cards.ts'
import { showCard } from './show-card.ts'

async function answer(scope: Scope, changed: Promise<CardChange>) {
  const change = await changed
  if (change.ok) return { refusal: null }
  return { refusal: { reason: change.reason, message: wordsFor(scope.market)(`cards.refusal.${change.reason}`), fields: [] } }
}

export const resolvers = {
  Query: {
    mySavedCards: async (_parent, _args, scope: Scope) => (await listCards(scope)).map((card) => showCard(card, scope.now)),
  },
  Mutation: {
    preferSavedCard: (_parent, { id }, scope: Scope) => answer(scope, preferCard(scope, id)),
    dropSavedCard: (_parent, { id }, scope: Scope) => answer(scope, dropCard(scope, id)),
  },
} satisfies Resolvers

export const actions = {
  'Query.mySavedCards': 'card.see',
  'Mutation.preferSavedCard': 'card.change',
  'Mutation.dropSavedCard': 'card.change',
} satisfies ActionsOf<typeof resolvers>
