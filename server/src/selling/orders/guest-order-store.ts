import { wasTheirs, type OwnAddress } from '#accounts'
import type { Db } from '#platform'
import type { CustomerOrder } from './order.ts'
import { orderColumns } from './store.ts'

// A draft may be at the checkout of somebody else with this address.
const isLeft = `(o.placed_at is not null or o.updated_at < now() - interval '1 hour')`
const lockWithAddress = {
  name: 'orders.lock-guest-orders',
  text: `select o.id from orders.customer_order o where o.owner like 's:%' and ${wasTheirs('o.email', 'o.created_at', '$1')}
    order by o.id for update`,
}
const lockNoted = {
  name: 'orders.lock-noted-guest-orders',
  // With those that replace goods of theirs, which nobody could note before.
  text: `select o.id from orders.customer_order o where o.owner like 's:%' and o.id = any(array(select unnest($1::text[])
      union all select r.id from orders.seller_order s join orders.customer_order r on r.replaces = s.id where s.customer_order_id = any($1)))
    order by o.id for update`,
}
const ofIds = { name: 'orders.of-ids', text: `select ${orderColumns} from orders.customer_order o where o.id = any($1) order by o.id` }
const takeIn = {
  name: 'orders.take-in-guest-orders',
  text: `update orders.customer_order o set owner = $1, updated_at = now() where o.owner like 's:%' and o.id = any($2) and ${isLeft} returning o.id`,
}

/**
 * Locks the orders that guests have made in any browser with one of these addresses, while it was theirs, or the guests' among these
 * orders and those that replace their goods.
 * Drafts that somebody may still be at are among them, to be noted: `takeInGuestOrders` leaves them until they are left.
 */
export async function lockGuestOrders(
  db: Db,
  which: { addresses: readonly OwnAddress[] } | { ids: readonly string[] },
): Promise<CustomerOrder[]> {
  const locked =
    'addresses' in which
      ? await db.rows<{ id: string }>(lockWithAddress, [JSON.stringify(which.addresses)])
      : await db.rows<{ id: string }>(lockNoted, [which.ids])
  return db.rows<CustomerOrder>(ofIds, [locked.map(({ id }) => id)])
}

/** Moves guests' orders to the customer who is erased, except drafts at a checkout. Returns those moved. */
export async function takeInGuestOrders(db: Db, owner: string, ids: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(takeIn, [owner, ids])).map(({ id }) => id)
}
