import { customerOrderSteps } from '@purlin/server/selling/orders/order-states.ts'
import { isStepOfHistory, type PaymentState } from '@purlin/server/selling/payments/payment.ts'
import { checkCompanies, readCharges } from './company-invariants.ts'
import type { Asks, Violation } from './violation.ts'

export type { Asks, Violation } from './violation.ts'

/** Checks the invariants (docs/reliability.md, I1 to I6 and I8) against the tables and the provider's own list. */

/** A payment as listed by the provider. */
export interface Listed {
  reference: string
  paymentId: string | null
  captured: number
  refunded: number
  currency: string
}

export interface InvariantOptions {
  /** All payments of the provider; undefined if there is no provider to query. */
  provider?: { name: string; payments: readonly Listed[] }
  /** Ids of orders confirmed to a buyer. */
  acknowledged?: readonly string[]
  /** The shop is idle: all events are processed, every mail is sent, no payment is pending. */
  settled?: boolean
}

/** Checks all invariants; returns the violations. Reads only. */
export async function checkInvariants(
  db: Asks,
  { provider, acknowledged = [], settled = true }: InvariantOptions = {},
): Promise<Violation[]> {
  const found: Violation[] = []
  const ask = async (id: Violation['id'], sentence: string, text: string, values: unknown[] = []): Promise<void> => {
    const { rows } = await db.query(text, values)
    for (const row of rows) found.push({ id, what: `${sentence}: ${JSON.stringify(row)}` })
  }
  await money(ask)
  if (provider) found.push(...(await withProvider(db, provider)))
  await goods(ask)
  await orders(ask, acknowledged)
  await steps(db, found)
  found.push(...(await checkCompanies(db, { settled })))
  if (settled) await rest(ask)
  return found
}

type Ask = (id: Violation['id'], sentence: string, text: string, values?: unknown[]) => Promise<void>

