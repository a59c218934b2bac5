import type { Member, MemberRole } from '@purlin/contract/principal.ts'
import type { Db } from '#platform'
import { actingCompany } from './acting-company.ts'

/** Companies and their members. */

const company = {
  name: 'accounts.company',
  text: 'select id, name, country, vat_number as "vatNumber" from accounts.company where id = $1 and closed_at is null',
}
const companyOfCustomer = {
  name: 'accounts.company-of-customer',
  text: `select company.id from ${actingCompany('$1')} company(id)`,
}
const open = {
  name: 'accounts.open-company',
  text: `with made as (insert into accounts.company (id, name, country, vat_number) values ($1, $2, $3, $4) returning id)
    insert into accounts.membership (customer_id, company_id, role) select $5, id, 'admin' from made`,
}
// Sessions on the professional storefront act for a company; on the consumers' shop everybody acts for themselves.
const act = {
  name: 'accounts.act-for-company',
  text: `with kept as (update accounts.customer set acts_for = $2 where id = $1)
    update accounts.session set company_id = $2 where customer_id = $1 and family = 'b2b' and not is_punch_out`,
}

export function readCompany(
  db: Db,
  id: string,
): Promise<{ id: string; name: string; country: string; vatNumber: string | null } | undefined> {
  return db.row(company, [id])
}

const companies = {
  name: 'accounts.companies',
  text: `select id, vat_number as "vatNumber" from accounts.company where closed_at is null and (id = any($1::uuid[]) or vat_number = any($2::text[]))`,
}

/** Open companies with one of these ids or VAT numbers. */
export function findCompanies(
  db: Db,
  { ids, vatNumbers }: { ids: readonly string[]; vatNumbers: readonly string[] },
): Promise<{ id: string; vatNumber: string | null }[]> {
  return db.rows(companies, [ids, vatNumbers])
}

/** The company a customer acts for as a professional; null for consumers. */
export async function companyIdOf(db: Db, customerId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(companyOfCustomer, [customerId]))?.id ?? null
}

interface NewCompany {
  id: string
  name: string
  country: string
  vatNumber: string | null
}

/** A new company, whose admin the customer is. */
export async function openCompany(db: Db, { id, name, country, vatNumber }: NewCompany, adminId: string): Promise<void> {
  await db.run(open, [id, name, country, vatNumber, adminId])
}

const confirm = {
  name: 'accounts.confirm-company',
  text: `update accounts.company set name = $2, country = $3, vat_number = coalesce($4, vat_number) where id = $1 and closed_at is null`,
}

/** The company is who was checked: a name typed before proves nothing. Without a VAT number the company keeps the one it has. */
export async function confirmCompany(db: Db, { id, name, country, vatNumber }: NewCompany): Promise<void> {
  await db.run(confirm, [id, name, country, vatNumber])
}

/** From the next request on a customer acts for this company, wherever they are signed in as a professional, and after later sign-ins. */
export async function actForCompany(db: Db, customerId: string, companyId: string): Promise<void> {
  await db.run(act, [customerId, companyId])
}

const lock = { name: 'accounts.lock-company', text: 'select id from accounts.company where id = $1 and closed_at is null for update' }
const members = {
  name: 'accounts.members',
  text: `select c.id, c.name, c.email, m.role, m.since from accounts.membership m join accounts.customer c on c.id = m.customer_id and c.closed_at is null
    where m.company_id = $1 and m.ended_at is null order by m.since, c.id limit 500`,
}
const member = {
  name: 'accounts.member',
  text: `select 'member' as kind, c.id, c.email, c.name, c.market, m.role,
      jsonb_build_object('id', co.id, 'country', co.country) as company, coalesce(c.prefers_vat, false) as "prefersVat"
    from accounts.membership m join accounts.customer c on c.id = m.customer_id and c.closed_at is null
    join accounts.company co on co.id = m.company_id and co.closed_at is null
    where m.customer_id = $1 and m.company_id = $2 and m.ended_at is null`,
}
const join = {
  name: 'accounts.join-company',
  text: `insert into accounts.membership (customer_id, company_id, role) values ($1, $2, $3)
    on conflict (customer_id, company_id) do update set role = excluded.role, since = now(), ended_at = null`,
}
const setRole = {
  name: 'accounts.set-member-role',
  text: 'update accounts.membership set role = $3 where customer_id = $1 and company_id = $2 and ended_at is null',
}
const end = {
  name: 'accounts.end-membership',
  text: 'update accounts.membership set ended_at = now() where customer_id = $1 and company_id = $2 and ended_at is null',
}
const stopActing = {
  name: 'accounts.stop-acting',
  text: `update accounts.session s set company_id = case when s.family = 'b2b' and not s.is_punch_out then ${actingCompany('s.customer_id')} end
    where s.customer_id = $1 and s.company_id = $2`,
}

