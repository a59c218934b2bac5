import type { Conversation, Message } from './conversation.ts'

/** Answers in a seller's name, for the sellers of the demo shop, who have no staff. */
export interface SellerReplies {
  /** Time until the answer. */
  delayMs: number
  /** The answer, in the language of the conversation's market; null for none. */
  reply(conversation: Pick<Conversation, 'id' | 'market' | 'topic'>, messages: readonly Pick<Message, 'author' | 'body'>[]): string | null
}

let replies: SellerReplies | null = null

/** Set once by the worker process, in the demo alone. */
export function connectSellerReplies(port: SellerReplies): void {
  replies = port
}

export function sellerReplies(): SellerReplies | null {
  return replies
}
