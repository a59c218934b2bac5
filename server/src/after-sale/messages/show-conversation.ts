import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Scope } from '#platform'
import { limits, quickReplies, type Side } from './conversation.ts'
import { findPart, type PartAction } from './find-order.ts'
import { findConversation, markSeen, readMessages } from './store.ts'

/**
 * What has been written about a seller order, for one of its parties; null for anybody else. Before the first message it
 * is empty. `before` is the number of a message: the page of messages that precede it.
 */
export async function showConversation(scope: Scope, action: PartAction, sellerOrderId: string, before: number | null) {
  const seen = await findPart(scope, action, sellerOrderId)
  if (!seen) return null
  const { side, order, part } = seen
  const [conversation, found] = await Promise.all([
    findConversation(scope.db, part.id),
    // One more than shown tells whether there are older ones.
    readMessages(scope.db, part.id, before ?? 2_147_483_647, limits.page + 1),
  ])
  const messages = found.slice(-limits.page)
  const read = side === 'seller' ? conversation?.sellerRead : conversation?.buyerRead
  return {
    orderId: part.id,
    customerOrderId: order.id,
    sellerName: part.seller.name,
    title: part.lines[0]?.snapshot.title ?? '',
    imageUrl: part.lines[0]?.snapshot.imageUrl ?? '',
    lineCount: part.lines.length,
    viewer: side,
    topic: conversation?.topic ?? null,
    answerDueAt: conversation?.answerDueAt ?? null,
    isAnswerLate: (conversation?.answerDueAt ?? scope.now) < scope.now,
    lastSeq: conversation?.lastSeq ?? 0,
    hasOlder: found.length > limits.page,
    messages: messages.map(({ files, ...message }) => ({
      ...message,
      isUnread: message.author !== side && message.seq > (read ?? 0),
      files: files.map(({ id, name }) => ({
        id,
        name,
        url: `/api/v1/${side === 'buyer' ? '' : 'seller/'}conversations/${part.id}/files/${id}`,
      })),
    })),
    quickReplies: quickRepliesOf(scope, side),
  }
}

function quickRepliesOf({ market }: Scope, side: Side): { id: string; text: string }[] {
  const t = wordsFor(market)
  if (side === 'buyer') return quickReplies.buyer.map((id) => ({ id, text: t(`messages.quick.buyer.${id}`) }))
  return side === 'seller' ? quickReplies.seller.map((id) => ({ id, text: t(`messages.quick.seller.${id}`) })) : []
}

/** Marks the messages up to a number as read by the principal's side; an operator reads without leaving a trace. */
export async function markConversationRead(scope: Scope, action: PartAction, sellerOrderId: string, upTo: number): Promise<boolean> {
  const seen = await findPart(scope, action, sellerOrderId)
  if (seen && seen.side !== 'operator') await markSeen(scope.db, seen.part.id, seen.side, upTo)
  return seen !== undefined
}
