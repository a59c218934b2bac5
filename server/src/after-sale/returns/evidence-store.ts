import type { Db } from '#platform'

const orders = {
  name: 'returns.orders-of-requests',
  text: 'select id::text, customer_order_id as "customerOrderId" from returns.request where id = any($1::uuid[])',
}
/** The order of each of these returns. */
export function ordersOfReturns(db: Db, ids: readonly string[]): Promise<{ id: string; customerOrderId: string }[]> {
  return db.rows(orders, [ids])
}

const detach = {
  name: 'returns.detach-photos',
  text: `update returns.request set photos = array(select photo from unnest(photos) as photo where photo <> all($2::uuid[]))
    where id = any($1::uuid[]) and photos && $2::uuid[]`,
}
/** These returns lose the photos with these ids. */
export async function detachFromReturns(db: Db, ids: readonly string[], photos: readonly string[]): Promise<void> {
  await db.run(detach, [ids, photos])
}