async function money(ask: Ask): Promise<void> {
  await ask(
    'I1',
    'a booking does not sum to zero',
    `select b.key, coalesce(sum(e.amount), 0)::int as sum from ledger.booking b left join ledger.entry e on e.booking_id = b.id
      group by b.id having coalesce(sum(e.amount), 0) <> 0 or count(e.*) < 2`,
  )
  await ask(
    'I1',
    'what was captured and refunded is not what the ledger holds at the provider',
    `select p.id, p.captured - p.refunded as payment, coalesce(l.amount, 0)::int as ledger from payments.payment p
      left join lateral (select sum(e.amount) as amount from ledger.booking b join ledger.entry e on e.booking_id = b.id
        where e.account = 'provider:' || p.provider and (b.key = 'capture:' || p.id or b.key like 'refund:' || p.id || ':%'
          or (b.key like 'refund-failed:%' and b.customer_order_id = p.customer_order_id))) l on true
      where p.captured - p.refunded <> coalesce(l.amount, 0)`,
  )
  await ask(
    'I1',
    'an order is paid by another amount than its total',
    `select o.id, o.total, coalesce(sum(p.captured), 0)::int as paid from orders.customer_order o
      left join payments.payment p on p.customer_order_id = o.id and p.abandoned is null
      where o.state in ('paid', 'part-shipped', 'shipped', 'delivered', 'closed') group by o.id having coalesce(sum(p.captured), 0) <> o.total`,
  )
  await ask(
    'I1',
    'what is owed to buyers is not what their open refunds add up to',
    `select due.id, due.amount as ledger, coalesce(sum(r.amount - r.set_off) filter (where r.state not in ('done', 'not-owed')), 0)::int as refunds
      from (select b.customer_order_id as id, -sum(e.amount)::int as amount from ledger.booking b join ledger.entry e on e.booking_id = b.id
        where e.account = 'refunds-due' group by 1) due
      left join refunds.refund r on r.customer_order_id = due.id group by due.id, due.amount
      having due.amount <> coalesce(sum(r.amount - r.set_off) filter (where r.state not in ('done', 'not-owed')), 0)`,
  )
  await ask(
    'I1',
    'more of a seller’s part is refunded than was paid for it',
    `select r.seller_order_id as part, sum(r.amount)::int as refunded, s.total from refunds.refund r
      join orders.seller_order s on s.id = r.seller_order_id where r.state <> 'not-owed'
      group by r.seller_order_id, s.total having sum(r.amount) > s.total`,
  )
  await ask(
    'I1',
    'the parts of an order are not its total',
    `select o.id, o.total, coalesce(sum(s.total), 0)::int as parts, (select sum(l.net + l.vat) from orders.order_line l where l.customer_order_id = o.id)::int as goods
      from orders.customer_order o left join orders.seller_order s on s.customer_order_id = o.id
      where o.state <> 'draft' and o.total is not null group by o.id
      having coalesce(sum(s.total), 0) <> o.total
        or coalesce(sum(s.goods), 0) <> (select coalesce(sum(l.total), 0) from orders.order_line l where l.customer_order_id = o.id)`,
  )
  await ask(
    'I1',
    'more of an order left as refunds and chargebacks than was paid for it and is borne as a loss beyond its price',
    `with paid as (select customer_order_id as id, sum(captured) as captured from payments.payment group by 1),
      money as (select b.customer_order_id as id,
          -sum(e.amount) filter (where b.kind = 'refund' and (e.account = 'bank' or e.account like 'provider:%')) as left,
          sum(e.amount) filter (where e.account = 'chargeback-losses') as losses
        from ledger.booking b join ledger.entry e on e.booking_id = b.id group by 1)
      select m.id, m.left::int, p.captured::int, coalesce(m.losses, 0)::int as losses from money m join paid p on p.id = m.id
      where m.left > p.captured + coalesce(m.losses, 0)`,
  )
  await ask(
    'I1',
    'a refund left by transfer, or was settled as made, though its buyer had all that was paid for the order',
    // A chargeback may exceed it, and so may a refund to the card that the provider makes meanwhile; the shop's own steps may not.
    `with paid as (select customer_order_id as id, sum(captured) as captured from payments.payment group by 1),
      bookings as (select b.id, b.key, b.customer_order_id, b.at, -sum(e.amount) as amount from ledger.booking b join ledger.entry e on e.booking_id = b.id
        where b.kind = 'refund' and (e.account = 'bank' or e.account like 'provider:%') group by b.id),
      money as (select b.*, sum(b.amount) over (partition by b.customer_order_id order by b.at, b.id) as left from bookings b)
      select m.key, m.customer_order_id as id, m.left::int, p.captured::int from money m join paid p on p.id = m.customer_order_id
      where (m.key like 'transfer:%' or m.key like 'refund-at-provider:%') and m.amount > 0 and m.left > p.captured`,
  )
  await ask(
    'I4',
    'an order was charged twice',
    `select customer_order_id, count(*)::int from payments.payment where captured - refunded > 0 group by 1 having count(*) > 1`,
  )
  await ask(
    'I4',
    'money is kept for an order that is not sold',
    `select p.id, o.id as "order", o.state from payments.payment p left join orders.customer_order o on o.id = p.customer_order_id
      where p.captured - p.refunded > 0 and p.abandoned is null and (o.id is null or o.state in ('draft', 'awaiting-payment', 'authorised', 'cancelled'))`,
  )
}

async function withProvider(db: Asks, { name, payments }: NonNullable<InvariantOptions['provider']>): Promise<Violation[]> {
  const { rows: sold } = await db.query(
    'select id::text, customer_order_id as "order", provider_reference as reference, captured, refunded, currency from payments.payment where provider = $1',
    [name],
  )
  const rows = [...sold, ...(await readCharges(db, name))]
  const ours = new Map(rows.map((row) => [String(row['id']), row]))
  const found: Violation[] = []
  const charged = new Map<string, number>()
  for (const { reference, paymentId, captured, refunded } of payments) {
    const own = paymentId === null ? undefined : ours.get(paymentId)
    const kept = captured - refunded
    if (kept > 0 && !own) found.push({ id: 'I4', what: `the provider took money for nothing of ours: ${reference}` })
    if (!own || kept === 0) continue
    const order = String(own['order'])
    charged.set(order, (charged.get(order) ?? 0) + 1)
    if (own['reference'] !== reference)
      found.push({ id: 'I4', what: `the provider charged twice for the payment ${paymentId}: ${reference}` })
    else if (own['captured'] !== captured || own['refunded'] !== refunded) {
      found.push({
        id: 'I1',
        what: `provider and shop differ on ${reference}: ${captured} − ${refunded} there, ${String(own['captured'])} − ${String(own['refunded'])} here`,
      })
    }
  }
  for (const [order, times] of charged)
    if (times > 1) found.push({ id: 'I4', what: `the provider charged the order ${order} ${times} times` })
  const listed = new Set(payments.map(({ reference }) => reference))
  for (const row of rows) {
    if (Number(row['captured']) > 0 && !listed.has(String(row['reference']))) {
      found.push({ id: 'I1', what: `money is booked that the provider does not know: ${String(row['reference'])}` })
    }
  }
  return found
}

