import { subscriptionCharge } from '@purlin/server/selling/payments/provider.ts'
import type { Asks, Violation } from './violation.ts'

/** Checks the invariants of companies: budgets, approvals, subscriptions, claims of the credit provider and their statements. */

export interface CompanyOptions {
  /** The shop's clock; the machine's unless a test has its own. */
  now?: Date
  /** The shop is idle: all events are processed, and no charge or statement is in progress. */
  settled?: boolean
}

/** Returns the violations. Reads only. */
export async function checkCompanies(db: Asks, { now = new Date(), settled = true }: CompanyOptions = {}): Promise<Violation[]> {
  const found: Violation[] = []
  const ask: Ask = async (id, sentence, text, values = []) => {
    const { rows } = await db.query(text, values)
    for (const row of rows) found.push({ id, what: `${sentence}: ${JSON.stringify(row)}` })
  }
  await budgets(ask)
  await approvals(ask)
  await subscriptions(ask)
  await claims(ask)
  await statements(ask)
  if (settled) await rest(ask, now)
  return found
}

type Ask = (id: Violation['id'], sentence: string, text: string, values?: unknown[]) => Promise<void>

// An order that its payment's return cancelled as a whole has given back what it held.
const isPlaced = `o.state not in ('draft', 'cancelled')
  and (o.state <> 'refunded' or exists (select 1 from refunds.refund r where r.customer_order_id = o.id))`

/** Charges that nobody approved, each with the budgets it counts against. One that was moved since is up to an approver. */
const unapproved = `select b.id, b.kind, b.monthly, b.per_order, b.changed_at, s.customer_order_id as "order", s.month, s.amount,
    s.amount - s.returned as used, s.placed_at
  from purchasing.spend s join purchasing.budget b on b.company_id = s.company_id and b.currency = s.currency
    and b.subject_id = case b.kind when 'member' then s.customer_id when 'site' then s.site_id else s.cost_centre_id end
  where not exists (select 1 from purchasing.approval a where a.customer_order_id = s.customer_order_id and a.state = 'approved'
      and a.approved_total >= s.amount)
    and not exists (select 1 from purchasing.order_reference r where r.customer_order_id = s.customer_order_id and r.changed_at > s.placed_at)`
/** An order may have been placed while its budget was changed. */
const isSinceChange = `placed_at > changed_at + interval '5 seconds'`

async function budgets(ask: Ask): Promise<void> {
  await ask(
    'I8',
    'what is charged to a company’s budgets is not what its orders cost',
    `select coalesce(o.id, s.customer_order_id) as "order", o.state, o.total, s.amount as charged
      from (select * from orders.customer_order o where o.company_id is not null and o.total > 0 and ${isPlaced}) o
      full join purchasing.spend s on s.customer_order_id = o.id
      where o.id is null or s.customer_order_id is null or s.amount <> o.total or s.company_id <> o.company_id
        or o.owner <> 'c:' || s.customer_id`,
  )
  await ask(
    'I8',
    'an order is charged to another cost centre or building site than it names',
    `select s.customer_order_id as "order", s.cost_centre_id, c.id as named, s.site_id, p.site_id as "to" from purchasing.spend s
      left join purchasing.order_reference r on r.customer_order_id = s.customer_order_id
      left join companies.cost_centre c on c.company_id = s.company_id and lower(c.code) = lower(r.cost_centre) and c.created_at < s.placed_at
      left join purchasing.order_site p on p.customer_order_id = s.customer_order_id
      where (c.id is not null and s.cost_centre_id is distinct from c.id) or (p.site_id is not null and s.site_id is distinct from p.site_id)`,
  )
  await ask(
    'I8',
    'orders exceed a month’s budget that nobody approved',
    `select id, kind, month, monthly, sum(used)::int as used from (${unapproved}) u where monthly is not null
      group by id, kind, month, monthly having sum(used) > monthly and bool_or(${isSinceChange})`,
  )
  await ask(
    'I8',
    'an order exceeds the limit of one, and nobody approved it',
    `select id, kind, "order", amount, per_order from (${unapproved}) u where amount > per_order and ${isSinceChange}`,
  )
}

