import { returnSteps } from '@purlin/server/after-sale/returns/return-request.ts'
import { disputeMoves } from '@purlin/server/after-sale/disputes/dispute.ts'
import { sellerOrderSteps } from '@purlin/server/selling/orders/order-states.ts'
import { checkInvariants, type Asks, type InvariantOptions, type Violation } from '../invariants.ts'

/** The invariants of `checkInvariants`, and those of what follows an order: pieces, returns, disputes, refunds, documents, payouts. */
export async function checkAfterSale(db: Asks, { provider }: Pick<InvariantOptions, 'provider'> = {}): Promise<Violation[]> {
  const found = await checkInvariants(db, { settled: false, ...(provider && { provider }) })
  const ask = async (id: Violation['id'], sentence: string, text: string): Promise<void> => {
    for (const row of (await db.query(text)).rows) found.push({ id, what: `${sentence}: ${JSON.stringify(row)}` })
  }
  await ask(
    'I1',
    'money came back that was never captured',
    'select id, captured, refunded from payments.payment where refunded < 0 or refunded > captured',
  )
  await ask(
    'I1',
    'the refunds that are done are not what the payment gave back',
    // Without those that the buyer's bank or the operator's paid, or that the provider has not reported yet.
    `select p.id, p.refunded, coalesce(sum(r.amount - r.set_off), 0)::int + coalesce(min(ahead.amount), 0)::int as done from payments.payment p
      left join refunds.refund r on r.payment_id = p.id and r.state = 'done' and not exists (select 1 from ledger.booking b
        where b.key in ('refund-set-off:' || r.id, 'transfer:' || r.id || ':' || r.transfers)
          and not exists (select 1 from ledger.booking back where back.key = 'transfer-returned:' || r.id || ':' || r.transfers and back.at >= b.at))
      left join lateral (select sum(e.amount) as amount from ledger.booking b join ledger.entry e on e.booking_id = b.id
        where b.customer_order_id = p.customer_order_id and b.key like 'refund-at-provider:%' and e.account = 'provider:' || p.provider) ahead on true
      where p.captured > 0 group by p.id having p.refunded <> coalesce(sum(r.amount - r.set_off), 0) + coalesce(min(ahead.amount), 0)`,
  )
  await ask(
    'I10',
    'a refund has not exactly one booking',
    `select r.id, r.amount, r.recovered, count(b.*)::int as bookings from refunds.refund r left join ledger.booking b on b.key = 'refund-due:' || r.id
      group by r.id having count(b.*) <> case when r.amount + r.recovered > 0 then 1 else 0 end`,
  )
  await ask(
    'I6',
    'a line has more or fewer pieces than were bought',
    `select l.seller_order_id, l.offer_id::text, l.quantity, q.from_pending from orders.order_line l
      join lateral (select sum(case m.to_state when 'pending' then m.quantity else 0 end - case m.from_state when 'pending' then m.quantity else 0 end)::int
        as from_pending from orders.line_move m where m.seller_order_id = l.seller_order_id and m.offer_id = l.offer_id) q on true
      where l.quantity + coalesce(q.from_pending, 0) < 0`,
  )
  await ask(
    'I6',
    'a state holds fewer than no pieces',
    `select seller_order_id, offer_id::text, state, sum(n)::int as pieces from (
        select s.id as seller_order_id, l.offer_id, 'pending' as state, l.quantity as n from orders.seller_order s
          join orders.order_line l on l.seller_order_id = s.id
        union all select m.seller_order_id, m.offer_id, v.state, v.n from orders.line_move m
          cross join lateral (values (m.to_state, m.quantity), (m.from_state, -m.quantity)) v (state, n)) pieces
      group by 1, 2, 3 having sum(n) < 0`,
  )
  await ask(
    'I1',
    'more is credited than was invoiced',
    `select seller_order_id, sum(gross)::int as open from invoices.invoice where kind in ('sale', 'credit-note') and seller_order_id is not null
      group by 1 having sum(gross) < 0`,
  )
  await ask(
    'I1',
    'an order was settled beyond what it has earned',
    `select b.customer_order_id as "order", sum(e.amount)::int as owed from ledger.booking b join ledger.entry e on e.booking_id = b.id
      where e.account like 'seller:%' and exists (select 1 from ledger.booking s where s.customer_order_id = b.customer_order_id and s.kind = 'settlement')
      group by 1 having sum(e.amount) > 0 and not exists (select 1 from refunds.refund r where r.customer_order_id = b.customer_order_id)`,
  )
  await ask(
    'I6',
    'a return is not where its last step led',
    `select r.id, r.state, s.to_state from returns.request r join lateral (select to_state from returns.step s where s.request_id = r.id
      order by s.at desc, s.id desc limit 1) s on true where s.to_state <> r.state`,
  )
  await steps(
    db,
    found,
    'a return',
    'select request_id::text as id, from_state as "from", to_state as "to", actor from returns.step',
    ({ from, to, actor }) => returnSteps.some((step) => step.from === from && step.to === to && step.actors.some((each) => each === actor)),
  )
  await steps(
    db,
    found,
    'pieces',
    'select seller_order_id as id, from_state as "from", to_state as "to", actor from orders.line_move',
    ({ from, to, actor }) =>
      sellerOrderSteps.some((step) => step.from === from && step.to === to && step.actors.some((each) => each === actor)),
  )
  await steps(
    db,
    found,
    'a dispute',
    `select dispute_id::text as id, action as "from", action as "to", actor from disputes.step where action <> 'open'`,
    ({ from, actor }) => disputeMoves.some(({ action, actors }) => action === from && actors.some((each) => each === actor)),
  )
  return found
}

interface Step {
  id: string
  from: string
  to: string
  actor: string
}

async function steps(db: Asks, found: Violation[], what: string, text: string, isAllowed: (step: Step) => boolean): Promise<void> {
  for (const row of (await db.query(text)).rows) {
    const step = { id: String(row['id']), from: String(row['from']), to: String(row['to']), actor: String(row['actor']) }
    if (!isAllowed(step)) found.push({ id: 'I6', what: `${what} moved as no table allows: ${JSON.stringify(step)}` })
  }
}

/** Of parts whose pieces have all come to an end, with everything refunded and invoiced: the documents say what the buyer has paid in the end. */
export async function checkDocuments(db: Asks, sellerOrderIds: readonly string[]): Promise<Violation[]> {
  const { rows } = await db.query(
    `select s.id, s.total, coalesce(i.open, 0)::int as documents, coalesce(r.back, 0)::int as back from orders.seller_order s
      left join lateral (select sum(gross) as open from invoices.invoice where seller_order_id = s.id) i on true
      left join lateral (select sum(amount + recovered) filter (where borne_by = 'seller') as back from refunds.refund
        where seller_order_id = s.id and state <> 'not-owed') r on true
      where s.id = any($1) and coalesce(i.open, 0) <> s.total - coalesce(r.back, 0)`,
    [sellerOrderIds],
  )
  return rows.map((row) => ({ id: 'I1', what: `invoices and credit notes are not what was sold and kept: ${JSON.stringify(row)}` }))
}