async function goods(ask: Ask): Promise<void> {
  await ask('I2', 'stock is below zero', 'select id::text, stock from catalogue.offer where stock < 0')
  await ask(
    'I2',
    'stock is not the sum of its movements',
    `select o.id::text, o.stock, coalesce(sum(m.delta), 0)::int as movements from catalogue.offer o
      join catalogue.stock_movement m on m.offer_id = o.id group by o.id having o.stock <> coalesce(sum(m.delta), 0)`,
  )
  await ask(
    'I2',
    'what an order holds is not what left the stock for it',
    `with held as (
        select l.customer_order_id as reference, l.offer_id, l.quantity - coalesce((select sum(m.quantity) from orders.line_move m
          where m.seller_order_id = l.seller_order_id and m.offer_id = l.offer_id and m.to_state in ('refused', 'cancelled')), 0)::int as quantity
        from orders.order_line l
        join orders.customer_order o on o.id = l.customer_order_id and o.state not in ('draft', 'cancelled')
          and (o.state <> 'refunded' or exists (select 1 from refunds.refund r where r.customer_order_id = o.id))
      ), moved as (
        select reference, offer_id, -sum(delta)::int as quantity from catalogue.stock_movement where reference is not null group by 1, 2
      )
      select coalesce(h.reference, m.reference) as "order", coalesce(h.offer_id, m.offer_id)::text as offer, h.quantity as held, m.quantity as moved
      from held h full join moved m on m.reference = h.reference and m.offer_id = h.offer_id
      where coalesce(h.quantity, 0) <> coalesce(m.quantity, 0)`,
  )
  await ask(
    'I8',
    'a coupon counts otherwise than it was used',
    `select k.code, k.used, count(r.*)::int as redeemed, k.total_limit from cart.coupon k left join cart.coupon_redemption r on r.code = k.code
      group by k.code having k.used <> count(r.*) or k.used > k.total_limit`,
  )
}

async function orders(ask: Ask, acknowledged: readonly string[]): Promise<void> {
  await ask(
    'I3',
    'an order a buyer was told of does not exist',
    `select a.id from unnest($1::text[]) a (id) where not exists (select 1 from orders.customer_order o where o.id = a.id and o.placed_at is not null)`,
    [acknowledged],
  )
  await ask(
    'I3',
    'a key has an outcome without its order',
    `select i.key, i.outcome ->> 'orderId' as "order" from platform.idempotency i
      where i.outcome ->> 'orderId' is not null and not exists (select 1 from orders.customer_order o where o.id = i.outcome ->> 'orderId')`,
  )
  await ask(
    'I3',
    'an order was placed without a payment, or the other way round',
    `select o.id, o.state, o.placement, count(p.*)::int as payments from orders.customer_order o left join payments.payment p on p.customer_order_id = o.id
      group by o.id having count(p.*) <> o.placement`,
  )
}

