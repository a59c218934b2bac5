import { keepClosedNumber } from './closed-company.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Beside, Db, SessionRef, Statement } from '#platform'
import { wasTheirs, type OwnAddress } from './own-address.ts'
import { fullName, type Names } from './person.ts'
import { principalOf, type PersonRow } from './principal.ts'
import type { Session, SessionFamily } from './session.ts'

const sessionColumns = 's.id, s.guest_email as "guestEmail", s.is_punch_out as "isPunchOut"'
/**
 * SQL: a session with the people it refers to, by the family of its sites: those of the shop are customers and members of companies, those of
 * the offices staff. Each join costs the statement of every request a tenth of its time.
 */
const people = {
  shop: {
    columns: `${sessionColumns},
      case when c.id is not null then jsonb_build_object('id', c.id, 'email', c.email, 'name', c.name, 'market', c.market) end as customer,
      case when co.id is not null then jsonb_build_object('role', m.role,
        'company', jsonb_build_object('id', co.id, 'country', co.country)) end as membership`,
    from: `from accounts.session s
    left join accounts.customer c on c.id = s.customer_id and c.closed_at is null
    left join accounts.membership m on m.customer_id = c.id and m.company_id = s.company_id and m.ended_at is null
    left join accounts.company co on co.id = m.company_id and co.closed_at is null
    where coalesce(s.family, s.mode) = $2 and s.expires_at > now()
      and s.staff_id is null and (s.customer_id is null or c.id is not null)`,
  },
  staff: {
    columns: `${sessionColumns},
      case when st.id is not null then jsonb_build_object('id', st.id, 'email', st.email, 'name', st.name, 'sellerId', st.seller_id,
        'roles', coalesce((select jsonb_agg(jsonb_build_object('role', p.role, 'market', p.market) order by p.role, p.market)
          from accounts.permission p where p.staff_id = st.id), '[]')) end as staff`,
    from: `from accounts.session s
    left join accounts.staff st on st.id = s.staff_id and st.closed_at is null
    where coalesce(s.family, s.mode) = $2 and s.expires_at > now()
      and s.customer_id is null and (s.staff_id is null or st.id is not null)`,
  },
} as const

/** A statement that reads sessions `which` ($1) of a family, $2: one for the shop's and one for those of the offices. */
export function sessionStatements(name: string, columns: string, which: string, condition: string): (family: SessionFamily) => Statement {
  const of = (kind: keyof typeof people) => ({
    name: kind === 'shop' ? name : `${name}-of-staff`,
    text: `select ${people[kind].columns}, ${columns} ${people[kind].from} and s.id ${which} and ${condition}`,
  })
  const [ofShop, ofStaff] = [of('shop'), of('staff')]
  return (family) => (family === 'staff' ? ofStaff : ofShop)
}

const find = sessionStatements(
  'accounts.find-session',
  `s.seen_at < now() - interval '1 day' as "isStale", case when s.fresh_until < now() then s.sign_in_id end as overdue`,
  '= $1',
  's.error is null',
)
const insert = {
  name: 'accounts.insert-session',
  text: 'insert into accounts.session (id, market, mode, family) values ($1, $2, $3, $3) on conflict do nothing',
}
const touch = {
  name: 'accounts.touch-session',
  text: `update accounts.session set seen_at = now(), expires_at = now() + interval '60 days' where id = $1 and not is_punch_out`,
}
const email = { name: 'accounts.set-guest-email', text: 'update accounts.session set guest_email = $2 where id = $1 returning id' }
const returning = 'returning sign_in_id as "signInId"'
const endOfCustomer = { name: 'accounts.end-sessions', text: `delete from accounts.session where customer_id = $1 ${returning}` }
const endOfStaff = { name: 'accounts.end-staff-sessions', text: `delete from accounts.session where staff_id = $1 ${returning}` }
const forget = {
  name: 'accounts.forget-sessions',
  text: 'delete from accounts.session where id in (select id from accounts.session where expires_at < now() limit 2000)',
}

type SessionRow = PersonRow & Pick<Session, 'isStale' | 'overdue'>

/**
 * A statement that finds a session of the shop and, beside it, what belongs to its principal: `text` selects with
 * `viewer.owner` (as `ownerOf`) and `viewer."companyId"` (as `companyOf`), which are null for those who have none.
 */
export function besideSession(name: string, text: string): Statement {
  const statement = { name, text: findBeside(text) }
  ownTexts.set(statement, text)
  return statement
}

