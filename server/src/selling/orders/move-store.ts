import type { EventPayloads, EventType } from '#events'
import { eventValues, newId, storeEvents, type Db } from '#platform'
import { statesBefore, customerOrderSteps, type Actor, type CustomerOrderState } from './order-states.ts'
import type { CustomerOrder } from './order.ts'
import { orderColumns } from './store.ts'
import { endWantedHold } from './wanted-holds.ts'

const moving = `with old as (
      select id, state from orders.customer_order where id = $1 and state = any($2) for update
    ), moved as (
      update orders.customer_order o set state = $3::text, updated_at = now(), paid_at = case when $3::text = 'paid' then coalesce(o.paid_at, now()) else paid_at end,
        sender_hash = case when $3::text in ('paid', 'cancelled') then null else o.sender_hash end
      from old where o.id = old.id returning o.id
    ), ended as (${endWantedHold("$3::text = 'cancelled' and o.id in (select id from old)")}
    ), parts as (
      update orders.seller_order set state = $4::text where customer_order_id in (select id from moved) and state = 'awaiting-payment' and $4::text <> ''
    ), noted as (
      insert into orders.transition (id, customer_order_id, from_state, to_state, actor, cause)
      select $5, old.id, old.state, $3::text, $6, $7 from old
    )`
const move = { name: 'orders.move', text: `${moving} select id from moved` }
const moveAndTell = {
  name: 'orders.move-and-tell',
  text: `${moving}, told as (${storeEvents(8, 'exists (select 1 from moved)')}) select id from moved`,
  emits: true as const,
}
const moveAndRead = {
  name: 'orders.move-and-read',
  text: `${moving} select ${orderColumns} from orders.customer_order o, moved where o.id = moved.id`,
}

const sellerStateOf: Partial<Record<CustomerOrderState, string>> = { paid: 'pending', cancelled: 'cancelled' }

/** Applies a transition if the table allows it for this actor; false when the order is in another state. Source: I6. */
export async function moveOrder(db: Db, id: string, to: CustomerOrderState, actor: Actor, cause: string): Promise<boolean> {
  return (await db.run(move, moveValues(id, to, actor, cause))) === 1
}

/** The same, and emits the event in the same statement if the transition applies. */
export async function moveOrderAndTell<Type extends EventType>(
  db: Db,
  [id, to, actor, cause]: [id: string, to: CustomerOrderState, actor: Actor, cause: string],
  type: Type,
  payload: EventPayloads[Type],
): Promise<boolean> {
  return (await db.run(moveAndTell, [...moveValues(id, to, actor, cause), ...eventValues(type, payload)])) === 1
}

/** The same as `moveOrder`; returns the order as it was before the transition, with everything sold. */
export function moveAndReadOrder(
  db: Db,
  id: string,
  to: CustomerOrderState,
  actor: Actor,
  cause: string,
): Promise<CustomerOrder | undefined> {
  return db.row(moveAndRead, moveValues(id, to, actor, cause))
}

function moveValues(id: string, to: CustomerOrderState, actor: Actor, cause: string): unknown[] {
  return [id, statesBefore(customerOrderSteps, to, actor), to, sellerStateOf[to] ?? '', newId(), actor, cause]
}
