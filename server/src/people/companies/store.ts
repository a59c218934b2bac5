import type { Market, Mode } from '@purlin/contract/markets.ts'
import { readCompany } from '#accounts'
import type { Db } from '#platform'
import type { Conversion, ConversionReason, ConversionState } from './conversion.ts'

export interface ConversionSite {
  market: Market
  mode: Mode
  origin: string
}
export type KeptConversion = Conversion & ConversionSite

const columns = `id, customer_id as "customerId", state, reason, company_name as "companyName", country, vat_number as "vatNumber",
  register_number as "registerNumber", market, mode, origin, company_id as "companyId",
  registered_company_id as "registeredCompanyId", requested_at as "requestedAt", decided_at as "decidedAt"`
const latest = {
  name: 'companies.latest-conversion',
  text: `select ${columns} from companies.conversion where customer_id = $1 order by requested_at desc, id desc limit 1`,
}
const lockLead = {
  name: 'companies.lock-lead',
  text: `select ${columns} from companies.conversion where customer_id = $1 and state = 'lead' for update`,
}
const lock = { name: 'companies.lock-conversion', text: `select ${columns} from companies.conversion where id = $1 for update` }
const insert = {
  name: 'companies.insert-conversion',
  text: `insert into companies.conversion (id, customer_id, state, reason, company_name, country, vat_number, register_number, market, mode, origin,
      registered_company_id)
    values ($1, $2, 'lead', $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
}
const decide = {
  name: 'companies.decide-conversion',
  text: `update companies.conversion set state = $2, reason = $3, company_id = $4, decided_by = $5,
      decided_at = case when $2 = 'lead' then null else now() end
    where id = $1 and state = 'lead'`,
}
const recent = {
  name: 'companies.count-conversions',
  text: `select count(*)::int as requests from companies.conversion where customer_id = $1 and requested_at > now() - interval '1 day'`,
}
const list = {
  name: 'companies.list-conversions',
  text: `select ${columns} from companies.conversion where ($1::text is null or state = $1) and ($2::timestamptz is null or requested_at > $2)
    order by requested_at, id limit $3`,
}
const remove = { name: 'companies.delete-conversions', text: 'delete from companies.conversion where customer_id = $1' }

const states = {
  name: 'companies.conversion-states',
  text: `select distinct on (customer_id) customer_id as "customerId", state from companies.conversion
    where customer_id = any($1::uuid[]) order by customer_id, requested_at desc, id desc`,
}

/** State of the last request of each of these customers, if any. */
export async function readConversionStates(db: Db, customerIds: readonly string[]): Promise<Map<string, ConversionState>> {
  const rows = await db.rows<{ customerId: string; state: ConversionState }>(states, [customerIds])
  return new Map(rows.map(({ customerId, state }) => [customerId, state]))
}

export function readConversion(db: Db, customerId: string): Promise<KeptConversion | undefined> {
  return db.row<KeptConversion>(latest, [customerId])
}

/** The customer's request that waits for a decision; decisions about it follow one another. */
export function lockLeadOf(db: Db, customerId: string): Promise<KeptConversion | undefined> {
  return db.row<KeptConversion>(lockLead, [customerId])
}

export function lockConversion(db: Db, id: string): Promise<KeptConversion | undefined> {
  return db.row<KeptConversion>(lock, [id])
}

export type NewConversion = Pick<Conversion, 'id' | 'customerId' | 'reason' | 'companyName' | 'country' | 'vatNumber' | 'registerNumber'> &
  Partial<Pick<Conversion, 'registeredCompanyId'>> &
  ConversionSite

/** False when a request of the customer waits already. */
export async function insertConversion(db: Db, conversion: NewConversion): Promise<boolean> {
  const { id, customerId, reason, companyName, country, vatNumber, registerNumber, registeredCompanyId = null } = conversion
  const { market, mode, origin } = conversion
  const facts = [id, customerId, reason, companyName, country, vatNumber, registerNumber, market, mode, origin, registeredCompanyId]
  return (await db.run(insert, facts)) === 1
}

interface Decision {
  state: ConversionState
  reason: ConversionReason | null
  companyId: string | null
  decidedBy: 'register' | 'operator'
}

export async function writeDecision(db: Db, id: string, { state, reason, companyId, decidedBy }: Decision): Promise<void> {
  await db.run(decide, [id, state, reason, companyId, state === 'lead' ? null : decidedBy])
}

export async function countRecentRequests(db: Db, customerId: string): Promise<number> {
  return (await db.row<{ requests: number }>(recent, [customerId]))?.requests ?? 0
}

export function listConversions(
  db: Db,
  { state, after, limit }: { state: ConversionState | null; after: Date | null; limit: number },
): Promise<KeptConversion[]> {
  return db.rows<KeptConversion>(list, [state, after, limit])
}

const refused = {
  name: 'companies.is-refused',
  text: `select coalesce(bool_or(state = 'refused') and not bool_or(state = 'converted'), false) as "isRefused"
    from companies.conversion where registered_company_id = $1`,
}

/** Whether the company's registration was refused and has not been confirmed since. To ask again is not enough. */
export async function isRefusedCompany(db: Db, companyId: string): Promise<boolean> {
  return (await db.row<{ isRefused: boolean }>(refused, [companyId]))?.isRefused ?? false
}

const converted = {
  name: 'companies.has-converted',
  text: `select exists (select from companies.conversion where company_id = $1 and state = 'converted') as "hasConverted"`,
}

/** Whether the company exists by more than its registration: its VAT register or an operator has confirmed it. */
export async function isConfirmedCompany(db: Db, companyId: string): Promise<boolean> {
  const [company, found] = await Promise.all([readCompany(db, companyId), db.row<{ hasConverted: boolean }>(converted, [companyId])])
  // A number that was only typed is in the tax information, never with the company itself.
  return (company !== undefined && company.vatNumber !== null) || (found?.hasConverted ?? false)
}

const ofCompany = {
  name: 'companies.review',
  text: `select state, reason, customer_id as "customerId" from companies.conversion where registered_company_id = $1
    order by state = 'converted' desc, requested_at desc, id desc limit 1`,
}

/** The request that a registered company stands by: the one that confirmed it, otherwise the latest. */
export function readRegistration(db: Db, companyId: string): Promise<Pick<Conversion, 'state' | 'reason' | 'customerId'> | undefined> {
  return db.row(ofCompany, [companyId])
}

/** Requests of a customer who leaves. */
export async function removeConversionsOf(db: Db, customerId: string): Promise<void> {
  await db.run(remove, [customerId])
}
