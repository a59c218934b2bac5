import type { Db } from '#platform'

const orders = {
  name: 'disputes.orders-of',
  text: 'select id::text, customer_order_id as "customerOrderId" from disputes.dispute where id = any($1::uuid[])',
}
/** The order that each of these disputes is about. */
export function ordersOfDisputes(db: Db, ids: readonly string[]): Promise<{ id: string; customerOrderId: string }[]> {
  return db.rows(orders, [ids])
}

const detach = {
  name: 'disputes.detach-files',
  text: `update disputes.step s set files = jsonb_path_query_array(s.files, '$[*] ? (!(@.id == $gone[*]))', jsonb_build_object('gone', to_jsonb($2::text[])))
    where s.dispute_id = any($1::uuid[]) and s.files <> '[]'`,
}
/** Steps of these disputes lose the files with these ids. */
export async function detachFromDisputes(db: Db, ids: readonly string[], files: readonly string[]): Promise<void> {
  await db.run(detach, [ids, files])
}
