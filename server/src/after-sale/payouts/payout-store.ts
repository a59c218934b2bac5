import type { Currency } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { payoutSteps, type Payout, type PayoutState } from './payout.ts'

export interface Run {
  id: string
  key: string
  currency: Currency
  cause: 'schedule' | 'operator'
  cutoff: Date
  startedAt: Date
  finishedAt: Date | null
  sepaFile: string | null
}

const runColumns = `r.id::text, r.key, r.currency, r.cause, r.cutoff, r.started_at as "startedAt", r.finished_at as "finishedAt", r.sepa_file as "sepaFile"`
const addRun = {
  name: 'payouts.add-run',
  text: `insert into payouts.run (id, key, currency, cause, cutoff, started_at) values ($1, $2, $3, $4, $5, $5) on conflict (key) do nothing`,
}

/** False when a run of this key exists. */
export async function insertRun(db: Db, run: Pick<Run, 'id' | 'key' | 'currency' | 'cause' | 'cutoff'>): Promise<boolean> {
  return (await db.run(addRun, [run.id, run.key, run.currency, run.cause, run.cutoff])) === 1
}

const runById = { name: 'payouts.run', text: `select ${runColumns} from payouts.run r where r.id = $1` }
const runByKey = { name: 'payouts.run-by-key', text: `select ${runColumns} from payouts.run r where r.key = $1` }
const latestRuns = {
  name: 'payouts.latest-runs',
  text: `select ${runColumns}, (select count(*)::int from payouts.payout p where p.run_id = r.id) as sellers,
      (select coalesce(sum(p.amount), 0)::text from payouts.payout p where p.run_id = r.id) as amount
    from payouts.run r order by r.started_at desc limit 50`,
}
export function readRun(db: Db, id: string): Promise<Run | undefined> {
  return db.row(runById, [id])
}
export function readRunByKey(db: Db, key: string): Promise<Run | undefined> {
  return db.row(runByKey, [key])
}
export function readLatestRuns(db: Db): Promise<(Run & { sellers: number; amount: string })[]> {
  return db.rows(latestRuns)
}

const endRun = {
  name: 'payouts.end-run',
  text: 'update payouts.run set finished_at = $2, sepa_file = $3 where id = $1 and finished_at is null',
}
export async function finishRun(db: Db, id: string, now: Date, sepaFile: string | null): Promise<boolean> {
  return (await db.run(endRun, [id, now, sepaFile])) === 1
}

const lockAccountOf = {
  name: 'payouts.lock-account',
  text: `insert into payouts.account as a (seller_id, currency) values ($1, $2)
    on conflict (seller_id, currency) do update set currency = excluded.currency
    returning a.bank, a.bank_end as "bankEnd", a.usable_from as "usableFrom"`,
}
export interface BankRow {
  bank: Buffer | null
  bankEnd: string | null
  usableFrom: Date | null
}
/** Locks the row of a seller and currency: their payouts are closed one after another. */
export function lockAccount(db: Db, sellerId: number, currency: Currency): Promise<BankRow | undefined> {
  return db.row(lockAccountOf, [sellerId, currency])
}

const account = {
  name: 'payouts.account',
  text: `select bank_end as "bankEnd", bank_holder as holder, usable_from as "usableFrom" from payouts.account where seller_id = $1 and currency = $2`,
}
export function readAccount(
  db: Db,
  sellerId: number,
  currency: Currency,
): Promise<{ bankEnd: string | null; holder: string | null; usableFrom: Date | null } | undefined> {
  return db.row(account, [sellerId, currency])
}

const putAccount = {
  name: 'payouts.put-account',
  text: `update payouts.account set bank = $3, bank_end = $4, bank_holder = $5, changed_by = $6, changed_at = $7, usable_from = $8
    where seller_id = $1 and currency = $2`,
}
/** Writes the account of a locked row. */
export async function writeAccount(
  db: Db,
  row: { sellerId: number; currency: Currency; bank: Buffer; end: string; holder: string; changedBy: string; now: Date; usableFrom: Date },
): Promise<void> {
  const { sellerId, currency, bank, end, holder, changedBy, now, usableFrom } = row
  await db.run(putAccount, [sellerId, currency, bank, end, holder, changedBy, now, usableFrom])
}

const inTransit = {
  name: 'payouts.in-transit',
  text: `select coalesce(sum(amount), 0)::float8 as amount from payouts.payout where seller_id = $1 and currency = $2 and state in ('requested', 'sent')`,
}
/** Total of a seller's payouts requested or sent but not yet settled, in minor units. */
export async function readInTransit(db: Db, sellerId: number, currency: Currency): Promise<number> {
  return (await db.row<{ amount: number }>(inTransit, [sellerId, currency]))?.amount ?? 0
}

const sumLines = {
  name: 'payouts.sum-lines',
  text: `select count(*)::int as count, coalesce(sum(amount), 0)::text as settled,
      exists (select from payouts.payout p where p.run_id = $1 and p.seller_id = $2) as "isClosed"
    from payouts.line where run_id = $1 and seller_id = $2`,
}
export async function readSettled(db: Db, runId: string, sellerId: number): Promise<{ count: number; settled: number; isClosed: boolean }> {
  const row = await db.row<{ count: number; settled: string; isClosed: boolean }>(sumLines, [runId, sellerId])
  return { count: row?.count ?? 0, settled: Number(row?.settled ?? 0), isClosed: row?.isClosed ?? false }
}

