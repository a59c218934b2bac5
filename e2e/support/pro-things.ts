import { markets, type Market } from '@purlin/contract/markets.ts'
import { createPool, newId, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { hashOfToken } from '@purlin/server/selling/checkout/request-approval.ts'
import { acceptedVatNumber } from './professionals.ts'
import { people } from './visitor.ts'

/** A company with its five roles and what its pages can show, in each of their states; and one that has nothing yet. */

export const proRoles = ['admin', 'approver', 'buyer', 'accountant', 'viewer'] as const
export type ProRole = (typeof proRoles)[number]
export type ApprovalKey = 'pending' | 'approved' | 'refused' | 'withdrawn' | 'expired' | 'unneeded'
export type QuoteKey = 'requested' | 'answered' | 'refused' | 'declined' | 'withdrawn' | 'expired' | 'accepted' | 'ordered'
export type StatementKey = 'announced' | 'paid' | 'returned'

export interface ProThings {
  /** Tokens of the sessions of the company's members. */
  sessions: Record<ProRole, string>
  /** The administrator of a company that has nothing, and of one whose mandate and subscription have ended. */
  bare: string
  ended: string
  approvals: Record<ApprovalKey, string>
  /** By the mail to the approver: the request that waits, and one that is decided. */
  links: { pending: string; approved: string }
  quotes: Record<QuoteKey, string>
  statements: Record<StatementKey, string>
}

interface Place {
  pool: Pool
  market: Market
  origin: string
  companyId: string
}

export async function proThings(databaseUrl: string, { market, origin }: { market: Market; origin: string }): Promise<ProThings> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    const full = await companyOf(pool, market, proRoles, acceptedVatNumber(market))
    const [bare, gone] = [await companyOf(pool, market, ['admin']), await companyOf(pool, market, ['admin'], acceptedVatNumber(market))]
    const place = { pool, market, origin, companyId: full.companyId }
    const { buyer, approver, admin } = full.members
    const { approvals, links } = await addApprovals(place, buyer.id, approver.id)
    const mandate = await addMandate(place, admin.id, null)
    await addMandate({ ...place, companyId: gone.companyId }, gone.members.admin.id, 'AC04')
    await addSubscription(place, admin.id, null)
    await addSubscription({ ...place, companyId: gone.companyId }, gone.members.admin.id, 'unpaid')
    await addSite(place, buyer.id)
    return {
      sessions: mapRoles((role) => full.members[role].token),
      bare: bare.members.admin.token,
      ended: gone.members.admin.token,
      approvals,
      links,
      quotes: await addQuotes(place, buyer.id),
      statements: await addStatements(place, admin.id, mandate),
    }
  } finally {
    await pool.end()
  }
}

const mapRoles = <Value>(value: (role: ProRole) => Value): Record<ProRole, Value> => ({
  admin: value('admin'),
  approver: value('approver'),
  buyer: value('buyer'),
  accountant: value('accountant'),
  viewer: value('viewer'),
})

interface Member {
  id: string
  token: string
}

/** With a VAT number it is confirmed. */
async function companyOf(pool: Pool, market: Market, roles: readonly ProRole[], vatNumber: string | null = null) {
  const { id: companyId } = await addCompany(pool.db, { country: market.toUpperCase(), vatNumber })
  const members = mapRoles((): Member => ({ id: '', token: '' }))
  for (const role of roles) {
    const { id } = await addCustomer(pool.db, { market })
    await addMembership(pool.db, id, companyId, role)
    members[role] = { id, token: (await signIn(pool.db, { customerId: id, family: 'b2b', companyId })).token }
  }
  return { companyId, members }
}

