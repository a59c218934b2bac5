import type { Market } from '@purlin/contract/markets.ts'
import type { StaffRole } from '@purlin/contract/principal.ts'
import { newId, type Db } from '#platform'
import { newSessionToken, sessionIdOf, type SessionFamily } from './session.ts'

/** For tests: people with sessions, as a sign-in would leave them. */

const statement = (text: string) => ({ name: `test.${text.slice(0, 45)}`, text })

export async function addCustomer(
  db: Db,
  { market = 'gb' }: { market?: Market } = {},
): Promise<{ id: string; email: string; name: string; market: Market }> {
  const id = newId()
  const customer = { id, email: `${id}@example.com`, name: 'Ann Lee', market }
  const insert = statement('insert into accounts.customer (id, email, name, market) values ($1, $2, $3, $4)')
  await db.run(insert, [id, customer.email, customer.name, market])
  return customer
}

/** With a VAT number it is a company that has been confirmed. */
export async function addCompany(
  db: Db,
  { country = 'GB', vatNumber = null }: { country?: string; vatNumber?: string | null } = {},
): Promise<{ id: string; country: string }> {
  const company = { id: newId(), country }
  const insert = statement(`insert into accounts.company (id, name, country, vat_number) values ($1, 'Lee Building Ltd', $2, $3)`)
  await db.run(insert, [company.id, country, vatNumber])
  return company
}

export async function addMembership(db: Db, customerId: string, companyId: string, role: string): Promise<void> {
  await db.run(statement('insert into accounts.membership (customer_id, company_id, role) values ($1, $2, $3)'), [
    customerId,
    companyId,
    role,
  ])
}

export async function addStaff(
  db: Db,
  { sellerId = null as number | null, roles = [] as readonly StaffRole[] },
): Promise<{ id: string; email: string; name: string }> {
  const id = newId()
  const kind = sellerId === null ? 'operator' : 'seller'
  const person = { id, email: `${id}@staff.example`, name: 'Sam Poe' }
  const insert = statement('insert into accounts.staff (id, email, name, kind, seller_id) values ($1, $2, $3, $4, $5)')
  await db.run(insert, [id, person.email, person.name, kind, sellerId])
  for (const { role, market } of roles) {
    await db.run(statement('insert into accounts.permission (staff_id, kind, role, market) values ($1, $2, $3, $4)'), [
      id,
      kind,
      role,
      market,
    ])
  }
  return person
}

interface SignIn {
  customerId?: string
  companyId?: string
  staffId?: string
  family?: SessionFamily
  /** Minutes since the person last proved who they are. */
  age?: number
}

/** A person's session; `token` is the value of its cookie. */
export async function signIn(
  db: Db,
  { customerId, companyId, staffId, family = 'b2c', age = 0 }: SignIn,
): Promise<{ id: string; token: string }> {
  const token = newSessionToken()
  const id = sessionIdOf(token) ?? ''
  const insert = statement(`insert into accounts.session (id, family, customer_id, company_id, staff_id, authenticated_at)
    values ($1, $2, $3, $4, $5, now() - make_interval(mins => $6))`)
  await db.run(insert, [id, family, customerId ?? null, companyId ?? null, staffId ?? null, age])
  return { id, token }
}
