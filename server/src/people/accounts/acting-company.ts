/**
 * SQL: the company that a customer acts for on the professional storefront, from the columns or values given. The one they acted for last
 * comes first, then the preferred one, then the one they have belonged to longest; closed companies and ended memberships do not count.
 */
export function actingCompany(customerId: string, preferred = 'null::uuid'): string {
  return `(select m.company_id from accounts.membership m
    join accounts.customer acting on acting.id = m.customer_id
    join accounts.company open on open.id = m.company_id and open.closed_at is null
    where m.customer_id = ${customerId} and m.ended_at is null
    order by m.company_id = acting.acts_for desc nulls last, m.company_id = ${preferred} desc nulls last, m.since limit 1)`
}
