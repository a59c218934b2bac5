import { markets, type Market } from '@purlin/contract/markets.ts'
import type { ProviderClaim } from '#payments'
import type { Db } from '#platform'
import { reminderDays, type LocalDays } from './claim.ts'
import type { IssuedStatement, Statement, StatementDocument, StatementLine } from './statement.ts'

const columns = `s.id, s.number, s.company_id as "companyId", s.market, s.origin, s.currency, s.month, s.issued_on::text as "issuedOn",
  s.due_on::text as "dueOn", s.reminders, s.dunned_from::text as "dunnedFrom", s.document`

const choose = {
  name: 'credit.choose-collective',
  text: `insert into credit.collective (company_id, market, origin, since) values ($1, $2, $3, $4) on conflict (company_id) do nothing`,
}
const leave = { name: 'credit.leave-collective', text: 'delete from credit.collective where company_id = $1' }
const chosen = { name: 'credit.is-collective', text: 'select since::text as since from credit.collective where company_id = $1' }

/** From this day on the company's invoices are gathered. Choosing again changes nothing. */
export async function writeCollective(db: Db, to: { companyId: string; market: Market; origin: string; since: string }): Promise<void> {
  await db.run(choose, [to.companyId, to.market, to.origin, to.since])
}

export async function removeCollective(db: Db, companyId: string): Promise<void> {
  await db.run(leave, [companyId])
}

export async function isCollective(db: Db, companyId: string): Promise<boolean> {
  return (await db.row(chosen, [companyId])) !== undefined
}

// Invoices that were reported late belong to the next statement.
const gatherable = `from credit.claim c where c.company_id = o.company_id and c.market = o.market and c.issued_on >= o.since
    and c.issued_on < $2::date and c.reference is not null
    and not exists (select 1 from credit.statement_claim sc where sc.claim_id = c.id)`
const gathering = {
  name: 'credit.gathering-claims',
  text: `select c.id, exists (select 1 from credit.statement s where s.company_id = o.company_id and s.market = o.market
        and s.month = to_char(c.issued_on, 'YYYY-MM')) as "isLate"
    from credit.collective o join credit.claim c on c.company_id = o.company_id and c.market = o.market and c.issued_on >= o.since
    where o.company_id = $1 and c.id = any($2::uuid[]) and c.reference is not null
      and not exists (select 1 from credit.statement_claim sc where sc.claim_id = c.id)`,
}
const ready = {
  name: 'credit.companies-to-state',
  text: `select o.company_id as "companyId", o.origin from credit.collective o
    where o.market = $1 and exists (select 1 ${gatherable})
      and not exists (select 1 from credit.statement s where s.company_id = o.company_id and s.market = o.market and s.month = $3)
    order by o.company_id limit $4`,
}
const insert = {
  name: 'credit.insert-statement',
  text: `insert into credit.statement (id, number, company_id, market, origin, currency, month, issued_on, due_on)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (company_id, market, month) do nothing`,
}
const gather = {
  name: 'credit.gather-claims',
  text: `insert into credit.statement_claim (claim_id, statement_id)
    select c.id, $3 from credit.collective o, lateral (select c.id ${gatherable} order by c.issued_on, c.id limit $4) c where o.company_id = $1
    on conflict (claim_id) do nothing`,
}

/** Companies with invoices of a month, or of earlier ones, that are in no statement. */
export function readCompaniesToState(
  db: Db,
  { market, month, before, limit }: { market: Market; month: string; before: string; limit: number },
): Promise<{ companyId: string; origin: string }[]> {
  return db.rows(ready, [market, before, month, limit])
}

/** Those of a company's claims that wait for a statement, and whether that of their own month was issued without them. */
export function readGatheringClaims(db: Db, companyId: string, claimIds: readonly string[]): Promise<{ id: string; isLate: boolean }[]> {
  return db.rows(gathering, [companyId, claimIds])
}

/** False if the company has a statement of the month already. */
export async function insertStatement(
  db: Db,
  statement: Omit<Statement, 'reminders' | 'dunnedFrom' | 'document' | 'currency'>,
): Promise<boolean> {
  const { id, number, companyId, market, origin, month, issuedOn, dueOn } = statement
  const { currency } = markets[market]
  return (await db.run(insert, [id, number, companyId, market, origin, currency, month, issuedOn, dueOn])) === 1
}

