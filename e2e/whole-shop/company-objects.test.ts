/** Five roles in a company, and an approval, a quote, a statement and a building site: one's own, a colleague's and another company's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { companiesIn, type Colleague } from '@purlin/server/selling/checkout/testing.ts'

const database = await testDatabase()
const { pool } = database
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)
const host = 'pro.gb.localhost:3000'

type Kind = 'approval' | 'quote' | 'statement' | 'site'
type Whose = 'own' | 'colleague’s' | 'other company’s'

/** Access matrix: which roles may read approvals, quotes and statements, and archive sites. */
const allowed: Record<Kind, Record<MemberRole, Record<Whose, boolean>>> = {
  approval: roles({ admin: 'company', approver: 'company', buyer: 'own', accountant: 'own', viewer: 'own' }),
  quote: roles({ admin: 'company', approver: 'company', buyer: 'company', accountant: 'company', viewer: 'company' }),
  statement: roles({ admin: 'company', approver: 'company', buyer: 'none', accountant: 'company', viewer: 'company' }),
  site: roles({ admin: 'company', approver: 'company', buyer: 'none', accountant: 'none', viewer: 'none' }),
}
function roles(reach: Record<MemberRole, 'company' | 'own' | 'none'>): Record<MemberRole, Record<Whose, boolean>> {
  const of = (role: MemberRole) => ({ own: reach[role] !== 'none', 'colleague’s': reach[role] === 'company', 'other company’s': false })
  return { admin: of('admin'), approver: of('approver'), buyer: of('buyer'), accountant: of('accountant'), viewer: of('viewer') }
}

/** An object of this member: a statement and a site belong to their company. */
async function objectOf(kind: Kind, { principal }: Colleague): Promise<string> {
  const [id, origin] = [newId(), `http://${host}`]
  const company = principal.company.id
  if (kind === 'approval')
    await pool.query(
      `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, total, currency, limits, proposal, expires_at)
       values ($1, 'P' || upper(left(replace($1::uuid::text, '-', ''), 16)), $2, $3, 'gb', $4, 'card', 1000, 'GBP', '[]',
         '{"lines": [], "delivery": 0, "discount": 0}', now() + interval '7 days')`,
      [id, company, principal.id, origin],
    )
  if (kind === 'quote')
    await pool.query(
      `with quote as (insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, valid_until, delivery)
       values ($1, $1::uuid::text, 1, 'gb', $5, $2, $3, $4, 'answered', '', now(), now() + interval '9 days', 0) returning id)
       insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, price, vat_rate_bp)
       select id, 1, 410, 'Drill', '/p/drill-41', 2, 1000, 900, 2000 from quote`,
      [id, company, principal.id, principal.email, origin],
    )
  if (kind === 'statement')
    await pool.query(
      `insert into credit.statement (id, number, company_id, market, origin, currency, month, issued_on, due_on, document)
       values ($1, $1::uuid::text, $2, 'gb', $3, 'GBP', to_char(date '2000-01-01' + (random() * 9000)::integer, 'YYYY-MM'), '2026-11-01', '2026-11-30', $4)`,
      [
        id,
        company,
        origin,
        JSON.stringify({
          company: { name: 'Lee', vatNumber: null, country: 'GB' },
          payee: { holder: 'Credit', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22', remittance: 'C' },
          lines: [],
        }),
      ],
    )
  if (kind === 'site')
    await pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, $1::uuid::text, '{}')`, [id, company])
  return id
}

const documents: Record<Kind, string> = {
  approval: 'query ($id: ID!) { seen: approval(id: $id) { id } }',
  quote: 'query ($id: ID!) { seen: quote(quoteId: $id) { id } }',
  statement: 'query ($id: ID!) { seen: invoiceStatement(id: $id) { id } }',
  site: 'mutation ($id: ID!) { done: archiveSite(id: $id, isArchived: true) { refusal { reason } } }',
}
async function reaches(kind: Kind, id: string, { cookie }: Colleague): Promise<boolean> {
  const { body } = await gateway.post(documents[kind], { id }, { cookie, host })
  const { data, errors } = body as { data: { seen?: { id: string } | null; done?: { refusal: object | null } } | null; errors?: unknown }
  if (kind !== 'site') {
    assert.equal(errors, undefined, JSON.stringify(body))
    return data?.seen?.id === id
  }
  const { rows } = await pool.query('select archived_at from companies.site where id = $1', [id])
  const isArchived = rows[0]?.archived_at !== null
  assert.equal(isArchived, data?.done?.refusal === null, JSON.stringify(body))
  return isArchived
}

for (const kind of ['approval', 'quote', 'statement', 'site'] as const)
  for (const role of ['admin', 'approver', 'buyer', 'accountant', 'viewer'] as const)
    test(`${role}: ${kind} of one's own, of a colleague and of another company`, async () => {
      const [company, other] = [await newCompany(), await newCompany()]
      const self = await join(company, role)
      const whose: [Whose, Colleague][] = [
        ['own', self],
        ['colleague’s', await join(company, 'buyer')],
        ['other company’s', await join(other, role)],
      ]
      for (const [which, owner] of whose)
        assert.equal(await reaches(kind, await objectOf(kind, owner), self), allowed[kind][role][which], which)
    })
