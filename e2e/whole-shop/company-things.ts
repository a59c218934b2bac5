import type { Principal } from '@purlin/contract/principal.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'

/** What a member's company has: a building site and a cost centre; null for everybody else. */
export interface CompanyThings {
  site: string | null
  costCentre: string | null
}

export async function thingsOfCompany({ pool }: TestDatabase, principal: Principal): Promise<CompanyThings> {
  if (principal.kind !== 'member') return { site: null, costCentre: null }
  const [site, costCentre] = [newId(), newId()]
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
  return { site, costCentre }
}
