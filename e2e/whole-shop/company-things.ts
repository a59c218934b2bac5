import type { Principal } from '@purlin/contract/principal.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'

/**
 * Objects of a member's company: a building site, a cost centre, a request for approval, an answered quote, a monthly statement and a punch-out
 * credential; null for everybody else.
 */
export interface CompanyThings {
  site: string | null
  costCentre: string | null
  /** A request of the member about an order beyond a limit. */
  approval: string | null
  quote: string | null
  statement: string | null
  credential: string | null
}

export async function thingsOfCompany({ pool }: TestDatabase, principal: Principal, order: string): Promise<CompanyThings> {
  if (principal.kind !== 'member') return { site: null, costCentre: null, approval: null, quote: null, statement: null, credential: null }
  const [site, costCentre, approval] = [newId(), newId(), newId()]
  const [quote, statement, credential] = [newId(), newId(), newId()]
  const address = {
    firstName: 'Kim',
    lastName: 'Field',
    line1: '1 Mill Lane',
    postcode: 'SW1A 1AA',
    city: 'London',
    country: 'GB',
    phone: '',
  }
  await pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, 'School ' || $1::uuid, $3)`, [
    site,
    principal.company.id,
    JSON.stringify(address),
  ])
  await pool.query(
    `insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, upper(right($1::uuid::text, 8)), 'Roofs')`,
    [costCentre, principal.company.id],
  )
  await pool.query(
    `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, total, currency, limits, proposal, expires_at)
     values ($1, $4, $2, $3, 'gb', 'http://pro.gb.localhost:3000', 'card', 1000, 'GBP', '[]',
       '{"lines": [], "delivery": 0, "discount": 0}', now() + interval '7 days')`,
    [approval, principal.company.id, principal.id, order],
  )
  await pool.query(
    `with quote as (
       insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, valid_until, delivery)
       values ($1, $1::uuid::text, 1, 'gb', 'http://pro.gb.localhost:3000', $2, $3, $4, 'answered', '', now(), now() + interval '9 days', 0) returning id
     ) insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, price, vat_rate_bp)
       select id, 1, 410, 'Drill', '/p/drill-41', 2, 1000, 900, 2000 from quote`,
    [quote, principal.company.id, principal.id, principal.email],
  )
  const document = {
    company: { name: 'Field & Sons', vatNumber: null, country: 'GB' },
    payee: { holder: 'Credit', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22', remittance: 'C' },
    lines: [],
  }
  await pool.query(
    `insert into credit.statement (id, number, company_id, market, origin, currency, month, issued_on, due_on, document)
     values ($1, $1::uuid::text, $2, 'gb', 'http://pro.gb.localhost:3000', 'GBP', to_char(date '2026-10-01' - (select count(*) from credit.statement)::int * interval '1 month', 'YYYY-MM'), '2026-11-01', '2026-11-30', $3)`,
    [statement, principal.company.id, JSON.stringify(document)],
  )
  await pool.query(
    `insert into punchout.credential (id, company_id, member_id, market, protocol, name, identity, secret_hash, created_by)
     values ($1, $2, $3, 'gb', 'oci', 'Ariba', $1::uuid::text, '\\x00', $3)`,
    [credential, principal.company.id, principal.id],
  )
  return { site, costCentre, approval, quote, statement, credential }
}
