import { forgetMails } from '#mail'
import type { Db } from '#platform'
import { blankMessagesBy, deleteConversations, type KeptOfMessages } from './store.ts'
import { mailKeyOf } from './tell-of-message.ts'

/** Deletes the conversations about these orders, and the mails about their messages. Returns the ids of the conversations. */
export async function forgetConversations(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  const gone = await deleteConversations(db, customerOrderIds)
  await forgetMailsOf(
    db,
    gone.flatMap(({ messages }) => messages),
  )
  return gone.map(({ id }) => id)
}

/** Blanks what an erased member has written about colleagues' orders, and deletes the mails about it. */
export async function forgetMessagesBy(db: Db, owner: string, kept: KeptOfMessages): Promise<void> {
  await forgetMailsOf(db, await blankMessagesBy(db, owner, kept))
}

const forgetMailsOf = (db: Db, messages: readonly string[]) =>
  forgetMails(
    db,
    messages.flatMap((id) => [mailKeyOf(id, 'buyer'), mailKeyOf(id, 'seller')]),
  )