async function approvals(ask: Ask): Promise<void> {
  await ask(
    'I4',
    'an order was approved more than once',
    `select customer_order_id as "order", count(*)::int from purchasing.approval where state = 'approved' group by 1 having count(*) > 1`,
  )
  await ask(
    'I6',
    'an order waits for an approval and is placed',
    `select a.id, o.id as "order", o.state from purchasing.approval a left join orders.customer_order o on o.id = a.customer_order_id
      where a.state = 'pending' and o.state is distinct from 'draft'`,
  )
  await ask(
    'I3',
    'an approval by invoice, or one that was used, has no order',
    `select a.id, a.customer_order_id as "order" from purchasing.approval a left join orders.customer_order o on o.id = a.customer_order_id
      where a.state = 'approved' and (a.is_used or a.pay_by = 'invoice') and coalesce(o.placement, 0) = 0`,
  )
  await ask(
    'I4',
    'the cart of an approval became more than one order',
    `select a.id, o.id as "order", other.id as other from purchasing.approval a join orders.customer_order o on o.id = a.customer_order_id
      join orders.customer_order other on other.cart_id = o.cart_id and other.id <> o.id
      where a.state = 'approved' and o.placement > 0 and other.state not in ('draft', 'cancelled')`,
  )
}

async function subscriptions(ask: Ask): Promise<void> {
  await ask(
    'I4',
    'a period of a subscription was not charged exactly once',
    `select s.id, s.charges, count(c.*)::int as rows, max(c.sequence) as last, count(*) filter (where c.state = 'due')::int as due
      from subscriptions.subscription s left join subscriptions.charge c on c.subscription_id = s.id
      group by s.id having count(c.*) <> s.charges or coalesce(max(c.sequence), 0) <> s.charges or count(*) filter (where c.state = 'due') > 1`,
  )
  await ask(
    'I4',
    'a day is paid for twice',
    `select c.id, other.id as other, s.company_id from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id
      join subscriptions.subscription t on t.company_id = s.company_id join subscriptions.charge other on other.subscription_id = t.id
      where c.id < other.id and c.paid_at is not null and other.paid_at is not null
        and (s.id = t.id or (c.state = 'paid' and other.state = 'paid'))
        and c.period_start < other.period_end and other.period_start < c.period_end`,
  )
  await ask(
    'I4',
    'a company has the benefits of a subscription for free',
    `select s.id, s.state, s.paid_until, s.has_trial, p.until as paid from subscriptions.subscription s
      left join lateral (select max(c.period_end) as until from subscriptions.charge c where c.subscription_id = s.id and c.state = 'paid') p on true
      where (s.state = 'active' and s.paid_until is distinct from p.until) or (s.state = 'trialing' and (not s.has_trial or p.until is not null))`,
  )
  await ask(
    'I8',
    'a company has had more than one trial',
    `select company_id, count(*)::int from subscriptions.subscription where has_trial and paid_until is not null group by 1 having count(*) > 1`,
  )
  await ask(
    'I1',
    'what a company paid for its subscription is not what the ledger holds',
    `select c.id, c.state, c.gross, coalesce(l.kept, 0)::int as kept from subscriptions.charge c
      left join lateral (select sum(e.amount) as kept from ledger.booking b join ledger.entry e on e.booking_id = b.id
        where b.key in ('subscription-capture:' || c.id, 'subscription-refund:' || c.id) and e.account like 'provider:%') l on true
      where coalesce(l.kept, 0) <> case when c.paid_at is not null and c.state in ('paid', 'refunding') then c.gross else 0 end`,
  )
  await ask(
    'I1',
    'an invoice of a subscription is not what was paid',
    `select i.number, i.source, i.gross, c.gross as paid from invoices.invoice i
      left join subscriptions.charge c on i.source = 'subscription:' || c.id or i.source = 'subscription-refund:' || c.id
      where i.source ~ '^subscription(-refund)?:' and (c.paid_at is null or abs(i.gross) <> c.gross
        or (i.kind = 'credit-note') <> (i.source like 'subscription-refund:%') or (i.kind = 'credit-note' and c.state <> 'refunded'))`,
  )
}