async function addSite({ pool, market, companyId }: Place, buyerId: string): Promise<void> {
  const [site, centre] = [newId(), newId()]
  const address = { ...people[market], country: market.toUpperCase() }
  await pool.query(
    `insert into companies.site (id, company_id, name, address, delivery_hours) values ($1, $2, 'School roof', $3, '7–15')`,
    [site, companyId, JSON.stringify(address)],
  )
  await pool.query(`insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, 'ROOF-27', 'Roofs')`, [
    centre,
    companyId,
  ])
  const { currency } = markets[market]
  await pool.query(
    `insert into purchasing.budget (id, company_id, kind, subject_id, currency, monthly, per_order, changed_by) values ($1, $2, 'member', $3, $4, 400000, 50000, $3)`,
    [newId(), companyId, buyerId, currency],
  )
  await pool.query(
    `insert into purchasing.spend (customer_order_id, company_id, customer_id, site_id, cost_centre_id, currency, month, amount, returned, categories)
     values ('P' || upper(left(replace($1::uuid::text, '-', ''), 16)), $2, $3, $4, $5, $6, date_trunc('month', now()), 123456, 1000, '[{"category": 10, "amount": 123456}]')`,
    [newId(), companyId, buyerId, site, centre, currency],
  )
}

async function addApprovals({ pool, market, origin, companyId }: Place, buyerId: string, approverId: string) {
  const approvals: Record<ApprovalKey, string> = {
    pending: newId(),
    approved: newId(),
    refused: newId(),
    withdrawn: newId(),
    expired: newId(),
    unneeded: newId(),
  }
  const line = { offerId: '1', title: 'Cordless drill driver 18 V', url: '/p/drill-1', quantity: 4, unitPrice: 12_900, total: 51_600 }
  for (const [state, id] of Object.entries(approvals)) {
    const isDecided = state === 'approved' || state === 'refused'
    await pool.query(
      `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, state, total, currency, limits, proposal,
         note, comment, decided_by, decided_at, approved_total, is_used, expires_at)
       values ($1, 'P' || upper(left(replace($1::uuid::text, '-', ''), 16)), $2, $3, $4, $5, 'invoice', $6, 52590, $7, $8, $9, $10, $11, $12, $13, $14, $15, now() + interval '7 days')`,
      [
        id,
        companyId,
        buyerId,
        market,
        origin,
        state === 'unneeded' ? 'withdrawn' : state,
        markets[market].currency,
        JSON.stringify([{ kind: 'member', limit: 'order', left: 50_000 }]),
        JSON.stringify({ lines: [line], delivery: 990, discount: 0 }),
        'The scaffolding goes on Thursday.',
        isDecided ? 'Please order with the next pallet.' : null,
        isDecided ? approverId : null,
        isDecided ? new Date() : null,
        state === 'approved' ? 52_590 : null,
        state === 'unneeded',
      ],
    )
  }
  const links = { pending: `pending-${newId()}`, approved: `approved-${newId()}` }
  for (const state of ['pending', 'approved'] as const)
    await pool.query('insert into purchasing.approval_token (token_hash, approval_id, approver_id) values ($1, $2, $3)', [
      hashOfToken(links[state]),
      approvals[state],
      approverId,
    ])
  return { approvals, links }
}

async function addQuotes({ pool, market, origin, companyId }: Place, buyerId: string): Promise<Record<QuoteKey, string>> {
  const quotes: Record<QuoteKey, string> = {
    requested: newId(),
    answered: newId(),
    refused: newId(),
    declined: newId(),
    withdrawn: newId(),
    expired: newId(),
    accepted: newId(),
    ordered: newId(),
  }
  for (const [state, id] of Object.entries(quotes)) {
    const isAnswered = state !== 'requested' && state !== 'withdrawn' && state !== 'refused'
    await pool.query(
      `with quote as (
         insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, answered_at, valid_until, delivery, note)
         values ($1, 'Q-' || upper(right($1::uuid::text, 8)), 1, $2, $3, $4, $5, 'b@mail.example', $6, 'For a roof in March.', now() + interval '5 days',
           case when $7 then now() end, case when $7 then now() + interval '9 days' end, case when $7 then 0 end, case when $7 then 'Two pallets.' else '' end) returning id
       ) insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, price, vat_rate_bp)
         select id, 1, 1, 'Cordless drill driver 18 V', '/p/drill-1', 12, 12900, case when $7 then 9900 end, 2000 from quote`,
      [id, market, origin, companyId, buyerId, state, isAnswered],
    )
  }
  return quotes
}

