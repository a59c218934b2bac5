import type { Db } from '#platform'

/** Companies and their members. */

const company = { name: 'accounts.company', text: 'select id, name, country from accounts.company where id = $1 and closed_at is null' }
const companyOfCustomer = {
  name: 'accounts.company-of-customer',
  text: `select m.company_id as id from accounts.membership m join accounts.company co on co.id = m.company_id and co.closed_at is null
    where m.customer_id = $1 and m.ended_at is null order by m.since limit 1`,
}
const open = {
  name: 'accounts.open-company',
  text: `with made as (insert into accounts.company (id, name, country, vat_number) values ($1, $2, $3, $4) returning id)
    insert into accounts.membership (customer_id, company_id, role) select $5, id, 'admin' from made`,
}
// Sessions on the professional storefront act for a company; on the consumers' shop everybody acts for themselves.
const act = {
  name: 'accounts.act-for-company',
  text: `update accounts.session set company_id = $2 where customer_id = $1 and family = 'b2b'`,
}

export function readCompany(db: Db, id: string): Promise<{ id: string; name: string; country: string } | undefined> {
  return db.row(company, [id])
}

/** The company a customer belongs to; null for consumers. */
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

/** From the next request on a customer acts for this company, wherever they are signed in as a professional. */
export async function actForCompany(db: Db, customerId: string, companyId: string): Promise<void> {
  await db.run(act, [customerId, companyId])
}
