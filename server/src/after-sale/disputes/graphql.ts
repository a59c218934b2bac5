import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { moveDispute, openDispute, type Disputed } from './move-dispute.ts'
import { listDisputesOfOrder, listDisputesToAnswer, listSellerDisputes, showDisputeOf, showSellerDispute } from './show-dispute.ts'

async function answer({ market }: Scope, outcome: Promise<Disputed>) {
  const done = await outcome
  if (done.ok) return { id: done.id, refusal: null }
  return { id: null, refusal: { reason: done.reason, message: wordsFor(market)(`dispute.refusal.${done.reason}`), fields: [] } }
}

export const resolvers = {
  Query: {
    dispute: (_parent, { messageId }, scope: Scope) => showDisputeOf(scope, messageId),
    disputesOfOrder: (_parent, { customerOrderId }, scope: Scope) => listDisputesOfOrder(scope, customerOrderId),
    disputesToAnswer: (_parent, _args, scope: Scope) => listDisputesToAnswer(scope),
    sellerDispute: (_parent, { id }, scope: Scope) => showSellerDispute(scope, id),
    sellerDisputes: (_parent, _args, scope: Scope) => listSellerDisputes(scope),
  },
  Mutation: {
    openDispute: (_parent, { input }, scope: Scope) => answer(scope, openDispute(scope, input)),
    moveDispute: (_parent, { input }, scope: Scope) => answer(scope, moveDispute(scope, 'dispute.open', input)),
    answerDispute: (_parent, { input }, scope: Scope) => answer(scope, moveDispute(scope, 'dispute.serve', input)),
  },
} satisfies Resolvers

export const actions = {
  'Query.dispute': 'dispute.see',
  'Query.disputesOfOrder': 'dispute.see',
  'Query.disputesToAnswer': 'conversation.list',
  'Query.sellerDispute': 'dispute.serve',
  'Query.sellerDisputes': 'dispute.serve',
  'Mutation.openDispute': 'dispute.open',
  'Mutation.moveDispute': 'dispute.open',
  'Mutation.answerDispute': 'dispute.serve',
} satisfies ActionsOf<typeof resolvers>
