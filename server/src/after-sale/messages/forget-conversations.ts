import { forgetMails } from '#mail'
import type { Db } from '#platform'
import { deleteConversations } from './store.ts'
import { mailKeyOf } from './tell-of-message.ts'

/** Deletes the conversations about these orders, and the mails about their messages. Returns the ids of the conversations. */
export async function forgetConversations(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  const gone = await deleteConversations(db, customerOrderIds)
  await forgetMails(
    db,
    gone.flatMap(({ messages }) => messages.flatMap((id) => [mailKeyOf(id, 'buyer'), mailKeyOf(id, 'seller')])),
  )
  return gone.map(({ id }) => id)
}
