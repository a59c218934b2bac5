import type { Db } from '#platform'
import { budgetKinds } from './budget.ts'

export const spendingGroups = [...budgetKinds, 'category'] as const
export type SpendingGroup = (typeof spendingGroups)[number]

/** Spending of one subject in one month; a null subject stands for orders charged to none. By category, with fractions of minor units. */
export interface SpendingCell {
  subject: string | null
  /** YYYY-MM-01 */
  month: string
  amount: number
}

const window = `where company_id = $1 and currency = $2 and month between $3 and $4 and amount > returned`
const grouped = (column: string) =>
  `select ${column}::text as subject, to_char(month, 'YYYY-MM-DD') as month, sum(amount - returned)::float8 as amount
    from purchasing.spend ${window} group by ${column}, month`
const bySubject = {
  member: { name: 'purchasing.spending-by-member', text: grouped('customer_id') },
  'cost-centre': { name: 'purchasing.spending-by-cost-centre', text: grouped('cost_centre_id') },
  site: { name: 'purchasing.spending-by-site', text: grouped('site_id') },
  // What remains of an order after refunds, by the shares of the goods that were not refunded: delivery is in no category. If none are left,
  // by those of all its goods. An order whose goods cost nothing has no category.
  category: {
    name: 'purchasing.spending-by-category',
    text: `with charged as (select customer_order_id as id, month, amount - returned as amount, categories, returned_goods from purchasing.spend ${window}),
      goods as (select id, category, each.amount as ordered, greatest(0, each.amount - coalesce(back.amount, 0)) as kept
        from charged, lateral jsonb_to_recordset(categories) as each (category integer, amount numeric)
          left join lateral jsonb_to_recordset(returned_goods) as back (category integer, amount numeric) using (category)),
      shares as (select id, category, case when sum(kept) over whole > 0 then kept / sum(kept) over whole
          else ordered / nullif(sum(ordered) over whole, 0) end as share from goods window whole as (partition by id))
      select category::text as subject, to_char(month, 'YYYY-MM-DD') as month, round(sum(coalesce(share, 1) * amount), 3)::float8 as amount
        from charged left join (select * from shares where share > 0) known using (id) group by category, month`,
  },
} satisfies Record<SpendingGroup, { name: string; text: string }>

export function readSpending(
  db: Db,
  companyId: string,
  { by, currency, since, until }: { by: SpendingGroup; currency: string; since: string; until: string },
): Promise<SpendingCell[]> {
  return db.rows<SpendingCell>(bySubject[by], [companyId, currency, since, until])
}

const net = {
  name: 'purchasing.net-spending',
  text: `select case when bool_and(net is not null) then sum(round(net::numeric * (amount - returned) / amount))::float8 end as net
    from purchasing.spend ${window}`,
}
/** Spending without VAT, refunds taken off in the same proportion; null without any, and if it is not known of an order. */
export async function readNetSpending(
  db: Db,
  companyId: string,
  { currency, since, until }: { currency: string; since: string; until: string },
): Promise<number | null> {
  return (await db.row<{ net: number | null }>(net, [companyId, currency, since, until]))?.net ?? null
}

const first = {
  name: 'purchasing.first-month',
  text: `select to_char(min(month), 'YYYY-MM-DD') as month from purchasing.spend where company_id = $1 and currency = $2`,
}
/** The month of a company's first charge; null without any. */
export async function readFirstMonth(db: Db, companyId: string, currency: string): Promise<string | null> {
  return (await db.row<{ month: string | null }>(first, [companyId, currency]))?.month ?? null
}
