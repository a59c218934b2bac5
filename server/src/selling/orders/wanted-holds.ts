import type { Db } from '#platform'

/** How long one buyer may hold unpaid what another was refused. The card's challenge at the bank fits into it. */
export const wantedHoldSeconds = 270

/** Offers that one network may wait for within an hour: waiting shortens the holds of others. */
export const maxWaitingFor = 10

/**
 * Pieces of an offer that the orders of one network may hold unpaid together: a quarter of what is left, and a few in any
 * case. A network's only order is not limited by it.
 */
export function maxHeld(stock: number): number {
  return Math.max(5, Math.floor(stock / 4))
}

interface Buying {
  /** SQL expression: an array of offer ids. */
  offers: string
  /** SQL expression: an owner. */
  owner: string
  /** SQL expression: a hash of a network, or null. */
  sender: string
}

const endedHolds = ({ offers, owner, sender }: Buying) => `from orders.ended_hold e where e.offer_id = any(${offers}::bigint[])
    and (e.owner = ${owner} or e.sender_hash = ${sender})`

/** SQL: this owner, or somebody in the same network, has used up the time for one of these offers within the last hour. */
export function isUsedUp(buying: Buying): string {
  return `exists (select ${endedHolds(buying)} and e.until between now() - interval '1 hour' and now())`
}

/** SQL: the end of a hold that the same owner or network gave up before its time and now continues; otherwise null. */
export function continuedUntil(buying: Buying): string {
  return `(select min(e.until) ${endedHolds(buying)} and e.until > now())`
}

/**
 * SQL: the lines, as JSON, and what the network's other orders hold unpaid are more than one network may hold together
 * (`maxHeld` of each line).
 */
export function exceedsShare({ lines, sender, order }: { lines: string; sender: string; order: string }): string {
  return `exists (select from jsonb_to_recordset(${lines}::jsonb) as w ("offerId" bigint, quantity integer, "maxHeld" integer),
      lateral (select sum(l.quantity) as pieces from orders.customer_order o
        join orders.order_line l on l.customer_order_id = o.id and l.offer_id = w."offerId"
        where o.state = 'awaiting-payment' and o.sender_hash = ${sender} and o.id <> ${order}) other
      where other.pieces + w.quantity > w."maxHeld")`
}

/** SQL: notes the holds that end of the orders `o` that match, if others wanted what they held. */
export function endWantedHold(which: string): string {
  return `insert into orders.ended_hold (customer_order_id, offer_id, owner, sender_hash, until)
    select o.id, l.offer_id, o.owner, o.sender_hash, case when o.holds_until < now() then now() else o.holds_until end
    from orders.customer_order o join orders.order_line l on l.customer_order_id = o.id
    where ${which} and o.wanted_at is not null
    on conflict do nothing`
}

// As many pieces as buyers wait for are freed: first those already wanted, then those of the network that holds most. A network
// that holds some itself does not wait for more. A reopened order keeps the time of its first hold. A locked order is being paid
// or left.
const wait = {
  name: 'orders.wait-for-stock',
  text: `with held as (
      select o.id, o.owner, l.offer_id, l.quantity, coalesce(o.sender_hash, o.owner) as buyer, o.wanted_at, o.placed_at
      from orders.customer_order o join orders.order_line l on l.customer_order_id = o.id and l.offer_id = any($1::bigint[])
      where o.state = 'awaiting-payment'
    ), wanted as (
      select w.offer_id, w.step, (select bool_or(h.buyer = $4 or h.owner = $3) from held h where h.offer_id = w.offer_id) as is_own
      from unnest($1::bigint[], $2::integer[]) as w (offer_id, step)
      where exists (select from held h where h.offer_id = w.offer_id and h.buyer <> $4 and h.owner <> $3)
    ), admitted as (
      select w.offer_id, w.step from wanted w
      where not w.is_own and (select count(*) from orders.waitlist other
        where other.buyer = $4 and other.at > now() - interval '1 hour' and other.offer_id <> w.offer_id) < $6
    ), noted as (
      insert into orders.waitlist as l (offer_id, buyer) select offer_id, $4 from admitted
      on conflict (offer_id, buyer) do update set at = excluded.at where l.at < now() - interval '30 seconds'
    ), needed as (
      select a.offer_id, a.step * (1 + (select count(*) from orders.waitlist other
        where other.offer_id = a.offer_id and other.buyer <> $4 and other.at > now() - interval '10 minutes')) as pieces
      from admitted a
    ), share as (
      select held.*, sum(quantity) over (partition by offer_id, buyer) as of_buyer from held
    ), ranked as (
      select id, offer_id, coalesce(sum(quantity) over (partition by offer_id order by wanted_at is null, of_buyer desc, placed_at, id
        rows between unbounded preceding and 1 preceding), 0) as before
      from share
    ), shortened as (
      select o.id from orders.customer_order o
      where o.id in (select r.id from ranked r join needed n on n.offer_id = r.offer_id where r.before < n.pieces)
        and o.state = 'awaiting-payment'
      for update of o skip locked
    ), changed as (
      update orders.customer_order o set wanted_at = coalesce(o.wanted_at, now()), holds_until = least(
        o.holds_until, o.placed_at + $5 * interval '1 second',
        (select min(e.until) ${endedHolds({ offers: '$1', owner: 'o.owner', sender: 'o.sender_hash' })} and e.until > now() - interval '1 hour'))
      from shortened where o.id = shortened.id
    )
    select offer_id::text as "offerId" from wanted`,
}

/**
 * Puts a refused buyer on the waitlist of sold-out offers and shortens as many unpaid holds of others as buyers wait for pieces.
 * Persists although the refused command rolls back.
 * @param offers offers that cannot be sold now; `step` is the smallest quantity that is sold
 * @returns the ids of those that unpaid orders of others hold
 */
export async function waitForHeld(
  db: Db,
  offers: readonly { id: string; step: number }[],
  owner: string,
  senderHash: string | null,
): Promise<string[]> {
  const ids = offers.map(({ id }) => id)
  const steps = offers.map(({ step }) => step)
  const rows = await db.alone.rows<{ offerId: string }>(wait, [ids, steps, owner, senderHash ?? owner, wantedHoldSeconds, maxWaitingFor])
  return rows.map(({ offerId }) => offerId)
}

const barred = {
  name: 'orders.hold-barred',
  text: `select ${isUsedUp({ offers: 'array(select "offerId" from jsonb_to_recordset($1::jsonb) as w ("offerId" bigint))', owner: '$2', sender: '$3' })}
    or ${exceedsShare({ lines: '$1', sender: '$3', order: '$4' })} as is`,
}

/** Whether this buyer, or somebody in the same network, has held one of these offers for as long, or holds as much of it, as one may. */
export async function mayNotHold(
  db: Db,
  lines: readonly { offerId: string; quantity: number; maxHeld: number }[],
  { id, owner, senderHash }: { id: string; owner: string; senderHash: string | null },
): Promise<boolean> {
  return (await db.row<{ is: boolean }>(barred, [JSON.stringify(lines), owner, senderHash, id]))?.is === true
}

const sweep = {
  name: 'orders.sweep-ended-holds',
  text: `with gone as (delete from orders.waitlist where at < now() - interval '1 hour')
    delete from orders.ended_hold where until < now() - interval '1 day'`,
}

/** Deletes what no rule reads any more: hashes of networks are not kept for longer than a day. */
export async function sweepEndedHolds(db: Db): Promise<void> {
  await db.run(sweep, [])
}