async function claims(ask: Ask): Promise<void> {
  await ask(
    'I1',
    'more than a claim was credited or paid',
    `select id, number, amount, credited, repaid, reversed from credit.claim
      where credited > amount or repaid - reversed > amount or reversed > repaid`,
  )
  await ask(
    'I1',
    'a claim is not its invoice',
    `select c.id, c.number, c.amount, i.number as invoice, i.gross from credit.claim c join invoices.invoice i on i.id = c.id
      where i.kind <> 'sale' or i.gross <> c.amount or i.number <> c.number or i.customer_order_id <> c.customer_order_id
        or i.currency <> c.currency`,
  )
  await ask(
    'I4',
    'more was claimed for an order than it costs, or for one that is paid otherwise',
    `select p.id, p.method, p.captured, sum(c.amount)::int as claimed from credit.claim c join payments.payment p on p.id = c.payment_id
      where c.reference is not null group by p.id having sum(c.amount) > p.captured or p.method <> 'invoice'`,
  )
  await ask(
    'I1',
    'what a company has repaid is not what its claims add up to',
    `select p.id, p.repaid, sum(c.repaid - c.reversed)::int as claims from payments.payment p join credit.claim c on c.payment_id = p.id
      group by p.id having p.repaid <> sum(c.repaid - c.reversed)`,
  )
  // The provider may lower a limit below what is used, and a bank may take back what was paid: neither lets anybody order more.
  await ask(
    'I8',
    'orders by invoice exceed the company’s limit',
    `select l.company_id, l.currency, l.limit_amount, sum(u.used)::int as used
      from credit.line l join payments.payment p on p.company_id = l.company_id and p.currency = l.currency
        and (p.state in ('captured', 'part-refunded') or (p.state in ('initiated', 'action-required', 'authorised') and p.abandoned is null))
      cross join lateral (select coalesce(sum(c.reversed), 0) as reversed, coalesce(sum(c.amount), 0) as invoiced, coalesce(sum(c.credited), 0) as credited,
          coalesce(sum(greatest(0, c.amount - c.credited - c.repaid)), 0) as open
        from credit.claim c where c.payment_id = p.id and c.reference is not null) c
      cross join lateral (select case when p.refunded = 0 or p.repaid = 0 then greatest(0, p.amount - p.refunded - p.repaid - c.reversed)
        else greatest(0, p.amount - c.invoiced - coalesce(p.reduced, p.refunded - c.credited)) + c.open end as used) u
      where l.limit_amount is not null group by l.company_id, l.currency, l.limit_amount, l.checked_at
      having sum(u.used) > l.limit_amount and bool_or(p.created_at > l.checked_at + interval '5 seconds')`,
  )
}

async function statements(ask: Ask): Promise<void> {
  await ask(
    'I1',
    'a statement does not list the invoices that it gathers',
    `with printed as (
        select s.id as statement, (l ->> 'id')::uuid as claim, (l ->> 'amount')::int as amount
        from credit.statement s, jsonb_array_elements(s.document -> 'lines') l
      ), gathered as (
        select sc.statement_id as statement, c.id as claim, c.amount from credit.statement_claim sc
        join credit.claim c on c.id = sc.claim_id join credit.statement s on s.id = sc.statement_id where s.document is not null
      )
      select coalesce(p.statement, g.statement) as statement, coalesce(p.claim, g.claim) as claim, p.amount as printed, g.amount as claimed
      from printed p full join gathered g on g.statement = p.statement and g.claim = p.claim where p.amount is distinct from g.amount`,
  )
  await ask(
    'I4',
    'an invoice is on more than one statement',
    `select l ->> 'id' as claim, count(*)::int from credit.statement s, jsonb_array_elements(s.document -> 'lines') l group by 1 having count(*) > 1`,
  )
  await ask(
    'I1',
    'a statement gathers an invoice that is not of its company, market or month',
    `select s.number, c.number as claim, s.month, c.issued_on from credit.statement_claim sc join credit.statement s on s.id = sc.statement_id
      join credit.claim c on c.id = sc.claim_id
      where c.company_id <> s.company_id or c.market <> s.market or c.currency <> s.currency or c.reference is null
        or to_char(c.issued_on, 'YYYY-MM') > s.month`,
  )
  await ask(
    'I4',
    'more is collected by direct debit than was announced or is owed',
    `select d.statement_id, d.amount, d.collected, o.open from credit.debit d join credit.statement s on s.id = d.statement_id
      cross join lateral (select coalesce(sum(greatest(0, (l ->> 'amount')::int - (l ->> 'credited')::int - (l ->> 'repaid')::int)), 0)::int as open
        from jsonb_array_elements(s.document -> 'lines') l) o
      where d.collected > d.amount or d.amount > o.open`,
  )
}

