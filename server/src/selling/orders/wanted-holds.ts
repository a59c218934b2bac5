import type { Db } from '#platform'

/** How long one buyer may hold unpaid what another was refused. The card's challenge at the bank fits into it. */
export const wantedHoldSeconds = 270

/**
 * SQL: this owner, or somebody in the same network, has used up the time for one of these offers within the last hour. The
 * arguments are SQL expressions: an array of offer ids, an owner, a hash of a network or null.
 */
export function isUsedUp({ offers, owner, sender }: { offers: string; owner: string; sender: string }): string {
  return `exists (select from orders.ended_hold e where e.offer_id = any(${offers}::bigint[])
    and (e.owner = ${owner} or e.sender_hash = ${sender}) and e.until between now() - interval '1 hour' and now())`
}

/** SQL: notes the holds that end of the orders `o` that match, if others wanted what they held. */
export function endWantedHold(which: string): string {
  return `insert into orders.ended_hold (customer_order_id, offer_id, owner, sender_hash, until)
    select o.id, l.offer_id, o.owner, o.sender_hash, case when o.holds_until < now() then now() else o.holds_until end
    from orders.customer_order o join orders.order_line l on l.customer_order_id = o.id
    where ${which} and o.wanted_at is not null
    on conflict do nothing`
}

// A buyer who reopened an order goes on using up the time of the first hold. A locked order is being paid or left.
const shorten = {
  name: 'orders.shorten-holds',
  text: `with wanted as (
      select o.id from orders.customer_order o
      where o.state = 'awaiting-payment' and o.owner <> $2
        and exists (select from orders.order_line l where l.customer_order_id = o.id and l.offer_id = any($1::bigint[]))
      for update of o skip locked
    )
    update orders.customer_order o set wanted_at = coalesce(o.wanted_at, now()), holds_until = least(
      o.holds_until, o.placed_at + $3 * interval '1 second',
      (select min(e.until) from orders.ended_hold e where e.offer_id = any($1::bigint[]) and (e.owner = o.owner or e.sender_hash = o.sender_hash)
        and e.until > now() - interval '1 hour'))
    from wanted where o.id = wanted.id`,
}

/** Shortens the holds of others on offers that a buyer has just been refused. Persists although the refused command rolls back. */
export async function shortenHolds(db: Db, offerIds: readonly string[], refused: string): Promise<void> {
  await db.alone.run(shorten, [offerIds, refused, wantedHoldSeconds])
}

const usedUp = {
  name: 'orders.hold-used-up',
  text: `select ${isUsedUp({ offers: '$1', owner: '$2', sender: '$3' })} as is`,
}

/** Whether this buyer, or somebody in the same network, has held one of these offers for as long as one may. */
export async function hasHeldTooLong(db: Db, offerIds: readonly string[], owner: string, senderHash: string | null): Promise<boolean> {
  return (await db.row<{ is: boolean }>(usedUp, [offerIds, owner, senderHash]))?.is === true
}

const sweep = { name: 'orders.sweep-ended-holds', text: `delete from orders.ended_hold where until < now() - interval '1 day'` }

/** Deletes what no rule reads any more: hashes of networks are not kept for longer than a day. */
export async function sweepEndedHolds(db: Db): Promise<void> {
  await db.run(sweep, [])
}
