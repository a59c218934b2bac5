import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import type { LineMove, LineQuantities, Outcome } from './line-moves.ts'
import type { Actor, CustomerOrderState, SellerOrderState } from './order-states.ts'

/**
 * Pieces of a seller order `s` by state, signed: each line begins in the state that the payment gave its seller order,
 * and each move takes pieces from one state to another.
 */
const signedPieces = `(select l.offer_id, s.state, l.quantity as n from orders.order_line l
    where l.customer_order_id = s.customer_order_id and l.seller_order_id = s.id
  union all select m.offer_id, v.state, v.n from orders.line_move m
    cross join lateral (values (m.to_state, m.quantity), (m.from_state, -m.quantity)) v (state, n) where m.seller_order_id = s.id)`
const count = (...states: SellerOrderState[]) =>
  `coalesce(sum(q.n) filter (where q.state in (${states.map((state) => `'${state}'`).join()})), 0) > 0`

/** The state of seller order `s` in SQL; the same rule as `stateOfSellerOrder`. */
export const sellerOrderState = `case when s.state in ('awaiting-payment', 'cancelled') then s.state else (select case
    when ${count('incident-open')} then 'incident-open' when ${count('pending')} then 'pending' when ${count('preparing')} then 'preparing'
    when ${count('accepted')} then case when ${count('shipped', 'delivered', 'closed')} then 'preparing' else 'accepted' end
    when ${count('shipped')} then 'shipped' when ${count('delivered')} then 'delivered' when ${count('closed')} then 'closed'
    when ${count('refused')} and not ${count('cancelled')} then 'refused' else 'cancelled' end from ${signedPieces} q) end`

/** The state of order `o` in SQL; from payment on the same rule as `stateOfPaidOrder`. */
export const customerOrderState = `case when o.state <> 'paid' then o.state else (select case
    when ${count('awaiting-payment', 'pending', 'accepted', 'preparing')} then case when ${count('shipped', 'incident-open', 'delivered', 'closed')} then 'part-shipped' else 'paid' end
    when ${count('shipped', 'incident-open')} then 'shipped' when ${count('delivered')} then 'delivered' when ${count('closed')} then 'closed'
    when ${count('refused', 'cancelled')} then 'cancelled' else 'paid' end from orders.seller_order s cross join lateral ${signedPieces} q where s.customer_order_id = o.id) end`

const ended = (outcome: Outcome) =>
  `exists (select from orders.seller_order s where s.customer_order_id = o.id and s.outcome = '${outcome}')`
/**
 * A state of the same group as that of order `o` (under way, arrived, cancelled), without adding up its pieces: for lists by
 * state. Seller orders whose outcome was never written are added up.
 */
export const customerOrderGroup = `case when o.state <> 'paid' then o.state
    when exists (select from orders.seller_order s where s.customer_order_id = o.id and s.outcome is null) then ${customerOrderState}
    when ${ended('open')} then 'shipped' when ${ended('arrived')} then 'delivered' else 'cancelled' end`

export interface LockedPart {
  sellerOrderId: string
  sellerId: number
  customerOrderId: string
  market: Market
  /** As its payment left it. */
  orderState: CustomerOrderState
}

const lock = {
  name: 'orders.lock-part',
  text: `select s.id as "sellerOrderId", s.seller_id as "sellerId", o.id as "customerOrderId", o.market, o.state as "orderState"
    from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id where s.id = $1 for update of s for share of o`,
}

/** Locks a seller order: its moves are made one after another, and not while its order is being cancelled or refunded. */
export function lockPart(db: Db, sellerOrderId: string): Promise<LockedPart | undefined> {
  return db.row<LockedPart>(lock, [sellerOrderId])
}

const quantities = {
  name: 'orders.quantities',
  text: `select k."sellerOrderId", k.offer_id::text as "offerId", jsonb_object_agg(k.state, k.n) as quantities
    from (select s.id as "sellerOrderId", q.offer_id, q.state, sum(q.n)::int as n from orders.seller_order s cross join lateral ${signedPieces} q
      where s.id = any($1) group by 1, 2, 3 having sum(q.n) > 0) k
    group by 1, 2 order by 1, 2`,
}

export interface PartQuantities extends LineQuantities {
  sellerOrderId: string
}

/** Pieces by state of every line of these seller orders. */
export function quantityStates(db: Db, sellerOrderIds: readonly string[]): Promise<PartQuantities[]> {
  return db.rows<PartQuantities>(quantities, [sellerOrderIds])
}

/** The circumstances of a move, besides the pieces. */
export interface MoveCause {
  actor: Actor
  /** The account that acts; null for jobs and carriers. */
  actorId?: string | null
  /** A code, not a text for people. */
  reason: string
  note?: string | null
  parcelId?: string | null
  /** When the next move of these pieces is due. */
  deadline?: Date | null
}

const append = {
  name: 'orders.append-moves',
  text: `with moved as (
      insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, actor_id, reason, note, parcel_id, at, deadline)
      select m.id, $1, m.offer, m.n, m.was, m.next, $2, $3, $4, $5, $6, $7, $8
      from unnest($9::uuid[], $10::bigint[], $11::integer[], $12::text[], $13::text[]) as m (id, offer, n, was, next))
    update orders.seller_order set outcome = $14 where id = $1 and outcome is distinct from $14`,
}

/** Writes moves, and how their seller order has ended with them, on its locked row. */
export async function appendMoves(
  db: Db,
  sellerOrderId: string,
  { moves, outcome }: { moves: readonly LineMove[]; outcome: Outcome },
  cause: MoveCause,
  now: Date,
): Promise<void> {
  const { actor, actorId = null, reason, note = null, parcelId = null, deadline = null } = cause
  await db.run(append, [
    sellerOrderId,
    actor,
    actorId,
    reason,
    note,
    parcelId,
    now,
    deadline,
    moves.map(newId),
    moves.map(({ offerId }) => offerId),
    moves.map(({ quantity }) => quantity),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    outcome,
  ])
}

/** A move as recorded. */
export interface RecordedMove extends LineMove {
  sellerOrderId: string
  actor: Actor
  reason: string
  note: string | null
  parcelId: string | null
  at: Date
  deadline: Date | null
}

const history = {
  name: 'orders.moves',
  text: `select seller_order_id as "sellerOrderId", offer_id::text as "offerId", quantity, from_state as "from", to_state as "to", actor, reason, note,
      parcel_id as "parcelId", at, deadline
    from orders.line_move where seller_order_id = any($1) order by at, id`,
}

/** All moves of these seller orders, oldest first. */
export function readMoves(db: Db, sellerOrderIds: readonly string[]): Promise<RecordedMove[]> {
  return db.rows<RecordedMove>(history, [sellerOrderIds])
}

const inParcels = {
  name: 'orders.quantities-in-parcels',
  text: `select k.parcel_id as "parcelId", k.offer_id::text as "offerId", jsonb_object_agg(k.state, k.n) as quantities
    from (select m.parcel_id, m.offer_id, v.state, sum(v.n)::int as n from orders.line_move m
        cross join lateral (values (m.to_state, m.quantity), (m.from_state, -m.quantity)) v (state, n)
      where m.parcel_id = any($1::uuid[]) group by 1, 2, 3 having sum(v.n) > 0) k
    group by 1, 2 order by 1, 2`,
}

/** Pieces by state that parcels carry: those whose moves name the parcel. */
export function quantitiesInParcels(db: Db, parcelIds: readonly string[]): Promise<(LineQuantities & { parcelId: string })[]> {
  return db.rows(inParcels, [parcelIds])
}