/** Holds once nothing is in progress. */
async function rest(ask: Ask, now: Date): Promise<void> {
  await ask(
    'I8',
    'a budget has back another amount than was refunded',
    `select s.customer_order_id as "order", s.amount, s.returned, r.refunded from purchasing.spend s
      cross join lateral (select coalesce(sum(r.amount), 0)::int as refunded from refunds.refund r where r.customer_order_id = s.customer_order_id) r
      where s.returned <> least(s.amount, r.refunded)`,
  )
  await ask(
    'I4',
    'a period of a subscription has begun, and nobody charged it',
    `select s.id, s.state, s.due_at from subscriptions.subscription s where s.state in ('trialing', 'active')
      and s.due_at < $1::timestamptz - interval '1 hour'
      and not exists (select 1 from subscriptions.charge c where c.subscription_id = s.id and c.state = 'due')`,
    [now],
  )
  await ask(
    'I4',
    'a paid period of a subscription has no invoice, or its refund no credit note',
    `select c.id, c.state, n.kind from subscriptions.charge c
      cross join lateral (values ('subscription:', 'sale'), ('subscription-refund:', 'credit-note')) n (prefix, kind)
      where c.paid_at is not null and (n.kind = 'sale' or c.state = 'refunded')
        and not exists (select 1 from invoices.invoice i where i.source = n.prefix || c.id and i.kind = n.kind)`,
  )
  await ask(
    'I4',
    'an invoice to be paid later was not handed to the credit provider',
    `select i.number, p.id as payment from invoices.invoice i join payments.payment p on p.customer_order_id = i.customer_order_id
      where i.kind = 'sale' and p.method = 'invoice' and p.abandoned is null and p.state in ('captured', 'part-refunded', 'refunded')
        and not exists (select 1 from credit.claim c where c.id = i.id)`,
  )
  await ask(
    'I5',
    'a statement was opened and not issued',
    `select id, number from credit.statement where document is null and issued_on < ($1::timestamptz - interval '1 day')::date`,
    [now],
  )
  // One that is reported after the statement of its month waits for the next.
  await ask(
    'I4',
    'an invoice of a company that pays once a month is on no statement',
    `select c.id, c.number, c.issued_on from credit.claim c join credit.collective o on o.company_id = c.company_id and o.market = c.market
      where c.issued_on >= o.since and c.reference is not null and c.issued_on < ($1::timestamptz - interval '70 days')::date
        and not exists (select 1 from credit.statement_claim sc where sc.claim_id = c.id)`,
    [now],
  )
}

/** Charges of subscriptions as payments of a provider, for the comparison with its own list. */
export async function readCharges(db: Asks, provider: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query(
    `select $2 || c.id as id, $2 || c.id as "order", c.reference, case when c.paid_at is not null or c.state in ('refunding', 'refunded') then c.gross else 0 end as captured,
      case when c.state = 'refunded' then c.gross else 0 end as refunded, c.currency
    from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.provider = $1`,
    [provider, subscriptionCharge],
  )
  return rows
}
