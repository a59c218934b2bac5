import type { Market } from '@purlin/contract/markets.ts'
import type { MemberRole, StaffRole } from '@purlin/contract/principal.ts'
import type { Db } from '#platform'

/** A person known before their first sign-in, by the identities they will sign in with. */
export interface KnownPerson {
  id: string
  email: string
  name: string
  market: Market
  identities: readonly { issuer: string; subject: string }[]
  as:
    | { kind: 'customer' }
    | { kind: 'member'; role: MemberRole; company: { id: string; name: string; country: string; vatNumber: string } }
    | { kind: 'seller' | 'operator'; sellerId: number | null; roles: readonly StaffRole[] }
}

const statement = (name: string, text: string) => ({ name: `accounts.enrol-${name}`, text: `${text} on conflict do nothing` })
const customer = statement('customer', 'insert into accounts.customer (id, email, name, market) values ($1, $2, $3, $4)')
const company = statement('company', 'insert into accounts.company (id, name, country, vat_number) values ($1, $2, $3, $4)')
const membership = statement('membership', 'insert into accounts.membership (customer_id, company_id, role) values ($1, $2, $3)')
const staff = statement('staff', 'insert into accounts.staff (id, email, name, kind, seller_id) values ($1, $2, $3, $4, $5)')
const permission = statement('permission', 'insert into accounts.permission (staff_id, kind, role, market) values ($1, $2, $3, $4)')
const identity = statement(
  'identity',
  'insert into accounts.identity (issuer, subject, customer_id, staff_id, company_id) values ($1, $2, $3, $4, $5)',
)

/** Creates a person's account, company or roles; existing ones are kept as they are. */
export async function enrolPerson(db: Db, { id, email, name, market, identities, as }: KnownPerson): Promise<void> {
  const isStaff = as.kind === 'seller' || as.kind === 'operator'
  if (isStaff) {
    await db.run(staff, [id, email, name, as.kind, as.sellerId])
    for (const { role, market: where } of as.roles) await db.run(permission, [id, as.kind, role, where])
  } else await db.run(customer, [id, email, name, market])
  if (as.kind === 'member') {
    await db.run(company, [as.company.id, as.company.name, as.company.country, as.company.vatNumber])
    await db.run(membership, [id, as.company.id, as.role])
  }
  const companyId = as.kind === 'member' ? as.company.id : null
  for (const { issuer, subject } of identities)
    await db.run(identity, [issuer, subject, isStaff ? null : id, isStaff ? id : null, companyId])
}