async function steps(db: Asks, found: Violation[]): Promise<void> {
  const walk = async (what: string, text: string, allowed: (from: string, to: string, cause: string) => boolean): Promise<void> => {
    const { rows } = await db.query(text)
    for (const [id, steps] of Map.groupBy(rows, (row) => String(row['id']))) {
      for (const { from, to, cause } of steps)
        if (!allowed(String(from), String(to), String(cause)))
          found.push({ id: 'I6', what: `${what} ${id} went from ${String(from)} to ${String(to)}` })
      const { state } = steps[0] ?? {}
      const end = endOf(steps)
      if (end.left.length > 0)
        found.push({
          id: 'I6',
          what: `${what} ${id} jumped from ${end.state} to ${end.left.map(({ from }) => String(from)).join(' and ')}`,
        })
      else if (end.state !== state) found.push({ id: 'I6', what: `${what} ${id} is ${String(state)}, its last step led to ${end.state}` })
    }
  }
  await walk(
    'order',
    `select t.customer_order_id as id, t.from_state as from, t.to_state as to, o.state from orders.transition t
      join orders.customer_order o on o.id = t.customer_order_id order by t.customer_order_id, t.at, t.id`,
    // A replacement costs nothing and begins paid.
    (from, to) => (from === 'replacement' && to === 'paid') || customerOrderSteps.some((step) => step.from === from && step.to === to),
  )
  await walk(
    'payment',
    `select t.payment_id::text as id, t.from_state as from, t.to_state as to, t.cause, p.state from payments.transition t
      join payments.payment p on p.id = t.payment_id where t.applied order by t.payment_id, t.at, t.id`,
    (from, to, cause) => isStepOfHistory(from as PaymentState, to as PaymentState, cause),
  )
  const placed = await db.query(
    `select id, state from orders.customer_order o where state <> 'draft' and not exists (select 1 from orders.transition t where t.customer_order_id = o.id)`,
  )
  for (const row of placed.rows) found.push({ id: 'I6', what: `an order came to its state without a step: ${JSON.stringify(row)}` })
}

/**
 * Where steps lead when each begins where the one before it ended, and those that cannot. A step has the time at which its
 * transaction began, so that of two that waited for each other the later one may be dated first.
 */
function endOf(steps: readonly Record<string, unknown>[]): { state: string; left: Record<string, unknown>[] } {
  const left = [...steps]
  const more = (state: unknown) => steps.filter(({ from }) => from === state).length - steps.filter(({ to }) => to === state).length
  let state = String((steps.find(({ from }) => more(from) === 1) ?? steps[0])?.['from'])
  for (;;) {
    const at = left.findIndex(({ from }) => from === state)
    const [next] = at < 0 ? [] : left.splice(at, 1)
    if (!next) return { state, left }
    state = String(next['to'])
  }
}

/** Holds once nothing is in progress. */
async function rest(ask: Ask): Promise<void> {
  await ask(
    'I5',
    'an event was not delivered',
    `select id::text, type, last_error, parked_at from platform.outbox where done_at is null limit 20`,
  )
  await ask(
    'I5',
    'a paid order has not exactly one event of it',
    `select o.id, count(e.*)::int as events from orders.customer_order o
      left join platform.outbox e on e.type = 'order.paid' and e.aggregate = 'order:' || o.id
      where o.state = 'paid' and o.paid_at > now() - interval '1 hour' group by o.id having count(e.*) <> 1`,
  )
  await ask(
    'I5',
    'a buyer has not got exactly one mail',
    `select o.id, o.state, count(m.*)::int as mails from orders.customer_order o
      left join mail.mail m on m.state = 'sent' and m.key = 'order:' || o.id || case o.state when 'paid' then ':confirmation' else ':cancelled' end
      where o.state in ('paid', 'cancelled') and o.updated_at > now() - interval '1 hour' group by o.id having count(m.*) <> 1`,
  )
  await ask(
    'I5',
    'a mail waits and no job will send it',
    `select m.id::text from mail.mail m where m.state = 'queued'
      and not exists (select 1 from platform.job j where j.name = 'mail.send' and j.key = m.id::text and j.parked_at is null)`,
  )
  await ask(
    'I6',
    'an order or payment is stuck',
    `select o.id, o.state, p.state as payment from orders.customer_order o
      left join payments.payment p on p.customer_order_id = o.id and p.placement = o.placement
      where (o.state = 'authorised' and o.updated_at < now() - interval '60 seconds')
        or (p.state = 'authorised' and p.updated_at < now() - interval '60 seconds')
        or (o.state = 'awaiting-payment' and o.holds_until < now() - interval '60 seconds')
        or (p.abandoned is not null and p.captured > p.refunded)`,
  )
}