async function addMandate({ pool, market, origin, companyId }: Place, adminId: string, endedBy: string | null): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into credit.mandate (id, company_id, market, origin, reference, creditor_name, creditor_id, state, ended_by, ended_at, holder, iban_end, text_version, signed_by, signed_at)
     values ($1, $2, $3, $4, 'PURLIN-M' || upper(right($1::uuid::text, 8)), 'Purlin', 'DE98ZZZ09999999999', $5, $6, case when $6::text is not null then now() end,
       'Lee Building Ltd', '3000', '2026-11', $7, now() - interval '40 days')`,
    [id, companyId, market, origin, endedBy === null ? 'active' : 'ended', endedBy, adminId],
  )
  await pool.query(`insert into credit.collective (company_id, market, origin, since) values ($1, $2, $3, current_date - 60)`, [
    companyId,
    market,
    origin,
  ])
  return id
}

const debits = { announced: ['announced', null], paid: ['settled', null], returned: ['returned', 'AM04'] } as const

async function addStatements({ pool, market, origin, companyId }: Place, adminId: string, mandate: string) {
  const statements: Record<StatementKey, string> = { announced: newId(), paid: newId(), returned: newId() }
  const { currency } = markets[market]
  for (const [at, key] of (['announced', 'paid', 'returned'] as const).entries()) {
    const [id, claim] = [statements[key], newId()]
    const number = `C-2026-${id.slice(-8)}`
    const due = key === 'announced' ? 20 : -10
    const { rows } = await pool.query<{ due: string; issued: string; month: string }>(
      `select (current_date + $1::int)::text as due, (current_date - 15)::text as issued, to_char(current_date - $2 * interval '31 days', 'YYYY-MM') as month`,
      [due, at + 1],
    )
    const { due: dueOn, issued, month } = rows[0]!
    const repaid = key === 'paid' ? 52_590 : 0
    await pool.query(
      `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin, currency, amount, repaid, reference, issued_on, due_on)
       values ($1, 'S1-F-2026-' || right($1::uuid::text, 8), $1, 'P1', 'P1-1', $2, $3, $4, 'b2b', $5, $6, 52590, $7, $1::uuid::text, $8, $9)`,
      [claim, companyId, adminId, market, origin, currency, repaid, issued, dueOn],
    )
    const line = { id: claim, number: `S1-F-2026-${claim.slice(-8)}`, customerOrderId: 'P1', issuedOn: issued, dueOn, amount: 52_590 }
    const payee = { holder: 'Purlin Credit Provider', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22', remittance: number }
    const document = {
      company: { name: 'Lee Building Ltd', vatNumber: null, country: market.toUpperCase() },
      payee,
      lines: [{ ...line, credited: 0, repaid: 0 }],
    }
    await pool.query(
      `insert into credit.statement (id, number, company_id, market, origin, currency, month, issued_on, due_on, document) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [id, number, companyId, market, origin, currency, month, issued, dueOn, JSON.stringify(document)],
    )
    await pool.query('insert into credit.statement_claim (claim_id, statement_id) values ($1, $2)', [claim, id])
    const [state, reason] = debits[key]
    if (market === 'gb') continue
    await pool.query(
      `insert into credit.debit (statement_id, mandate_id, amount, collect_on, announced_at, state, collected, reason, updated_at)
       values ($1, $2, 52590, $3, now() - interval '15 days', $4, $5, $6, now())`,
      [id, mandate, dueOn, state, state === 'announced' ? null : 52_590, reason],
    )
  }
  return statements
}

async function addSubscription({ pool, market, origin, companyId }: Place, adminId: string, endReason: string | null): Promise<void> {
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, due_at, anchor_day, created_at, ended_at, end_reason,
       card_brand, card_last4, card_expiry_year, card_expiry_month)
     values ($1, $2, $3, $4, $5, $6, 'yearly', true, now() + interval '200 days', now() + interval '200 days', 7, now() - interval '165 days',
       case when $7::text is not null then now() end, $7, 'visa', '4242', 2039, 12)`,
    [newId(), companyId, adminId, market, origin, endReason === null ? 'active' : 'ended', endReason],
  )
}
