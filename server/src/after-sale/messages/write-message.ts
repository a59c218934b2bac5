import * as v from 'valibot'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { newId, type Scope } from '#platform'
import { useUploads } from '#uploads'
import { answerDeadline, limits, quickReplies, repeatMs, topics, type Side, type Topic } from './conversation.ts'
import { findPart, type PartAction, type SeenPart } from './find-order.ts'
import { appendMessage, openConversation, readRecent } from './store.ts'
import { tellOfMessage } from './tell-of-message.ts'
import { withoutContacts } from './without-contacts.ts'

export type MessageRefusal = 'unknown-order' | 'message-empty' | 'message-invalid' | 'too-many-messages' | 'attachment-gone'
export type Written = { ok: true; id: string; seq: number; isMasked: boolean } | { ok: false; reason: MessageRefusal }

export interface MessageInput {
  text?: string | null
  quickReply?: string | null
  topic?: Topic | null
  attachments?: readonly string[] | null
}

const body = v.pipe(
  v.string(),
  // In the form in which it is stored: one sign may stand for eighteen.
  v.transform((text) => text.normalize('NFKC').replace(/\r\n?/g, '\n').trim()),
  v.maxLength(limits.bodyLength),
  // Control characters except line break and tab, and lone surrogates.
  v.check((text) => !/[^\P{Cc}\n\t]|\p{Cs}/u.test(text)),
)

/** Writes to the conversation about a seller order, which begins with its first message. Contact data are masked. */
export async function writeMessage(scope: Scope, action: PartAction, sellerOrderId: string, input: MessageInput): Promise<Written> {
  const seen = await findPart(scope, action, sellerOrderId)
  if (!seen) return { ok: false, reason: 'unknown-order' }
  return appendAs(scope, seen, input, (ids, usedBy) => useUploads(scope, ids, usedBy))
}

type TakeFiles = (ids: readonly string[], usedBy: string) => ReturnType<typeof useUploads>

/** The same for a party that has been authorised already. */
export async function appendAs(
  scope: Pick<Scope, 'db' | 'now' | 'market' | 'emit'>,
  seen: SeenPart,
  input: MessageInput,
  takeFiles: TakeFiles,
): Promise<Written> {
  const { side, actorKey, order } = seen
  const parsed = v.safeParse(body, input.text || quickReplyText(scope, side, input.quickReply ?? null))
  const attachments = input.attachments ?? []
  if (!parsed.success || attachments.length > limits.files) return { ok: false, reason: 'message-invalid' }
  if (parsed.output === '') return { ok: false, reason: 'message-empty' }
  const { db, now, market } = scope
  const { text, isMasked } = withoutContacts(parsed.output, market)

  const conversation = await openConversation(db, freshConversation(seen, input.topic ?? 'other'), now)
  // From here on the conversation is locked: the counts below hold until the commit.
  const { count, last } = await readRecent(db, conversation.id, side, new Date(now.getTime() - 3_600_000))
  if (count >= limits.perHour[side]) return { ok: false, reason: 'too-many-messages' }
  const isRepeated = last !== null && last.writtenBy === actorKey && last.body === text && now.getTime() - Date.parse(last.at) < repeatMs
  if (isRepeated && !last.hasFiles && attachments.length === 0) return { ok: true, id: last.id, seq: conversation.lastSeq, isMasked }

  const id = newId()
  const files = await takeFiles(attachments, `conversation:${conversation.id}`)
  if (!files) return { ok: false, reason: 'attachment-gone' }
  const message = { id, conversationId: conversation.id, writtenBy: actorKey, author: side, body: text, isMasked, at: now }
  const kept = files.map(({ id: fileId, name }) => ({ id: fileId, name: withoutContacts(name, market).text }))
  const seq = await appendMessage(db, { ...message, files: kept }, answerDeadline(order.market, now))
  await tellOfMessage(scope, seen, { id, body: text, fileCount: kept.length })
  scope.emit('message.written', { conversationId: conversation.id, author: side, seq })
  return { ok: true, id, seq, isMasked }
}

function quickReplyText({ market }: Pick<Scope, 'market'>, side: Side, id: string | null): string {
  const t = wordsFor(market)
  if (side === 'buyer') {
    const known = quickReplies.buyer.find((each) => each === id)
    return known ? t(`messages.quick.buyer.${known}`) : ''
  }
  const known = side === 'seller' ? quickReplies.seller.find((each) => each === id) : undefined
  return known ? t(`messages.quick.seller.${known}`) : ''
}

function freshConversation({ order, part }: SeenPart, topic: Topic) {
  const [first] = part.lines
  return {
    id: newId(),
    sellerOrderId: part.id,
    customerOrderId: order.id,
    sellerId: part.sellerId,
    market: order.market,
    mode: order.mode,
    owner: order.owner,
    companyId: order.companyId,
    email: order.email,
    topic: topics.find((each) => each === topic) ?? 'other',
    about: {
      sellerName: part.seller.name,
      title: first?.snapshot.title ?? '',
      imageUrl: first?.snapshot.imageUrl ?? '',
      lineCount: part.lines.length,
    },
  }
}
