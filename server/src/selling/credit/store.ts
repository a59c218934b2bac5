import type { Currency, Market, Mode } from '@purlin/contract/markets.ts'
import type { ProviderClaim } from '#payments'
import type { Db } from '#platform'
import { reminderDays, type LocalDays } from './claim.ts'

export interface Line {
  limit: number | null
  isAccepted: boolean | null
  checkedAt: Date | null
}

const lineColumns = 'limit_amount as "limit", is_accepted as "isAccepted", checked_at as "checkedAt"'
const selectLine = { name: 'credit.line', text: `select ${lineColumns} from credit.line where company_id = $1 and currency = $2` }
const lockLine = {
  name: 'credit.lock-line',
  text: `insert into credit.line as l (company_id, currency) values ($1, $2)
    on conflict (company_id, currency) do update set currency = l.currency returning ${lineColumns}`,
}
const putLine = {
  name: 'credit.write-line',
  text: `insert into credit.line (company_id, currency, limit_amount, is_accepted, checked_at) values ($1, $2, $3, $4, $5)
    on conflict (company_id, currency) do update set limit_amount = excluded.limit_amount, is_accepted = excluded.is_accepted, checked_at = excluded.checked_at`,
}

export async function readLine(db: Db, companyId: string, currency: Currency): Promise<Line | null> {
  return (await db.row<Line>(selectLine, [companyId, currency])) ?? null
}

/** From here to the end of the transaction no other order of the company is placed by invoice. */
export async function lockCreditLine(db: Db, companyId: string, currency: Currency): Promise<Line> {
  const line = await db.row<Line>(lockLine, [companyId, currency])
  if (!line) throw new Error(`The credit line of company ${companyId} cannot be locked`)
  return line
}

export async function writeLine(
  db: Db,
  { companyId, currency, limit, isAccepted, at }: { companyId: string; currency: Currency; limit: number; isAccepted: boolean; at: Date },
): Promise<void> {
  await db.run(putLine, [companyId, currency, limit, isAccepted, at])
}

export interface Claim {
  id: string
  number: string
  paymentId: string
  customerOrderId: string
  sellerOrderId: string
  companyId: string
  customerId: string | null
  market: Market
  mode: Mode
  origin: string
  currency: Currency
  amount: number
  credited: number
  /** Without what the company's bank has taken back. */
  repaid: number
  reference: string | null
  refused: string | null
  issuedOn: string
  dueOn: string | null
  reminders: number
}

const claimColumns = `id, number, payment_id as "paymentId", customer_order_id as "customerOrderId", seller_order_id as "sellerOrderId",
  company_id as "companyId", customer_id as "customerId", market, mode, origin, currency, amount, credited, repaid - reversed as repaid, reference, refused,
  issued_on::text as "issuedOn", due_on::text as "dueOn", reminders`
const insertClaim = {
  name: 'credit.insert-claim',
  text: `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin,
      currency, amount, credited, repaid, reversed, reference, refused, issued_on, due_on)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) on conflict (id) do nothing`,
}
const grow = {
  name: 'credit.update-claim',
  text: `update credit.claim set credited = greatest(credited, $2), repaid = greatest(repaid, $3), reversed = greatest(reversed, $5),
      updated_at = now()
    where id = $1 and reference = $4 returning ${claimColumns}`,
}
const repaidOf = {
  name: 'credit.repaid-of-payment',
  text: 'select coalesce(sum(repaid - reversed), 0)::integer as repaid from credit.claim where payment_id = $1',
}
const lockClaimOf = { name: 'credit.lock-claim', text: `select ${claimColumns} from credit.claim where id = $1 for update` }
const selectClaim = { name: 'credit.claim', text: `select ${claimColumns} from credit.claim where id = $1` }
const ofCompany = {
  name: 'credit.claims-of-company',
  text: `select ${claimColumns} from credit.claim where company_id = $1 and market = $2 and ($3::uuid is null or customer_id = $3)
    order by (reference is not null and amount > credited + repaid - reversed) desc, issued_on desc, id desc limit $4`,
}
const toPay = {
  name: 'credit.to-pay',
  text: `select coalesce(sum(greatest(0, amount - credited - repaid + reversed)), 0)::float8 as "toPay" from credit.claim
    where company_id = $1 and market = $2 and ($3::uuid is null or customer_id = $3) and reference is not null`,
}
const dueClaims = {
  name: 'credit.due-claims',
  // Statements are reminded of as a whole. A claim waits for its statement no longer than forty-five days.
  text: `select c.id from unnest($1::text[], $2::date[]) d (market, today) join credit.claim c on c.market = d.market
    where c.due_on < d.today and c.reminders < 3 and c.reference is not null and c.amount > c.credited + c.repaid - c.reversed
      and c.due_on + ($4::integer[])[c.reminders + 1] <= d.today
      and not exists (select 1 from credit.statement_claim sc join credit.statement s on s.id = sc.statement_id
        where sc.claim_id = c.id and s.document is not null)
      and not (c.issued_on > d.today - 45 and exists (select 1 from credit.collective o where o.company_id = c.company_id and o.since <= c.issued_on))
    order by c.due_on, c.id limit $3`,
}
const owing = {
  name: 'credit.owing-companies',
  text: `select company_id as id from credit.claim
      where company_id = any($1::uuid[]) and reference is not null and amount > credited + repaid - reversed
    union select s.company_id from credit.debit d join credit.statement s on s.id = d.statement_id
      where s.company_id = any($1::uuid[]) and d.state in ('announced', 'submitted')
    order by id`,
}
const remind = { name: 'credit.reminded', text: 'update credit.claim set reminders = $2, updated_at = now() where id = $1' }
const takeUnseen = {
  name: 'credit.take-unseen-claims',
  text: `update credit.claim set seen_at = $1 where id in (
      select id from credit.claim where reference is not null and amount > credited + repaid - reversed
        and (seen_at is null or seen_at < $1::timestamptz - interval '1 day') and issued_on < ($1::timestamptz - interval '1 day')::date
      order by seen_at nulls first limit $2 for update skip locked)
    returning id`,
}
const ofPayments = {
  name: 'credit.claims-of-payments',
  text: `select payment_id as "paymentId", amount, credited, repaid - reversed as repaid from credit.claim
    where payment_id = any($1::uuid[]) and reference is not null`,
}
const keepMessage = { name: 'credit.keep-message', text: 'insert into credit.message (event_id) values ($1) on conflict do nothing' }