const ownTexts = new WeakMap<Statement, string>()
const findBeside = (first: string, second?: string) => `with viewer as (
        select found.*, case when "isPunchOut" and membership is not null then 'p:' || id when customer is not null and not "isPunchOut" then 'c:' || (customer->>'id') else 's:' || id end as owner,
          (membership->'company'->>'id')::uuid as "companyId" from (${find('b2c').text}) found)
      select to_jsonb(viewer) as session, beside.*${second === undefined ? '' : ', to_jsonb(second) as "secondBeside"'}
      from viewer left join lateral (${first}) beside on true${second === undefined ? '' : ` left join lateral (${second}) second on true`}`

const pairs = new WeakMap<Statement, Map<Statement, Statement>>()
/** One statement for two reads beside the session, prepared once for each pair. */
function pairOf(first: Beside, second: Beside): Statement {
  const ofFirst = pairs.get(first.statement) ?? new Map<Statement, Statement>()
  pairs.set(first.statement, ofFirst)
  const known = ofFirst.get(second.statement)
  if (known) return known
  const [one = '', other = ''] = [ownTexts.get(first.statement), ownTexts.get(second.statement)]
  const moved = other.replace(/\$(\d+)/g, (_match, number) => `$${Number(number) + first.values.length}`)
  const made = { name: `${first.statement.name}+${second.statement.name}`, text: findBeside(one, moved) }
  ofFirst.set(second.statement, made)
  return made
}

/**
 * A session is valid on the sites of its family for as long as its owner may sign in. Of the reads wanted beside it the statement makes the
 * first, and one more whose row can be JSON; none beside a session of the offices.
 */
export async function findSession(db: Db, id: string, family: SessionFamily, wanted: readonly Beside[] = []): Promise<Session | null> {
  const first = family === 'staff' ? undefined : (wanted.find((each) => !each.isJson) ?? wanted[0])
  if (!first) return sessionOf(await db.row<SessionRow>(find(family), [id, family]))
  const second = wanted.find((each) => each.isJson && each.statement !== first.statement)
  const since = performance.now()
  const read = await db.row<{ session: SessionRow; id: string | null; secondBeside?: object | null }>(
    second ? pairOf(first, second) : first.statement,
    [id, family, ...first.values, ...(second?.values ?? [])],
  )
  if (!read) return null
  const { session, secondBeside, ...row } = read
  const found = sessionOf(session)
  const besides = [{ ...first, row: row.id === null ? undefined : row, since, isTaken: false }]
  return (
    found && { ...found, besides: second ? [...besides, { ...second, row: secondBeside ?? undefined, since, isTaken: false }] : besides }
  )
}

function sessionOf(row: SessionRow | undefined): Session | null {
  return row ? { id: row.id, principal: principalOf(row), isStale: row.isStale, overdue: row.overdue } : null
}

/** Inserts a new session, together with the visitor's first write. */
export function sessionInsert(id: string, market: Market, mode: Mode): { statement: Statement; values: unknown[] } {
  return { statement: insert, values: [id, market, mode] }
}

export async function touchSession(db: Db, id: string): Promise<void> {
  await db.run(touch, [id])
}

export async function setGuestEmail(db: Db, { id }: SessionRef, value: string): Promise<void> {
  await db.run(email, [id, value])
}

export async function forgetSessions(db: Db): Promise<void> {
  await db.run(forget)
}