const columns = `p.id::text, p.number::text, p.run_id::text as "runId", p.seller_id as "sellerId", p.currency, p.opening::float8 as opening,
  p.settled::float8 as settled, p.amount::float8 as amount, p.closing::float8 as closing, p.state, p.carry_reason as "carryReason",
  p.failure_code as "failureCode", p.bank_end as "bankEnd", p.provider_reference as "providerReference", p.pdf_file as "pdfFile",
  p.csv_file as "csvFile", p.created_at as "createdAt", p.ended_at as "endedAt"`

const insert = {
  name: 'payouts.insert',
  text: `insert into payouts.payout (id, number, run_id, seller_id, currency, opening, settled, amount, closing, state, carry_reason, bank,
      bank_end, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
}
export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'number'
  | 'runId'
  | 'sellerId'
  | 'currency'
  | 'opening'
  | 'settled'
  | 'amount'
  | 'closing'
  | 'state'
  | 'carryReason'
  | 'bankEnd'
  | 'createdAt'
> & { bank: Buffer | null }
export async function insertPayout(db: Db, payout: NewPayout): Promise<void> {
  const { id, number, runId, sellerId, currency, opening, settled, amount, closing, state, carryReason, bank, bankEnd, createdAt } = payout
  const values = [id, number, runId, sellerId, currency, opening, settled, amount, closing, state, carryReason, bank, bankEnd, createdAt]
  await db.run(insert, values)
}

const byId = { name: 'payouts.payout', text: `select ${columns} from payouts.payout p where p.id = $1` }
const ofSeller = {
  name: 'payouts.of-seller',
  text: `select ${columns} from payouts.payout p where p.seller_id = $1 and p.currency = $2 and p.number < $3 order by p.number desc limit $4`,
}
const ofRun = {
  name: 'payouts.of-run',
  text: `select ${columns} from payouts.payout p where p.run_id = $1 and p.seller_id > $2 order by p.seller_id limit $3`,
}
const bankOf = { name: 'payouts.bank-of', text: 'select bank from payouts.payout where id = $1' }
export function readPayout(db: Db, id: string): Promise<Payout | undefined> {
  return db.row(byId, [id])
}
/** Payouts of a seller below a number, newest first. */
export function readPayoutsOf(db: Db, sellerId: number, currency: Currency, below: string, limit: number): Promise<Payout[]> {
  return db.rows(ofSeller, [sellerId, currency, below, limit])
}
export function readPayoutsOfRun(db: Db, runId: string, afterSeller: number, limit: number): Promise<Payout[]> {
  return db.rows(ofRun, [runId, afterSeller, limit])
}
/** The sealed account a payout goes to. */
export async function readBankOfPayout(db: Db, id: string): Promise<Buffer | null> {
  return (await db.row<{ bank: Buffer | null }>(bankOf, [id]))?.bank ?? null
}

const move = {
  name: 'payouts.move',
  text: `update payouts.payout set state = $3, failure_code = coalesce($4, failure_code), provider_reference = coalesce($5, provider_reference),
      ended_at = case when $3 in ('paid', 'failed', 'returned') then $6::timestamptz end where id = $1 and state = any($2)`,
}
/** False when the payout is in a state that this one does not follow. */
export async function movePayout(
  db: Db,
  id: string,
  to: PayoutState,
  { failureCode = null, reference = null, now }: { failureCode?: string | null; reference?: string | null; now: Date },
): Promise<boolean> {
  const from = Object.entries(payoutSteps).flatMap(([state, steps]) => (steps.includes(to) ? [state] : []))
  return (await db.run(move, [id, from, to, failureCode, reference, now])) === 1
}

const sentBefore = {
  name: 'payouts.sent-before',
  // One that has arrived may still come back for some days.
  text: `select id::text from payouts.payout where currency = 'GBP' and provider_reference is not null
      and (state = 'sent' or state = 'paid' and ended_at > $1::timestamptz - interval '5 days')
    order by created_at limit 200`,
}
/** Payouts at the provider that may still change. */
export async function readSentBefore(db: Db, now: Date): Promise<string[]> {
  return (await db.rows<{ id: string }>(sentBefore, [now])).map(({ id }) => id)
}

const byFile = {
  name: 'payouts.send-by-file',
  text: `update payouts.payout set state = 'sent' where run_id = $1 and state = 'requested'`,
}
/** The payouts of a run have been written into the file for the bank. */
export async function sendByFile(db: Db, runId: string): Promise<void> {
  await db.run(byFile, [runId])
}

const requested = {
  name: 'payouts.requested-of-run',
  text: `select id::text, number::text, seller_id as "sellerId", amount::text, bank from payouts.payout
    where run_id = $1 and state = 'requested' and number > $2 order by number limit $3`,
}
export interface RequestedPayout {
  id: string
  number: string
  sellerId: number
  amount: string
  bank: Buffer
}
export function readRequested(db: Db, runId: string, afterNumber: string, limit: number): Promise<RequestedPayout[]> {
  return db.rows(requested, [runId, afterNumber, limit])
}

const requestedSum = {
  name: 'payouts.requested-sum',
  text: `select count(*)::int as count, coalesce(sum(amount), 0)::text as amount from payouts.payout where run_id = $1 and state = 'requested'`,
}
export async function sumRequested(db: Db, runId: string): Promise<{ count: number; amount: string }> {
  return (await db.row<{ count: number; amount: string }>(requestedSum, [runId])) ?? { count: 0, amount: '0' }
}

const keepFiles = {
  name: 'payouts.keep-files',
  text: 'update payouts.payout set pdf_file = $2, csv_file = $3 where id = $1 and pdf_file is null',
}
/** False when the payout has its statement already. */
export async function keepStatement(db: Db, id: string, pdf: string, csv: string): Promise<boolean> {
  return (await db.run(keepFiles, [id, pdf, csv])) === 1
}
