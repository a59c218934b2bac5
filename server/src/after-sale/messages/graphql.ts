import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { rateAnswer, reportMessage, type Judged } from './judge-message.ts'
import { countUnread, listConversations, listSellerConversations } from './list-conversations.ts'
import { markConversationRead, showConversation } from './show-conversation.ts'
import { writeMessage, type MessageRefusal, type Written } from './write-message.ts'
import type { JudgeRefusal } from './judge-message.ts'

function told({ market }: Scope, reason: MessageRefusal | JudgeRefusal) {
  return { reason, message: wordsFor(market)(`messages.refusal.${reason}`), fields: [] }
}
async function written(scope: Scope, outcome: Promise<Written>) {
  const done = await outcome
  if (!done.ok) return { id: null, seq: null, isMasked: null, refusal: told(scope, done.reason) }
  return { id: done.id, seq: done.seq, isMasked: done.isMasked, refusal: null }
}
async function judged(scope: Scope, outcome: Promise<Judged>) {
  const done = await outcome
  return { refusal: done.ok ? null : told(scope, done.reason) }
}

export const resolvers = {
  Query: {
    conversations: (_parent, { page }, scope: Scope) => listConversations(scope, page ?? 1),
    unreadConversations: (_parent, _args, scope: Scope) => countUnread(scope),
    sellerConversations: (_parent, { after, isWaiting }, scope: Scope) =>
      listSellerConversations(scope, { after: after ?? null, isWaiting: isWaiting ?? false }),
    conversation: (_parent, { orderId, before }, scope: Scope) => showConversation(scope, 'conversation.see', orderId, before ?? null),
    sellerConversation: (_parent, { orderId, before }, scope: Scope) =>
      showConversation(scope, 'conversation.serve', orderId, before ?? null),
  },
  Mutation: {
    writeMessage: (_parent, { orderId, input }, scope: Scope) => written(scope, writeMessage(scope, 'conversation.write', orderId, input)),
    answerConversation: (_parent, { orderId, input }, scope: Scope) =>
      written(scope, writeMessage(scope, 'conversation.serve', orderId, input)),
    markConversationRead: (_parent, { orderId, upTo }, scope: Scope) => markConversationRead(scope, 'conversation.see', orderId, upTo),
    markSellerConversationRead: (_parent, { orderId, upTo }, scope: Scope) =>
      markConversationRead(scope, 'conversation.serve', orderId, upTo),
    reportMessage: (_parent, { input }, scope: Scope) => judged(scope, reportMessage(scope, 'conversation.write', input)),
    reportBuyerMessage: (_parent, { input }, scope: Scope) => judged(scope, reportMessage(scope, 'conversation.serve', input)),
    rateAnswer: (_parent, { input }, scope: Scope) => judged(scope, rateAnswer(scope, input)),
  },
} satisfies Resolvers

export const actions = {
  'Query.conversations': 'conversation.list',
  'Query.unreadConversations': 'conversation.list',
  'Query.sellerConversations': 'conversation.serve',
  'Query.conversation': 'conversation.see',
  'Query.sellerConversation': 'conversation.serve',
  'Mutation.writeMessage': 'conversation.write',
  'Mutation.answerConversation': 'conversation.serve',
  'Mutation.markSellerConversationRead': 'conversation.serve',
  'Mutation.reportBuyerMessage': 'conversation.serve',
  'Mutation.markConversationRead': 'conversation.see',
  'Mutation.reportMessage': 'conversation.write',
  'Mutation.rateAnswer': 'conversation.write',
} satisfies ActionsOf<typeof resolvers>