const rename = {
  name: 'accounts.rename-customer',
  text: 'update accounts.customer set given_name = $2, family_name = $3, name = $4, is_name_own = true where id = $1',
}
const customer = {
  name: 'accounts.customer',
  text: `select id, email, name, given_name as "givenName", family_name as "familyName", market, created_at as "createdAt",
      closed_at is not null as "isClosed" from accounts.customer where id = $1`,
}
const close = { name: 'accounts.close', text: 'update accounts.customer set closed_at = now() where id = $1 and closed_at is null' }
const forgetName = {
  name: 'accounts.forget-name',
  text: `update accounts.customer set email = 'erased', name = 'erased', given_name = null, family_name = null
    where id = $1`,
}
const identities = { name: 'accounts.identities-of', text: 'select issuer, subject from accounts.identity where customer_id = $1' }
const forgetOneIdentity = { name: 'accounts.forget-identity', text: 'delete from accounts.identity where issuer = $1 and subject = $2' }
const alive = {
  name: 'accounts.sign-ins-alive',
  text: 'select distinct sign_in_id as id from accounts.session where sign_in_id = any($1::uuid[])',
}
const ofSession = { name: 'accounts.sign-in-of', text: 'select sign_in_id as id from accounts.session where id = $1' }
const ownAddresses = {
  name: 'accounts.own-addresses',
  text: `select known.email, known.until from (
      select email, null as until from accounts.customer where id = $1
      union all select f.email, f.until from accounts.former_email f join accounts.customer c on c.id = f.customer_id
        where f.customer_id = $1 and lower(f.email) <> lower(c.email)
    ) known
    where not exists (select 1 from accounts.customer other
      where other.id <> $1 and other.closed_at is null and lower(other.email) = lower(known.email))
    order by known.until desc nulls first`,
}
const forgetFormer = { name: 'accounts.forget-former-email', text: 'delete from accounts.former_email where customer_id = $1' }
const lockCompanies = {
  name: 'accounts.lock-companies-of',
  text: `select id, vat_number as "vatNumber" from accounts.company where closed_at is null
      and id in (select company_id from accounts.membership where customer_id = $1 and ended_at is null)
    order by id for update`,
}
const closingWith = {
  name: 'accounts.companies-closing-with',
  text: `select co.id from accounts.company co where co.closed_at is null
      and co.id in (select company_id from accounts.membership where customer_id = $1 and ended_at is null)
      and not exists (select 1 from accounts.membership m join accounts.customer c on c.id = m.customer_id and c.closed_at is null
        where m.company_id = co.id and m.customer_id <> $1 and m.ended_at is null)
    order by co.id`,
}
const losingAdmin = {
  name: 'accounts.companies-losing-admin',
  text: `select own.company_id as id from accounts.membership own
      join accounts.company co on co.id = own.company_id and co.closed_at is null
      join accounts.membership m on m.company_id = own.company_id and m.customer_id <> $1 and m.ended_at is null
      join accounts.customer c on c.id = m.customer_id and c.closed_at is null
    where own.customer_id = $1 and own.ended_at is null and own.role = 'admin'
    group by own.company_id, own.since having bool_and(m.role <> 'admin')
    order by own.since, own.company_id`,
}
const leaveCompanies = {
  name: 'accounts.leave-companies',
  text: `with gone as (
      update accounts.membership set ended_at = now() where customer_id = $1 and ended_at is null returning company_id)
    update accounts.company co set name = 'erased', vat_number = null, closed_at = coalesce(closed_at, now())
    from gone where co.id = gone.company_id and not exists (select 1 from accounts.membership m
      where m.company_id = co.id and m.customer_id <> $1 and m.ended_at is null)
    returning co.id`,
}
const promoteEldest = {
  name: 'accounts.promote-eldest',
  text: `with present as (
      select m.company_id, m.customer_id, m.role, m.since from accounts.membership m
        join accounts.customer c on c.id = m.customer_id and c.closed_at is null
      where m.company_id = any($1::uuid[]) and m.ended_at is null),
    eldest as (
      select distinct on (p.company_id) p.company_id, p.customer_id from present p
      where not exists (select 1 from present a where a.company_id = p.company_id and a.role = 'admin')
      order by p.company_id, p.since, p.customer_id)
    update accounts.membership m set role = 'admin' from eldest e where m.company_id = e.company_id and m.customer_id = e.customer_id`,
}
const forgetGuest = {
  name: 'accounts.forget-guest',
  text: `update accounts.session s set guest_email = null where s.guest_email is not null and ${wasTheirs('s.guest_email', 's.created_at', '$1')}`,
}

const forgetGuestsEmail = {
  name: 'accounts.forget-email-of-guests',
  text: `update accounts.session s set guest_email = null from unnest($1::text[], $2::text[]) as guest (owner, email)
    where guest.owner like 's:%' and s.id = substr(guest.owner, 3) and lower(s.guest_email) = lower(guest.email)`,
}
/** Forgets that these guests, owners of orders, have entered these addresses. */
export async function forgetEmailOfGuests(db: Db, guests: readonly { owner: string; email: string }[]): Promise<void> {
  await db.run(forgetGuestsEmail, [guests.map(({ owner }) => owner), guests.map(({ email }) => email)])
}

export async function renameCustomer(db: Db, id: string, names: Names): Promise<void> {
  await db.run(rename, [id, names.givenName, names.familyName, fullName(names)])
}

