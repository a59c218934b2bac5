import { forgetMails } from '#mail'
import type { Db } from '#platform'
import { blankMessagesBy, deleteConversations } from './store.ts'
import { mailKeyOf } from './tell-of-message.ts'

/** Deletes the conversations about these orders, and the mails about their messages. Returns the ids of the conversations. */
export async function forgetConversations(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  const gone = await deleteConversations(db, customerOrderIds)
  await forgetMails(db, keysOf(gone.flatMap(({ messages }) => messages)))
  return gone.map(({ id }) => id)
}

/**
 * Blanks what somebody has written about the orders of others, such as those of colleagues in a company, with the mails about it: the
 * conversations are theirs and stay. Returns the ids of its uploads.
 */
export async function forgetMessagesBy(db: Db, writer: string): Promise<string[]> {
  const written = await blankMessagesBy(db, writer)
  await forgetMails(db, keysOf(written.map(({ id }) => id)))
  return written.flatMap(({ files }) => files)
}

const keysOf = (messages: readonly string[]): string[] => messages.flatMap((id) => [mailKeyOf(id, 'buyer'), mailKeyOf(id, 'seller')])
