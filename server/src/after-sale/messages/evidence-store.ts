import type { Db } from '#platform'

const orders = {
  name: 'messages.orders-of',
  text: 'select id::text, customer_order_id as "customerOrderId" from messages.conversation where id = any($1::uuid[])',
}
/** The order that each of these conversations is about. */
export function ordersOfConversations(db: Db, ids: readonly string[]): Promise<{ id: string; customerOrderId: string }[]> {
  return db.rows(orders, [ids])
}

const detach = {
  name: 'messages.detach-files',
  text: `update messages.message m set files = jsonb_path_query_array(m.files, '$[*] ? (!(@.id == $gone[*]))', jsonb_build_object('gone', to_jsonb($2::text[])))
    where m.conversation_id = any($1::uuid[]) and m.files <> '[]'`,
}
/** Messages of these conversations lose the files with these ids. */
export async function detachFromConversations(db: Db, ids: readonly string[], files: readonly string[]): Promise<void> {
  await db.run(detach, [ids, files])
}
