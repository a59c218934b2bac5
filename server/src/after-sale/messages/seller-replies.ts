import type { EventPayloads } from '#events'
import { readOrder } from '#orders'
import { enqueue, newId, type JobScope } from '#platform'
import { answerDeadline } from './conversation.ts'
import { sellerReplies } from './ports.ts'
import { appendMessage, openConversation, readConversation, readMessages } from './store.ts'
import { tellOfMessage } from './tell-of-message.ts'

/** Plans the answer to a buyer's message, where sellers answer by themselves. */
export async function planReply({ db, now }: JobScope, { conversationId, author, seq }: EventPayloads['message.written']): Promise<void> {
  const port = sellerReplies()
  if (!port || author !== 'buyer') return
  const runAt = new Date(now.getTime() + port.delayMs)
  await enqueue(db, { name: 'messages.reply', key: `${conversationId}/${seq}`, payload: { conversationId, seq }, runAt })
}

/** Answers, unless somebody has written since. */
export async function replyAsSeller(scope: JobScope, { conversationId, seq }: { conversationId: string; seq: number }): Promise<void> {
  const { db, now } = scope
  const found = await readConversation(db, conversationId)
  const order = found && (await readOrder(db, found.customerOrderId))
  const part = order?.sellerOrders.find(({ id }) => id === found?.sellerOrderId)
  if (!found || !order || !part) return
  const conversation = await openConversation(db, found, now)
  if (conversation.lastSeq !== seq) return
  const body = sellerReplies()?.reply(conversation, await readMessages(db, part.id, seq + 1, 10)) ?? null
  if (body === null) return
  const message = {
    id: newId(),
    conversationId,
    writtenBy: `seller:${part.sellerId}`,
    author: 'seller' as const,
    body,
    isMasked: false,
    files: [],
    at: now,
  }
  const next = await appendMessage(db, message, answerDeadline(order.market, now))
  await tellOfMessage(scope, { side: 'seller', order, part, actorKey: message.writtenBy }, { id: message.id, body, fileCount: 0 })
  scope.emit('message.written', { conversationId, author: 'seller', seq: next })
}