export async function gatherClaims(
  db: Db,
  { companyId, before, statementId, limit }: { companyId: string; before: string; statementId: string; limit: number },
): Promise<void> {
  await db.run(gather, [companyId, before, statementId, limit])
}

const byId = { name: 'credit.statement', text: `select ${columns} from credit.statement s where s.id = $1` }
const lock = { name: 'credit.lock-statement', text: `select ${columns} from credit.statement s where s.id = $1 for update` }
const ofCompany = {
  name: 'credit.statements-of-company',
  text: `select ${columns} from credit.statement s where s.company_id = $1 and s.market = $2 and s.document is not null
    order by s.month desc limit $3`,
}
const lines = `c.id, c.number, c.customer_order_id as "customerOrderId", c.issued_on::text as "issuedOn", c.due_on::text as "dueOn", c.amount,
  c.credited, c.repaid - c.reversed as repaid`
const claimsOf = {
  name: 'credit.claims-of-statements',
  text: `select sc.statement_id as "statementId", ${lines} from credit.statement_claim sc join credit.claim c on c.id = sc.claim_id
    where sc.statement_id = any($1::uuid[]) order by c.issued_on, c.number`,
}
const lockClaims = {
  name: 'credit.lock-claims-of-statement',
  text: `select c.id from credit.claim c where c.id in (select claim_id from credit.statement_claim where statement_id = $1) order by c.id for update`,
}
const setDue = {
  name: 'credit.move-due-date',
  text: 'update credit.claim set due_on = $2, updated_at = now() where id = $1 and reference = $3',
}
const issue = { name: 'credit.issue-statement', text: 'update credit.statement set document = $2 where id = $1 and document is null' }
const late = {
  name: 'credit.late-statements',
  text: `select s.id from unnest($1::text[], $2::date[]) d (market, today) join credit.statement s on s.market = d.market
    where s.due_on < d.today and s.reminders < 3 and s.document is not null
      and coalesce(s.dunned_from, s.due_on) + ($4::integer[])[s.reminders + 1] <= d.today
      and not exists (select 1 from credit.debit d where d.statement_id = s.id and d.state in ('announced', 'submitted'))
      and exists (select 1 from credit.statement_claim sc join credit.claim c on c.id = sc.claim_id
        where sc.statement_id = s.id and c.amount > c.credited + c.repaid - c.reversed)
    order by s.due_on, s.id limit $3`,
}
const remind = { name: 'credit.statement-reminded', text: 'update credit.statement set reminders = $2 where id = $1' }

const postpone = { name: 'credit.postpone-dunning', text: 'update credit.statement set dunned_from = $2 where id = $1' }
/** Reminders of a statement count from this day instead of its due date. */
export async function postponeDunning(db: Db, id: string, from: string): Promise<void> {
  await db.run(postpone, [id, from])
}

export function readStatement(db: Db, id: string): Promise<Statement | undefined> {
  return db.row<Statement>(byId, [id])
}

export function lockStatement(db: Db, id: string): Promise<Statement | undefined> {
  return db.row<Statement>(lock, [id])
}

/** The issued statements of a company, newest first. */
export function readStatements(db: Db, companyId: string, market: Market, limit: number): Promise<IssuedStatement[]> {
  return db.rows<IssuedStatement>(ofCompany, [companyId, market, limit])
}

/** The claims of statements as they stand now. */
export function readStatementLines(db: Db, statementIds: readonly string[]): Promise<(StatementLine & { statementId: string })[]> {
  return db.rows(claimsOf, [statementIds])
}

/** Locks the claims of a statement in order, so that reports about them wait. */
export async function lockStatementClaims(db: Db, statementId: string): Promise<void> {
  await db.rows(lockClaims, [statementId])
}

/** The due date to which the provider has moved a claim. */
export async function moveDueDate(db: Db, { claimId, dueOn, reference }: ProviderClaim): Promise<void> {
  await db.run(setDue, [claimId, dueOn, reference])
}

/** Freezes a statement. False if it was issued before. */
export async function issueStatement(db: Db, id: string, document: StatementDocument): Promise<boolean> {
  return (await db.run(issue, [id, JSON.stringify(document)])) === 1
}

/** Statements with a reminder due today in their market, of which something is open and which are not being collected. */
export async function readLateStatements(db: Db, today: LocalDays, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(late, [Object.keys(today), Object.values(today), limit, reminderDays])).map(({ id }) => id)
}

export async function writeStatementReminder(db: Db, id: string, reminders: number): Promise<void> {
  await db.run(remind, [id, reminders])
}
