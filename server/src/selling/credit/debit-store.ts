import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Debit, DebitState } from './debit.ts'

const columns = `d.statement_id as "statementId", d.mandate_id as "mandateId", d.amount, d.collect_on::text as "collectOn", d.state,
  d.collected, d.reason`

const insert = {
  name: 'credit.insert-debit',
  text: `insert into credit.debit (statement_id, mandate_id, amount, collect_on, announced_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
}
export async function insertDebit(
  db: Db,
  { statementId, mandateId, amount, collectOn }: Pick<Debit, 'statementId' | 'mandateId' | 'amount' | 'collectOn'>,
  now: Date,
): Promise<void> {
  await db.run(insert, [statementId, mandateId, amount, collectOn, now])
}

const submit = {
  name: 'credit.submit-debits',
  text: `update credit.debit set state = 'submitted', updated_at = $3 where statement_id in (
      select d.statement_id from credit.debit d join credit.statement s on s.id = d.statement_id
      where d.state = 'announced' and d.collect_on <= $2::date and s.market = $1 order by d.statement_id limit $4 for update of d skip locked)
    returning statement_id as id`,
}
/** Debits whose day has come: from now on a revocation no longer stops them. */
export async function submitDebits(db: Db, market: Market, today: string, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  return (await db.rows<{ id: string }>(submit, [market, today, now, limit])).map(({ id }) => id)
}

const silent = {
  name: 'credit.silent-debits',
  text: `select statement_id as id from credit.debit
    where (state = 'submitted' and updated_at < $1::timestamptz - interval '1 day')
      or (state = 'settled' and updated_at < $1::timestamptz - interval '7 days' and collect_on > $1::date - 80)
    order by updated_at limit $2`,
}
/** Debits nothing was heard of for a day; collected ones for a week, as long as their bank may take them back. */
export async function readSilentDebits(db: Db, now: Date, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(silent, [now, limit])).map(({ id }) => id)
}

const byStatement = {
  name: 'credit.debit',
  text: `select ${columns}, m.reference, m.iban_end as "ibanEnd"
    from credit.debit d join credit.mandate m on m.id = d.mandate_id where d.statement_id = $1`,
}
/** The debit of a statement with its mandate. */
export type DebitOfMandate = Debit & { reference: string; ibanEnd: string }

export function readDebit(db: Db, statementId: string): Promise<DebitOfMandate | undefined> {
  return db.row<DebitOfMandate>(byStatement, [statementId])
}

const lock = { name: 'credit.lock-debit', text: `select ${columns} from credit.debit d where d.statement_id = $1 for update` }
export function lockDebit(db: Db, statementId: string): Promise<Debit | undefined> {
  return db.row<Debit>(lock, [statementId])
}

const write = {
  name: 'credit.write-debit',
  text: 'update credit.debit set state = $2, collected = $3, reason = $4, updated_at = $5 where statement_id = $1',
}
export async function writeDebit(
  db: Db,
  { statementId, state, collected, reason }: { statementId: string; state: DebitState; collected: number; reason: string | null },
  now: Date,
): Promise<void> {
  await db.run(write, [statementId, state, collected, reason, now])
}

const drop = {
  name: 'credit.drop-debits',
  text: `update credit.debit set state = 'dropped', reason = 'mandate-ended', updated_at = $2 where mandate_id = $1 and state = 'announced'
    returning statement_id as id`,
}
/** Announced debits end with their mandate. Returns their statements. */
export async function dropDebits(db: Db, mandateId: string, now: Date): Promise<string[]> {
  return (await db.rows<{ id: string }>(drop, [mandateId, now])).map(({ id }) => id).toSorted()
}