/** Changes to the members of one company follow one another until the transaction ends. */
export async function lockCompany(db: Db, companyId: string): Promise<void> {
  await db.run(lock, [companyId])
}

const membershipsOf = {
  name: 'accounts.memberships-of',
  text: `select co.id, co.name, m.role from accounts.membership m join accounts.company co on co.id = m.company_id and co.closed_at is null
    where m.customer_id = $1 and m.ended_at is null order by m.since, co.id limit 50`,
}

/** The companies of a customer, with the roles they have there. */
export function readMemberships(db: Db, customerId: string): Promise<{ id: string; name: string; role: MemberRole }[]> {
  return db.rows(membershipsOf, [customerId])
}

const historyOf = {
  name: 'accounts.membership-history',
  text: `select co.id, co.name, co.vat_number as "vatNumber", m.role, m.since, m.ended_at as "endedAt" from accounts.membership m
    join accounts.company co on co.id = m.company_id where m.customer_id = $1 order by m.since, co.id`,
}
export interface PastOrPresentMembership {
  id: string
  name: string
  vatNumber: string | null
  role: MemberRole
  since: Date
  /** Null while the customer is a member. */
  endedAt: Date | null
}
/** Every company that a customer is or was a member of, also closed ones: for their data export. */
export function readMembershipHistory(db: Db, customerId: string): Promise<PastOrPresentMembership[]> {
  return db.rows<PastOrPresentMembership>(historyOf, [customerId])
}

export interface CompanyMember {
  id: string
  name: string
  email: string
  role: MemberRole
  since: Date
}

export function readMembers(db: Db, companyId: string): Promise<CompanyMember[]> {
  return db.rows<CompanyMember>(members, [companyId])
}

const namesOf = {
  name: 'accounts.names-of-members',
  text: `select c.id, c.name from accounts.membership m join accounts.customer c on c.id = m.customer_id and c.closed_at is null
    where m.company_id = $1 and c.id = any($2::uuid[])`,
}

/** The names of these members, of former ones as well unless their account is closed, by id. */
export async function readNamesOfMembers(db: Db, companyId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(namesOf, [companyId, ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A member with the display of prices that they have chosen. */
export interface ActingMember extends Member {
  prefersVat: boolean
}

/** A member as the principal of what is done on their behalf, such as an approved order; undefined once they have left. */
export function readMember(db: Db, customerId: string, companyId: string): Promise<ActingMember | undefined> {
  return db.row<ActingMember>(member, [customerId, companyId])
}

export async function joinCompany(db: Db, customerId: string, companyId: string, role: MemberRole): Promise<void> {
  await db.run(join, [customerId, companyId, role])
}

export async function setMemberRole(db: Db, customerId: string, companyId: string, role: MemberRole): Promise<void> {
  await db.run(setRole, [customerId, companyId, role])
}

/** Ends a membership; the sessions of the former member act for another company of theirs from the next request on, or for none. */
export async function endMembership(db: Db, customerId: string, companyId: string): Promise<void> {
  await db.run(end, [customerId, companyId])
  await db.run(stopActing, [customerId, companyId])
}
