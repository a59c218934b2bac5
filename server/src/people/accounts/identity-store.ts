import type { Db } from '#platform'
import { actingCompany } from './acting-company.ts'
import { fullName, type Identity } from './person.ts'

interface Linked {
  customerId: string | null
  staffId: string | null
  companyId: string | null
  isClosed: boolean
  email: string
}

type Key = Pick<Identity, 'issuer' | 'subject'>

// The row stays locked until the sign-in commits, which serialises concurrent sign-ins of one person.
const seen = {
  name: 'accounts.see-identity',
  text: 'update accounts.identity set seen_at = now() where issuer = $1 and subject = $2',
}
const find = {
  name: 'accounts.find-identity',
  text: `select i.customer_id as "customerId", i.staff_id as "staffId", coalesce(c.email, s.email) as email,
      ${actingCompany('i.customer_id', 'i.company_id')} as "companyId",
      coalesce(c.closed_at, s.closed_at) is not null as "isClosed"
    from accounts.identity i
    left join accounts.customer c on c.id = i.customer_id
    left join accounts.staff s on s.id = i.staff_id
    where i.issuer = $1 and i.subject = $2`,
}
const addCustomer = {
  name: 'accounts.add-customer-of-identity',
  text: `with linked as (
      insert into accounts.identity (issuer, subject, customer_id) values ($1, $2, $3) on conflict do nothing returning customer_id
    )
    insert into accounts.customer (id, email, name, market, given_name, family_name) select customer_id, $4, $5, $6, $7, $8 from linked`,
}
const addStaff = {
  name: 'accounts.add-staff-of-identity',
  text: `with linked as (
      insert into accounts.identity (issuer, subject, staff_id) select $1, $2, $3
      where not exists (select 1 from accounts.staff where lower(email) = lower($4) and closed_at is null)
      on conflict do nothing returning staff_id
    )
    insert into accounts.staff (id, email, name, kind) select staff_id, $4, $5, 'operator' from linked`,
}
const addCompany = {
  name: 'accounts.add-company-of-identity',
  text: `with made as (
      insert into accounts.company (id, name, country) values ($3, $4, $5) returning id
    ), member as (
      insert into accounts.membership (customer_id, company_id, role)
      select i.customer_id, made.id, 'admin' from made, accounts.identity i where i.issuer = $1 and i.subject = $2
    )
    update accounts.identity set company_id = made.id from made where issuer = $1 and subject = $2`,
}
// The address so far is kept until the account is erased, which covers it too.
const setCustomerEmail = {
  name: 'accounts.set-customer-email',
  text: `with former as (
      insert into accounts.former_email (customer_id, email) select id, email from accounts.customer where id = $1 and email <> $2
      on conflict (customer_id, email) do update set until = now()
    )
    update accounts.customer set email = $2 where id = $1`,
}
// A name from before the two were kept apart is split only if it is the same.
const setCustomerNames = {
  name: 'accounts.set-customer-names',
  text: `update accounts.customer set given_name = $2, family_name = $3, name = $4
    where id = $1 and not is_name_own and (given_name, family_name) is distinct from ($2, $3) and (given_name is not null or name = $4)`,
}
const setStaffEmail = { name: 'accounts.set-staff-email', text: 'update accounts.staff set email = $2 where id = $1' }

export async function findPerson(db: Db, { issuer, subject }: Key): Promise<Linked | undefined> {
  const [, linked] = await Promise.all([db.run(seen, [issuer, subject]), db.row<Linked>(find, [issuer, subject])])
  return linked
}

/** The identity provider has verified the address; its names last until the person saves others here. */
export async function refreshPerson(db: Db, { email, names }: Identity, { email: known, customerId, staffId }: Linked): Promise<void> {
  if (names && customerId !== null) await db.run(setCustomerNames, [customerId, names.givenName, names.familyName, fullName(names)])
  if (email === known) return
  await (staffId === null ? db.run(setCustomerEmail, [customerId, email]) : db.run(setStaffEmail, [staffId, email]))
}

/** False if the identity has been linked in the meantime. */
export async function addCustomerOf(db: Db, { issuer, subject, email, name, names, market }: Identity, id: string): Promise<boolean> {
  const shown = names ? fullName(names) : name
  return (await db.run(addCustomer, [issuer, subject, id, email, shown, market, names?.givenName ?? null, names?.familyName ?? null])) === 1
}

/** Staff without a role yet: they have no permissions. */
export async function addStaffOf(db: Db, { issuer, subject, email, name }: Identity, id: string): Promise<boolean> {
  return (await db.run(addStaff, [issuer, subject, id, email, name])) === 1
}

/** The company a person registered with, whose admin they become. It has no VAT number: anybody could have entered that. */
export async function addCompanyOf(
  db: Db,
  { issuer, subject }: Identity,
  { name, country }: NonNullable<Identity['company']>,
  id: string,
): Promise<void> {
  await db.run(addCompany, [issuer, subject, id, name, country])
}

const followEmailOf = {
  name: 'accounts.follow-email',
  text: `with changed as (
      select c.id, c.email from accounts.customer c join accounts.identity i on i.customer_id = c.id
      where i.issuer = $1 and i.subject = $2 and c.closed_at is null and c.email <> $3 for update of c
    ), former as (
      insert into accounts.former_email (customer_id, email) select id, email from changed
      on conflict (customer_id, email) do update set until = now()
    )
    update accounts.customer c set email = $3 from changed where c.id = changed.id returning c.id`,
}
/** The address of an identity as the provider knows it now. Returns the customer for whom that is another one. */
export async function followEmail(db: Db, issuer: string, subject: string, email: string): Promise<string | null> {
  return (await db.row<{ id: string }>(followEmailOf, [issuer, subject, email]))?.id ?? null
}