export function readCustomer(
  db: Db,
  id: string,
): Promise<
  | {
      id: string
      email: string
      name: string
      givenName: string | null
      familyName: string | null
      market: Market
      createdAt: Date
      isClosed: boolean
    }
  | undefined
> {
  return db.row(customer, [id])
}

/** Companies that would close with this account, as their only member. They are locked: of two last members who leave at once, the second is the last. */
export async function companiesClosingWith(db: Db, customerId: string): Promise<string[]> {
  await db.rows(lockCompanies, [customerId])
  return (await db.rows<{ id: string }>(closingWith, [customerId])).map(({ id }) => id)
}

/**
 * Companies that go on without an admin if this account is closed: it is the only admin, and other members stay. They are locked by the
 * caller (`companiesClosingWith`).
 */
export async function companiesLosingAdmin(db: Db, customerId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(losingAdmin, [customerId])).map(({ id }) => id)
}

/** Closes the account: no further sign-in. */
export async function closeCustomer(db: Db, id: string): Promise<void> {
  await db.run(close, [id])
}

/**
 * Reduces a closed account to the id that orders refer to. A company without other members is closed and loses its name; one
 * without admins gets the longest-standing member as admin: of earlier releases, accounts were closed also as the only admin. Returns the
 * companies closed.
 */
export async function forgetCustomer(db: Db, id: string, addresses: readonly OwnAddress[]): Promise<string[]> {
  await db.run(forgetGuest, [JSON.stringify(addresses)])
  const companies = await db.rows<{ id: string; vatNumber: string | null }>(lockCompanies, [id])
  const closed = await db.rows<{ id: string }>(leaveCompanies, [id])
  for (const { id: companyId, vatNumber } of companies)
    if (vatNumber !== null && closed.some((company) => company.id === companyId)) await keepClosedNumber(db, companyId, vatNumber)
  await db.run(promoteEldest, [companies.map((company) => company.id)])
  await db.run(forgetName, [id])
  await db.run(forgetFormer, [id])
  return closed.map((company) => company.id)
}

/** On all devices at once. Returns the number of sessions ended, and their sign-ins. */
export async function endSessionsOf(
  db: Db,
  who: { customerId: string } | { staffId: string },
): Promise<{ sessions: number; signInIds: string[] }> {
  const [statement, id] = 'customerId' in who ? [endOfCustomer, who.customerId] : [endOfStaff, who.staffId]
  const ended = await db.rows<{ signInId: string | null }>(statement, [id])
  return { sessions: ended.length, signInIds: [...new Set(ended.flatMap(({ signInId }) => signInId ?? []))] }
}

const listed = {
  name: 'accounts.customers-after',
  text: `select c.id, c.email, c.market,
      exists (select 1 from accounts.membership m join accounts.company co on co.id = m.company_id and co.closed_at is null
        where m.customer_id = c.id and m.ended_at is null) as "isMember",
      (select max(s.seen_at) from accounts.session s where s.customer_id = c.id) as "seenAt"
    from accounts.customer c where c.closed_at is null and ($1::uuid is null or c.id > $1) order by c.id limit $2`,
}

export interface ListedCustomer {
  id: string
  email: string
  market: Market
  isMember: boolean
  /** To the day, and only while the session lasts. */
  seenAt: Date | null
}

/** All customers, one page at a time: for jobs only. */
export function readCustomersAfter(db: Db, after: string | null, limit: number): Promise<ListedCustomer[]> {
  return db.rows<ListedCustomer>(listed, [after, limit])
}

/** How a customer is known to identity providers. */
export function identitiesOf(db: Db, customerId: string): Promise<{ issuer: string; subject: string }[]> {
  return db.rows(identities, [customerId])
}

export async function forgetIdentity(db: Db, issuer: string, subject: string): Promise<void> {
  await db.run(forgetOneIdentity, [issuer, subject])
}

/** The sign-in that a session belongs to; null for a guest's. */
export async function signInOf(db: Db, sessionId: string): Promise<string | null> {
  return (await db.row<{ id: string | null }>(ofSession, [sessionId]))?.id ?? null
}

/** Of these sign-ins, those that still have a session. */
export async function signInsAlive(db: Db, signInIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(alive, [signInIds])).map(({ id }) => id)
}

/**
 * The addresses of a customer, earlier ones included, the present one first. One that another open account has is left out: two
 * realms may know it as two people.
 */
export function addressesOnlyOf(db: Db, customerId: string): Promise<OwnAddress[]> {
  return db.rows<OwnAddress>(ownAddresses, [customerId])
}
