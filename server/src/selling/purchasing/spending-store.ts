import type { Db } from '#platform'
import { budgetKinds } from './budget.ts'

export const spendingGroups = [...budgetKinds, 'category'] as const
export type SpendingGroup = (typeof spendingGroups)[number]

/** Spending of one subject in one month; a null subject stands for orders charged to none. */
export interface SpendingCell {
  subject: string | null
  /** YYYY-MM-01 */
  month: string
  amount: number
}

const window = `where company_id = $1 and currency = $2 and month >= $3 and amount > returned`
const grouped = (column: string) =>
  `select ${column}::text as subject, to_char(month, 'YYYY-MM-DD') as month, sum(amount - returned)::float8 as amount
    from purchasing.spend ${window} group by ${column}, month`
const bySubject = {
  member: { name: 'purchasing.spending-by-member', text: grouped('customer_id') },
  'cost-centre': { name: 'purchasing.spending-by-cost-centre', text: grouped('cost_centre_id') },
  site: { name: 'purchasing.spending-by-site', text: grouped('site_id') },
  // Delivery, and what refunds took off, is in no category: the goods' shares of what remains.
  category: {
    name: 'purchasing.spending-by-category',
    text: `select goods->>'category' as subject, to_char(month, 'YYYY-MM-DD') as month,
        round(sum((goods->>'amount')::numeric * (amount - returned) / nullif(total, 0)))::float8 as amount
      from purchasing.spend, jsonb_array_elements(categories) as goods,
        lateral (select sum((each->>'amount')::numeric) as total from jsonb_array_elements(categories) as each) as goods_total
      ${window} and total > 0 group by goods->>'category', month`,
  },
} satisfies Record<SpendingGroup, { name: string; text: string }>

export function readSpending(
  db: Db,
  companyId: string,
  { by, currency, since }: { by: SpendingGroup; currency: string; since: string },
): Promise<SpendingCell[]> {
  return db.rows<SpendingCell>(bySubject[by], [companyId, currency, since])
}
