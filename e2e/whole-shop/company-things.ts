import type { Principal } from '@purlin/contract/principal.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'

/** What a member's company has: a building site, a cost centre and a request for approval; null for everybody else. */
export interface CompanyThings {
  site: string | null
  costCentre: string | null
  /** A request of the member about an order beyond a limit. */
  approval: string | null
}

export async function thingsOfCompany({ pool }: TestDatabase, principal: Principal): Promise<CompanyThings> {
  if (principal.kind !== 'member') return { site: null, costCentre: null, approval: null }
  const [site, costCentre, approval] = [newId(), newId(), newId()]
  const address = {
    firstName: 'Kim',
    lastName: 'Field',
    line1: '1 Mill Lane',
    postcode: 'SW1A 1AA',
    city: 'London',
    country: 'GB',
    phone: '',
  }
  await pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, 'School', $3)`, [
    site,
    principal.company.id,
    JSON.stringify(address),
  ])
  await pool.query(`insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, 'C-1', 'Roofs')`, [
    costCentre,
    principal.company.id,
  ])
  await pool.query(
    `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, total, currency, limits, proposal, expires_at)
     values ($1, 'P' || upper(left(replace($1::uuid::text, '-', ''), 16)), $2, $3, 'gb', 'http://pro.gb.localhost:3000', 'card', 1000, 'GBP', '[]',
       '{"lines": [], "delivery": 0, "discount": 0}', now() + interval '7 days')`,
    [approval, principal.company.id, principal.id],
  )
  return { site, costCentre, approval }
}