export async function writeClaim(db: Db, claim: Omit<Claim, 'reminders'> & { reversed: number }): Promise<void> {
  const { id, number, paymentId, customerOrderId, sellerOrderId, companyId, customerId, market, mode, origin, currency, amount } = claim
  const { credited, repaid, reversed, reference, refused, issuedOn, dueOn } = claim
  const facts = [id, number, paymentId, customerOrderId, sellerOrderId, companyId, customerId, market, mode, origin, currency, amount]
  await db.run(insertClaim, [...facts, credited, repaid, reversed, reference, refused, issuedOn, dueOn])
}

/** Applies a report about a claim: amounts only grow, so that late and repeated reports change nothing. Undefined for an unknown claim. */
export function growClaim(db: Db, { claimId, credited, repaid, reversed, reference }: ProviderClaim): Promise<Claim | undefined> {
  return db.row<Claim>(grow, [claimId, credited, repaid, reference, reversed])
}

export async function readRepaid(db: Db, paymentId: string): Promise<number> {
  return (await db.row<{ repaid: number }>(repaidOf, [paymentId]))?.repaid ?? 0
}

export function readClaim(db: Db, id: string): Promise<Claim | undefined> {
  return db.row<Claim>(selectClaim, [id])
}

export function lockClaim(db: Db, id: string): Promise<Claim | undefined> {
  return db.row<Claim>(lockClaimOf, [id])
}

/** Claims of a company in a market, those to pay first, then the newest; of one member alone if given. */
export function readClaims(
  db: Db,
  { companyId, market, customerId, limit }: { companyId: string; market: Market; customerId: string | null; limit: number },
): Promise<Claim[]> {
  return db.rows<Claim>(ofCompany, [companyId, market, customerId, limit])
}

export type ClaimOfPayment = Pick<Claim, 'paymentId' | 'amount' | 'credited' | 'repaid'>
/** The claims for these payments that the provider has accepted. */
export function readClaimsOfPayments(db: Db, paymentIds: readonly string[]): Promise<ClaimOfPayment[]> {
  return db.rows<ClaimOfPayment>(ofPayments, [paymentIds])
}

/** What is open of all claims of a company in a market; of one member alone if given. Minor units. */
export async function readToPay(
  db: Db,
  { companyId, market, customerId }: { companyId: string; market: Market; customerId: string | null },
): Promise<number> {
  return (await db.row<{ toPay: number }>(toPay, [companyId, market, customerId]))?.toPay ?? 0
}

/** Claims with a reminder due today in their market, that are not paid and belong to no statement. */
export async function readDueClaims(db: Db, today: LocalDays, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(dueClaims, [Object.keys(today), Object.values(today), limit, reminderDays])).map(({ id }) => id)
}

/** Those of these companies that have an invoice to pay, or a debit under way. */
export async function companiesOwingInvoices(db: Db, companyIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(owing, [companyIds])).map(({ id }) => id)
}

/** Open claims that have not been compared with the provider's for a day; they count as seen from now on. */
export async function takeUnseenClaims(db: Db, now: Date, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(takeUnseen, [now, limit])).map(({ id }) => id)
}

export async function writeReminder(db: Db, id: string, reminders: number): Promise<void> {
  await db.run(remind, [id, reminders])
}

/** False for a message that was received before. */
export async function keepCreditMessage(db: Db, eventId: string): Promise<boolean> {
  return (await db.run(keepMessage, [eventId])) === 1
}

const putFinancing = {
  name: 'credit.insert-financing',
  text: `insert into credit.financing_request (id, number, company_id, customer_id, market, currency, amount, months, purpose, phone)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
}

export interface FinancingRequest {
  id: string
  number: string
  companyId: string
  customerId: string
  market: Market
  currency: Currency
  amount: number
  months: number
  purpose: string
  phone: string
}

export async function insertFinancing(db: Db, request: FinancingRequest): Promise<void> {
  const { id, number, companyId, customerId, market, currency, amount, months, purpose, phone } = request
  await db.run(putFinancing, [id, number, companyId, customerId, market, currency, amount, months, purpose, phone])
}

const ofCustomer = {
  name: 'credit.financing-of-customer',
  text: `select number, market, currency, amount, months, purpose, phone, requested_at as "requestedAt" from credit.financing_request
    where customer_id = $1 order by requested_at, id`,
}
const removeOf = { name: 'credit.remove-financing', text: 'delete from credit.financing_request where customer_id = $1 returning id::text' }

/** Requests for financing that a customer has sent, whatever company they acted for. */
export function readFinancingOf(
  db: Db,
  customerId: string,
): Promise<(Omit<FinancingRequest, 'id' | 'companyId' | 'customerId'> & { requestedAt: Date })[]> {
  return db.rows(ofCustomer, [customerId])
}

/** Deletes the requests of a customer who leaves. Returns their ids. */
export async function removeFinancingOf(db: Db, customerId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(removeOf, [customerId])).map(({ id }) => id)
}
